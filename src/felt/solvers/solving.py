"""Solving until it is good enough: iterations in portions, the exploitability measured between them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from felt.errors import FeltError
from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.solver import Solver

ITERATIONS = 1000
"""Iterations when nobody says how many, or how good it shall be."""

PORTION_S = 0.5
"""Seconds after which somebody who watches sees how far it is."""

GROWTH = 0.1
"""Share of the iterations so far after which the exploitability is measured again."""

Watch = Callable[[int, float], None]
"""Told from time to time how many iterations were done and how exploitable the strategy is."""


@dataclass
class Solved:
    """What came of it."""

    solver: Solver
    evaluation: Evaluation
    seconds: float
    """Of this run: iterations and measurements."""
    seconds_per_iteration: float
    """Of the iterations of this run alone."""
    course: list[tuple[int, float, float]] = field(default_factory=list)
    """Iterations, seconds and exploitability each time it was measured."""


def solve(
    solver: Solver, *, iterations: int | None = None, target: float | None = None, watch: Watch | None = None
) -> Solved:
    """Go on until the solver has done `iterations` in all, or until its exploitability is at most `target`.

    With both, whichever comes first. The exploitability is that of the average strategy, in chips a hand.

    >>> from felt.games import load
    >>> from felt.solvers.build import build_tree
    >>> done = solve(Solver(build_tree(load("leduc")), "cfr+"), target=1e-2)
    >>> done.evaluation.exploitability <= 1e-2, done.solver.iterations < 200
    (True, True)
    """
    if iterations is None and target is None:
        iterations = ITERATIONS
    if iterations is not None and iterations < 1:
        raise FeltError(f"{iterations} iterations: give 1 or more")
    if target is not None and not target > 0:
        raise FeltError(f"a target of {target}: give an exploitability above 0, in chips a hand")
    if iterations is not None and solver.iterations >= iterations:
        raise FeltError(f"{solver.iterations:,} iterations are done already: give more than that, not {iterations:,}")
    started, swept, done, course = time.perf_counter(), 0.0, 0, list[tuple[int, float, float]]()
    while True:
        portion = _portion(solver.iterations, iterations, swept / done if done else None, target)
        before = time.perf_counter()
        solver.run(portion)
        swept, done = swept + time.perf_counter() - before, done + portion
        last = iterations is not None and solver.iterations >= iterations
        measured = evaluate(solver.tree, solver.average())
        course.append((solver.iterations, time.perf_counter() - started, measured.exploitability))
        if watch is not None:
            watch(solver.iterations, measured.exploitability)
        if last or (target is not None and measured.exploitability <= target):
            return Solved(solver, measured, time.perf_counter() - started, swept / done, course)


def _portion(done: int, wanted: int | None, each: float | None, target: float | None) -> int:
    """How many iterations to do before the next measurement."""
    portion = max(10, int(done * GROWTH)) if target is not None else max(10, done)
    if each is not None and each > 0:
        portion = min(portion, max(1, int(PORTION_S / each)))
    return portion if wanted is None else min(portion, wanted - done)
