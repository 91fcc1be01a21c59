"""`felt log …` for competitions that are made of runs: tournaments and rings."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.files import write_text
from felt.cli.progress import progress_bar
from felt.errors import counted

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.stats.table import Table


def is_runs(folder: Path) -> bool:
    """Whether a folder has such a log."""
    from felt.store.run_hands import is_competition

    return is_competition(folder)


def show(folder: Path, *, json: bool) -> None:
    """What is in the log, and what can be asked."""
    from felt.store.run_hands import VIEWS, RunHands, connect
    from felt.store.runs import read_competition

    hands, about, database = RunHands(folder), read_competition(folder), connect(folder)
    runs, played = (database.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in ("runs", "hands"))
    columns = {view: dict(row[:2] for row in database.execute(f"DESCRIBE FROM {view}").fetchall()) for view in VIEWS}
    facts = {
        "kind": hands.description["kind"],
        "game": hands.rules(0, 2).name,
        "players": list(hands.names),
        "runs": runs,
        "hands": played,
        "seed": hands.seed,
        "command": about.get("command", ""),
    }
    if json:
        views = {view: {"about": VIEWS[view], "columns": columns[view]} for view in VIEWS}
        output.print_json({"log": str(folder), **facts, "views": views})
        return
    shown = {**facts, "players": ", ".join(hands.names), "runs": f"{runs:,}", "hands": f"{played:,}"}
    output.facts([(name, output.plain(str(value))) for name, value in shown.items()])
    for view, what in VIEWS.items():
        output.say(f"\n[bold]{view}[/]: {what}")
        output.say(f"  [dim]{', '.join(columns[view])}[/]")


def count(folder: Path, run: int | None) -> "tuple[int, Table]":
    """How many hands there are, and what the agents did in them."""
    from felt.stats.indicators import count as count_facts
    from felt.stats.table import Table
    from felt.store.run_hands import RunHands

    found = RunHands(folder)
    total, table = 0, Table.empty(list(found.agents), ())
    for told in found.facts(run):
        table += count_facts(told.facts, told.agents, list(found.agents))
        total += told.facts.hands
    return total, table


def export(folder: Path, file: Path, kind: str, run: int | None) -> None:
    """Write hands as hand histories."""
    from felt.store.run_hands import RunHands

    found, done = RunHands(folder), 0
    total = sum(len(hands) for _, hands in found.played(run))

    def told() -> "Iterator[HandRecord]":
        nonlocal done
        for record in found.records(run):
            yield record
            done += 1
            if report:
                report(done, total)

    with progress_bar("Writing") as report:
        write_text(file, texts(told(), kind))
    output.say(output.plain(f"{counted(total, 'hand')} written to {file}"))


def texts(hands: "Iterator[HandRecord]", kind: str) -> Iterator[str]:
    """The text of a file, piece by piece where the format allows it: a log may have millions of hands."""
    from felt.interop.formats import write_text as as_text
    from felt.interop.phh_writer import phhs_pieces

    if kind == "phhs":
        yield from phhs_pieces(hands)
    else:
        yield as_text(hands, kind)
