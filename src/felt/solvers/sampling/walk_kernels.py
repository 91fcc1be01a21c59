# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled walks that try some of what may happen and leave the rest to dice.

`nodes` are the arrays of `felt.solvers.sampling.walks.Walks`, parents before their children; ``known[street, player]``
says which of a node's information sets a player is in; `learned` are the information sets, what is learned there
(`felt.solvers.cfr.base.State`), room for counterfactual values and the weights of an update.
"""

import numpy as np

from felt._chance_kernels import GOLDEN, random_bits
from felt._jit import kernel
from felt.games.engine.showdown_kernels import settle_many
from felt.solvers.cfr.update_kernels import update_regrets


@kernel
def roll(dice):
    """A number from 0 to below 1."""
    dice[0] += GOLDEN
    return np.float64(random_bits(dice[0]) >> np.uint64(11)) * 2.0**-53


@kernel
def pick(chances, first, count, dice):
    """One of `count` choices, by their chances."""
    left = roll(dice)
    for i in range(count - 1):
        left -= chances[first + i]
        if left < 0:
            return i
    while count > 1 and chances[first + count - 1] <= 0:  # sums of chances may miss 1 by a rounding
        count -= 1
    return count - 1


@kernel
def pay(terminal, cards, payments):
    """What everybody wins at a terminal of the betting, with these cards where they are shown: a row of `out`."""
    payoffs, shown, engine, out = payments
    if shown[terminal] == 0:
        for seat in range(out.shape[1]):
            out[0, seat] = payoffs[terminal, seat]
    else:
        h, k, before, hole, game, tables, extra, numbers, room = engine
        settle_many(h[terminal], k[terminal], cards, hole, before[terminal], game, tables, extra, numbers, room, out)


@kernel
def walk_all_own(me, nodes, cards, known, payments, learned, room, dice):
    """Try all that a player may do, with one choice of everybody else; the player learns from it.

    Between two, the other's strategy is taken into the average where they act: as often as they come there.
    """
    player, street, first, children, base, terminals, chance = nodes
    infosets, state, cfv, weights = learned
    _, averages, strategy, _, _ = state
    _, _, _, paid = payments
    queue, below, node_values = room
    sequences, _ = infosets
    queue[0] = 0
    at, count = 0, 1
    while at < count:
        node = queue[at]
        acting, size = player[node], first[node + 1] - first[node]
        below[at] = count
        if acting == me:
            for a in range(size):
                queue[count + a] = children[first[node] + a]
            count += size
        elif size > 0:
            if acting >= 0:
                s = sequences[base[node] + known[street[node], acting]]
                choice = pick(strategy, s, size, dice)
                if len(known[0]) == 2:
                    for a in range(size):
                        averages[s + a] += strategy[s + a]
            else:
                choice = pick(chance, children[first[node]], size, dice)
            queue[count] = children[first[node] + choice]
            count += 1
        at += 1
    for at in range(count - 1, -1, -1):
        node = queue[at]
        if terminals[node] >= 0:
            pay(terminals[node], cards, payments)
            node_values[at] = paid[0, me]
        elif player[node] != me:
            node_values[at] = node_values[below[at]]
        else:
            infoset = base[node] + known[street[node], me]
            s = sequences[infoset]
            total = 0.0
            for a in range(first[node + 1] - first[node]):
                cfv[s + a] = node_values[below[at] + a]
                total += strategy[s + a] * cfv[s + a]
            node_values[at] = total
            update_regrets(infosets, infoset, infoset + 1, cfv, state, weights, False)
    return count


@kernel
def walk_one_way(me, nodes, cards, known, payments, learned, room, dice, explore):
    """Play one hand; a player learns from it as if it were all there is, weighted by how unlikely it was.

    The player does anything at all with the chance `explore`, else as their strategy says.
    """
    player, street, first, children, base, terminals, chance = nodes
    infosets, state, cfv, weights = learned
    _, averages, strategy, _, _ = state
    _, _, _, paid = payments
    met, chosen, _ = room
    sequences, _ = infosets
    node, depth, count, sampled = 0, 0, 1, 1.0
    while terminals[node] < 0:
        acting, size = player[node], first[node + 1] - first[node]
        if acting < 0:
            choice = pick(chance, children[first[node]], size, dice)
        else:
            infoset = base[node] + known[street[node], acting]
            s = sequences[infoset]
            if acting == me:
                choice = (
                    min(int(roll(dice) * size), size - 1) if roll(dice) < explore else pick(strategy, s, size, dice)
                )
                sampled *= explore / size + (1 - explore) * strategy[s + choice]
                met[depth], chosen[depth] = infoset, choice
                depth += 1
            else:
                choice = pick(strategy, s, size, dice)
                if len(known[0]) == 2:
                    for a in range(size):
                        averages[s + a] += strategy[s + a] / sampled
        node = children[first[node] + choice]
        count += 1
    pay(terminals[node], cards, payments)
    value = paid[0, me] / sampled
    for at in range(depth - 1, -1, -1):
        infoset = met[at]
        s = sequences[infoset]
        for i in range(s, sequences[infoset + 1]):
            cfv[i] = 0
        cfv[s + chosen[at]] = value
        value *= strategy[s + chosen[at]]
        update_regrets(infosets, infoset, infoset + 1, cfv, state, weights, False)
    return count


@kernel
def walk_average(me, nodes, known, learned, dice):
    """Take a player's strategy into the average along one way, as often as they themselves come there.

    Others do anything at all: what they play changes from iteration to iteration, and must not weigh in.
    """
    player, street, first, children, base, terminals, chance = nodes
    infosets, state, _, _ = learned
    _, averages, strategy, _, _ = state
    sequences, _ = infosets
    node, count = 0, 1
    while terminals[node] < 0:
        acting, size = player[node], first[node + 1] - first[node]
        if acting < 0:
            choice = pick(chance, children[first[node]], size, dice)
        elif acting == me:
            s = sequences[base[node] + known[street[node], me]]
            for a in range(s, s + size):
                averages[a] += strategy[a]
            choice = pick(strategy, s, size, dice)
        else:
            choice = min(int(roll(dice) * size), size - 1)
        node = children[first[node] + choice]
        count += 1
    return count


@kernel
def walk(nodes, cards, known, payments, learned, room, dice, seats, explore):
    """As many iterations as there are deals; the number of nodes that were looked at.

    With `explore` below 0 all of the player's own actions are tried, else one.
    """
    count = 0
    for deal in range(len(known)):
        dealt = cards[deal : deal + 1]
        for me in seats:
            if explore < 0:
                count += walk_all_own(me, nodes, dealt, known[deal], payments, learned, room, dice)
            else:
                count += walk_one_way(me, nodes, dealt, known[deal], payments, learned, room, dice, explore)
        if known.shape[2] > 2:
            for me in seats:
                count += walk_average(me, nodes, known[deal], learned, dice)
    return count
