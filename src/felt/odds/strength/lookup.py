"""Expected hand strength without calculation: what every class of hands is worth was counted once.

The flop ships with the package: 1,286,792 classes, 5.1 MB for E[HS] and as much for E[HS²]. The turn's
13,960,050 classes take 56 MB each and are built on demand, in seconds, into the cache folder
(`build_turn_tables`, or ``felt tables turn``); without them the turn is counted hand by hand.

Tables are made by a walk over the 134,459 orbits into which two million boards fall under renaming of suits. What a
table holds for a class of hands is a sum over all of its members and boards, divided by the number of members: whole
numbers all the way.
"""

from functools import cache
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt._cache import cache_folder
from felt._pool import default_threads, map_ordered
from felt.cards.card import DECK_SIZE, format_cards
from felt.cards.combos import COMBO_CARDS
from felt.cards.isomorphism import BLOCKED, CARD_PERMUTATIONS, SUIT_PERMUTATIONS, BoardClasses, board_classes
from felt.cards.ranking.evaluator import check_numbers, tables
from felt.errors import OddsError

Floats = NDArray[np.float64]
Cards = NDArray[np.integer[Any]]

OPPONENTS_HANDS = 990
"""Hands an opponent may hold on a full board."""

RUNOUTS = {3: 1081, 4: 46}
"""Ways to complete a flop, and a turn board, when two more cards are known."""

TURN_FILES = {"points": "turn_points-1.npy", "squares": "turn_squares-1.npy"}


def expected_hs_batch(holes: Cards, boards: Cards) -> Floats:
    """E[HS] against one random hand for many hands: rows of two hole cards and of three to five board cards.

    >>> expected_hs_batch(np.array([[51, 50]]), np.array([[0, 17, 34]])).round(4)
    array([0.8642])
    """
    hole, board = checked_rows(holes, boards)
    strengths = from_table(hole, board, "points")
    return counted_hs(hole, board) if strengths is None else strengths


def flop_hs(hole: tuple[int, ...], flop: tuple[int, ...]) -> float:
    """E[HS] of one hand on a flop, as `expected_hs_batch` has it; trusts that these are five different cards.

    >>> round(flop_hs((51, 50), (0, 17, 34)), 4)
    0.8642
    """
    places = _flop_places()
    low, middle, high = sorted(flop)
    number = low + places.pairs[middle] + places.triples[high]
    board, renamed = places.boards[number], places.renamings[places.renaming[number]]
    a, b = renamed[hole[0]], renamed[hole[1]]
    combo = a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
    points = int(places.points[places.base[board] + int(places.local[board, combo])])
    return points / (RUNOUTS[3] * 2 * OPPONENTS_HANDS)


class _FlopPlaces(NamedTuple):
    """Where the points of a hand on a flop are; in lists, where Python reads one number quicker than in arrays."""

    pairs: list[int]
    """Ways to choose two cards below a card; with those for one and three, the number of a flop."""
    triples: list[int]
    boards: list[int]
    """Canonical flop by number."""
    renaming: list[int]
    renamings: list[list[int]]
    base: list[int]
    local: NDArray[np.uint16]
    points: NDArray[np.uint32]


@cache
def _flop_places() -> _FlopPlaces:
    classes, table = board_classes(3), strength_table(3, "points")
    assert table is not None
    return _FlopPlaces(
        [comb(card, 2) for card in range(DECK_SIZE)],
        [comb(card, 3) for card in range(DECK_SIZE)],
        classes.board_id.tolist(),
        classes.renaming.tolist(),
        CARD_PERMUTATIONS.tolist(),
        classes.base.tolist(),
        classes.local,
        table.view(np.ndarray),  # a mapped array takes longer to ask
    )


def from_table(hole: NDArray[np.uint8], board: NDArray[np.uint8], measure: str) -> Floats | None:
    """The mean over runouts of ``points``, hand strength, or ``squares`` of it; None where there is no table."""
    size = board.shape[1]
    if size not in RUNOUTS or strength_table(size, measure) is None:
        return None
    from felt.odds.strength.kernels import look_up

    out = np.empty(len(hole), dtype=np.float64)
    classes = board_classes(size)
    row = look_up(hole, board, CARD_PERMUTATIONS, classes.board_id, classes.renaming, _wide(size, measure), out)
    _check_cards_once(row, hole, board)
    most = (2 * OPPONENTS_HANDS) ** (1 if measure == "points" else 2)
    out /= RUNOUTS[size] * most
    return out


def counted_hs(hole: NDArray[np.uint8], board: NDArray[np.uint8]) -> Floats:
    """E[HS] on the river and, without its table, on the turn (0.3 and 7 µs a hand); trusts that these are cards."""
    from felt.cards.ranking.evaluator import tables
    from felt.odds.strength.kernels import count_points

    points = np.empty(len(hole), dtype=np.int64)
    _check_cards_once(count_points(hole, board, tables(), points), hole, board)
    return points / (2 * OPPONENTS_HANDS * RUNOUTS.get(board.shape[1], 1))


def _check_cards_once(row: int, hole: NDArray[np.uint8], board: NDArray[np.uint8]) -> None:
    """Refuse the row that a kernel found to use a card twice; it says -1 if there is none."""
    if row >= 0:
        raise OddsError(
            f"row {row} uses a card twice: {format_cards(hole[row])!r} with the board {format_cards(board[row])!r}"
        )


@cache
def _wide(size: int, measure: str) -> NDArray[np.uint32]:
    """A table by canonical board and combo: one look-up where classes take two. 9 MB for the flop, 87 for the turn."""
    table, classes = strength_table(size, measure), board_classes(size)
    assert table is not None
    wide = np.zeros(classes.local.shape, dtype=np.uint32)
    for i, row in enumerate(classes.local):
        live = row != BLOCKED
        wide[i, live] = table[classes.base[i] + row[live]]
    return wide


def checked_rows(holes: Cards, boards: Cards) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Rows of hole cards and boards as kernels take them."""
    hole, board = check_numbers(np.asarray(holes)), check_numbers(np.asarray(boards))
    if hole.ndim != 2 or hole.shape[1] != 2 or board.ndim != 2 or not 3 <= board.shape[1] <= 5:
        raise OddsError(
            f"hole cards must be rows of 2 and boards rows of 3 to 5 cards; here are {hole.shape} and {board.shape}"
        )
    if len(hole) != len(board):
        raise OddsError(f"{len(hole)} rows of hole cards do not match {len(board)} rows of board cards")
    return hole, board


def strength_table(size: int, measure: str) -> NDArray[np.uint32] | None:
    """Points, or their squares, of every class with a flop (3) or a turn board (4), summed over runouts.

    None where the turn's tables have not been built.
    """
    if size == 3:
        return _tables.load(f"flop_{measure}", mapped=True)
    path = cache_folder() / TURN_FILES[measure]
    return _mapped(path) if path.is_file() else None


@cache
def _mapped(path: Path) -> NDArray[np.uint32] | None:
    """A table that was built here; None if the file is damaged, which is as if it were not there."""
    try:
        table: NDArray[np.uint32] = np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    return table if table.dtype == np.uint32 else None


def build_turn_tables() -> list[Path]:
    """Count the strength of all turn hands and keep it in the cache folder; some 15 seconds on two cores."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    built = strength_tables(4)
    paths = []
    for measure, name in TURN_FILES.items():
        path = folder / name
        with TemporaryDirectory(dir=folder, prefix="turn-") as own:  # two may build at once
            draft = Path(own) / name
            np.save(draft, getattr(built, measure).astype(np.uint32))
            draft.replace(path)
        paths.append(path)
    return paths


Ints = NDArray[np.int64]
POINTS = 2 * 990
"""Most points a hand can have on a full board: two for each of the 990 hands it may meet."""


def five_card_boards() -> tuple[NDArray[np.uint64], Ints]:
    """The boards that differ, and how many each stands for; 2,598,960 in all."""
    from felt.odds.equity.exact_kernels import list_boards

    masks = np.empty(2_598_960, dtype=np.uint64)
    orbits = np.empty(len(masks), dtype=np.uint8)
    count = list_boards(np.arange(52), 5, np.uint64(0), SUIT_PERMUTATIONS, masks, orbits)
    return masks[:count].copy(), orbits[:count].astype(np.int64)


class Strengths(NamedTuple):
    """Sums over all runouts for each class of hole cards and board."""

    points: NDArray[np.uint32]
    """Twice the wins plus the ties."""
    squares: NDArray[np.uint64]
    """The sum over runouts of the square of a runout's points."""


def strength_tables(size: int) -> Strengths:
    """Points of every class with a flop (`size` 3) or a turn board (4)."""
    from felt.odds.strength.build_kernels import add_points

    classes = board_classes(size)
    masks, orbits = five_card_boards()
    order = np.random.default_rng(0).permutation(len(masks))  # parts of equal work
    parts = np.array_split(order, default_threads())

    def count(part: Ints) -> Ints:
        both = np.zeros((2, classes.count), dtype=np.int64)
        add_points(
            size, masks[part], orbits[part], COMBO_CARDS, tables(), CARD_PERMUTATIONS, classes.board_id,
            classes.renaming, classes.base, classes.local, both[0], both[1],
        )  # fmt: skip
        return both

    points, squares = sum(map_ordered(count, parts), np.zeros((2, classes.count), dtype=np.int64))
    members = class_members(classes)
    return Strengths(divide(points, members).astype(np.uint32), divide(squares, members).astype(np.uint64))


def class_members(classes: BoardClasses) -> Ints:
    """How many pairs of hole cards and board each class has."""
    boards = np.bincount(classes.board_id, minlength=len(classes.boards))
    members = np.zeros(classes.count, dtype=np.int64)
    for i, row in enumerate(classes.local):
        live = row[row != BLOCKED].astype(np.int64)
        members[classes.base[i] : classes.base[i + 1]] = boards[i] * np.bincount(live)
    return members


def divide(total: Ints, parts: int | Ints) -> Ints:
    """A sum over the members of classes, divided by how many they are."""
    quotient, rest = np.divmod(total, parts)
    if rest.any():
        raise AssertionError("a sum over a class does not divide by its size: the walk missed some boards")
    return quotient
