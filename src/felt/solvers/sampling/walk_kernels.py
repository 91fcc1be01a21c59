# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled walks that try some of what may happen and leave the rest to dice.

`nodes` are the arrays of `felt.solvers.sampling.betting.Walks`, parents before their children; ``known[street,
player]`` says which of a node's information sets a player is in; `learned` are the information sets, what is learned
there (`felt.solvers.cfr.base.State`), room for counterfactual values and the weights of an update.
"""

import numpy as np

from felt._chance_kernels import GOLDEN, random_bits
from felt._jit import kernel
from felt.games.engine.showdown_kernels import settle_many
from felt.solvers.cfr.update_kernels import update_reach, update_regrets


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
    # The same first lines as in `walk_all_own`: kernels can only unpack tuples where they use them.
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


@kernel
def look_at_deals(nodes, cards, known, payments, first_sequence, strategy, responses, room, cfv, totals):
    """For each deal and player: what they win when all play `strategy`, and when they alone play `responses` instead.

    ``totals[deal, player]`` are these two. What each terminal pays a player who wants to come there is added to the
    value of the last sequence that they played (`felt.solvers.cfr.sweep_kernels.gather`).
    """
    player, street, first, children, base, terminals, _ = nodes
    reach, response_reach, last = room
    _, _, _, paid = payments
    players = known.shape[2]
    for seat in range(players):
        reach[0, seat] = 1
        response_reach[0, seat] = 1
        last[0, seat] = first_sequence[len(first_sequence) - 1] + seat
    for deal in range(len(known)):
        for seat in range(players):
            totals[deal, seat, 0] = 0
            totals[deal, seat, 1] = 0
        for node in range(len(player)):
            if terminals[node] >= 0:
                absent = 0
                for seat in range(players):
                    absent += reach[node, seat] == 0
                if absent > 1:  # nobody can come here alone
                    continue
                pay(terminals[node], cards[deal : deal + 1], payments)
                for me in range(players):
                    gain = paid[0, me]
                    for other in range(players):
                        if other != me:
                            gain *= reach[node, other]
                    cfv[last[node, me]] += gain
                    totals[deal, me, 0] += gain * reach[node, me]
                    totals[deal, me, 1] += gain * response_reach[node, me]
                continue
            acting, s = player[node], 0
            if acting >= 0:
                s = first_sequence[base[node] + known[deal, street[node], acting]]
            for a in range(first[node + 1] - first[node]):
                child = children[first[node] + a]
                for seat in range(players):
                    reach[child, seat] = reach[node, seat]
                    response_reach[child, seat] = response_reach[node, seat]
                    last[child, seat] = last[node, seat]
                if acting >= 0:
                    reach[child, acting] *= strategy[s + a]
                    response_reach[child, acting] *= responses[s + a]
                    last[child, acting] = s + a


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
