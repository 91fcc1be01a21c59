"""Solving until it is good enough: iterations in portions, the exploitability measured between them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from felt.errors import FeltError
from felt.solvers.best_response import Evaluation
from felt.solvers.cfr.base import AnySolver
from felt.solvers.trees.tree import Floats

ITERATIONS = 1000
"""Iterations, on top of those that are done, when nobody says how many, or how good it shall be."""

PORTION_S = 0.5
"""Seconds after which somebody who watches sees how far it is."""

GROWTH = 0.1
"""Share of the iterations so far after which the exploitability is measured again, on the way to a target."""

LARGE = 1_000_000
"""Nodes from which on the first iteration is done alone: ten of them could take minutes."""

KEEP_S = 60.0
"""Seconds between two times that a long run is kept."""

Watch = Callable[[int, float], None]
"""Told from time to time how many iterations were done and how exploitable the strategy is."""


S = TypeVar("S", bound=AnySolver)


@dataclass
class Solved(Generic[S]):
    """What came of it."""

    solver: S
    evaluation: Evaluation
    seconds: float
    """Of this run: iterations and measurements, compiled code being loaded."""
    seconds_per_iteration: float
    """Of the iterations of this run alone."""
    course: list[tuple[int, float, float]] = field(default_factory=list)
    """Iterations in all, seconds of the iterations of this run, and exploitability, each time it was measured."""
    stopped: bool = False
    """Whether somebody asked it to stop before it was done."""


def solve(
    solver: S,
    *,
    iterations: int | None = None,
    target: float | None = None,
    watch: Watch | None = None,
    keep: Callable[[Evaluation], None] | None = None,
    every: float = KEEP_S,
    stop: Callable[[], bool] | None = None,
    measure: Callable[[Floats], Evaluation] | None = None,
    growth: float | None = None,
) -> Solved[S]:
    """Go on until the solver has done `iterations` in all, or until its exploitability is at most `target`.

    With both, whichever comes first; with neither, `ITERATIONS` more. The exploitability is that of the average
    strategy, in chips a hand; `measure` says how it is found where the solver has no whole tree. On a long run `keep`
    is called each `every` seconds. It ends early when `stop` says so, which is asked between iterations. `growth` is
    the share of the iterations so far after which it is measured again; it is small where a target shall not be missed
    by much, or a course be drawn.

    >>> from felt.games import load
    >>> from felt.solvers.cfr.solver import Solver
    >>> from felt.solvers.trees.build import build_tree
    >>> done = solve(Solver(build_tree(load("leduc")), "cfr+"), target=1e-2)
    >>> done.evaluation.exploitability <= 1e-2, done.solver.iterations < 200
    (True, True)
    """
    if iterations is None and target is None:
        iterations = solver.iterations + ITERATIONS
    _check(solver, iterations, target)
    if growth is None:
        growth = 1.0 if target is None else GROWTH
    evaluate = solver.measure if measure is None else lambda: measure(solver.average())
    solver.run(0)  # loads what is compiled
    evaluate()
    started = saved_at = time.perf_counter()
    swept, done, course = 0.0, 0, list[tuple[int, float, float]]()
    large = solver.sweep_nodes > LARGE
    while True:
        portion = _portion(solver.iterations, iterations, swept / done if done else None, growth, large)
        before = time.perf_counter()
        solver.run(portion)
        swept, done = swept + time.perf_counter() - before, done + portion
        measured = evaluate()
        now = time.perf_counter()
        course.append((solver.iterations, swept, measured.exploitability))
        if watch is not None:
            watch(solver.iterations, measured.exploitability)
        last = iterations is not None and solver.iterations >= iterations
        last = last or (target is not None and measured.exploitability <= target)
        stopped = not last and stop is not None and stop()
        if last or stopped:
            return Solved(solver, measured, now - started, swept / done, course, stopped)
        if keep is not None and now - saved_at >= every:
            keep(measured)
            saved_at = time.perf_counter()


def _check(solver: AnySolver, iterations: int | None, target: float | None) -> None:
    if iterations is not None and iterations < 1:
        raise FeltError(f"{iterations} iterations: give 1 or more")
    if target is not None and not 0 < target < float("inf"):
        raise FeltError(f"a target of {target}: give an exploitability above 0, in chips a hand")
    if iterations is not None and solver.iterations >= iterations:
        raise FeltError(f"{solver.iterations:,} iterations are done already: give more than that, not {iterations:,}")


def _portion(done: int, last: int | None, each: float | None, growth: float, large: bool) -> int:
    """How many iterations to do before the next measurement."""
    portion = max(10, int(done * growth))
    if each is not None and each > 0:
        portion = min(portion, max(1, int(PORTION_S / each)))
    elif large:
        portion = 1
    return portion if last is None else min(portion, last - done)
