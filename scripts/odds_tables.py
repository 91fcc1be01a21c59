"""How the shipped tables of matchups, Average Rank Strength and starting hands are made."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._pool import default_threads, map_ordered
from felt.cards.combos import CLASS_COUNT, COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.isomorphism import BLOCKED, CLASS_REPRESENTATIVE, COMBO_PERMUTATIONS, BoardClasses
from felt.cards.ranking.evaluator import rank_batch, tables
from felt.odds.strength.lookup import POINTS, Ints, divide, five_card_boards


def matchup_tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Wins and ties of the first combo of each class against every combo, in boards."""
    from felt.odds.strength.build_kernels import add_matchups

    masks, orbits = five_card_boards()
    parts = [(int(o), m) for o in np.unique(orbits) for m in np.array_split(masks[orbits == o], 2 * default_threads())]

    def count(part: tuple[int, NDArray[np.uint64]]) -> Ints:
        both = np.zeros((2, COMBO_COUNT, COMBO_COUNT), dtype=np.int64)
        add_matchups(part[1], COMBO_MASKS, tables(), 512, part[0], both[0], both[1])
        return both

    wins, not_lost = sum(map_ordered(count, parts), np.zeros((2, COMBO_COUNT, COMBO_COUNT), dtype=np.int64))
    rows = CLASS_REPRESENTATIVE
    results = []
    for counted in (wins, not_lost - wins):
        # Boards stood for their orbits, so only the mean over all renamings is the count of one matchup.
        total = sum(counted[COMBO_PERMUTATIONS[p][rows]][:, COMBO_PERMUTATIONS[p]] for p in range(24))
        results.append(divide(total, 24).astype(np.uint32))
    return results[0], results[1]


class RankStrengths(NamedTuple):
    """Mean strength for each value (row) and class of hole cards (column), and the range of what it averages."""

    mean: NDArray[np.float64]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
    counts: Ints


def river_rank_strengths() -> RankStrengths:
    """Average Rank Strength of seven cards, straight from the boards."""
    from felt.odds.strength.build_kernels import add_ranks

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
        live = np.flatnonzero(classes.local[i] != BLOCKED)
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
    from felt.odds.equity.calculate import equity

    table = np.empty((CLASS_COUNT, 9))
    for i, name in enumerate(CLASS_NAMES):
        table[i, 0] = equity([name, "random"]).players[0].equity
        for strangers in range(2, 10):
            result = equity([name, *["random"] * strangers], samples=samples, seed=strangers)
            table[i, strangers - 1] = result.players[0].equity
        if progress:
            progress(i + 1, CLASS_COUNT)
    return table
