"""Solving a tree: iterations of an algorithm, over the ends of the game or level by level over every node."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.solvers.algorithm import Algorithm, algorithm
from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.threads import cut, sweep_parts, threads_for
from felt.solvers.tree import Floats, GameTree

FORMS = ("ends", "levels")
KINDS = ("float64", "float32")


class State(NamedTuple):
    """What a solver has learned, by sequence; in this order for the kernels."""

    regrets: NDArray[Any]
    averages: NDArray[Any]
    """The strategies of all iterations, each weighted by how likely the player comes there."""
    strategy: NDArray[Any]
    """What is played in the next iteration."""
    reach: NDArray[Any]
    """How likely it is, as far as it is up to the player, that they play a sequence."""
    predicted: NDArray[Any]
    """The regrets that are expected; empty for algorithms that expect nothing."""


class Solver:
    """An algorithm at work on a tree.

    `form` says what an iteration sweeps over: the ends of the game, which is fastest, or every node, level by level.
    Both give the same numbers. `kind` is what a regret is kept in: float32 takes half the memory. `threads` share out
    sweeps over ends, and change no number either; without it small games take one and large ones all there are.

    >>> from felt.games import load
    >>> from felt.solvers.build import build_tree
    >>> solver = Solver(build_tree(load("kuhn")), "cfr+")
    >>> solver.run(1000)
    >>> from felt.solvers.best_response import evaluate
    >>> round(evaluate(solver.tree, solver.average()).values[0], 4)
    -0.0556
    """

    def __init__(
        self,
        tree: GameTree,
        method: str | Algorithm = "dcfr",
        *,
        form: str = "ends",
        kind: str = "float64",
        threads: int | None = None,
    ) -> None:
        for name, value, known in (("form", form, FORMS), ("kind", kind, KINDS)):
            if value not in known:
                raise FeltError(f"{name}={value!r}: use one of {', '.join(known)}")
        self.tree = tree
        self.algorithm = algorithm(method)
        self.form = form
        self.threads = threads_for(len(tree.ends.chances), threads) if form == "ends" else 1
        self.iterations = 0
        """How many have been done."""
        infosets, number = tree.infosets, np.dtype(kind)
        size = infosets.sequences + infosets.players
        predicted = size if self.algorithm.predictive else 0
        self.state = State(*(np.zeros(count, dtype=number) for count in (size, size, size, size, predicted)))
        self.state.strategy[: infosets.sequences] = infosets.uniform()
        self._values = np.zeros(size, dtype=number)
        self._work: tuple[Any, ...] = self._arrays(number)
        self.reset_reach()

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        from felt.solvers.ends_kernels import sweep
        from felt.solvers.level_kernels import sweep_levels

        infosets, schedule = self.tree.infosets, self.algorithm.schedule(self.iterations, iterations)
        layout = infosets.first, infosets.parent
        after = self._values, schedule, self.algorithm.floor
        if self.threads > 1:
            sweep_parts(self._work[0], infosets.of_player, layout, tuple(self.state), *after, threads=self.threads)
        elif self.form == "ends":
            sequences, gains = self._work
            sweep(sequences, gains, infosets.of_player, layout, tuple(self.state), *after)
        else:
            nodes, payoffs, room = self._work
            sweep_levels(nodes, payoffs, infosets.of_player, layout, tuple(self.state), room, *after)
        self.iterations += iterations

    def average(self) -> Floats:
        """The strategy that the algorithm has arrived at: chances by sequence."""
        infosets = self.tree.infosets
        return infosets.normalised(self.state.averages[: infosets.sequences])

    def current(self) -> Floats:
        """The strategy of the next iteration."""
        return self.state.strategy[: self.tree.infosets.sequences].astype(np.float64)

    def measure(self) -> Evaluation:
        """How good the average strategy is."""
        return evaluate(self.tree, self.average())

    def reset_reach(self) -> None:
        """Work out the reach of the current strategy, after it was changed from outside."""
        from felt.solvers.update_kernels import reach

        infosets = self.tree.infosets
        self.state.reach[infosets.sequences :] = 1
        for player in range(infosets.players):
            begin, end = infosets.of_player[player : player + 2].tolist()
            reach(infosets.first, infosets.parent, begin, end, self.state.strategy, self.state.reach)

    def _arrays(self, number: np.dtype[Any]) -> tuple[Any, ...]:
        tree = self.tree
        if self.threads > 1:
            return (cut(tree.ends, tree.ends.gains.astype(number), self.threads),)
        if self.form == "ends":
            return tree.ends.sequences, tree.ends.gains.astype(number)
        nodes = (tree.parent, tree.first_child, tree.children, tree.player, tree.sequence, tree.chance.astype(number))
        room = tuple(np.zeros(len(tree), dtype=number) for _ in range(3))
        return nodes, tree.payoffs.astype(number), room
