"""Running a solver for `felt solve`: the bar, checkpoints, and what Ctrl-C does."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt.cli.output import progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.cli.solving.begin import SolveTask
    from felt.solvers.best_response import Evaluation
    from felt.solvers.solving import Solved, Watch

DEALS = 10_000
"""Of sampled deals, when nobody says how many."""

KINDS = (".svg", ".png")


def run(
    task: "SolveTask", *, iterations: int | None, target: float | None, save: Path | None, drawn: bool = False
) -> "Solved[Any]":
    """Solve, and save: each minute, at the end, and when interrupted. What is `drawn` is measured more often."""
    from felt.solvers.solving import GROWTH, ITERATIONS, solve
    from felt.solvers.strategy import save_strategy

    solver = task.solver
    if task.interval is not None and target is not None:
        raise FeltError(f"--target: {task.rules.name} is too large to be measured; give --iterations")
    if iterations is None and target is None:
        iterations = solver.iterations + (DEALS if task.sampled else ITERATIONS)

    def write(evaluation: "Evaluation") -> None:
        if save is not None:
            save_strategy(save, solver, evaluation if isfinite(evaluation.exploitability) else None)

    def keep(evaluation: "Evaluation") -> None:
        try:
            write(evaluation)
        except FeltError as error:  # it may be possible again when all is done, and hours have gone into it
            print(f"felt: {error}; solving goes on", file=sys.stderr)

    with interrupts() as interrupted, _bar(task, iterations, target) as watch:
        solved = solve(
            solver, iterations=iterations, target=target, watch=watch, keep=keep if save else None, stop=interrupted,
            measure=task.measure, growth=GROWTH if drawn else None,
        )  # fmt: skip
    write(solved.evaluation)
    if solved.stopped:
        where = f"saved to {str(save)!r}: felt solve {save} goes on" if save else "nothing is saved without --save FILE"
        print(f"felt: interrupted after {solver.iterations:,} iterations; {where}", file=sys.stderr)
    return solved


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Yield what says whether Ctrl-C was pressed, which stops nothing by itself; the second time it does, at once."""
    pressed: list[int] = []

    def note(number: int, frame: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    if threading.current_thread() is not threading.main_thread():  # only there signals can be caught
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(task: "SolveTask", iterations: int | None, target: float | None) -> "Iterator[Watch | None]":
    """A bar that shows the exploitability: to the number of iterations, or down to the target."""
    doing = f"Solving {task.rules.name}"
    with progress_bar(doing) as report:
        if report is None:
            yield None
            return
        first: list[float] = []

        def watch(done: int, exploitability: float) -> None:
            first.append(exploitability)
            shares = [done / iterations if iterations else 0.0]
            if target and first[0] > target and exploitability > 0:
                shares.append(log(first[0] / exploitability) / log(first[0] / target))
            text = f": exploitability {exploitability:.3g}" if isfinite(exploitability) else ""
            report(max(shares), 1.0, doing=doing + text)

        yield watch


def check_plot(path: Path) -> None:
    """Raise a `FeltError` if no plot could be drawn: better before a long run than after it."""
    from felt.arena.report import ready

    if path.suffix.lower() not in KINDS:
        raise FeltError(f"--plot {str(path)!r}: name a file that ends in .svg or .png")
    ready()


def draw(path: Path, runs: "Sequence[Solved[Any]]") -> None:
    """Draw the course of each run into one picture."""
    from felt._files import write_bytes
    from felt.arena.report.drawing import Convergence, convergence_plot

    courses = [Convergence(done.solver.algorithm.title, done.course) for done in runs]
    write_bytes(path, convergence_plot(courses, kind=path.suffix.lower()[1:]))
