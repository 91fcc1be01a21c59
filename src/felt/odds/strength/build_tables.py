"""How the tables of strength are made: by a walk over the 134,459 boards that differ.

Two million boards fall into 134,459 orbits under renaming of suits. What a table holds for a class of hands
is a sum over all of its members and boards, divided by the number of members: whole numbers all the way.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._pool import default_threads, map_ordered
from felt.cards.combos import COMBO_CARDS
from felt.cards.isomorphism import BLOCKED, CARD_PERMUTATIONS, SUIT_PERMUTATIONS, BoardClasses, board_classes
from felt.cards.ranking.evaluator import tables

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
