"""High hands: all of them counted, and every two compared as the rule book compares them."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import check_deck, rank, rank_batch, rank_cards
from felt.cards.ranking.kinds import scale
from felt.cards.ranking.names import category
from felt.errors import FeltError
from tests.reference import ranking as slow

FAMILIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip

COUNTS = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584),
}
"""How many hands of so many cards there are of each family; public knowledge."""

REACHED = {5: 7462, 6: 6075, 7: 4824}
"""Classes that occur: with seven cards nobody is left with seven high."""


def hands_below(top: int, size: int) -> NDArray[np.uint8]:
    """All hands of `size` cards with numbers below `top`, ordered by their highest card."""
    if size == 0:
        return np.empty((1, 0), dtype=np.uint8)
    lower = hands_below(top, size - 1)
    hands = np.empty((comb(top, size), size), dtype=np.uint8)
    begin = 0
    for card in range(size - 1, top):
        count = comb(card, size - 1)
        hands[begin : begin + count, :-1] = lower[:count]
        hands[begin : begin + count, -1] = card
        begin += count
    return hands


def all_hands(size: int) -> Iterator[NDArray[np.uint8]]:
    """All hands of the deck, in parts that fit into memory."""
    lower = hands_below(52, size - 1)
    for card in range(size - 1, 52):
        part = lower[: comb(card, size - 1)]
        yield np.hstack([part, np.full((len(part), 1), card, dtype=np.uint8)])


@pytest.mark.parametrize("size", [5, 6, pytest.param(7, marks=pytest.mark.long)])
def test_all_hands_by_family(size: int) -> None:
    """Every hand there is: 2,598,960 of five cards, 20,358,520 of six, 133,784,560 of seven."""
    counts = np.zeros(7463, dtype=np.int64)
    for hands in all_hands(size):
        counts += np.bincount(rank_batch(hands), minlength=7463)
    assert counts.sum() == comb(52, size)
    assert counts[0] == 0
    assert np.count_nonzero(counts) == REACHED[size]
    families: Counter[str] = Counter()
    for value, count in enumerate(counts.tolist()):
        if count:
            families[category(value)] += count
    assert tuple(families[name] for name in FAMILIES) == COUNTS[size]


def test_the_counts_are_those_that_others_publish(shared_data: Path) -> None:
    published = json.loads((shared_data / "reference" / "constants.json").read_text())["hand_rank_counts"]
    assert {size: tuple(published[f"{size}_cards"]) for size in COUNTS} == COUNTS


def standing(first: object, second: object) -> int:
    return (first > second) - (first < second)  # type: ignore[operator]


@pytest.mark.no_jit
@given(st.lists(st.integers(0, 51), min_size=9, max_size=9, unique=True), st.sampled_from([3, 4, 5]))
def test_two_hands_on_one_board_compare_as_in_the_rule_book(cards: list[int], on_board: int) -> None:
    """Hands that share a board are often level or apart by a kicker only."""
    board, first, second = cards[4 : 4 + on_board], cards[:2], cards[2:4]
    expected = standing(slow.high(first + board), slow.high(second + board))
    assert standing(rank(first + board), rank(second + board)) == expected
    batch = rank_batch(np.array([first + board, second + board], dtype=np.int8)).tolist()
    assert standing(*batch) == expected


@pytest.mark.no_jit
def test_values_rise_with_the_hands_of_the_rule_book() -> None:
    """Thousands of hands sorted by value are sorted by the rule book, level where it says level."""
    chance = np.random.default_rng(7)
    hands = [tuple(map(int, chance.choice(52, 7, replace=False))) for _ in range(1500)]
    ordered = sorted((rank_cards(hand), slow.high(hand)) for hand in hands)
    for (value, strength), (next_value, next_strength) in pairwise(ordered):
        assert (value < next_value) == (strength < next_strength)
        assert (value == next_value) == (strength == next_strength)


def checked_rank(cards: Any) -> int | str:
    """The value by the long way, or what is wrong with the cards."""
    try:
        hand = parse_cards(cards)
        check_deck(hand, scale("high", len(hand)))
        return rank_cards(hand)
    except FeltError as error:
        return str(error)


def quick_rank(cards: Any) -> int | str:
    try:
        return rank(cards)
    except FeltError as error:
        return str(error)


@pytest.mark.no_jit
@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.integers(0, 3))
def test_one_hand_from_python_is_ranked_as_by_the_long_way(cards: list[int], suit: int) -> None:
    flush = {card & ~3 | suit for card in cards}
    more = (card for card in range(52) if card not in flush)
    for hand in (cards, [*flush, *more][:7]):
        for form in (tuple, list, np.array):
            assert quick_rank(form(hand)) == rank_cards(tuple(hand))


@pytest.mark.no_jit
@given(st.lists(st.integers(-60, 60) | st.integers(), min_size=6, max_size=8), st.integers(0, 6))
def test_one_hand_from_python_is_checked_as_by_the_long_way(cards: list[int], place: int) -> None:
    assert quick_rank(tuple(cards)) == checked_rank(tuple(cards))
    good = [3, 11, 20, 28, 37, 45, 50]
    for wrong in (*cards[:2], good[place - 1], -1, -52, 52, 53):
        hand = (*good[:place], wrong, *good[place + 1 :])
        assert quick_rank(hand) == checked_rank(hand)


@pytest.mark.parametrize("odd", [50.0, "As", None, np.int8(50), True])
def test_one_hand_from_python_takes_whole_numbers_only(odd: object) -> None:
    hand = (3, 11, 20, 28, 37, 45, odd)
    assert quick_rank(hand) == checked_rank(hand)
    assert quick_rank("AsKsQs2") == checked_rank("AsKsQs2")
    assert rank(iter([3, 11, 20, 28, 37, 45, 50])) == rank((3, 11, 20, 28, 37, 45, 50))
