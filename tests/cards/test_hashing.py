"""The hash under all hand ranking: no two hands share a sum, no two sums share a slot."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from felt.cards.ranking import hashing
from felt.cards.ranking.evaluator import tables
from scripts import ranking_tables

pytestmark = pytest.mark.no_jit

CHOICES = {1: 13, 2: 91, 3: 455, 4: 1820, 5: 6175, 6: 18_395, 7: 49_205}
"""Ways to choose the ranks of so many cards, none more than four times."""


@cache
def sums_of(size: int) -> dict[tuple[int, ...], int]:
    return ranking_tables.rank_sums(size)


def slots(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    offsets = tables()[0].astype(np.int64)
    return (sums + offsets[sums >> hashing.ROW_BITS]) & 0xFFFFFFFF


@pytest.mark.parametrize("size", CHOICES)
def test_hands_of_different_ranks_have_different_sums(size: int) -> None:
    sums = sums_of(size)
    assert len(sums) == len(set(sums.values())) == CHOICES[size]


def test_no_two_hands_of_any_size_share_a_slot() -> None:
    sums = np.array([key for size in CHOICES for key in sums_of(size).values()])
    found = slots(sums)
    assert len(np.unique(found)) == sum(CHOICES.values())
    assert found.min() >= 0
    assert found.max() < len(tables()[1])


def test_every_row_has_an_offset() -> None:
    rows = len(tables()[0])
    assert all(key >> hashing.ROW_BITS < rows for size in CHOICES for key in sums_of(size).values())


def test_the_table_holds_values_where_hands_are_and_nothing_elsewhere() -> None:
    offsets, values, _ = tables()
    table = ranking_tables.value_table({(12, 12): 7, (0, 1, 2, 3, 4, 5, 6): 9}, offsets, len(values))
    assert sorted(table[table > 0].tolist()) == [7, 9]
    aces = sums_of(2)[12, 12]
    assert table[slots(np.array([aces]))].tolist() == [7]


@pytest.mark.parametrize(
    ("taken", "columns", "place"),
    [([], [0, 5], 0), ([0, 1, 2], [0], 3), ([0, 2, 4], [0, 2], 1), ([0, 3], [0, 1], 1), ([1], [0, 1], 2)],
)
def test_a_row_goes_where_it_first_fits(taken: list[int], columns: list[int], place: int) -> None:
    used = np.zeros(1 << 16, dtype=np.bool_)
    used[taken] = True
    assert ranking_tables._first_fit(np.array(columns), used) == place


def test_a_row_that_fits_nowhere_is_an_error_of_ours() -> None:
    with pytest.raises(AssertionError, match="too short"):
        ranking_tables._first_fit(np.array([0]), np.ones(1 << 16, dtype=np.bool_))


@given(st.lists(st.integers(0, 51), min_size=1, max_size=7, unique=True))
def test_a_key_tells_ranks_and_flushes(cards: list[int]) -> None:
    key = hashing.START[len(cards)] + sum(hashing.CARD_KEYS[card] for card in cards)
    assert key & 0xFFFFFFFF == sums_of(len(cards))[tuple(sorted(card // 4 for card in cards))]
    suits = [sum(card % 4 == suit for card in cards) for suit in range(4)]
    assert [(key >> (32 + 4 * suit)) & 15 for suit in range(4)] == [3 + count for count in suits]
    assert bool(key & hashing.FLUSH_BITS) == (max(suits) >= 5)


def test_the_mask_of_a_card_is_its_place_in_its_suit() -> None:
    for card, mask in enumerate(hashing.CARD_MASKS):
        assert mask == 1 << (card // 4) << 16 * (card % 4)
