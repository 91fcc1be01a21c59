"""Public chance sampling (Johanson and others 2012): the cards that all see are drawn, all that players may hold is
looked at.

An iteration costs more than with other ways of sampling and says much more: everybody learns for each hand that they
may hold. A game without cards that all see is swept whole.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.errors import FeltError
from felt.solvers.cfr.algorithm import SAMPLING
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.sampling.base import STREAM
from felt.solvers.trees.tree import CHANCE, Floats, GameTree, Ints, levels_below, luck


class Events(NamedTuple):
    """Events by family: ``first[f] … first[f + 1] - 1`` are those of family f.

    Two ways for cards to fall are one event when somebody who acts later cannot tell them apart, or when a chain of
    such pairs connects them. What players hold is one event for all ways it may be dealt; every board is one alone.
    Chance nodes that share events are a family: one event is drawn for all of them.
    """

    of_node: Ints  # the event of a node below chance, else -1
    family: Ints  # of a chance node, else -1
    first: Ints
    chances: Floats  # of each event within its family, by how often the cards fall so, whatever players do


def events_of(tree: GameTree) -> Events:
    """Find the events of a tree and their families.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> found = events_of(build_tree(load("leduc")))
    >>> np.unique(np.diff(found.first)).tolist()  # what is held is one event, the board is three
    [1, 3]
    """
    below = np.flatnonzero(tree.player[tree.parent] == CHANCE).astype(np.int32)
    below = below[below > 0]
    label = _joined(len(below), *_met(tree, below))
    above, rows = tree.parent[below], np.arange(len(below))
    # What connects families: events, and chance nodes.
    kin = _joined(len(below), np.tile(rows, 2), np.append(label, len(label) + above.astype(np.int64)))
    _, kin = np.unique(kin, return_inverse=True)
    keys, event = np.unique(kin.astype(np.int64) * len(below) + label, return_inverse=True)
    weights = np.bincount(event, luck(tree)[below], minlength=len(keys))
    families = keys // max(len(below), 1)
    first = np.searchsorted(families, np.arange(kin.max(initial=-1) + 2))
    chances = weights / np.bincount(families, weights)[families]
    of_node, family = np.full(len(tree), -1, dtype=np.int32), np.full(len(tree), -1, dtype=np.int32)
    of_node[below], family[above] = event, kin
    return Events(of_node, family, first.astype(np.int32), chances)


def _met(tree: GameTree, below: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a node below chance (by its place in `below`) and of an information set that may be met after it.

    Deals of different rounds are kept apart: the set is numbered together with how many deals came before.
    """
    place = np.full(len(tree), -1, dtype=np.int64)
    place[below] = np.arange(len(below))
    depth = np.zeros(len(tree), dtype=np.int64)
    for begin, end in levels_below(tree):
        depth[begin:end] = depth[tree.parent[begin:end]] + (place[begin:end] >= 0)
    node = np.flatnonzero(tree.infoset >= 0).astype(np.int32)
    known, most = tree.infoset[node].astype(np.int64), int(depth.max(initial=0)) + 1
    events, keys = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    while len(node):
        fallen = place[node] >= 0
        events.append(place[node[fallen]])
        keys.append(known[fallen] * most + depth[node[fallen]])
        node = tree.parent[node]
        node, known = node[node > 0], known[node > 0]
    pairs = np.unique(np.column_stack([np.concatenate(events), np.concatenate(keys)]), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _joined(count: int, rows: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least of all rows that are connected with each by a chain of common keys."""
    label = np.arange(count)
    _, keys = np.unique(keys, return_inverse=True)
    while True:
        least = np.full(int(keys.max(initial=-1)) + 1, count)
        np.minimum.at(least, keys, label[rows])
        after = label.copy()
        np.minimum.at(after, rows, least[keys])
        if (after == label).all():
            return label
        label = after[after]  # what a row is joined to is joined to the same


class PublicChanceSampling(TabularSolver):
    """A solver like `felt.solvers.cfr.solver.Solver`, over the histories of a tree in which the drawn cards fall.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> tree = build_tree(load("leduc"))
    >>> solver = PublicChanceSampling(tree, seed=1)
    >>> solver.run(10)
    >>> solver.looked_at < 10 * 2 * len(tree) / 2
    True
    """

    form = "sampling"
    tree: GameTree

    def __init__(self, tree: GameTree, *, seed: int = 0) -> None:
        if not isinstance(tree, GameTree):
            raise FeltError("public chance sampling looks at all that players may hold: give a whole tree (build_tree)")
        super().__init__(tree, SAMPLING["public-chance"], reach=1.0)
        self.looked_at = 0
        """How many nodes the walks came to so far."""
        self.events = events_of(tree)
        self._dice = np.array([block_seed(seed, 1, STREAM)], dtype=np.uint64)
        nodes = len(tree)
        self._drawn = np.full(len(self.events.first) - 1, -1, dtype=np.int32)
        counts = [np.zeros(count, dtype=np.int32) for count in (nodes, self.infosets.count, self.infosets.count)]
        self._room = (*counts, *(np.zeros(nodes) for _ in range(3)))
        over = tree.children == 0
        self._ends = np.where(over, np.cumsum(over) - 1, -1).astype(np.int32)

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where the dice for public cards stand."""
        return {"dice": int(self._dice[0])}

    @dice_state.setter
    def dice_state(self, state: dict[str, Any]) -> None:
        self._dice[0] = state["dice"]

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of what is walked over."""
        arrays: list[Any] = [*self.state, self._values, *self._room, self._drawn, self._ends, *self.events]
        return int(sum(array.nbytes for array in arrays)) + self.tree.bytes

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        self.learn(iterations, np.arange(self.infosets.players))
        self.iterations += iterations

    def learn(self, count: int, seats: Any) -> None:
        """Walk `count` times for each of these seats, which learn."""
        from felt._chance_kernels import wrapping
        from felt.solvers.sampling.walk_kernels import walks_public

        nodes, happens = (*self.tree.links, self.tree.infoset, self._ends), (*self.events, self._drawn)
        learned = self.layout, tuple(self.state), self._values, np.ones(3)
        with wrapping():
            self.looked_at += walks_public(
                count, nodes, self.tree.payoffs, happens, learned, self._room, self._dice, seats
            )  # fmt: skip
