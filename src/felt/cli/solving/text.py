"""What `felt solve` prints for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt.cli import output
from felt.cli.solving.gains import gains_rows

if TYPE_CHECKING:
    from felt.cli.solving.begin import SolveTask


def print_runs(
    tasks: "Sequence[SolveTask]", runs: Sequence[dict[str, Any]], save: Path | None, plot: Path | None
) -> None:
    """One run in lines, several in a table."""
    rules, first = tasks[0].rules, runs[0]
    output.say(
        f"[bold]{output.plain(rules.title or rules.name)}[/]  [dim]{first['infosets']:,} information sets, "
        f"{first['nodes']:,} nodes{'; ' + first['algorithm'] if len(runs) == 1 else ''}[/]"
    )
    if len(runs) == 1:
        output.facts(_facts(first))
    else:
        _table(runs)
    if len(first["values"] or first.get("gains_low", ())) > 2:
        output.say(
            "[dim]With more than two players nothing guarantees an equilibrium: the gains say how near it is.[/]"
        )
    for path in (save, plot):
        if path is not None:
            output.say(f"[dim]Written to {output.plain(str(path))}[/]")


def _facts(run: dict[str, Any]) -> list[tuple[str, str]]:
    from felt.solvers.trees.tree import format_bytes

    rows = [
        ("deals" if "bytes" in run else "iterations", f"{run['iterations']:,} in {run['seconds']:.2f} s"),
        ("a deal" if "bytes" in run else "an iteration", f"{run['seconds_per_iteration'] * 1e6:,.1f} µs"),
    ]
    if "bytes" in run:
        rows.append(("memory", format_bytes(run["bytes"])))
    return rows + measured_rows(run)


def measured_rows(run: dict[str, Any], *, digits: int = 3) -> list[tuple[str, str]]:
    """How near to an equilibrium it is, as far as that is known."""
    if run["values"] is None:
        return gains_rows(run)
    here, in_whole_game = (
        f"{number:.{digits}g} chips a hand" if number is not None else ""
        for number in (run["exploitability"], run.get("exploitability_whole"))
    )
    rows = [("exploitability", here or f"{in_whole_game} in the whole game")]
    if here and in_whole_game:
        rows.append(("in the whole game", in_whole_game))
    rows.append(("values", ", ".join(f"{value:+.6f}" for value in run["values"])))
    rows.append(("gains by leaving", ", ".join(f"{gain:.{digits - 1}g}" for gain in run["gains"])))
    return rows


def _table(runs: Sequence[dict[str, Any]]) -> None:
    numbers = ("iterations", "seconds", "µs each", "exploitability")
    table = output.table("algorithm", *numbers, numbers=numbers)
    for run in runs:
        measured = run.get("exploitability_whole") if run["exploitability"] is None else run["exploitability"]
        table.add_row(
            run["algorithm"], f"{run['iterations']:,}", f"{run['seconds']:.2f}",
            f"{run['seconds_per_iteration'] * 1e6:,.1f}", "-" if measured is None else f"{measured:.3g}",
        )  # fmt: skip
    output.show(table)
