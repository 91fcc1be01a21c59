"""Omaha: a hand is exactly two of the hole cards and exactly three of the board.

The kinds are ``high``, ``low-8`` (for games that split the pot), ``low-a5`` and the two of the short deck, on the
same scales as elsewhere.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import format_cards, parse_cards
from felt.cards.ranking.hashing import RANK_KEYS, ROW_BITS, START
from felt.cards.ranking.kinds import Kind, find_kind
from felt.cards.ranking.lookup import check_deck, check_numbers, rank_cards, tables
from felt.errors import CardError, counted

OmahaTables = tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]
KINDS = ("high", "low-a5", "low-8", "short", "short-trips")
HOLE_SIZES = range(4, 7)
BOARD_SIZES = range(3, 6)


def rank_omaha(hole: str | Iterable[int], board: str | Iterable[int], kind: str = "high") -> int:
    """Value of one Omaha hand of 4 to 6 hole cards on a board of 3 to 5.

    >>> rank_omaha("AsKdQcJh", "AhAdAcKs2c"), rank_omaha("As2d9cTh", "3h4c8sKdKh", "low-8")
    (7452, 35)
    """
    own, shared = parse_cards(hole), parse_cards(board)
    hand_kind = _check_sizes(len(own), len(shared), kind, shown=f"{format_cards(own)!r} on {format_cards(shared)!r}")
    check_deck(parse_cards((*own, *shared)), hand_kind)
    return rank_omaha_cards(own, shared, kind)


def rank_omaha_cards(hole: tuple[int, ...], board: tuple[int, ...], kind: str = "high") -> int:
    """`rank_omaha` without any check."""
    threes = list(combinations(board, 3))
    return max(rank_cards(two + three, kind) for two in combinations(hole, 2) for three in threes)


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
    twos = list(combinations_with_replacement(range(13), 2))
    threes = list(combinations_with_replacement(range(13), 3))
    keys = np.add.outer([_sum_of_keys(three) for three in threes], [_sum_of_keys(two) for two in twos])
    keys += START[5] & 0xFFFFFFFF
    by_ranks = values[(keys + offsets[keys >> ROW_BITS]) & 0xFFFFFFFF]
    for rank in range(13):
        by_ranks[threes.index((rank,) * 3), twos.index((rank,) * 2)] = 0  # five of a rank: no such hand
    made = _numbered(twos, np.uint8), _numbered(threes, np.uint16), by_ranks.ravel()
    for table in made:
        table.flags.writeable = False
    return (*made, flushes)


def _sum_of_keys(ranks: tuple[int, ...]) -> int:
    return sum(RANK_KEYS[rank] for rank in ranks)


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
    if kind not in KINDS:
        raise CardError(f"{kind!r} is not a kind of hand in Omaha: choose one of {', '.join(KINDS)}")
    if hole not in HOLE_SIZES:
        raise CardError(f"{shown} gives {counted(hole, 'hole card')}, which is no Omaha hand: give 4, 5 or 6")
    if board not in BOARD_SIZES:
        raise CardError(f"{shown} gives a board of {counted(board, 'card')}, which makes no Omaha hand: give 3, 4 or 5")
    return hand_kind
