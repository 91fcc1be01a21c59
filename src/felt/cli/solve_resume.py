"""Going on with a strategy that `felt solve` has saved."""

from pathlib import Path
from typing import Any

from felt.cli.solve_begin import Task, measure_in, sampled_task
from felt.errors import FeltError


def resume(path: Path, memory: float, threads: int | None = None) -> Task:
    """A strategy's solver, as it was when it was saved."""
    from felt.solvers.memory import bytes_of, memory_beside
    from felt.solvers.solver import Solver
    from felt.solvers.strategy import load_strategy
    from felt.solvers.vector_build import size_of_table

    strategy = load_strategy(path)
    solver = strategy.solver(memory=memory)
    if threads is not None:
        solver = _with_threads(solver, threads)
    if not strategy.whole:
        return sampled_task(solver, strategy.rules, strategy.algorithm, memory)
    whole = None
    if strategy.abstraction is not None:
        from felt.solvers.translation import whole_game

        whole = whole_game(solver.tree, memory=memory_beside(solver.tree, memory)).measure
    if strategy.form == "vector":
        needed = size_of_table(solver.tree.table, solver.kind).peak
        return Task(strategy.rules, strategy.algorithm, solver, len(solver.tree), needed=needed)
    held = bytes_of(solver.tree)
    if not isinstance(solver, Solver):
        measure = whole or measure_in(solver.tree)
        sampled = strategy.dice is not None
        return Task(
            strategy.rules, strategy.algorithm, solver, len(solver.tree), measure=measure, sampled=sampled, needed=held
        )  # fmt: skip
    return Task(strategy.rules, strategy.algorithm, solver, len(solver.tree), whole=whole, needed=held)


def _with_threads(solver: Any, threads: int) -> Any:
    """The same solver with so many threads, which change no number."""
    from felt.solvers.solver import Solver

    if type(solver) is not Solver or solver.form != "ends":
        raise FeltError("--threads share out sweeps over ends, which this strategy was not solved by: leave it out")
    kind = str(solver.state.regrets.dtype)
    made = Solver(solver.tree, solver.algorithm, form="ends", kind=kind, threads=threads)
    made.state, made.iterations = solver.state, solver.iterations
    return made
