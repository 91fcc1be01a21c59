# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: the value of a terminal to each hand of one player, against all hands of the other.

Where hands have one or two cards and the better takes the pot, hands are walked through from the weakest to the
strongest: how likely the opponent holds a weaker one is a running sum, and what cannot be, because a card lies in the
player's own hand, is taken out by a running sum for each card. So a terminal costs as many steps as there are hands.
Everything else is a table of all pairs of hands. `terminals` is a `felt.solvers.public_tree.terminals.VectorTerminals`.
"""

from felt._jit import kernel
from felt.games.engine.showdown_kernels import best_value

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

    A hand is paid as if all others won, and more for those that do not beat it, and for those that it beats.
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
