"""Compiled sweeps over a public tree, level by level, with all hands of a node at once.

Nodes of one level do not depend on each other: each loop over a level may be cut into parts for threads or a device.
Going down, ``worth[node]`` is how likely the opponent comes there with each hand; coming up, what the node is worth to
each hand of the player who learns. What is learned is ``[rows, hands]``, a row for each action of each node; only
`load` and `keep` know in what numbers.
"""

import math

from felt._jit import kernel
from felt.solvers.update_kernels import AVERAGE, NEGATIVE, POSITIVE
from felt.solvers.vector_ends_kernels import end_values

LEARN, PLAY, BEST = 0, 1, 2
"""What is done on the way up: learn, measure what is played, or take the best action."""

TOP = 32766
"""The largest of a node's block is its scale times this: one below what 16 bits hold, for what is rounded up."""


@kernel
def load(kept, node, row, block, count):
    """Bring what is kept of a node into `block`; `kept` is a `felt.solvers.vector_kept.Kept`."""
    floats, shorts, scales, _ = kept
    for a in range(count):
        for i in range(block.shape[1]):
            block[a, i] = shorts[row + a, i] * scales[node] if len(scales) > 0 else floats[row + a, i]


@kernel
def keep(kept, node, row, block, count):
    """Keep a block: the way back from `load`. 16-bit numbers are rounded up or down by chance, so that what is added
    in steps too small to be kept adds up all the same.
    """
    floats, shorts, scales, dice = kept
    if len(scales) == 0:
        for a in range(count):
            for i in range(block.shape[1]):
                floats[row + a, i] = block[a, i]
        return
    top = block[0, 0] * 0
    for a in range(count):
        for i in range(block.shape[1]):
            top = max(top, abs(block[a, i]))
    scales[node] = top / TOP
    step = TOP / top if top > 0 else top
    state = dice[0]
    for a in range(count):
        for i in range(block.shape[1]):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            shorts[row + a, i] = math.floor(block[a, i] * step + state * (0.999 / 0x80000000))
    dice[0] = state


@kernel
def played(regrets, predicted, row, count, strategy, totals):
    """The strategy of one node, by its regrets, as `felt.solvers.update_kernels.match_regrets` has it."""
    hands = len(totals)
    for i in range(hands):
        totals[i] = 0
    for a in range(count):
        for i in range(hands):
            regret = regrets[a, i] + (predicted[row + a, i] if len(predicted) > 0 else 0)
            strategy[a, i] = regret if regret > 0 else 0
            totals[i] += strategy[a, i]
    for a in range(count):
        for i in range(hands):
            strategy[a, i] = strategy[a, i] / totals[i] if totals[i] > 0 else 1 / count


@kernel
def learn(regrets, predicted, row, count, values, worth, weights, floor):
    """Take in what each action of a node was worth to each hand, against `values`, what was played."""
    for a in range(count):
        for i in range(len(values)):
            regret, now = regrets[a, i], worth[a, i] - values[i]
            regret = regret * (weights[POSITIVE] if regret > 0 else weights[NEGATIVE]) + now
            regrets[a, i] = 0 if floor and regret < 0 else regret
            if len(predicted) > 0:
                predicted[row + a, i] = now


@kernel
def go_down(tree, me, kept, predicted, averages, weights, room):
    """How likely the opponent comes to each node with each hand; with `averages`, what the player plays is added."""
    player, first_child, children, rows, board = tree[0]
    levels, alive, start = tree[1], tree[2], tree[3]
    worth, own, strategy, other, totals = room
    hands = len(totals)
    for i in range(hands):
        worth[0, i] = start[1 - me, i]
        own[0, 0, i] = 1
    for level in range(len(levels) - 1):
        begin, end = levels[level], levels[level + 1]
        above, below = own[level & 1], own[1 - (level & 1)]
        for node in range(begin, end):
            count, first, acting = children[node], first_child[node], player[node]
            if count > 0 and acting >= 0:
                load(kept, node, rows[node], other, count)
                played(other, predicted, rows[node], count, strategy, totals)
            for a in range(count):
                lives, child, at = alive[board[first + a]], first + a, first + a - end
                for i in range(hands):
                    chance = lives[i] if acting < 0 else strategy[a % len(strategy), i]
                    worth[child, i] = worth[node, i] * (1 if acting == me else chance)
                    below[at, i] = above[node - begin, i] * (chance if acting == me else 1)
            if acting == me and len(averages[0]) + len(averages[1]) > 0:
                load(averages, node, rows[node], other, count)
                for a in range(count):
                    for i in range(hands):
                        other[a, i] = other[a, i] * weights[AVERAGE] + below[first + a - end, i]
                keep(averages, node, rows[node], other, count)


@kernel
def go_up(tree, ends, me, kept, predicted, mode, weights, floor, room, sums):
    """What every node is worth to each hand of the player, and by `mode` what they learn from it."""
    player, first_child, children, rows, board = tree[0]
    images, which, moves = tree[4], tree[5], tree[6]
    worth, _, strategy, other, totals = room
    hands = len(totals)
    for node in range(len(player) - 1, -1, -1):
        count, first, acting = children[node], first_child[node], player[node]
        if count == 0:
            end_values(ends, node, board[node], me, worth[node], sums)
            continue
        if acting == me and mode != BEST:
            load(kept, node, rows[node], other, count)
            played(other, predicted, rows[node], count, strategy, totals)
        for i in range(hands):
            totals[i] = 0
        if acting < 0:
            for child in range(first, first + count):
                for image in range(images[board[child]], images[board[child] + 1]):
                    move = moves[which[image]]
                    for i in range(hands):
                        totals[i] += worth[child, move[i]]
        else:
            for a in range(count):
                for i in range(hands):
                    value = worth[first + a, i]
                    if acting == me and mode == BEST:
                        totals[i] = value if a == 0 else max(totals[i], value)
                    else:
                        totals[i] += value * strategy[a, i] if acting == me else value
        if acting == me and mode == LEARN:
            learn(other, predicted, rows[node], count, totals, worth[first : first + count], weights, floor)
            keep(kept, node, rows[node], other, count)
        for i in range(hands):
            worth[node, i] = totals[i]
