"""`felt log …`: what is in the log of a match: questions in SQL, statistics, hand histories."""

import csv
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import log_runs, output
from felt.cli.files import write_text
from felt.cli.log_runs import texts
from felt.cli.options import Json, only_one_of, whole_number
from felt.cli.progress import progress_bar
from felt.cli.stats_table import By, check_parts, print_stats
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.stats.table import Table
    from felt.store.matches import LoggedMatch

app = typer.Typer(
    help="Logs of matches, tournaments and rings: what is in them, questions in SQL, statistics, hand histories.\n\n"
    "Example: `felt log show mylog`",
    rich_markup_mode="markdown",
)

GAP, FOLDED = 3, 20
"""Blanks between the columns of a table; letters that a column has at least before its cells are folded."""

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that felt match --log wrote.")]
MatchNumber = Annotated[
    int | None,
    typer.Option("--match", "-m", metavar="N", parser=whole_number, help="Only this match (or run), by its number."),
]


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# What there is


@app.command()
def show(folder: Folder, json: Json = False) -> None:
    """What is in a log: its matches, and the views that can be asked with their columns.

    Example: `felt log show mylog`
    """
    from felt.store.matches import read_matches
    from felt.store.reading import connect
    from felt.store.views import VIEWS

    if log_runs.is_runs(folder):
        log_runs.show(folder, json=json)
        return
    matches = [_match_dict(match) for match in read_matches(folder)]
    database = connect(folder)
    columns = {view: database.execute(f"DESCRIBE FROM {view}").fetchall() for view in VIEWS}
    if json:
        views = {
            view: {"about": about, "columns": {row[0]: row[1] for row in columns[view]}}
            for view, about in VIEWS.items()
        }
        output.print_json({"log": str(folder), "matches": matches, "views": views})
        return
    rows = output.table(
        "match", "game", "players", "hands", "stack", "seed", numbers=("match", "hands", "stack", "seed")
    )
    for match in matches:
        game, players = output.plain(match["game"]), output.plain(", ".join(match["players"]))
        chips = f"{match['stack']:,}"
        rows.add_row(str(match["match"]), game, players, f"{match['hands']:,}", chips, str(match["seed"]))
    output.show(rows)
    for view, about in VIEWS.items():
        output.say(f"\n[bold]{view}[/]: {about}")
        output.say(f"  [dim]{', '.join(_in_short([row[0] for row in columns[view]]))}[/]")


def _match_dict(match: "LoggedMatch") -> dict[str, Any]:
    from felt.store.reading import count_hands

    return {
        "match": match.number,
        "game": match.rules.name,
        "players": list(match.names),
        "hands": count_hands(match),
        "stack": match.stack,
        "seed": match.seed,
        "duplicate": match.duplicate,
        "command": match.description.get("command", ""),
        "started": match.description.get("started", ""),
        "felt": match.description.get("felt", ""),
    }


def _in_short(columns: list[str]) -> Iterator[str]:
    """Names of columns, those by seat as one: ``stack_0…5``."""
    seats: dict[str, list[str]] = {}
    for column in columns:
        name, _, seat = column.rpartition("_")
        if seat.isdecimal():
            seats.setdefault(name, []).append(seat)
        else:
            yield column
    for name, numbers in seats.items():
        yield f"{name}_0…{max(map(int, numbers))}"


# Questions


@app.command()
def query(
    folder: Folder,
    sql: Annotated[
        str, typer.Argument(metavar="SQL", help="The question; `felt log show DIR` lists what can be asked.")
    ],
    csv_: Annotated[
        bool, typer.Option("--csv", help="Print comma-separated values, with a first line of names.")
    ] = False,
    json: Json = False,
) -> None:
    """Ask a log in SQL, as DuckDB has it.

    With `--json`: an object with `columns` and `rows`.

    Example: `felt log query mylog "SELECT player, avg(mbb) FROM results GROUP BY player"`
    """
    from felt.store.reading import query as ask

    only_one_of(json=json or None, csv=csv_ or None)
    columns, rows = ask(folder, sql)
    if json:
        output.print_json({"columns": columns, "rows": [[_plain(value) for value in row] for row in rows]})
    elif csv_:
        lines = csv.writer(sys.stdout, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows(rows)
    else:
        _print_rows(columns, rows)


def _plain(value: Any) -> Any:
    """A value as JSON can have it."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return float(value) if hasattr(value, "as_tuple") else str(value)  # a Decimal; dates and the like in words


def _print_rows(columns: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Rows as a table; one below the other, a line for each column, where there are too many columns for that."""
    if not rows:
        output.say("no rows")
        return
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    if sum(min(width, FOLDED) + GAP for width in widths) > output.console().width + GAP:
        for row in cells:
            output.facts([(column, output.plain(cell)) for column, cell in zip(columns, row, strict=True)])
            output.say()
        return
    table = output.table()
    for place, column in enumerate(columns):
        number = any(type(row[place]) in (int, float) for row in rows)
        table.add_column(output.plain(column), justify="right" if number else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(output.plain, row))
    output.show(table)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return f"[{', '.join(map(_cell, value))}]"
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


# Statistics


@app.command()
def stats(
    folder: Folder,
    by: By = "",
    match: MatchNumber = None,
    json: Json = False,
) -> None:
    """What players did how often: VPIP, PFR, 3-bet, c-bet, WTSD and the rest, each with numerator and denominator.

    Players go by their names: who played several matches of the log is counted over all of them. With `--json` every
    part is there, with its 95 % interval.

    Example: `felt log stats mylog --by position`
    """
    check_parts(by)
    hands, table = _count(folder, match)
    if json:
        output.print_json({"log": str(folder), "hands": hands, "players": table.as_dict()})
    else:
        print_stats(table, by)


def _count(folder: Path, match: int | None) -> "tuple[int, Table]":
    """How many hands there are, and what the players did in them."""
    if log_runs.is_runs(folder):
        return log_runs.count(folder, match)
    import numpy as np

    from felt.stats.indicators import count
    from felt.stats.table import Table
    from felt.store.reading import chosen, count_hands, facts

    matches = chosen(folder, match)
    names = list(dict.fromkeys(name for one in matches for name in one.names))
    total, done = sum(map(count_hands, matches)), 0
    table = Table.empty(names, ())
    with progress_bar("Counting") as report:
        for one in matches:
            number = np.array([names.index(name) for name in one.names])
            for told, players in facts(folder, one.number):
                table += count(told, number[players], names)
                done += told.hands
                if report:
                    report(done, total)
    return total, table


# Hand histories


@app.command()
def export(
    folder: Folder,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What to write: .phhs, or .txt (PokerStars), .log (ACPC).")
    ],
    match: MatchNumber = None,
    hands: Annotated[
        str, typer.Option("--hands", metavar="A-B", help="Only hands with these numbers, from 0, as the log has them.")
    ] = "",
) -> None:
    """Write hands of a log as hand histories.

    Each hand goes by the numbers of its match and in it, like 1-250. Matches of games that the format has no place for
    are left out, and said so.

    Example: `felt log export mylog hands.phhs --hands 0-999`
    """
    from felt.interop.formats import format_of
    from felt.store.reading import count_hands

    if log_runs.is_runs(folder):
        if hands:
            raise FeltError(f"--hands {hands}: hands of a competition are written by run: give --match, like --match 0")
        log_runs.export(folder, file, format_of(file), match)
        return
    kind, (first, last) = format_of(file), _range(hands)
    matches, left_out = _that_fit(folder, match, first, kind)
    total = sum(count_hands(one, first, last) for one in matches)
    if not total:
        raise FeltError(left_out[0] if left_out else f"no hands {hands} in the log {str(folder)!r}: leave out --hands")
    with progress_bar("Writing") as report:
        told = _told(folder, matches, first, last, lambda done: report(done, total) if report else None)
        write_text(file, texts(told, kind))
    output.say(output.plain(f"{counted(total, 'hand')} written to {file}"))
    for line in left_out:
        output.say(output.plain(f"left out: {line}"))


def _range(text: str) -> tuple[int, int | None]:
    """The numbers of the first hand and of the last; all of them where nothing is said."""
    if not text:
        return 0, None
    first, dash, last = text.partition("-")
    begin = whole_number(first) if first.strip() else -1
    end = whole_number(last) if dash and last.strip() else begin
    if begin < 0 or end < begin:
        raise FeltError(f"--hands {text!r} names no hands: write it like 0-999")
    return begin, end


def _that_fit(folder: Path, match: int | None, first: int, kind: str) -> "tuple[list[LoggedMatch], list[str]]":
    """The matches whose hands can be written, and why others cannot: a match is of one game, so one hand tells."""
    from felt.interop.formats import write_text as as_text
    from felt.store.reading import chosen, records

    fit, left_out = [], []
    for one in chosen(folder, match):
        try:
            for record in islice(records(folder, one.number, first), 1):
                as_text([record], kind)
            fit.append(one)
        except FeltError as error:
            left_out.append(f"match {one.number}: {error}")
    return fit, left_out


def _told(
    folder: Path, matches: "list[LoggedMatch]", first: int, last: int | None, report: Callable[[int], None]
) -> "Iterator[HandRecord]":
    from felt.store.reading import records

    done, count = 0, None if last is None else last - first + 1
    for one in matches:
        for record in records(folder, one.number, first, count):
            yield record
            done += 1
            report(done)
