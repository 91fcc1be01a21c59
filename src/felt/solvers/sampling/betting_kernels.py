# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sweeps over the betting of a game, for one deal after the other."""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import update_reach, update_regrets


@kernel
def sweep_deals(nodes, known, terminals, payoffs, infosets, state, room, cfv, weights, floor):
    """One iteration for each deal: every player learns from the values of the betting with these cards.

    `nodes` are (player, street, first child, children, first information set); ``known[deal, street, player]`` says
    which of a node's information sets a player is in; `terminals` the row of each node's payoffs.
    """
    player, street, first, children, base = nodes
    first_sequence, parent = infosets
    _, _, strategy, own_reach, _ = state
    numbers, reach, node_values = room
    for deal in range(len(known)):
        for me in range(known.shape[2]):
            reach[0] = 1
            for node in range(len(player)):
                acting = player[node]
                count = first[node + 1] - first[node]
                if acting < 0:
                    for c in range(first[node], first[node + 1]):
                        reach[children[c]] = reach[node]
                    continue
                infoset = base[node] + known[deal, street[node], acting]
                numbers[node] = infoset
                if acting == me:
                    update_reach(first_sequence, parent, infoset, infoset + 1, strategy, own_reach)
                for a in range(count):
                    chance = strategy[first_sequence[infoset] + a] if acting != me else reach[0]
                    reach[children[first[node] + a]] = reach[node] * chance
            for node in range(len(player) - 1, -1, -1):
                acting = player[node]
                if first[node] == first[node + 1]:
                    node_values[node] = payoffs[deal, terminals[node], me]
                elif acting < 0:
                    node_values[node] = node_values[children[first[node]]]
                else:
                    begin = first_sequence[numbers[node]]
                    total = node_values[0] * 0
                    for a in range(first[node + 1] - first[node]):
                        below = node_values[children[first[node] + a]]
                        total += strategy[begin + a] * below
                        if acting == me:
                            cfv[begin + a] = reach[node] * below
                    node_values[node] = total
            for node in range(len(player)):
                if player[node] == me:
                    infoset = numbers[node]
                    update_regrets(infosets, infoset, infoset + 1, cfv, state, weights, floor)
