"""Public chance sampling (Johanson and others 2012): the cards that all see are drawn, all that players may hold is
looked at.

An iteration costs more than with other ways of sampling and says much more: everybody learns for each hand that they
may hold. A game without cards that all see is swept whole.
"""

from typing import Any

import numpy as np

from felt._chance import block_seed
from felt.errors import FeltError
from felt.solvers.cfr.algorithm import SAMPLING
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.sampling.base import STREAM
from felt.solvers.sampling.public_events import events_of
from felt.solvers.trees.tree import GameTree


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
        events = self.events
        arrays: list[Any] = [*self.state, self._values, *self._room, self._drawn, self._ends]
        arrays += [events.of_node, events.family, events.first, events.chances]
        return int(sum(array.nbytes for array in arrays)) + self.tree.bytes

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        self.learn(iterations, np.arange(self.infosets.players))
        self.iterations += iterations

    def learn(self, count: int, seats: Any) -> None:
        """Walk `count` times for each of these seats, which learn."""
        from felt._chance_kernels import wrapping
        from felt.solvers.sampling.public_chance_kernels import walks_public

        tree, events = self.tree, self.events
        nodes = (
            tree.parent, tree.first_child, tree.children, tree.player, tree.sequence, tree.chance, tree.infoset,
            self._ends,
        )  # fmt: skip
        happens = events.of_node, events.family, events.first, events.chances, self._drawn
        learned = self.layout, tuple(self.state), self._values, np.ones(3)
        with wrapping():
            self.looked_at += walks_public(
                count, nodes, tree.payoffs, happens, learned, self._room, self._dice, seats
            )  # fmt: skip
