# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sampling: random deals to hands, ranges and strangers, from a numbered stream of chance."""

import numpy as np

from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_KEYS, CARD_MASKS, START, key_value
from felt.odds.equity.result import SHARES, SQUARES, TIED, WON

SHARE_UNIT = 2520
"""Least common multiple of 1 to 10: a pot divides evenly among any number of players."""


@kernel
def _pick(bits, begin, end, keep, other):
    """A hand of a range by its weight (the alias method: Walker 1977)."""
    i = begin + below(bits, end - begin)
    if np.float64(bits >> np.uint64(32)) < keep[i] * 4294967296.0:
        return i
    return other[i]


@kernel
def simulate(seed, samples, deck, known_mask, missing, hands, starts, keep, other, strangers, tables, tries, out):
    """Deal `samples` hands; count what each player makes of them.

    Players with ranges come first: player p holds one of ``hands[starts[p]:starts[p + 1]]``, drawn by weight,
    and the whole deal is drawn again when two of them need the same card (anything else gets card removal
    wrong). The `strangers` hold any two cards. ``out[player]`` is (won alone, tied, shares, squared shares), in
    units of `SHARE_UNIT`. Returns the number of deals made; fewer than asked when `tries` draws were not enough.
    """
    ranged = len(starts) - 1
    players = ranged + strangers
    state = np.uint64(seed)
    cards = deck.copy()
    n = len(cards)
    known_key = np.uint64(0)
    known = 0
    for card in range(52):
        if known_mask & CARD_MASKS[card]:
            known_key += CARD_KEYS[card]
            known += 1
    known_key += START[known + missing + 2]
    drawn = np.empty(missing + 2 * strangers, dtype=np.int64)
    keys = np.empty(players, dtype=np.uint64)
    masks = np.empty(players, dtype=np.uint64)
    values = np.empty(players, dtype=np.int64)
    hand_keys = np.empty(len(hands), dtype=np.uint64)
    for i in range(len(hands)):
        hand_keys[i] = np.uint64(0)
        for card in range(52):
            if hands[i] & CARD_MASKS[card]:
                hand_keys[i] += CARD_KEYS[card]
    done = 0
    while done < samples and tries > 0:
        tries -= 1
        used = np.uint64(0)
        clash = False
        for p in range(ranged):
            i = starts[p]
            if starts[p + 1] - i > 1:
                state += GOLDEN
                i = _pick(random_bits(state), i, starts[p + 1], keep, other)
            if used & hands[i]:
                clash = True
                break
            used |= hands[i]
            keys[p] = hand_keys[i]
            masks[p] = hands[i]
        if clash:
            continue
        at = 0
        bits = np.uint64(0)
        for i in range(len(drawn)):
            while True:  # a shuffle as far as it is needed, passing over cards that ranges hold
                if at & 1 == 0:
                    state += GOLDEN
                    bits = random_bits(state)
                else:
                    bits >>= np.uint64(32)
                j = at + below(bits, n - at)
                card = cards[j]
                cards[j] = cards[at]
                cards[at] = card
                at += 1
                if not (used & CARD_MASKS[card]):
                    break
            drawn[i] = card
        board_key, board_mask = known_key, known_mask
        for i in range(missing):
            board_key += CARD_KEYS[drawn[i]]
            board_mask |= CARD_MASKS[drawn[i]]
        for s in range(strangers):
            a, b = drawn[missing + 2 * s], drawn[missing + 2 * s + 1]
            keys[ranged + s] = CARD_KEYS[a] + CARD_KEYS[b]
            masks[ranged + s] = CARD_MASKS[a] | CARD_MASKS[b]
        best, holders = 0, 0
        for p in range(players):
            value = np.int64(key_value(board_key + keys[p], board_mask | masks[p], tables))
            values[p] = value
            if value > best:
                best, holders = value, 1
            elif value == best:
                holders += 1
        share = SHARE_UNIT // holders
        for p in range(players):
            if values[p] == best:
                if holders == 1:
                    out[p, WON] += 1
                else:
                    out[p, TIED] += 1
                out[p, SHARES] += share
                out[p, SQUARES] += share * share
        done += 1
    return done
