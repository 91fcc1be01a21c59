"""What `felt solve` prints for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt.cli import output
from felt.cli.solve_gains import gains_rows

if TYPE_CHECKING:
    from felt.cli.solve_begin import Task


def print_runs(tasks: "Sequence[Task]", told: Sequence[dict[str, Any]], save: Path | None, plot: Path | None) -> None:
    """One run in lines, several in a table."""
    rules, first = tasks[0].rules, told[0]
    output.say(
        f"[bold]{output.plain(rules.title or rules.name)}[/]  [dim]{first['infosets']:,} information sets, "
        f"{first['nodes']:,} nodes{'; ' + first['algorithm'] if len(told) == 1 else ''}[/]"
    )
    if len(told) == 1:
        output.facts(_facts(first))
    else:
        _table(told)
    if len(first["values"] or first.get("gains_low", ())) > 2:
        output.say(
            "[dim]With more than two players nothing guarantees an equilibrium: the gains say how near it is.[/]"
        )
    for path in (save, plot):
        if path is not None:
            output.say(f"[dim]Written to {output.plain(str(path))}[/]")


def _facts(told: dict[str, Any]) -> list[tuple[str, str]]:
    from felt.solvers.tree import told_bytes

    rows = [
        ("deals" if "bytes" in told else "iterations", f"{told['iterations']:,} in {told['seconds']:.2f} s"),
        ("a deal" if "bytes" in told else "an iteration", f"{told['seconds_per_iteration'] * 1e6:,.1f} µs"),
    ]
    if "bytes" in told:
        rows.append(("memory", told_bytes(told["bytes"])))
    return rows + measured_rows(told)


def measured_rows(told: dict[str, Any], *, digits: int = 3) -> list[tuple[str, str]]:
    """How near to an equilibrium it is, as far as that is known."""
    if told["values"] is None:
        return gains_rows(told)
    here, whole = (
        f"{number:.{digits}g} chips a hand" if number is not None else ""
        for number in (told["exploitability"], told.get("exploitability_whole"))
    )
    rows = [("exploitability", here or f"{whole} in the whole game")]
    if here and whole:
        rows.append(("in the whole game", whole))
    rows.append(("values", ", ".join(f"{value:+.6f}" for value in told["values"])))
    rows.append(("gains by leaving", ", ".join(f"{gain:.{digits - 1}g}" for gain in told["gains"])))
    return rows


def _table(told: Sequence[dict[str, Any]]) -> None:
    numbers = ("iterations", "seconds", "µs each", "exploitability")
    table = output.table("algorithm", *numbers, numbers=numbers)
    for one in told:
        measured = one.get("exploitability_whole") if one["exploitability"] is None else one["exploitability"]
        table.add_row(
            one["algorithm"], f"{one['iterations']:,}", f"{one['seconds']:.2f}",
            f"{one['seconds_per_iteration'] * 1e6:,.1f}", "-" if measured is None else f"{measured:.3g}",
        )  # fmt: skip
    output.show(table)
