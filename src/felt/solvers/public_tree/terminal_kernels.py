"""Compiled: what the end of a hand is worth to each hand of one player, against all hands of the other.

Where hands have one or two cards and the better takes the pot, hands are walked through from the weakest to the
strongest: how likely the opponent holds a weaker one is a running sum, and what cannot be, because a card lies in the
player's own hand, is taken out by a running sum for each card. So an end costs as many steps as there are hands.
Everything else is a table of all pairs of hands.
"""

from felt._jit import kernel
from felt.games.showdown_kernels import best_value

LOSES, TIES, WINS = 0, 1, 2
"""How the first player's hand compares with the second's; where two kinds of hands share the pot, plus 3 times the
same for the second kind, and 3 there if nobody has one."""


@kernel
def end_values(ends, node, board, me, reach, sums):
    """Put the value of an end in the place of how likely the opponent comes there with each hand."""
    end = ends[0][node]
    if len(ends[9]) > 0:
        by_pairs(ends, end, board, me, reach, sums[0])
    else:
        by_strength(ends, end, board, me, reach, sums[0], sums[1])
    for i in range(len(reach)):
        reach[i] = sums[0][i]


@kernel
def by_pairs(ends, end, board, me, reach, out):
    """Through the chances of all pairs of hands."""
    shown, pays, final, ways, outcomes = ends[1][end], ends[2][end, me], ends[5], ends[9][board], ends[10]
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
def by_strength(ends, end, board, me, reach, out, by_card):
    """In order of strength, for hands of one or two cards; a hand of one has the same last card as all others.

    A hand is paid as if all others won, and more for those that do not beat it, and for those that it beats.
    """
    shown, pays, cards, alive, final = ends[1][end], ends[2][end, me], ends[3], ends[4], ends[5]
    hands, last = len(reach), len(by_card) - 1
    pair = cards[0, 1] != last
    win, tie, lose = pays[WINS if me == 0 else LOSES], pays[TIES], pays[LOSES if me == 0 else WINS]
    by_card[:] = 0
    total, at = 0.0, 0
    if shown:
        order, tiers, count = ends[6][board - final], ends[7][board - final], ends[8][board - final]
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
    """What the engine says that each row of cards is worth, the first `held` being a player's own."""
    for row in range(len(rows)):
        out[row] = best_value(rows[row], held, size, exactly, method, tables, extra, picked)
