"""One hand of known cards, through the shipped tables: what `felt.cards.ranking.evaluator` does after its checks."""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.card import DECK_SIZE, format_card
from felt.cards.ranking.hashing import CARD_KEYS, FLUSH_BITS, RANK_KEYS, ROW_BITS, START
from felt.cards.ranking.kinds import Kind, find_kind
from felt.errors import CardError

Tables = tuple[NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint16]]

_NO_FLUSHES: NDArray[np.uint16] = np.empty(0, dtype=np.uint16)
_NO_FLUSHES.flags.writeable = False  # as the shipped tables are: kernels are compiled for one type only
_FLUSHLESS = ("low-a5", "low-8")


@cache
def tables(kind: str = "high") -> Tables:
    """Hash offsets, values by slot and values by flush of a kind: what the kernels read.

    Lows that know no flushes have an empty table of them. (Badugi has a table of its own.)
    """
    family = find_kind(kind).family
    flushes = _NO_FLUSHES if family in _FLUSHLESS else _tables.load(f"flushes_{family}")
    return _tables.load("rank_offsets"), _tables.load(f"values_{family}"), flushes


@cache
def badugi_table() -> NDArray[np.uint16]:
    """Values of cards of different suits by their set of ranks."""
    return _tables.load("values_badugi")


@cache
def _lists(kind: str) -> tuple[list[int], list[int], list[int]]:
    offsets, values, flushes = tables(kind)
    return offsets.tolist(), values.tolist(), flushes.tolist()


def rank_cards(hand: tuple[int, ...], kind: str = "high") -> int:
    """`rank` without any check: the cards are known to be different, of the right number and deck."""
    if kind == "badugi":
        return _rank_badugi(hand)
    offsets, values, flushes = _lists(kind)
    key = START[len(hand)]
    for card in hand:
        key += CARD_KEYS[card]
    if key & FLUSH_BITS and flushes:
        if kind == "low-27" and len(hand) > 5:  # five suited cards may hide a better hand
            return max(rank_cards(five, kind) for five in combinations(hand, 5))
        suit = (key & FLUSH_BITS).bit_length() - 36 >> 2
        return flushes[sum(1 << (card >> 2) for card in hand if card & 3 == suit)]
    low = key & 0xFFFFFFFF
    return values[low + offsets[low >> ROW_BITS] & 0xFFFFFFFF]


# Seven cards, the most common hand, are checked and looked up by one sum. Of each card it has the number for
# its rank in the low 30 bits, which Python adds fastest; one is taken from the counter of its suit, whose top bit is
# set as long as the suit has fewer than five cards; and a bit of its own is set. So eleven bits are set if and only if
# seven different cards make no flush: a card that stands twice carries into another bit, and leaves fewer.
SUITS_AT, CARDS_AT = 30, 46
SEVEN_LOW = (1 << SUITS_AT) - 1
SEVEN_TOPS = 0x8888 << SUITS_AT | (1 << DECK_SIZE) - 1 << CARDS_AT
SEVEN_BITS = 4 + 7
SEVEN_KEYS = [
    RANK_KEYS[card >> 2] + (1 << CARDS_AT + card) - (1 << SUITS_AT + 4 * (card & 3)) for card in range(DECK_SIZE)
]
SEVEN_FIRST = [key + (0xCCCC << SUITS_AT) + (START[7] & SEVEN_LOW) for key in SEVEN_KEYS]
"""What the first card adds: its key, and what the sum starts from."""
SEVEN_ROWS: list[int] = []
SEVEN_VALUES: list[int] = []
"""Where rows begin, and values by slot: as in the tables, which are read when the first hand is ranked."""
_SEVEN_FLUSHES: dict[int, int] = {}
"""Values by the cards of one suit, as bits for cards of clubs."""
_CLUBS = int("1" * 13, 16)


def read_sevens() -> None:
    """Read the tables of seven cards."""
    if not SEVEN_VALUES:
        offsets, values, flushes = _lists("high")
        _SEVEN_FLUSHES.update(
            (int(f"{ranks:b}", 16), value) for ranks, value in enumerate(flushes) if 5 <= ranks.bit_count() <= 7
        )
        SEVEN_ROWS[:] = (offset - (1 << 32) if offset >> 31 else offset for offset in offsets)
        SEVEN_VALUES[:] = values


def seven_flush(cards: int) -> int:
    """The value of seven different cards, as bits, of which five or more have one suit."""
    while (value := _SEVEN_FLUSHES.get(cards & _CLUBS)) is None:
        cards >>= 1  # the next suit
    return value


def _rank_badugi(hand: tuple[int, ...]) -> int:
    """The best choice of at most one card of each suit, all of different ranks."""
    choices = {0}
    for suit in range(4):
        ranks = [1 << (card >> 2) for card in hand if card & 3 == suit]
        choices |= {chosen | rank for chosen in choices for rank in ranks if not chosen & rank}
    values = _badugi_list()
    return max(values[chosen] for chosen in choices)


@cache
def _badugi_list() -> list[int]:
    values: list[int] = badugi_table().tolist()
    return values


def check_deck(hand: tuple[int, ...], kind: Kind) -> None:
    """Refuse cards that the kind's deck does not have: jokers, and low cards in the short deck."""
    if max(hand) >= DECK_SIZE:
        raise CardError(f"{format_card(max(hand))} cannot be ranked: jokers are no hand's cards, leave them out")
    if kind.lowest_card and min(hand) < kind.lowest_card:
        raise CardError(
            f"card {format_card(min(hand))} is not in the deck of kind {kind.name!r}: "
            f"use cards from {format_card(kind.lowest_card)} up, or kind 'high'"
        )


def check_numbers(cards: NDArray[np.integer[Any]], kind: Kind | None = None) -> NDArray[np.uint8]:
    """The same cards as contiguous ``uint8``, once it is sure that each is in the deck (of the kind)."""
    if cards.dtype.kind not in "iu":
        raise CardError(f"cards must be whole numbers 0 (2c) to 51 (As); this array holds {cards.dtype}")
    small = cards.view(np.uint8) if cards.dtype == np.int8 else cards  # negative numbers become large ones
    if small.size and not ((small.dtype == np.uint8 or small.min() >= 0) and small.max() < DECK_SIZE):
        wrong = int(cards[(cards < 0) | (cards >= DECK_SIZE)].flat[0])
        raise CardError(f"{wrong} is not a card number: cards are 0 ({format_card(0)}) to 51 ({format_card(51)})")
    if kind is not None and kind.lowest_card and small.size:
        check_deck((int(small.min()),), kind)
    return np.ascontiguousarray(small.astype(np.uint8, copy=False))
