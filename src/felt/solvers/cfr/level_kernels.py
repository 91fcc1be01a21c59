# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sweeps over the levels of a tree: reach goes down, values come up.

`nodes` are arrays of a `felt.solvers.trees.tree.GameTree`: parent, first child, children, player, sequence, chance.
"""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import update_regrets


@kernel
def go_down(nodes, player, strategy, chances, reach):
    """The chance of each node given its parent, and how likely all but the player bring it about."""
    parent, _, _, acting, sequence, chance = nodes
    reach[0] = 1
    for node in range(1, len(parent)):
        above = parent[node]
        if sequence[node] < 0:
            chances[node] = chance[node]
            reach[node] = reach[above] * chance[node]
        else:
            chances[node] = strategy[sequence[node]]
            reach[node] = reach[above] if acting[above] == player else reach[above] * chances[node]


@kernel
def go_up(nodes, payoffs, player, chances, reach, node_values, cfv):
    """The value of every node to the player, and of their sequences."""
    _, first_child, children, acting, sequence, _ = nodes
    terminal = len(payoffs)
    for node in range(len(node_values) - 1, -1, -1):
        if children[node] == 0:
            terminal -= 1
            node_values[node] = payoffs[terminal, player]
            continue
        begin = first_child[node]
        total = node_values[0] * 0
        for child in range(begin, begin + children[node]):
            total += chances[child] * node_values[child]
        node_values[node] = total
        if acting[node] == player:
            for child in range(begin, begin + children[node]):
                cfv[sequence[child]] += reach[node] * node_values[child]


@kernel
def sweep_levels(nodes, payoffs, of_player, infosets, state, room, cfv, schedule, floor):
    """As `felt.solvers.cfr.terminal_kernels.sweep`, over every node; `room` has three numbers for each."""
    first, _ = infosets
    _, _, strategy, _, _ = state
    chances, reach, node_values = room
    for t in range(len(schedule)):
        for player in range(len(of_player) - 1):
            begin, end = of_player[player], of_player[player + 1]
            for s in range(first[begin], first[end]):
                cfv[s] = 0
            go_down(nodes, player, strategy, chances, reach)
            go_up(nodes, payoffs, player, chances, reach, node_values, cfv)
            update_regrets(infosets, begin, end, cfv, state, schedule[t], floor)
