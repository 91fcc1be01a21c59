# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sweeps over a public tree, level by level, with all hands of a node at once.

Nodes of one level do not depend on each other: each loop over a level may be cut into parts for threads or a device.
``vectors[node]`` is room for a number for each hand: on the way down the reach of the opponent, on the way up the value
to the player who learns. What is learned is ``[rows, hands]``, a row for each action of each node; only `load` and
`keep` know in what numbers. `tree` is `felt.solvers.public_tree.tree.VectorTree.arrays`.
"""

import math

from felt._jit import kernel
from felt.games.engine.showdown_kernels import best_value
from felt.solvers.cfr.update_kernels import AVERAGE, grow_regret

LOSES, TIES, WINS = 0, 1, 2
"""How the first player's hand compares with the second's; where two kinds of hands share the pot, plus 3 times the
same for the second kind, and 3 there if nobody has one."""


@kernel
def terminal_values(terminals, node, board, me, vector, sums):
    """Replace the reach of the opponent's hands by the value of a terminal to each hand of the player."""
    number_of, _, _, _, _, _, _, _, _, ways, _ = terminals
    values, by_card = sums
    if len(ways) > 0:
        values_of_all_pairs(terminals, number_of[node], board, me, vector, values)
    else:
        fold_and_showdown_values(terminals, number_of[node], board, me, vector, values, by_card)
    for i in range(len(vector)):
        vector[i] = values[i]


@kernel
def values_of_all_pairs(terminals, number, board, me, reach, out):
    """Through the chances of all pairs of hands."""
    _, is_showdown, all_pays, _, _, final, _, _, _, all_ways, outcomes = terminals
    shown, pays, ways = is_showdown[number], all_pays[number, me], all_ways[board]
    for i in range(len(reach)):
        total = 0.0
        for j in range(len(reach)):
            if not shown:
                total += ways[i, j] * reach[j] * pays[0]
            elif me == 0:
                total += ways[i, j] * reach[j] * pays[outcomes[board - final, i, j]]
            else:
                total += ways[i, j] * reach[j] * pays[outcomes[board - final, j, i]]
        out[i] = total


@kernel
def fold_and_showdown_values(terminals, number, board, me, reach, out, by_card):
    """In order of strength, for hands of one or two cards; a hand of one has the same last card as all others.

    Hands are walked through from the weakest to the strongest: how likely the opponent holds a weaker one is a running
    sum, and what cannot be, because a card lies in the player's own hand, is taken out by a running sum for each card.
    So a terminal costs as many steps as there are hands. A hand is paid as if all others won, and more for those that
    do not beat it, and for those that it beats.
    """
    _, is_showdown, all_pays, cards, alive, final, orders, all_tiers, counts, _, _ = terminals
    shown, pays = is_showdown[number], all_pays[number, me]
    hands, last = len(reach), len(by_card) - 1
    pair = cards[0, 1] != last
    win, tie, lose = pays[WINS if me == 0 else LOSES], pays[TIES], pays[LOSES if me == 0 else WINS]
    by_card[:] = 0
    total, at = 0.0, 0
    if shown:
        order, tiers, count = orders[board - final], all_tiers[board - final], counts[board - final]
        while at < count:
            stop, weaker = at, total
            while stop < count and tiers[stop] == tiers[at]:
                i = order[stop]
                out[i] = (win - tie) * (weaker - by_card[cards[i, 0]] - by_card[cards[i, 1]])
                total += reach[i]
                stop += 1
            for place in range(at, stop):
                i = order[place]
                by_card[cards[i, 0]] += reach[i]
                if pair:
                    by_card[cards[i, 1]] += reach[i]
            for place in range(at, stop):
                i = order[place]
                others = total - by_card[cards[i, 0]] - by_card[cards[i, 1]]
                out[i] += (tie - lose) * (others + reach[i] if pair else others)
            at = stop
    else:
        for i in range(hands):
            out[i] = 0
            total += reach[i]
            by_card[cards[i, 0]] += reach[i]
            by_card[cards[i, 1]] += reach[i]
        by_card[last] = 0
    for i in range(hands):
        others = total - by_card[cards[i, 0]] - by_card[cards[i, 1]]
        out[i] = out[i] + lose * (others + reach[i] if pair else others) if alive[board, i] else 0


@kernel
def strengths(rows, held, size, exactly, method, tables, extra, picked, out):
    """The engine's rank of each row of cards, the first `held` being a player's own."""
    for row in range(len(rows)):
        out[row] = best_value(rows[row], held, size, exactly, method, tables, extra, picked)


LEARN, PLAY, BEST = 0, 1, 2
"""What is done on the way up: learn, measure what is played, or take the best action."""

TOP = 32766
"""The largest of a node's block is its scale times this: one below what 16 bits hold, for what is rounded up."""


@kernel
def load(stored, node, row, block, count):
    """Bring what is stored of a node into `block`; `stored` is a `felt.solvers.public_tree.solver.StoredRows`."""
    floats, shorts, scales, _ = stored
    for a in range(count):
        for i in range(block.shape[1]):
            block[a, i] = shorts[row + a, i] * scales[node] if len(scales) > 0 else floats[row + a, i]


@kernel
def keep(stored, node, row, block, count):
    """Keep a block: the way back from `load`. 16-bit numbers are rounded up or down by chance, so that what is added
    in steps too small to be stored adds up all the same.
    """
    floats, shorts, scales, dice = stored
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
def match_node_regrets(regrets, predicted, row, count, strategy, totals):
    """The strategy of one node, by its regrets, as `felt.solvers.cfr.update_kernels.match_regrets` has it."""
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
def update_node_regrets(regrets, predicted, row, count, expected, cfv, weights, floor):
    """Take in the value of each action of a node to each hand, against that of what was played (`expected`)."""
    for a in range(count):
        for i in range(len(expected)):
            instant = cfv[a, i] - expected[i]
            regret = grow_regret(regrets[a, i], instant, weights)
            regrets[a, i] = 0 if floor and regret < 0 else regret
            if len(predicted) > 0:
                predicted[row + a, i] = instant


@kernel
def go_down(tree, me, stored, predicted, averages, weights, room):
    """How likely the opponent comes to each node with each hand; with `averages`, what the player plays is added."""
    nodes, levels, alive, start, _, _, _ = tree
    player, first_child, children, rows, board = nodes
    vectors, own_reach, strategy, block, totals = room
    hands = len(totals)
    for i in range(hands):
        vectors[0, i] = start[1 - me, i]
        own_reach[0, 0, i] = 1
    for level in range(len(levels) - 1):
        begin, end = levels[level], levels[level + 1]
        above, below = own_reach[level & 1], own_reach[1 - (level & 1)]
        for node in range(begin, end):
            count, first, acting = children[node], first_child[node], player[node]
            if count > 0 and acting >= 0:
                load(stored, node, rows[node], block, count)
                match_node_regrets(block, predicted, rows[node], count, strategy, totals)
            for a in range(count):
                lives, child, at = alive[board[first + a]], first + a, first + a - end
                for i in range(hands):
                    chance = lives[i] if acting < 0 else strategy[a % len(strategy), i]
                    vectors[child, i] = vectors[node, i] * (1 if acting == me else chance)
                    below[at, i] = above[node - begin, i] * (chance if acting == me else 1)
            if acting == me and len(averages[0]) + len(averages[1]) > 0:
                load(averages, node, rows[node], block, count)
                for a in range(count):
                    for i in range(hands):
                        block[a, i] = block[a, i] * weights[AVERAGE] + below[first + a - end, i]
                keep(averages, node, rows[node], block, count)


@kernel
def go_up(tree, terminals, me, stored, predicted, mode, weights, floor, room, sums):
    """The value of every node to each hand of the player, and by `mode` what they learn from it."""
    nodes, _, _, _, first_image, renaming, moves = tree
    player, first_child, children, rows, board = nodes
    vectors, _, strategy, block, totals = room
    hands = len(totals)
    for node in range(len(player) - 1, -1, -1):
        count, first, acting = children[node], first_child[node], player[node]
        if count == 0:
            terminal_values(terminals, node, board[node], me, vectors[node], sums)
            continue
        if acting == me and mode != BEST:
            load(stored, node, rows[node], block, count)
            match_node_regrets(block, predicted, rows[node], count, strategy, totals)
        for i in range(hands):
            totals[i] = 0
        if acting < 0:
            for child in range(first, first + count):
                for image in range(first_image[board[child]], first_image[board[child] + 1]):
                    move = moves[renaming[image]]
                    for i in range(hands):
                        totals[i] += vectors[child, move[i]]
        else:
            for a in range(count):
                for i in range(hands):
                    value = vectors[first + a, i]
                    if acting == me and mode == BEST:
                        totals[i] = value if a == 0 else max(totals[i], value)
                    else:
                        totals[i] += value * strategy[a, i] if acting == me else value
        if acting == me and mode == LEARN:
            cfv = vectors[first : first + count]
            update_node_regrets(block, predicted, rows[node], count, totals, cfv, weights, floor)
            keep(stored, node, rows[node], block, count)
        for i in range(hands):
            vectors[node, i] = totals[i]
