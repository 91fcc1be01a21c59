"""Compiled sweeps over the levels of a tree: reach goes down, values come up."""

from felt._jit import kernel
from felt.solvers.update_kernels import update


@kernel
def go_down(nodes, player, strategy, chances, others):
    """The chance of each node given its parent, and how likely it is when the player wants to come there."""
    parent, acting, sequence, chance = nodes[0], nodes[3], nodes[4], nodes[5]
    others[0] = 1
    for node in range(1, len(parent)):
        above = parent[node]
        if sequence[node] < 0:
            chances[node] = chance[node]
            others[node] = others[above] * chance[node]
        else:
            chances[node] = strategy[sequence[node]]
            others[node] = others[above] if acting[above] == player else others[above] * chances[node]


@kernel
def go_up(nodes, payoffs, player, chances, others, worth, values):
    """The value of every node to the player, and of their sequences."""
    first_child, children, acting, sequence = nodes[1], nodes[2], nodes[3], nodes[4]
    end = len(payoffs)
    for node in range(len(worth) - 1, -1, -1):
        if children[node] == 0:
            end -= 1
            worth[node] = payoffs[end, player]
            continue
        begin = first_child[node]
        total = worth[0] * 0
        for child in range(begin, begin + children[node]):
            total += chances[child] * worth[child]
        worth[node] = total
        if acting[node] == player:
            for child in range(begin, begin + children[node]):
                values[sequence[child]] += others[node] * worth[child]


@kernel
def sweep_levels(nodes, payoffs, of_player, infosets, state, room, values, schedule, floor):
    """As `felt.solvers.ends_kernels.sweep`, over every node; `nodes` are arrays of a `GameTree`, `room` for each."""
    first = infosets[0]
    for t in range(len(schedule)):
        for player in range(len(of_player) - 1):
            begin, end = of_player[player], of_player[player + 1]
            for s in range(first[begin], first[end]):
                values[s] = 0
            go_down(nodes, player, state[2], room[0], room[1])
            go_up(nodes, payoffs, player, room[0], room[1], room[2], values)
            update(infosets, begin, end, values, state, schedule[t], floor)
