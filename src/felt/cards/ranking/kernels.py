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
def hand_key(hand):
    """The keys of all cards of a hand together."""
    key = np.uint64(0)
    for card in hand:
        key += CARD_KEYS[card]
    return key


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
def plain_value(cards, tables):
    """Value of one to seven cards through the hash."""
    key = START[len(cards)] + hand_key(cards)
    if key & FLUSH_BITS and len(tables[FLUSHES]) > 0:
        return int(tables[FLUSHES][suited_ranks(cards, flush_suit(key))])
    return int(ranks_value(key, tables[OFFSETS], tables[VALUES]))


@kernel
def rank_hands(hands, tables, out):
    """Value of each row of ``uint8[n, k]`` cards, for kinds where a flush is the best of any hand that has one."""
    offsets, values, flushes = tables
    count, size = hands.shape
    start = START[size]
    for i in range(count):
        if size == 7:  # written out: a loop is half as fast
            key = start + CARD_KEYS[hands[i, 0]] + CARD_KEYS[hands[i, 1]] + CARD_KEYS[hands[i, 2]]
            key += CARD_KEYS[hands[i, 3]] + CARD_KEYS[hands[i, 4]] + CARD_KEYS[hands[i, 5]] + CARD_KEYS[hands[i, 6]]
        else:
            key = start
            for j in range(size):
                key += CARD_KEYS[hands[i, j]]
        if key & FLUSH_BITS:
            out[i] = flushes[suited_ranks(hands[i], flush_suit(key))]
        else:
            out[i] = ranks_value(key, offsets, values)


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
def rank_lows(hands, tables, out):
    """Value of each row of ``uint8[n, k]`` cards for the lows: a suited five may hide a better hand.

    Lows that know no flushes have an empty table of them.
    """
    offsets, values, flushes = tables
    flush_bits = FLUSH_BITS if len(flushes) > 0 else np.uint64(0)
    count, size = hands.shape
    for i in range(count):
        key = START[size]
        for j in range(size):  # quicker than `hand_key` of a row
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
