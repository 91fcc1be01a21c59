"""What every node of a tree can be worth at most and at least, and how likely cards alone let it come about."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from felt.solvers.trees.tree import CHANCE, Floats, GameTree


def levels_below(tree: GameTree) -> Iterator[tuple[int, int]]:
    """Where the nodes of each level but the first begin and end."""
    return iter(zip(tree.levels[1:-1].tolist(), tree.levels[2:].tolist(), strict=True))


def luck(tree: GameTree) -> Floats:
    """How likely cards fall so that each node can come about, whatever players do."""
    chance = np.ones(len(tree))
    for begin, end in levels_below(tree):
        chance[begin:end] = chance[tree.parent[begin:end]] * tree.chance[begin:end]
    return chance


def bound(tree: GameTree, player: int, *, best: bool, without: NDArray[np.bool_] | None = None) -> Floats:
    """The most (or the least) that each node can be worth to a player when all choose for (or against) them.

    `without` marks nodes that nobody chooses. Cards are no choice: their outcomes are averaged.
    """
    values = np.zeros(len(tree))
    values[tree.terminals] = tree.payoffs[:, player]
    gone = np.zeros(len(tree), dtype=np.bool_) if without is None else without
    extreme, never = (np.maximum, -np.inf) if best else (np.minimum, np.inf)
    for begin, end in reversed(list(levels_below(tree))):
        above = np.unique(tree.parent[begin:end])
        starts = tree.first_child[above] - begin
        chosen = extreme.reduceat(np.where(gone[begin:end], never, values[begin:end]), starts)
        fallen = np.add.reduceat(tree.chance[begin:end] * values[begin:end], starts)
        values[above] = np.where(tree.player[above] == CHANCE, fallen, chosen)
    return values
