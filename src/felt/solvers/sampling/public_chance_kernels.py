"""Compiled: walks over all that players may hold and do, with one way for the cards that all see."""

from felt._jit import kernel
from felt.solvers.update_kernels import reach, update
from felt.solvers.walk_kernels import pick


@kernel
def walk_public(me, nodes, payoffs, events, learned, room, dice):
    """One player learns from the histories in which the drawn cards fall; the number of nodes looked at.

    `events` are (event of each node below chance, family of each chance node, first event of each family, chances of
    the events, what was drawn of each family).
    """
    parent, first_child, children, player, sequence, chance, infoset, ends = nodes
    event, family, first_event, chances, drawn = events
    infosets, state, values, row = learned
    queue, met, fresh, weight, others, worth = room
    queue[0] = 0
    others[0] = 1
    worth[0] = 0
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
        elif acting == me and fresh[infoset[node]] == 0:
            fresh[infoset[node]] = 1
            met[known] = infoset[node]
            known += 1
            reach(infosets[0], infosets[1], infoset[node], infoset[node] + 1, state[2], state[3])
            for s in range(infosets[0][infoset[node]], infosets[0][infoset[node] + 1]):
                values[s] = 0
        for child in range(begin, begin + children[node]):
            if acting < 0:
                if event[child] != only:
                    continue
                weight[child] = chance[child] / chances[only]
            else:
                weight[child] = state[2][sequence[child]]
            others[child] = others[node] if acting == me else others[node] * weight[child]
            worth[child] = 0
            queue[count] = child
            count += 1
    for at in range(count - 1, -1, -1):
        node = queue[at]
        if children[node] == 0:
            worth[node] = payoffs[ends[node], me]
        elif player[node] < 0:
            drawn[family[node]] = -1
        if node > 0:
            above = parent[node]
            worth[above] += weight[node] * worth[node]
            if player[above] == me:
                values[sequence[node]] += others[above] * worth[node]
    for i in range(known):
        fresh[met[i]] = 0
        update(infosets, met[i], met[i] + 1, values, state, row, False)
    return count


@kernel
def walks_public(iterations, nodes, payoffs, events, learned, room, dice, seats):
    """So many iterations, each a walk for every seat."""
    count = 0
    for _ in range(iterations):
        for me in seats:
            count += walk_public(me, nodes, payoffs, events, learned, room, dice)
    return count
