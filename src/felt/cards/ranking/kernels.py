# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled hand ranking. See `felt.cards.ranking.hashing` for the idea.

`tables` everywhere is ``(offsets, values, flushes)`` of one kind of hand: `felt.cards.ranking.evaluator.tables`.
"""

import numpy as np

import felt.cards.ranking.hashing as hashing
from felt._jit import kernel

CARD_KEYS = np.array(hashing.CARD_KEYS, dtype=np.uint64)
CARD_MASKS = np.array(hashing.CARD_MASKS, dtype=np.uint64)
START = np.array(hashing.START, dtype=np.uint64)
FLUSH_BITS = np.uint64(hashing.FLUSH_BITS)
FLUSH_SHIFT = np.uint64(hashing.SUIT_BITS + 3)
ROW_BITS = np.uint64(hashing.ROW_BITS)
LOW_HALF = np.uint64(0xFFFFFFFF)
SUIT_MASK = np.uint64(0x1FFF)
OFFSETS, VALUES, FLUSHES = range(3)
"""Places in `tables`."""


@kernel
def flush_suit(key):
    """The suit of which a key counts five cards or more; there must be one."""
    bits = (key & FLUSH_BITS) >> FLUSH_SHIFT
    if bits & np.uint64(0x0001):
        return 0
    if bits & np.uint64(0x0010):
        return 1
    if bits & np.uint64(0x0100):
        return 2
    return 3


@kernel
def ranks_value(key, offsets, values):
    """Value of a hand from the sum of its keys, flushes apart."""
    low = key & LOW_HALF
    return values[(low + offsets[low >> ROW_BITS]) & LOW_HALF]


@kernel
def key_value(key, mask, tables):
    """Value of a whole hand from the sum of its keys and the union of its masks."""
    if key & FLUSH_BITS:
        suit = flush_suit(key)
        return tables[FLUSHES][(mask >> np.uint64(16 * suit)) & SUIT_MASK]
    return ranks_value(key, tables[OFFSETS], tables[VALUES])


@kernel
def rank_bit(card):
    """A card's rank as one bit of a set of ranks."""
    return 1 << (int(card) >> 2)


@kernel
def suited_ranks(hand, suit):
    """The set of ranks, as bits, of a hand's cards of one suit."""
    ranks = 0
    for card in hand:
        if card & 3 == suit:
            ranks |= rank_bit(card)
    return ranks


@kernel
def rank_hands(hands, tables, out):
    """Value of each row of ``uint8[n, k]`` cards, for kinds where a flush is the best of any hand that has one."""
    offsets, values, flushes = tables
    count, size = hands.shape
    start = START[size]
    for i in range(count):
        if size == 7:  # written out: a loop is half as fast
            key = (
                start
                + CARD_KEYS[hands[i, 0]]
                + CARD_KEYS[hands[i, 1]]
                + CARD_KEYS[hands[i, 2]]
                + CARD_KEYS[hands[i, 3]]
                + CARD_KEYS[hands[i, 4]]
                + CARD_KEYS[hands[i, 5]]
                + CARD_KEYS[hands[i, 6]]
            )
        else:
            key = start
            for j in range(size):
                key += CARD_KEYS[hands[i, j]]
        if key & FLUSH_BITS:
            out[i] = flushes[suited_ranks(hands[i], flush_suit(key))]
        else:
            out[i] = ranks_value(key, offsets, values)
