# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled ranking of lows and badugi.

`tables` is ``(offsets, values, flushes)`` of one kind of hand, as in `felt.cards.ranking.kernels`.
"""

import numpy as np

from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_KEYS, FLUSH_BITS, START, rank_bit, ranks_value, suited_ranks


@kernel
def _ranks_without(hand, i, j):
    """The set of ranks of a hand without two of its cards."""
    ranks = 0
    for k in range(len(hand)):
        if k != i and k != j:
            ranks |= rank_bit(hand[k])
    return ranks


@kernel
def best_five(hand, tables):
    """Value of the best five of five to seven cards, tried one after the other."""
    offsets, values, flushes = tables
    size = len(hand)
    if size == 5:
        if (START[5] + hand_key(hand)) & FLUSH_BITS:
            return int(flushes[_ranks_without(hand, -1, -1)])
        return int(ranks_value(START[5] + hand_key(hand), offsets, values))
    best = 0
    for i in range(size):
        for j in range(i, size):
            if (i == j) != (size == 6):  # of six cards one is left out, of seven two different ones
                continue
            key = START[5] + hand_key(hand) - CARD_KEYS[hand[i]]
            if i != j:
                key -= CARD_KEYS[hand[j]]
            if key & FLUSH_BITS:
                best = max(best, int(flushes[_ranks_without(hand, i, j)]))
            else:
                best = max(best, int(ranks_value(key, offsets, values)))
    return best


@kernel
def hand_key(hand):
    """The keys of all cards of a hand together."""
    key = np.uint64(0)
    for card in hand:
        key += CARD_KEYS[card]
    return key


@kernel
def rank_lows(hands, tables, out):
    """Value of each row of ``uint8[n, k]`` cards for the lows: a suited five may hide a better hand.

    Lows that know no flushes have an empty table of them.
    """
    offsets, values, flushes = tables
    flush_bits = FLUSH_BITS if len(flushes) > 0 else np.uint64(0)
    count, size = hands.shape
    for i in range(count):
        key = START[size]
        for j in range(size):
            key += CARD_KEYS[hands[i, j]]
        if key & flush_bits:
            out[i] = best_five(hands[i], tables)
        else:
            out[i] = ranks_value(key, offsets, values)


@kernel
def badugi_value(hand, values):
    """Badugi value: the best choice of at most one card of each suit, all of different ranks.

    Each loop takes the ranks of one suit that are still free, lowest first, and at last none of them.
    """
    clubs = suited_ranks(hand, 0)
    all_diamonds = suited_ranks(hand, 1)
    all_hearts = suited_ranks(hand, 2)
    all_spades = suited_ranks(hand, 3)
    best = 0
    while True:
        club = clubs & -clubs
        diamonds = all_diamonds & ~club
        while True:
            two = club | diamonds & -diamonds
            hearts = all_hearts & ~two
            while True:
                three = two | hearts & -hearts
                spades = all_spades & ~three
                while True:
                    best = max(best, int(values[three | spades & -spades]))
                    if spades == 0:
                        break
                    spades &= spades - 1
                if hearts == 0:
                    break
                hearts &= hearts - 1
            if diamonds == 0:
                break
            diamonds &= diamonds - 1
        if clubs == 0:
            break
        clubs &= clubs - 1
    return best


@kernel
def rank_badugis(hands, values, out):
    """Badugi value of each row of ``uint8[n, k]`` cards."""
    for i in range(len(hands)):
        out[i] = badugi_value(hands[i], values)
