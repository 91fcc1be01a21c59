"""Going on with a strategy that `felt solve` has saved."""

from pathlib import Path

from felt.cli.solving.begin import SolveTask, measure_in, sampled_task


def resume(path: Path, memory: float, threads: int | None = None) -> SolveTask:
    """A strategy's solver, as it was when it was saved."""
    from felt.solvers.memory import bytes_of, memory_beside
    from felt.solvers.public_tree.build import size_of_table
    from felt.solvers.strategy import load_strategy

    strategy = load_strategy(path)
    solver = strategy.solver(memory=memory, threads=threads)
    if not strategy.whole:
        return sampled_task(solver, strategy.rules, strategy.algorithm, memory)
    about = strategy.rules, strategy.algorithm, solver, len(solver.tree)
    if strategy.form == "vector":
        return SolveTask(*about, needed=size_of_table(solver.tree.table, solver.kind).peak)
    measure_whole = None
    if strategy.abstraction is not None:
        from felt.solvers.whole_game import whole_game

        measure_whole = whole_game(solver.tree, memory=memory_beside(solver.tree, memory)).measure
    needed = bytes_of(solver.tree)
    if strategy.form in ("ends", "levels"):
        return SolveTask(*about, measure_whole=measure_whole, needed=needed)
    sampled = strategy.form == "sampling"
    return SolveTask(*about, measure=measure_whole or measure_in(solver.tree), sampled=sampled, needed=needed)
