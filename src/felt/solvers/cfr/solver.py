"""Solving a tree: iterations of an algorithm, over the ends of the game or level by level over every node."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from felt._pool import default_threads, map_ordered
from felt.errors import FeltError
from felt.solvers.cfr.algorithm import Algorithm, find_algorithm
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.trees.tree import Array, Floats, GameTree, Ints, SequenceForm

FORMS = ("ends", "levels")
KINDS = ("float64", "float32")


LEAST_ENDS = 1_000_000
"""Ends from which on threads save more than handing out the work takes."""

Part = tuple[Ints, Array]
"""Sequences of all players and gains of one."""


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
        self.form, self.sweep_nodes = form, len(tree)
        self.threads = threads_for(len(tree.sequence_form.chances), threads) if form == "ends" else 1
        self._work: tuple[Any, ...] = self._arrays(np.dtype(kind))
        self.reset_reach()

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        from felt.solvers.cfr.sweep_kernels import sweep, sweep_levels

        schedule = self.algorithm.schedule(self.iterations, iterations)
        learned = self.infosets.of_player, self.layout, tuple(self.state)
        after = self._values, schedule, self.algorithm.floor
        if self.threads > 1:
            self._sweep_parts(schedule)
        elif self.form == "ends":
            sweep(*self._work, *learned, *after)
        else:
            nodes, payoffs, room = self._work
            sweep_levels(nodes, payoffs, *learned, room, *after)
        self.iterations += iterations

    def _sweep_parts(self, schedule: Floats) -> None:
        """As `felt.solvers.cfr.sweep_kernels.sweep`, a part in each thread."""
        from felt.solvers.cfr.sweep_kernels import back_up, clear, gather_part
        from felt.solvers.cfr.update_kernels import update_regrets

        def add(player: int, part: Part) -> None:
            gather_part(*part, player, self.state.reach, self._values)

        (first, parent), state, values = self.layout, tuple(self.state), self._values
        for row in schedule:
            for (player, begin, end), parts in zip(self.infosets.by_player(), self._work[0], strict=True):
                clear(first, begin, end, player, values)
                list(map_ordered(partial(add, player), parts, self.threads))
                back_up(first, parent, begin, end, self.state.strategy, values)
                update_regrets(self.layout, begin, end, values, state, row, self.algorithm.floor)

    def restore(self, arrays: Mapping[str, Array], iterations: int) -> None:
        """Go on from what a file has kept."""
        super().restore(arrays, iterations)
        self.reset_reach()

    def reset_reach(self) -> None:
        """Work out the reach of the current strategy, after it was changed from outside."""
        from felt.solvers.cfr.update_kernels import update_reach

        self.state.reach[self.infosets.sequences :] = 1
        for _, begin, end in self.infosets.by_player():
            update_reach(*self.layout, begin, end, self.state.strategy, self.state.reach)

    def _arrays(self, number: np.dtype[Any]) -> tuple[Any, ...]:
        tree = self.tree
        if self.threads > 1:
            return (cut(tree.sequence_form, tree.sequence_form.gains.astype(number), self.threads),)
        if self.form == "ends":
            return tree.sequence_form.sequences, tree.sequence_form.gains.astype(number)
        *links, chance = tree.links
        room = tuple(np.zeros(len(tree), dtype=number) for _ in range(3))
        return (*links, chance.astype(number)), tree.payoffs.astype(number), room


def threads_for(ends: int, threads: int | None) -> int:
    """How many threads to use: as many as were asked for, else one for small games and all for large ones."""
    if threads is None:
        return default_threads() if ends >= LEAST_ENDS else 1
    if threads < 1:
        raise FeltError(f"{threads} threads: give 1 or more")
    return threads


def cut(ends: SequenceForm, gains: Array, parts: int) -> list[list[Part]]:
    """The ends of a game for each player, in about as many equal parts.

    Those that count towards one sequence stay together and in order: no two threads write to the same number, and every
    sum is made in the same order. So the numbers are the same, to the last bit, for any number of threads.
    """
    by_player = []
    for player, mine in enumerate(ends.sequences):
        before = np.cumsum(np.bincount(mine))
        targets = np.linspace(0, len(mine), parts + 1)[1:-1]
        part = np.searchsorted(np.searchsorted(before, targets), mine)
        rows = [np.flatnonzero(part == number) for number in range(parts)]
        by_player.append([(ends.sequences[:, some].copy(), gains[player, some]) for some in rows if len(some)])
    return by_player
