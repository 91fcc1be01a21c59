"""Solving a tree: iterations of an algorithm, over the ends of the game or level by level over every node."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.solvers.cfr.algorithm import Algorithm, find_algorithm
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.cfr.threads import cut, sweep_parts, threads_for
from felt.solvers.trees.tree import GameTree

FORMS = ("ends", "levels")
KINDS = ("float64", "float32")


class Solver(TabularSolver):
    """An algorithm at work on a tree.

    `form` says what an iteration sweeps over: the ends of the game, which is fastest, or every node, level by level.
    Both give the same numbers. `kind` is what a regret is kept in: float32 takes half the memory. `threads` share out
    sweeps over ends, and change no number either; without it small games take one and large ones all there are.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> solver = Solver(build_tree(load("kuhn")), "cfr+")
    >>> solver.run(1000)
    >>> from felt.solvers.best_response import evaluate
    >>> round(evaluate(solver.tree, solver.average()).values[0], 4)
    -0.0556
    """

    tree: GameTree

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
        super().__init__(tree, find_algorithm(method), kind)
        self.form = form
        self.threads = threads_for(len(tree.sequence_form.chances), threads) if form == "ends" else 1
        self._work: tuple[Any, ...] = self._arrays(np.dtype(kind))
        self.reset_reach()

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        from felt.solvers.cfr.level_kernels import sweep_levels
        from felt.solvers.cfr.terminal_kernels import sweep

        infosets, schedule = self.tree.infosets, self.algorithm.schedule(self.iterations, iterations)
        layout = self.layout
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

    @property
    def sweep_nodes(self) -> int:
        """The size of the tree."""
        return len(self.tree)

    def restore(self, arrays: Mapping[str, NDArray[Any]], iterations: int) -> None:
        """Go on from what a file has kept."""
        super().restore(arrays, iterations)
        self.reset_reach()

    def reset_reach(self) -> None:
        """Work out the reach of the current strategy, after it was changed from outside."""
        from felt.solvers.cfr.update_kernels import update_reach

        infosets = self.tree.infosets
        self.state.reach[infosets.sequences :] = 1
        for player in range(infosets.players):
            begin, end = infosets.of_player[player : player + 2].tolist()
            update_reach(infosets.first, infosets.parent, begin, end, self.state.strategy, self.state.reach)

    def _arrays(self, number: np.dtype[Any]) -> tuple[Any, ...]:
        tree = self.tree
        if self.threads > 1:
            return (cut(tree.sequence_form, tree.sequence_form.gains.astype(number), self.threads),)
        if self.form == "ends":
            return tree.sequence_form.sequences, tree.sequence_form.gains.astype(number)
        nodes = (tree.parent, tree.first_child, tree.children, tree.player, tree.sequence, tree.chance.astype(number))
        room = tuple(np.zeros(len(tree), dtype=number) for _ in range(3))
        return nodes, tree.payoffs.astype(number), room
