"""Compiled hand ranking. See `felt.cards.hashing` for the idea.

`tables` everywhere is ``(offsets, values, flushes)`` of one kind of hand: `felt.cards.ranking.tables`.
"""

import numpy as np

from felt._jit import kernel
from felt.cards import hashing

CARD_KEYS = np.array(hashing.CARD_KEYS, dtype=np.uint64)
CARD_MASKS = np.array(hashing.CARD_MASKS, dtype=np.uint64)
START = np.array(hashing.START, dtype=np.uint64)
FLUSH_BITS = np.uint64(hashing.FLUSH_BITS)
FLUSH_SHIFT = np.uint64(hashing.SUIT_BITS + 3)
ROW_BITS = np.uint32(hashing.ROW_BITS)
SUIT_MASK = np.uint64(0x1FFF)


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
def key_value(key, mask, tables):
    """Value of a whole hand from the sum of its keys and the union of its masks."""
    if key & FLUSH_BITS:
        suit = flush_suit(key)
        return tables[2][(mask >> np.uint64(16 * suit)) & SUIT_MASK]
    low = np.uint32(key)
    return tables[1][np.uint32(low + tables[0][low >> ROW_BITS])]


@kernel
def _suited_ranks(hand, suit):
    """The set of ranks, as bits, of a hand's cards of one suit."""
    ranks = 0
    for card in hand:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return ranks


@kernel
def rank_hands(hands, tables, out):
    """Value of each row of ``uint8[n, k]`` cards, for kinds where a flush is never spoiled by longer hands."""
    offsets, values, flushes = tables
    count, size = hands.shape
    start = START[size]
    for i in range(count):
        if size == 7:  # written out: half as fast as a loop
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
            out[i] = flushes[_suited_ranks(hands[i], flush_suit(key))]
        else:
            low = np.uint32(key)
            out[i] = values[np.uint32(low + offsets[low >> ROW_BITS])]
