"""Public chance sampling (Johanson and others 2012): the cards that all see are drawn, all that players may hold is
looked at.

An iteration costs more than with other ways of sampling and says much more: everybody learns for each hand that they
may hold. A game without cards that all see is swept whole.
"""

from typing import Any

import numpy as np

from felt._chance import block_seed
from felt.errors import FeltError
from felt.solvers.algorithm import Algorithm
from felt.solvers.public_events import events_of
from felt.solvers.sampling import STREAM
from felt.solvers.solver import State
from felt.solvers.tree import Floats, GameTree

ALGORITHM = Algorithm("public-chance", "public chance sampling", lambda t: (1.0, 1.0, 1.0))


class PublicChanceSampling:
    """A solver like `felt.solvers.solver.Solver`, over the histories of a tree in which the drawn cards fall.

    >>> from felt.games import load
    >>> from felt.solvers.build import build_tree
    >>> tree = build_tree(load("leduc"))
    >>> solver = PublicChanceSampling(tree, seed=1)
    >>> solver.run(10)
    >>> solver.looked_at < 10 * 2 * len(tree) / 2
    True
    """

    algorithm = ALGORITHM

    def __init__(self, tree: GameTree, *, seed: int = 0) -> None:
        if not isinstance(tree, GameTree):
            raise FeltError("public chance sampling looks at all that players may hold: give a whole tree (build_tree)")
        self.tree = tree
        self.infosets = tree.infosets
        self.iterations = 0
        """How many have been done: in each, every player learns once."""
        self.looked_at = 0
        """How many nodes the walks came to so far."""
        self.events = events_of(tree)
        self._dice = np.array([block_seed(seed, 1, STREAM)], dtype=np.uint64)
        size, nodes = self.infosets.sequences + tree.players, len(tree)
        self.state = State(np.zeros(size), np.zeros(size), np.zeros(size), np.ones(size), np.zeros(0))
        self.state.strategy[: self.infosets.sequences] = self.infosets.uniform()
        self._values = np.zeros(size)
        self._drawn = np.full(len(self.events.first) - 1, -1, dtype=np.int32)
        counts = [np.zeros(count, dtype=np.int32) for count in (nodes, self.infosets.count, self.infosets.count)]
        self._room = (*counts, *(np.zeros(nodes) for _ in range(3)))
        over = tree.children == 0
        self._ends = np.where(over, np.cumsum(over) - 1, -1).astype(np.int32)

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where chance stands: iterations go on from here, in a solver that is given it."""
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
        from felt.solvers.public_chance_kernels import walks_public

        tree, events = self.tree, self.events
        nodes = (
            tree.parent, tree.first_child, tree.children, tree.player, tree.sequence, tree.chance, tree.infoset,
            self._ends,
        )  # fmt: skip
        happens = events.of_node, events.family, events.first, events.chances, self._drawn
        learned = (self.infosets.first, self.infosets.parent), tuple(self.state), self._values, np.ones(3)
        with wrapping():
            self.looked_at += walks_public(
                count, nodes, tree.payoffs, happens, learned, self._room, self._dice, seats
            )  # fmt: skip

    def average(self) -> Floats:
        """The strategy that the iterations so far have led to: chances by sequence."""
        return self.infosets.normalised(self.state.averages[: self.infosets.sequences])

    def current(self) -> Floats:
        """The strategy of the next iteration."""
        return self.state.strategy[: self.infosets.sequences].copy()
