"""What a hand is worth: one at a time, or a million.

A value is the number of a hand's class within its kind, counted from 1 for the worst: higher is better for
every kind, lows included, and 0 means that no hand qualifies. See `felt.cards.kinds` for the kinds and
`felt.cards.naming.describe` for a value in words.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.card import DECK_SIZE, format_card, parse_cards
from felt.cards.hashing import CARD_KEYS, FLUSH_BITS, ROW_BITS, START
from felt.cards.kinds import scale
from felt.errors import CardError

Tables = tuple[NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint16]]


@cache
def tables(kind: str = "high") -> Tables:
    """Hash offsets, values by slot and values by flush of a kind: what the kernels read."""
    return _tables.load("rank_offsets"), _tables.load(f"values_{kind}"), _tables.load(f"flushes_{kind}")


@cache
def _lists(kind: str) -> tuple[list[int], list[int], list[int]]:
    offsets, values, flushes = tables(kind)
    return offsets.tolist(), values.tolist(), flushes.tolist()


def rank(cards: str | Iterable[int], kind: str = "high") -> int:
    """Value of one hand, given as text or card numbers; higher is better.

    >>> rank("AsKsQsJsTs")
    7462
    >>> rank("As Ad 5h 5c Kd 9s 2c") > rank("As Ad 5h 5c Qd 9s 2c")
    True
    """
    hand = parse_cards(cards)
    scale(kind, len(hand))
    return rank_cards(hand, kind)


def rank_cards(hand: tuple[int, ...], kind: str = "high") -> int:
    """`rank` without any check: the cards are known to be different and of the right number."""
    offsets, values, flushes = _lists(kind)
    key = START[len(hand)]
    for card in hand:
        key += CARD_KEYS[card]
    if key & FLUSH_BITS:
        suit = (key & FLUSH_BITS).bit_length() - 36 >> 2
        return flushes[sum(1 << (card >> 2) for card in hand if card & 3 == suit)]
    low = key & 0xFFFFFFFF
    return values[low + offsets[low >> ROW_BITS] & 0xFFFFFFFF]


def rank_batch(cards: NDArray[np.integer[Any]], kind: str = "high") -> NDArray[np.uint16]:
    """Values of many hands: one row of card numbers each, all of equal size.

    Numbers outside 0–51 are refused; that a card stands twice in a row is the caller's mistake to avoid,
    and gives a meaningless value.

    >>> rank_batch(np.array([[51, 47, 43, 39, 35]], dtype=np.int8))
    array([7462], dtype=uint16)
    """
    hands = np.asarray(cards)
    if hands.ndim != 2:
        raise CardError(f"rank_batch wants a table of cards, one hand a row; this array has shape {hands.shape}")
    scale(kind, hands.shape[1])
    checked = check_numbers(hands)
    out = np.empty(len(checked), dtype=np.uint16)
    from felt.cards.kernels import rank_hands

    rank_hands(checked, tables(kind), out)
    return out


def check_numbers(cards: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """The same cards as contiguous ``uint8``, once it is sure that each is a card of the deck of 52."""
    if cards.dtype.kind not in "iu":
        raise CardError(f"cards must be whole numbers 0 (2c) to 51 (As); this array holds {cards.dtype}")
    small = cards.view(np.uint8) if cards.dtype == np.int8 else cards  # negative numbers become large ones
    if small.size and not ((small.dtype == np.uint8 or small.min() >= 0) and small.max() < DECK_SIZE):
        wrong = int(cards[(cards < 0) | (cards >= DECK_SIZE)].flat[0])
        raise CardError(f"{wrong} is not a card number: cards are 0 ({format_card(0)}) to 51 ({format_card(51)})")
    return np.ascontiguousarray(small.astype(np.uint8, copy=False))
