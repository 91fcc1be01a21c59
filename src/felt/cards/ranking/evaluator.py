"""The value of a hand: one at a time, or a million.

A value is the number of a hand's class within its kind, counted from 1 for the worst: higher is better for
every kind, lows included, and 0 means that no hand qualifies. See `felt.cards.ranking.kinds` for the kinds and
`felt.cards.ranking.names.describe` for a value in words.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import parse_cards
from felt.cards.ranking.hashing import ROW_BITS
from felt.cards.ranking.kinds import scale
from felt.cards.ranking.lookup import (
    CARDS_AT,
    SEVEN_BITS,
    SEVEN_FIRST,
    SEVEN_KEYS,
    SEVEN_LOW,
    SEVEN_ROWS,
    SEVEN_TOPS,
    SEVEN_VALUES,
    badugi_table,
    check_deck,
    check_numbers,
    rank_cards,
    read_sevens,
    seven_flush,
    tables,
)
from felt.cards.ranking.names import describe
from felt.cards.ranking.omaha import rank_omaha, rank_omaha_batch
from felt.errors import CardError

__all__ = [
    "check_numbers",
    "describe",
    "rank",
    "rank_batch",
    "rank_cards",
    "rank_omaha",
    "rank_omaha_batch",
    "tables",
]


def rank(cards: str | Iterable[int], kind: str = "high") -> int:
    """Value of one hand, given as text or card numbers; higher is better.

    >>> rank("AsKsQsJsTs")
    7462
    >>> rank("As Ad 5h 5c Kd 9s 2c") > rank("As Ad 5h 5c Qd 9s 2c")
    True
    """
    try:
        hand: Any = cards
        if len(hand) == 7 and kind == "high":  # the most common hand has a quick way: see `felt.cards.ranking.lookup`
            a, b, c, d, e, f, g = hand
            keys = SEVEN_KEYS
            key: int = SEVEN_FIRST[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
            if a >= 0 and b >= 0 and c >= 0 and d >= 0 and e >= 0 and f >= 0 and g >= 0:
                if (key & SEVEN_TOPS).bit_count() == SEVEN_BITS:
                    low = key & SEVEN_LOW
                    return SEVEN_VALUES[low + SEVEN_ROWS[low >> ROW_BITS]]
                if (key >> CARDS_AT).bit_count() == 7 and SEVEN_VALUES:
                    return seven_flush(key >> CARDS_AT)
    except (TypeError, IndexError):
        read_sevens()  # the tables were not read yet; or the hand is wrong, and the checks below say why
    hand = parse_cards(cards)
    check_deck(hand, scale(kind, len(hand)))
    return rank_cards(hand, kind)


def rank_batch(cards: NDArray[np.integer[Any]], kind: str = "high") -> NDArray[np.uint16]:
    """Values of many hands: one row of card numbers each, all of equal size.

    Numbers outside 0–51 are refused. A row with the same card twice is not noticed, and has a meaningless value.

    >>> rank_batch(np.array([[51, 47, 43, 39, 35]], dtype=np.int8))
    array([7462], dtype=uint16)
    """
    hands = np.asarray(cards)
    if hands.ndim != 2:
        raise CardError(f"rank_batch wants a table of cards, one hand a row; this array has shape {hands.shape}")
    hand_kind = scale(kind, hands.shape[1])
    checked = check_numbers(hands, hand_kind)
    out = np.empty(len(checked), dtype=np.uint16)
    if hand_kind.family in ("high", "short", "short-trips"):
        from felt.cards.ranking.kernels import rank_hands

        rank_hands(checked, tables(kind), out)
    elif hand_kind.family == "badugi":
        from felt.cards.ranking.kind_kernels import rank_badugis

        rank_badugis(checked, badugi_table(), out)
    else:
        from felt.cards.ranking.kind_kernels import rank_lows

        rank_lows(checked, tables(kind), out)
    return out
