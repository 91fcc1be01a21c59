"""Omaha against the rule book: exactly two hole cards, exactly three of the board."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from felt.cards.card import format_cards
from felt.cards.ranking.evaluator import OMAHA_KINDS, omaha_tables, rank, rank_omaha, rank_omaha_batch
from felt.cards.ranking.kinds import example, find_kind
from felt.errors import FeltError
from tests.reference import ranking as slow

Hands = NDArray[np.integer]
EVERY_SIZE = [(hole, board) for hole in (4, 5, 6) for board in (3, 4, 5)]


@cache
def value_of(kind: str) -> dict[slow.Strength | None, int]:
    strengths = {slow.RANKERS[kind](example(v, kind)): v for v in range(1, find_kind(kind).classes + 1)}
    return {None: 0} | strengths


def dealt(kind: str, hole: int, board: int, count: int) -> tuple[Hands, Hands]:
    """Random deals, every other of two suits only, where flushes are common."""
    chance = random.Random(f"{kind} {hole} {board}")
    deck = range(find_kind(kind).lowest_card, 52)
    two_suits = [card for card in deck if card % 4 < 2]
    cards = np.array([chance.sample(two_suits if i % 2 else deck, hole + board) for i in range(count)], dtype=np.int8)
    return cards[:, :hole], cards[:, hole:]


@pytest.mark.no_jit
@pytest.mark.parametrize("kind", OMAHA_KINDS)
@pytest.mark.parametrize(("hole", "board"), EVERY_SIZE)
def test_single_hands_and_batches_agree_with_the_rule_book(kind: str, hole: int, board: int) -> None:
    holes, boards = dealt(kind, hole, board, 12)
    expected = [
        value_of(kind)[slow.omaha(own, shared, kind)]
        for own, shared in zip(holes.tolist(), boards.tolist(), strict=True)
    ]
    assert [rank_omaha(own, shared, kind) for own, shared in zip(holes, boards, strict=True)] == expected
    values = rank_omaha_batch(holes, boards, kind)
    assert values.dtype == np.uint16
    assert values.tolist() == expected


@pytest.mark.parametrize("kind", OMAHA_KINDS)
@pytest.mark.parametrize(("hole", "board"), [(4, 5), (6, 5)])
def test_batches_agree_with_single_hands(kind: str, hole: int, board: int) -> None:
    holes, boards = dealt(kind, hole, board, 400)
    singly = [rank_omaha(own, shared, kind) for own, shared in zip(holes, boards, strict=True)]
    assert rank_omaha_batch(holes, boards, kind).tolist() == singly


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hole", "board", "kind", "best"),
    [
        # One heart in the hole is no flush, with four on the board; one ace makes no quads of three.
        ("As Ac Jh 4d", "Ah Kh Qh 2h 3d", "high", "As Ac Ah Kh Qh"),
        ("As Kd Qc Jh", "Ah Ad Ac 7s 2c", "high", "As Kd Ah Ad Ac"),
        # Four of a kind in the hole are a pair.
        ("As Ah Ad Ac", "Kh Qs 9d 5c 2h", "high", "As Ah Kh Qs 9d"),
        # The straight on the board needs two cards from the hand.
        ("2c 2d 2h 2s", "9h Ts Jd Qc Kh", "high", "2c 2d Kh Qc Jd"),
        # The board pairs a low card of the hand: three others of the board must play, or another of the hand.
        ("As 2s Kd Kc", "2h 3d 4c Ks Qs", "low-a5", "As 2s 3d 4c Qs"),
        ("As 2s 3d Kc", "2h 3c 4c 8s Qs", "low-8", "As 3d 2h 4c 8s"),
        ("As 2s Kd Kc", "3h 4d 5c Ks Qs", "low-8", "As 2s 3h 4d 5c"),
        # A straight flush that needs exactly these two hearts.
        ("Th 9h As Ac", "8h 7h 6h Ad Ah", "high", "Th 9h 8h 7h 6h"),
    ],
)
def test_known_hands(hole: str, board: str, kind: str, best: str) -> None:
    assert rank_omaha(hole, board, kind) == rank(best, kind)


@pytest.mark.no_jit
def test_no_low() -> None:
    assert rank_omaha("As 2s Kd Kc", "3h 9d Tc 4s Qs", "low-8") == 0  # only two low cards on the board
    assert rank_omaha("As Ah Ad Kc", "2h 3d 4c 5s Qs", "low-8") == 0  # only one in the hand


@pytest.mark.no_jit
@given(st.lists(st.integers(0, 51), min_size=9, max_size=11, unique=True))
def test_being_free_to_choose_is_never_worse(cards: list[int]) -> None:
    """Some two hole cards with all of the board, used as in hold'em, are at least as good."""
    hole, board = cards[5:], cards[:5]
    best_free = max(rank([a, b, *board]) for i, a in enumerate(hole) for b in hole[:i])
    assert rank_omaha(hole, board) <= best_free


@pytest.mark.no_jit
def test_one_board_serves_all_hands() -> None:
    holes, boards = dealt("high", 4, 5, 1)
    others = np.array([card for card in range(52) if card not in boards[0]][:40]).reshape(-1, 4)
    together = rank_omaha_batch(others, boards)
    assert together.tolist() == rank_omaha_batch(others, np.repeat(boards, len(others), axis=0)).tolist()
    assert rank_omaha_batch(holes[:0], boards).shape == (0,)


@pytest.mark.no_jit
def test_the_table_of_unsuited_hands_is_complete() -> None:
    """All 455 x 91 choices but five of a rank; each value is that of any unsuited hand of these ranks."""
    pairs, triples, values, _ = omaha_tables("high")
    by_ranks = values.reshape(455, 91)
    assert (by_ranks == 0).sum() == 13
    assert by_ranks[triples[13 * (13 * 12 + 12) + 12], pairs[13 * 12 + 12]] == 0
    assert by_ranks[triples[13 * (13 * 3 + 0) + 12], pairs[13 * 2 + 1]] == rank("As5d2c4h3s")


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hole", "board", "kind", "part"),
    [
        ("AsKs", "2h3h4h", "high", "'AsKs' on '2h3h4h' gives 2 hole cards"),
        ("AsKsQsJsTs9s8s", "2h3h4h", "high", "7 hole cards"),
        ("AsKsQsJs", "2h3h", "high", "board of 2 cards"),
        ("AsKsQsJs", "2h3h4h5h6h7h", "high", "board of 6 cards"),
        ("AsKsQsJs", "As3h4h", "high", "card As stands twice"),
        ("AsAsQsJs", "2h3h4h", "high", "card As stands twice"),
        ("AsKsQsJk", "2h3h4h", "high", "Jk cannot be ranked"),
        ("AsKsQsJs", "2h7h8h", "short", "2h is not in the deck"),
        ("AsKsQsJs", "2h3h4h", "badugi", "'badugi' is not a kind of hand in Omaha"),
        ("AsKsQsJs", "2h3h4h", "best", "'best' is not a kind of hand"),
    ],
)
def test_bad_hands(hole: str, board: str, kind: str, part: str) -> None:
    with pytest.raises(FeltError) as caught:
        rank_omaha(hole, board, kind)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("holes", "boards", "kind", "part"),
    [
        (np.zeros((2, 4), dtype=np.int8), np.zeros((3, 5), dtype=np.int8), "high", "(2, 4) on boards of shape (3, 5)"),
        (np.zeros(4, dtype=np.int8), np.zeros((1, 5), dtype=np.int8), "high", "shape (4,)"),
        (np.zeros((2, 4), dtype=np.int8), np.zeros((0, 5), dtype=np.int8), "high", "shape (0, 5)"),
        (np.zeros((2, 3), dtype=np.int8), np.zeros((2, 5), dtype=np.int8), "high", "3 hole cards"),
        (np.zeros((2, 4), dtype=np.int8), np.full((2, 5), 52, dtype=np.int8), "high", "52 is not a card"),
        (np.full((2, 4), -1), np.zeros((2, 5), dtype=np.int8), "high", "-1 is not a card"),
        (np.full((2, 4), 51), np.zeros((2, 5), dtype=np.int8), "short", "2c is not in the deck"),
    ],
)  # fmt: skip
def test_bad_batches(holes: Hands, boards: Hands, kind: str, part: str) -> None:
    with pytest.raises(FeltError) as caught:
        rank_omaha_batch(holes, boards, kind)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
def test_errors_quote_the_cards() -> None:
    with pytest.raises(FeltError, match=format_cards((51, 47))):
        rank_omaha([51, 47], [0, 1, 2])
