# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled ranking of high hands with wild cards, by counting ranks and suits instead of trying cards.

A wild card stands for any card, so five of a kind is possible; it has the values above the royal flush. In a flush
it stands for the highest card of the suit that the hand lacks. A bug is a joker that stands for an ace, or for any card
that completes a straight or a flush (Robert's Rules of Poker): where only equal ranks count it is an ace.
"""

import numpy as np

from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_KEYS, FLUSHES, OFFSETS, START, VALUES, ranks_value

ROYAL_FLUSH = 7462
ACE = 12
WHEEL = 0b1000000001111
JOKER = 52
BUG = 63
"""The bit of a set of wild cards that says that jokers are bugs."""


@kernel
def _straight_top(ranks, free):
    """The top rank of the best straight in a set of ranks with `free` more of any; -1 for none."""
    for top in range(ACE, 2, -1):
        straight = WHEEL if top == 3 else 0b11111 << (top - 4)
        missing = straight & ~ranks
        count = 0
        while missing:
            missing &= missing - 1
            count += 1
        if count <= free:
            return top
    return -1


@kernel
def _flush_ranks(ranks, free):
    """The best five ranks of one suit with `free` more of any; 0 if they are no flush."""
    chosen, count = 0, 0
    for rank in range(ACE, -1, -1):
        if count == 5:
            break
        if ranks >> rank & 1:
            chosen |= 1 << rank
            count += 1
        elif free > 0:
            chosen |= 1 << rank
            count += 1
            free -= 1
    return chosen if count == 5 else 0


@kernel
def _highest(counts, least, but):
    """The highest rank, other than `but`, that stands `least` times or more; -1 for none."""
    for rank in range(ACE, -1, -1):
        if rank != but and counts[rank] >= least:
            return rank
    return -1


@kernel
def _value(ranks, tables):
    """Value of five ranks in mixed suits."""
    key = START[5]
    for i in range(5):
        key += CARD_KEYS[4 * ranks[i] + (i & 3)]
    return int(ranks_value(key, tables[OFFSETS], tables[VALUES]))


@kernel
def _straight(top, five):
    for i in range(5):
        five[i] = top - i if top >= i else ACE


@kernel
def _paired(counts, free, five):
    """Fill in the best five ranks where only equal ones count: quads, full house, trips, two pair, pair, none.

    Wild cards all join the highest of the most frequent ranks, and the rest are the highest cards left, but for
    a second pair.
    """
    most = 0
    for rank in range(13):
        most = max(most, counts[rank])
    first = _highest(counts, most, -1)
    held = min(4, most + free)
    for i in range(held):
        five[i] = first
    second = -1
    if held == 3 or held == 2:
        second = _highest(counts, 2, first)
    used = held
    if second >= 0:
        five[used] = five[used + 1] = second
        used += 2
    rank = ACE
    while used < 5 and rank >= 0:
        if rank != first and rank != second and counts[rank] > 0:
            five[used] = rank
            used += 1
        rank -= 1
    return used


@kernel
def wild_value(cards, count, wild, tables):
    """Value of the best five of the first `count` cards (5 or more), those in the set of bits `wild` being wild.

    The scale is that of high hands, 1 to 7,462, and above it 7,463 to 7,475 for five twos to five aces. `tables`
    are those of high hands. Jokers are bugs if the bit `BUG` is set.
    """
    counts = np.zeros(13, dtype=np.int64)
    suits = np.zeros(4, dtype=np.int64)
    ranks, free, bugs = 0, 0, 0
    for i in range(count):
        card = int(cards[i])
        if card >= JOKER and np.uint64(wild) >> np.uint64(BUG) & np.uint64(1):
            bugs += 1
        elif card >= JOKER or np.uint64(wild) >> np.uint64(card) & np.uint64(1):
            free += 1
        else:
            counts[card >> 2] += 1
            suits[card & 3] |= 1 << (card >> 2)
            ranks |= 1 << (card >> 2)
    if free >= 5:
        return ROYAL_FLUSH + 13
    counts[ACE] += bugs
    for rank in range(ACE, -1, -1):
        if counts[rank] + free >= 5:
            return ROYAL_FLUSH + 1 + rank
    best, any_card = 0, free + bugs
    for suit in range(4):
        top = _straight_top(suits[suit], any_card)
        if top >= 0:
            best = max(best, int(tables[FLUSHES][WHEEL if top == 3 else 0b11111 << (top - 4)]))
        else:
            flush = _flush_ranks(suits[suit], any_card)
            if flush:
                best = max(best, int(tables[FLUSHES][flush]))
    five = np.zeros(5, dtype=np.int64)
    top = _straight_top(ranks, any_card)
    if top >= 0:
        _straight(top, five)
        best = max(best, _value(five, tables))
    if _paired(counts, free, five) == 5:
        best = max(best, _value(five, tables))
    return best


@kernel
def rank_wilds(hands, wild, tables, out):
    """Value of each row of ``uint8[n, k]`` cards."""
    for i in range(len(hands)):
        out[i] = wild_value(hands[i], hands.shape[1], wild, tables)
