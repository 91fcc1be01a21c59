"""E[HS] and E[HS²] by look-up: what stands in the tables is what counting gives, on every street."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from felt.cards.card import format_cards, parse_cards
from felt.cards.isomorphism import board_classes
from felt.errors import FeltError
from felt.odds import expected_hs2_batch, expected_hs_batch, strength
from felt.odds.strength import lookup
from felt.odds.strength import lookup as _build

Cards = NDArray[np.integer]
Batch = Callable[[Cards, Cards], NDArray[np.float64]]


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of our own, where no tables have been built."""
    monkeypatch.setattr(lookup, "cache_folder", lambda: tmp_path)
    return tmp_path


def dealt(count: int, size: int, seed: int = 0) -> tuple[Cards, Cards]:
    chance = np.random.default_rng(seed)
    cards = np.array([chance.choice(52, 2 + size, replace=False) for _ in range(count)])
    return cards[:, :2], cards[:, 2:]


def counted(holes: Cards, boards: Cards, measure: str) -> list[float]:
    return [
        getattr(strength(format_cards(hole), format_cards(board)), measure)
        for hole, board in zip(holes.tolist(), boards.tolist(), strict=True)
    ]


MEASURES: list[tuple[Batch, str]] = [(expected_hs_batch, "expected_hs"), (expected_hs2_batch, "expected_hs2")]


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize(("look_up", "measure"), MEASURES)
@pytest.mark.parametrize(("size", "count"), [(3, 60), (4, 40), (5, 40)])
def test_what_is_looked_up_is_what_is_counted(look_up: Batch, measure: str, size: int, count: int) -> None:
    holes, boards = dealt(count, size)
    assert look_up(holes, boards) == pytest.approx(np.array(counted(holes, boards, measure)), abs=1e-12)


def test_order_of_cards_and_type_of_numbers_do_not_matter() -> None:
    holes, boards = dealt(30, 3)
    found = expected_hs_batch(holes, boards)
    assert (expected_hs_batch(holes[:, ::-1], boards[:, ::-1]) == found).all()
    assert (expected_hs_batch(holes.astype(np.int8), boards.astype(np.uint8)) == found).all()


def test_no_hands_have_no_strengths() -> None:
    assert expected_hs_batch(np.empty((0, 2), dtype=np.int8), np.empty((0, 3), dtype=np.int8)).shape == (0,)


# The turn's tables


def built(size: int) -> _build.Strengths:
    """In place of all the turn: classes of a few hands, the others empty."""
    classes = board_classes(size)
    points, squares = np.zeros((2, classes.count), dtype=np.int64)
    holes, boards = dealt(25, size)
    for hole, board in zip(holes.tolist(), boards.tolist(), strict=True):
        found = strength(format_cards(hole), format_cards(board))
        which = classes.index(tuple(hole), tuple(board))
        points[which] = round(found.expected_hs * 46 * 1980)
        squares[which] = round(found.expected_hs2 * 46 * 1980**2)
    return _build.Strengths(points.astype(np.uint32), squares.astype(np.uint64))


@pytest.mark.long
def test_turn_tables_are_used_once_they_are_built(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lookup.strength_table(4, "points") is None
    monkeypatch.setattr(_build, "strength_tables", built)
    paths = lookup.build_turn_tables()
    assert sorted(empty_cache.iterdir()) == sorted(paths)  # no drafts are left
    holes, boards = dealt(25, 4)
    expected = {name: counted(holes, boards, name) for name in ("expected_hs", "expected_hs2")}
    monkeypatch.setattr(sys.modules["felt.odds.strength.calculate"], "strength", None)  # nothing is counted now
    assert expected_hs_batch(holes, boards) == pytest.approx(np.array(expected["expected_hs"]), abs=1e-12)
    assert expected_hs2_batch(holes, boards) == pytest.approx(np.array(expected["expected_hs2"]), abs=1e-12)


@pytest.mark.usefixtures("empty_cache")
def test_sizes_that_the_documentation_states(monkeypatch: pytest.MonkeyPatch) -> None:
    flop = [lookup.strength_table(3, measure) for measure in ("points", "squares")]
    assert [table.nbytes for table in flop if table is not None] == [4 * 1_286_792] * 2  # 5.1 MB each
    monkeypatch.setattr(_build, "strength_tables", built)
    for path in lookup.build_turn_tables():
        assert path.stat().st_size == pytest.approx(4 * 13_960_050, abs=200)  # 56 MB each


def test_the_largest_sums_fit() -> None:
    assert 1081 * 1980**2 < 2**32
    assert 46 * 1980**2 < 2**32


# Mistakes


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("holes", "boards", "part"),
    [
        ([[51, 50, 49]], [[0, 1, 2]], "(1, 3) and (1, 3)"),
        ([[51, 50]], [[0, 1]], "(1, 2) and (1, 2)"),
        ([[51, 50]], [[0, 1, 2, 3, 4, 5]], "(1, 2) and (1, 6)"),
        ([51, 50], [[0, 1, 2]], "(2,) and (1, 3)"),
        ([[51, 50], [49, 48]], [[0, 1, 2]], "2 rows of hole cards do not match 1 rows of board cards"),
        ([[51, 52]], [[0, 1, 2]], "52 is not a card number"),
        ([[51, -1]], [[0, 1, 2]], "-1 is not a card number"),
        ([[51.0, 50.0]], [[0, 1, 2]], "float64"),
    ],
)
def test_mistakes(holes: list[object], boards: list[object], part: str) -> None:
    with pytest.raises(FeltError) as caught:
        expected_hs_batch(np.array(holes), np.array(boards))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("board", ["2c3c2c", "AsKd4h", "2c2c4h"])
def test_a_card_used_twice_is_found_in_its_row(board: str) -> None:
    twice = [int(card) for card in np.ravel([parse_cards(board[i : i + 2]) for i in (0, 2, 4)])]
    with pytest.raises(FeltError, match=rf"row 1 uses a card twice: 'AsQd' with the board '{board}'"):
        expected_hs_batch(np.array([parse_cards("AsQd")] * 2), np.array([[0, 5, 10], twice]))


def test_a_pair_of_one_card_is_found() -> None:
    with pytest.raises(FeltError, match="row 0 uses a card twice"):
        expected_hs_batch(np.array([[51, 51]]), np.array([[0, 5, 10]]))


@pytest.mark.no_jit
def test_look_up_without_the_compiler() -> None:
    """The kernel on two boards that are numbered by hand, every pair of hole cards a class of its own."""
    from felt.cards.combos import COMBO_COUNT
    from felt.cards.isomorphism import CARD_PERMUTATIONS
    from felt.odds.strength.kernels import look_up

    board_id, renaming = np.zeros(22_100, dtype=np.uint16), np.zeros(22_100, dtype=np.uint8)
    board_id[0], board_id[22_099] = 0, 1  # the lowest and the highest three cards
    wide, out = np.arange(2 * COMBO_COUNT, dtype=np.uint32).reshape(2, COMBO_COUNT), np.empty(2)
    holes = np.array([[5, 3], [0, 1]], dtype=np.uint8)
    boards = np.array([[2, 0, 1], [50, 51, 49]], dtype=np.uint8)
    row = look_up(holes, boards, CARD_PERMUTATIONS, board_id, renaming, wide, out)
    assert (row, out.tolist()) == (-1, [5 * 4 // 2 + 3, COMBO_COUNT])
    holes[1] = 50, 3
    assert look_up(holes, boards, CARD_PERMUTATIONS, board_id, renaming, wide, out) == 1
