"""The value of a hand: one at a time, or a million.

A value is the number of a hand's class within its kind, counted from 1 for the worst: higher is better for
every kind, lows included, and 0 means that no hand qualifies. See `felt.cards.ranking.kinds` for the kinds and
`felt.cards.ranking.names.describe` for a value in words.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.card import DECK_SIZE, format_card, format_cards, parse_cards
from felt.cards.ranking.hashing import CARD_KEYS, FLUSH_BITS, RANK_KEYS, ROW_BITS, START
from felt.cards.ranking.kinds import Kind, find_kind, scale
from felt.errors import CardError, counted

Tables = tuple[NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint16]]
OmahaTables = tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]
OMAHA_KINDS = ("high", "low-a5", "low-8", "short", "short-trips")

_NO_FLUSHES: NDArray[np.uint16] = np.empty(0, dtype=np.uint16)
_NO_FLUSHES.flags.writeable = False  # as the shipped tables are: kernels are compiled for one type only


def rank(cards: str | Iterable[int], kind: str = "high") -> int:
    """Value of one hand, given as text or card numbers; higher is better.

    >>> rank("AsKsQsJsTs")
    7462
    >>> rank("As Ad 5h 5c Kd 9s 2c") > rank("As Ad 5h 5c Qd 9s 2c")
    True
    """
    try:
        hand: Any = cards
        if len(hand) == 7 and kind == "high":  # the most common hand has a quick way: see `SEVEN_KEYS`
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
    from felt.cards.ranking.kernels import rank_badugis, rank_hands, rank_lows

    if hand_kind.family == "badugi":
        rank_badugis(checked, badugi_table(), out)
    else:
        rank_all = rank_hands if hand_kind.family in ("high", "short", "short-trips") else rank_lows
        rank_all(checked, tables(kind), out)
    return out


@cache
def tables(kind: str = "high") -> Tables:
    """Hash offsets, values by slot and values by flush of a kind: what the kernels read.

    Lows that know no flushes have an empty table of them. (Badugi has a table of its own.)
    """
    family = find_kind(kind).family
    flushes = _NO_FLUSHES if family in ("low-a5", "low-8") else _tables.load(f"flushes_{family}")
    return _tables.load("rank_offsets"), _tables.load(f"values_{family}"), flushes


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
    values = badugi_table()
    return max(int(values[chosen]) for chosen in choices)


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


def rank_omaha(hole: str | Iterable[int], board: str | Iterable[int], kind: str = "high") -> int:
    """Value of one Omaha hand of 4 to 6 hole cards on a board of 3 to 5.

    >>> rank_omaha("AsKdQcJh", "AhAdAcKs2c"), rank_omaha("As2d9cTh", "3h4c8sKdKh", "low-8")
    (7452, 35)
    """
    own, shared = parse_cards(hole), parse_cards(board)
    hand_kind = _check_sizes(len(own), len(shared), kind, shown=f"{format_cards(own)!r} on {format_cards(shared)!r}")
    check_deck(parse_cards((*own, *shared)), hand_kind)
    return max(rank_cards(two + three, kind) for two in combinations(own, 2) for three in combinations(shared, 3))


def rank_omaha_batch(
    hole: NDArray[np.integer[Any]], board: NDArray[np.integer[Any]], kind: str = "high"
) -> NDArray[np.uint16]:
    """Values of many Omaha hands: each row of `hole` (4 to 6 cards) on the same row of `board` (3 to 5).

    A board of one row serves all hands. Numbers outside the deck are refused. A hand with the same card twice is not
    noticed, and has a meaningless value.

    >>> hole, board = np.array([[51, 50, 45, 44]]), np.array([[49, 48, 47, 46, 0]])
    >>> rank_omaha_batch(hole, board)
    array([7452], dtype=uint16)
    """
    own, shared = np.asarray(hole), np.asarray(board)
    if own.ndim != 2 or shared.ndim != 2 or len(shared) not in (1, len(own)):
        raise CardError(
            f"hole cards of shape {own.shape} on boards of shape {shared.shape} are no Omaha hands: "
            "give one row of each for every hand, or a single board"
        )
    hand_kind = _check_sizes(
        own.shape[1], shared.shape[1], kind, shown=f"arrays of shape {own.shape} and {shared.shape}"
    )
    own, shared = check_numbers(own, hand_kind), check_numbers(shared, hand_kind)
    out = np.empty(len(own), dtype=np.uint16)
    from felt.cards.ranking.omaha_kernels import rank_omahas

    rank_omahas(own, shared, omaha_tables(kind), out)
    return out


@cache
def omaha_tables(kind: str = "high") -> OmahaTables:
    """What the kernels of Omaha read: see `felt.cards.ranking.omaha_kernels`.

    Numbers of pairs by two ranks, numbers of triples by three ranks, values of unsuited hands by triple and
    pair, values by flush.
    """
    offsets, values, flushes = tables(kind)
    twos, threes = (list(combinations_with_replacement(range(13), size)) for size in (2, 3))
    two_keys, three_keys = (np.array(RANK_KEYS)[choices].sum(axis=1) for choices in (twos, threes))
    keys = np.add.outer(three_keys, two_keys) + (START[5] & 0xFFFFFFFF)
    by_ranks = values[(keys + offsets[keys >> ROW_BITS]) & 0xFFFFFFFF]
    for rank in range(13):
        by_ranks[threes.index((rank,) * 3), twos.index((rank,) * 2)] = 0  # five of a rank: no such hand
    made = _numbered(twos, np.uint8), _numbered(threes, np.uint16), by_ranks.ravel()
    for table in made:
        table.flags.writeable = False
    return (*made, flushes)


def _numbered(choices: Sequence[tuple[int, ...]], dtype: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    """The place of each choice in the list, by its ranks in any order as digits to the base 13."""
    size = len(choices[0])
    table = np.zeros((13,) * size, dtype=dtype)
    for number, ranks in enumerate(choices):
        for order in permutations(ranks):
            table[order] = number
    return table.ravel()


def _check_sizes(hole: int, board: int, kind: str, *, shown: str) -> Kind:
    hand_kind = find_kind(kind)
    if kind not in OMAHA_KINDS:
        raise CardError(f"{kind!r} is not a kind of hand in Omaha: choose one of {', '.join(OMAHA_KINDS)}")
    if not 4 <= hole <= 6:
        raise CardError(f"{shown} gives {counted(hole, 'hole card')}, which is no Omaha hand: give 4, 5 or 6")
    if not 3 <= board <= 5:
        raise CardError(f"{shown} gives a board of {counted(board, 'card')}, which makes no Omaha hand: give 3, 4 or 5")
    return hand_kind
