"""`felt solve --algorithm sampled`: games whose histories are too many to list."""

import time
from typing import TYPE_CHECKING, Any

from felt.cli import output
from felt.cli.progress import progress_bar

if TYPE_CHECKING:
    from felt.games import GameRules

DEALS = 10_000
PORTION = 1024


def solve_sampled(
    rules: "GameRules", *, players: int | None, stack: int | None, menu: Any, deals: int | None, memory: float
) -> dict[str, Any]:
    """Deal hands, and measure the strategy where its whole tree fits into memory; else that is left open."""
    from felt.solvers.best_response import evaluate
    from felt.solvers.build import build_tree, size_of
    from felt.solvers.sampled import SampledSolver

    solver, wanted = SampledSolver(rules, stack, players=players, sizes=menu), deals or DEALS
    started = time.perf_counter()
    with progress_bar(f"Solving {rules.name}") as report:
        while solver.iterations < wanted:
            solver.run(min(PORTION, wanted - solver.iterations))
            if report is not None:
                report(solver.iterations, wanted)
    seconds = time.perf_counter() - started
    size = size_of(rules, stack, players=players, sizes=menu)
    found = None
    if size.bytes <= memory:
        found = evaluate(build_tree(rules, stack, players=players, sizes=menu, memory=memory), solver.average())
    return {
        "game": rules.name,
        "algorithm": "sampled",
        "infosets": solver.infosets.count,
        "iterations": solver.iterations,
        "seconds": seconds,
        "seconds_per_iteration": seconds / solver.iterations,
        "exploitability": None if found is None else found.exploitability,
        "values": None if found is None else list(found.values),
        "gains": None if found is None else list(found.gains),
        "nodes": size.nodes,
        "bytes": solver.bytes,
    }


def print_sampled(rules: "GameRules", told: dict[str, Any]) -> None:
    """For people."""
    from felt.solvers.tree import told_bytes

    output.say(
        f"[bold]{output.plain(rules.title or rules.name)}[/]  [dim]{told['infosets']:,} information sets, "
        f"{told['nodes']:,} nodes; sampled deals[/]"
    )
    measured = told["exploitability"]
    output.facts(
        [
            ("deals", f"{told['iterations']:,} in {told['seconds']:.2f} s"),
            ("memory", told_bytes(told["bytes"])),
            (
                "exploitability",
                f"{measured:.3g} chips a hand" if measured is not None else "not measured: the whole tree is too large",
            ),
        ]
    )
