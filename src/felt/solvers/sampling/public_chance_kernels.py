# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: walks over all that players may hold and do, with one way for the cards that all see."""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import update_reach, update_regrets
from felt.solvers.sampling.walk_kernels import pick


@kernel
def walk_public(me, nodes, payoffs, events, learned, room, dice):
    """One player learns from the histories in which the drawn cards fall; the number of nodes looked at.

    `events` are (event of each node below chance, family of each chance node, first event of each family, chances of
    the events, what was drawn of each family).
    """
    parent, first_child, children, player, sequence, chance, infoset, terminals = nodes
    event, family, first_event, chances, drawn = events
    infosets, state, cfv, weights = learned
    first, parent_sequence = infosets
    _, _, strategy, own_reach, _ = state
    queue, met, is_met, weight, reach, node_values = room
    queue[0] = 0
    reach[0] = 1
    node_values[0] = 0
    at, count, known = 0, 1, 0
    while at < count:
        node = queue[at]
        at += 1
        acting, begin = player[node], first_child[node]
        if children[node] == 0:
            continue
        only = -1
        if acting < 0:
            kin = family[node]
            if drawn[kin] < 0:
                drawn[kin] = first_event[kin] + pick(
                    chances, first_event[kin], first_event[kin + 1] - first_event[kin], dice
                )
            only = drawn[kin]
        elif acting == me and is_met[infoset[node]] == 0:
            is_met[infoset[node]] = 1
            met[known] = infoset[node]
            known += 1
            update_reach(first, parent_sequence, infoset[node], infoset[node] + 1, strategy, own_reach)
            for s in range(first[infoset[node]], first[infoset[node] + 1]):
                cfv[s] = 0
        for child in range(begin, begin + children[node]):
            if acting < 0:
                if event[child] != only:
                    continue
                weight[child] = chance[child] / chances[only]
            else:
                weight[child] = strategy[sequence[child]]
            reach[child] = reach[node] if acting == me else reach[node] * weight[child]
            node_values[child] = 0
            queue[count] = child
            count += 1
    for at in range(count - 1, -1, -1):
        node = queue[at]
        if children[node] == 0:
            node_values[node] = payoffs[terminals[node], me]
        elif player[node] < 0:
            drawn[family[node]] = -1
        if node > 0:
            above = parent[node]
            node_values[above] += weight[node] * node_values[node]
            if player[above] == me:
                cfv[sequence[node]] += reach[above] * node_values[node]
    for i in range(known):
        is_met[met[i]] = 0
        update_regrets(infosets, met[i], met[i] + 1, cfv, state, weights, False)
    return count


@kernel
def walks_public(iterations, nodes, payoffs, events, learned, room, dice, seats):
    """So many iterations, each a walk for every seat."""
    count = 0
    for _ in range(iterations):
        for me in seats:
            count += walk_public(me, nodes, payoffs, events, learned, room, dice)
    return count
