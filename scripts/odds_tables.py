"""How the tables of odds are made: every one is a walk over the 134,459 boards that differ.

Two million boards fall into 134,459 orbits under renaming of suits. What a table holds for a class of hands
is a sum over all of its members and boards, divided by the number of members: whole numbers all the way.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._pool import default_threads, map_ordered
from felt.cards.combos import CLASS_COUNT, COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.isomorphism import (
    CARD_PERMUTATIONS,
    CLASS_REPRESENTATIVE,
    COMBO_PERMUTATIONS,
    SUIT_PERMUTATIONS,
    BoardClasses,
    board_classes,
)
from felt.cards.ranking import rank_batch, tables

Ints = NDArray[np.int64]
POINTS = 2 * 990
"""Most points a hand can have on a full board: two for each of the 990 hands it may meet."""


def five_card_boards() -> tuple[NDArray[np.uint64], Ints]:
    """The boards that differ, and how many each stands for; 2,598,960 in all."""
    from felt.odds.exact_kernels import list_boards

    masks = np.empty(2_598_960, dtype=np.uint64)
    orbits = np.empty(len(masks), dtype=np.uint8)
    found = list_boards(np.arange(52), 5, np.uint64(0), SUIT_PERMUTATIONS, masks, orbits)
    return masks[:found].copy(), orbits[:found].astype(np.int64)


def matchup_tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Wins and ties of the first combo of each class against every combo, in boards."""
    from felt.odds.build_kernels import add_matchups

    masks, orbits = five_card_boards()
    parts = [(int(o), m) for o in np.unique(orbits) for m in np.array_split(masks[orbits == o], 2 * default_threads())]

    def count(part: tuple[int, NDArray[np.uint64]]) -> Ints:
        both = np.zeros((2, COMBO_COUNT, COMBO_COUNT), dtype=np.int64)
        add_matchups(part[1], COMBO_MASKS, tables(), 512, part[0], both[0], both[1])
        return both

    wins, kept = sum(map_ordered(count, parts), np.zeros((2, COMBO_COUNT, COMBO_COUNT), dtype=np.int64))
    rows = CLASS_REPRESENTATIVE
    results = []
    for counted in (wins, kept - wins):
        # Boards stood for their orbits, so only the mean over all renamings is the count of one matchup.
        total = sum(counted[COMBO_PERMUTATIONS[p][rows]][:, COMBO_PERMUTATIONS[p]] for p in range(24))
        results.append(_whole(total, 24).astype(np.uint32))
    return results[0], results[1]


class Strengths(NamedTuple):
    """Sums over all runouts for each class of hole cards and board."""

    points: NDArray[np.uint32]
    """Twice the wins plus the ties."""
    squares: NDArray[np.uint64]
    """The sum over runouts of the square of a runout's points."""


def strength_tables(size: int) -> Strengths:
    """Points of every class with a flop (`size` 3) or a turn board (4)."""
    from felt.odds.build_kernels import add_flops, add_turns

    classes = board_classes(size)
    masks, orbits = five_card_boards()
    add = add_flops if size == 3 else add_turns
    order = np.random.default_rng(0).permutation(len(masks))  # parts of equal work
    parts = np.array_split(order, default_threads())

    def count(part: Ints) -> Ints:
        both = np.zeros((2, classes.count), dtype=np.int64)
        add(
            masks[part], orbits[part], COMBO_CARDS, tables(), CARD_PERMUTATIONS, classes.board_id, classes.renaming,
            classes.base, classes.local, both[0], both[1],
        )  # fmt: skip
        return both

    points, squares = sum(map_ordered(count, parts), np.zeros((2, classes.count), dtype=np.int64))
    members = class_members(classes)
    return Strengths(_whole(points, members).astype(np.uint32), _whole(squares, members).astype(np.uint64))


def class_members(classes: BoardClasses) -> Ints:
    """How many pairs of hole cards and board each class has."""
    boards = np.bincount(classes.board_id, minlength=len(classes.boards))
    members = np.zeros(classes.count, dtype=np.int64)
    for i, row in enumerate(classes.local):
        live = row[row != 65535].astype(np.int64)
        members[classes.base[i] : classes.base[i + 1]] = boards[i] * np.bincount(live)
    return members


def _whole(total: Ints, parts: int | Ints) -> Ints:
    quotient, rest = np.divmod(total, parts)
    if rest.any():
        raise AssertionError("a sum over a class does not divide by its size: the walk missed some boards")
    return quotient


class RankStrengths(NamedTuple):
    """Mean strength for each value (row) and class of hole cards (column), and the range of what it averages."""

    mean: NDArray[np.float64]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
    counts: Ints


def river_rank_strengths() -> RankStrengths:
    """Average Rank Strength of seven cards, straight from the boards."""
    from felt.odds.build_kernels import add_ranks

    masks, orbits = five_card_boards()
    shape = (7463, CLASS_COUNT)
    counts, sums = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    least, most = np.full(shape, POINTS, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    add_ranks(masks, orbits, COMBO_CARDS, COMBO_CLASS, tables(), counts, sums, least, most)
    return RankStrengths(sums / np.maximum(counts, 1) / POINTS, least / POINTS, most / POINTS, counts)


def board_rank_strengths(classes: BoardClasses, strength: NDArray[np.float64]) -> RankStrengths:
    """Average Rank Strength of five or six cards, from the exact strength of every class."""
    shape = 7463 * CLASS_COUNT
    counts, sums = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    least, most = np.ones(shape), np.zeros(shape)
    boards = np.bincount(classes.board_id, minlength=len(classes.boards))
    for i, board in enumerate(classes.boards):
        live = np.flatnonzero(classes.local[i] != 65535)
        cards = np.hstack([COMBO_CARDS[live], np.broadcast_to(board, (len(live), classes.size))])
        cells = rank_batch(cards).astype(np.int64) * CLASS_COUNT + COMBO_CLASS[live]
        values = strength[classes.base[i] + classes.local[i, live]]
        np.add.at(counts, cells, boards[i])
        np.add.at(sums, cells, boards[i] * values)
        np.minimum.at(least, cells, values)
        np.maximum.at(most, cells, values)
    mean = sums / np.maximum(counts, 1)
    table = (7463, CLASS_COUNT)
    return RankStrengths(mean.reshape(table), least.reshape(table), most.reshape(table), counts.reshape(table))


def starting_equities(samples: int, progress: Callable[[int, int], None] | None = None) -> NDArray[np.float64]:
    """Equity of each class against one to nine random hands: counted for one, sampled for more."""
    from felt.cards.combos import CLASS_NAMES
    from felt.odds.equity import equity

    table = np.empty((CLASS_COUNT, 9))
    for i, name in enumerate(CLASS_NAMES):
        table[i, 0] = equity([name, "random"]).players[0].equity
        for strangers in range(2, 10):
            result = equity([name, *["random"] * strangers], samples=samples, seed=strangers)
            table[i, strangers - 1] = result.players[0].equity
        if progress:
            progress(i + 1, CLASS_COUNT)
    return table
