"""`felt log …`: logs of every kind: what is in them, questions in SQL, statistics, hand histories."""

import csv
import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from felt._files import write_text
from felt.cli import output
from felt.cli.data.stats import By, check_parts, print_stats
from felt.cli.loading import group
from felt.cli.options import Json, argument, only_one_of, option, shared_option, whole_number
from felt.cli.output import Report, progress_bar
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from felt.games.history import HandRecord
    from felt.stats.table import Table
    from felt.store.log.logged import LoggedMatch

app = group(
    "Logs of matches, tournaments, rings and evolutions: what is in them, questions in SQL, statistics, hand "
    "histories.\n\n"
    "Example: `felt log show mylog`"
)

MATCH_KEYS = ("match", "game", "players", "hands", "stack", "seed")
RUN_KEYS = ("kind", "game", "players", "runs", "hands", "seed", "command")
"""What is shown of each match; what JSON has beside it of a log that is made of runs."""

GAP, FOLDED = 3, 20
"""Blanks between the columns of a table; letters that a column has at least before its cells are folded."""

Folder = Annotated[Path, argument("DIR", "The folder that felt match --log wrote.")]
MatchNumber = Annotated[
    int | None, shared_option("--match -m", "N", "Only this match (or run), by its number.", whole_number)
]


# What there is


@app.command()
def show(folder: Folder, json: Json = False) -> None:
    """What is in a log: its matches, and the views that can be asked with their columns.

    Example: `felt log show mylog`
    """
    from felt.store.log.reading import connect, read_matches
    from felt.store.log.views import VIEWS

    matches, database = read_matches(folder), connect(folder)
    rows = [_match_dict(match, database) for match in matches]
    columns = {view: dict(row[:2] for row in database.execute(f"DESCRIBE FROM {view}").fetchall()) for view in VIEWS}
    if json:
        views = {view: {"about": about, "columns": columns[view]} for view, about in VIEWS.items()}
        shared = {key: rows[0][key] for key in RUN_KEYS} if matches[0].has_runs else {}
        output.print_json({"log": str(folder), **shared, "matches": rows, "views": views})
        return
    shown = [*MATCH_KEYS[:1], *(("kind", "runs") if matches[0].has_runs else ()), *MATCH_KEYS[1:]]
    table = output.table(*shown, numbers=[key for key in shown if key not in ("kind", "game", "players")])
    for row in rows:
        table.add_row(*(_shown(key, row[key]) for key in shown))
    output.show(table)
    for view, about in VIEWS.items():
        output.say(f"\n[bold]{view}[/]: {about}")
        output.say(f"  [dim]{', '.join(_in_short(list(columns[view])))}[/]")


def _match_dict(match: "LoggedMatch", database: "DuckDBPyConnection") -> dict[str, Any]:
    counts = {
        view: database.execute(f"SELECT count(*) FROM {view} WHERE match = {match.number}").fetchall()[0][0]
        for view in ("runs", "hands")
    }
    return {
        "match": match.number,
        "kind": match.kind,
        "game": match.rules.name,
        "players": list(match.names),
        **counts,
        "stack": match.stack or None,
        "seed": match.seed,
        "duplicate": match.duplicate,
        **{key: match.description.get(key, "") for key in ("command", "started", "felt")},
    }


def _shown(key: str, value: Any) -> str:
    if isinstance(value, list):
        return output.plain(", ".join(value))
    return "" if value is None else output.plain(f"{value:,}" if key in ("runs", "hands", "stack") else str(value))


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
    sql: str = argument("SQL", "The question; `felt log show DIR` lists what can be asked."),
    csv_: bool = option(False, "--csv", "", "Print comma-separated values, with a first line of names."),
    json: Json = False,
) -> None:
    """Ask a log in SQL, as DuckDB has it.

    With `--json`: an object with `columns` and `rows`.

    Example: `felt log query mylog "SELECT player, avg(mbb) FROM results GROUP BY player"`
    """
    from felt.store.log.reading import ask

    only_one_of(json=json or None, csv=csv_ or None)
    columns, rows = ask(folder, sql)
    if json:
        output.print_json({"columns": columns, "rows": [[_plain(value) for value in row] for row in rows]})
    elif csv_:
        lines = csv.writer(sys.stdout, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows(rows)
    else:
        _print_rows(columns, list(rows))


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
def stats(folder: Folder, by: By = "", match: MatchNumber = None, json: Json = False) -> None:
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
    import numpy as np

    from felt.stats.indicators import count
    from felt.stats.table import Table
    from felt.store.log.reading import chosen, count_hands, match_facts

    matches = chosen(folder, match)
    names = list(dict.fromkeys(name for logged in matches for name in logged.agents))
    numbers = {name: number for number, name in enumerate(names)}
    total, done = sum(map(count_hands, matches)), 0
    table = Table.empty(names, ())
    with progress_bar("Counting") as report:
        for logged in matches:
            agents = np.array([numbers[name] for name in logged.agents])
            for hands, players in match_facts(logged):
                table += count(hands, agents[players], names)
                done += hands.hands
                if report:
                    report(done, total)
    return total, table


# Hand histories


@app.command()
def export(
    folder: Folder,
    file: Path = argument("FILE", "What to write: .phhs, or .txt (PokerStars), .log (ACPC)."),
    match: MatchNumber = None,
    hands: str = option("", "--hands", "A-B", "Only hands with these numbers, from 0, as the log has them."),
) -> None:
    """Write hands of a log as hand histories.

    Each hand goes by the numbers of its match and in it, like 1-250. Matches of games that the format has no place for
    are left out, and said so.

    Example: `felt log export mylog hands.phhs --hands 0-999`
    """
    from felt.interop.formats import format_of
    from felt.interop.formats import write_text as to_text
    from felt.interop.phh.writer import phhs_pieces
    from felt.store.log.reading import chosen, count_hands, match_records

    kind, (first, last) = format_of(file), _range(hands)
    matches = chosen(folder, match)
    if hands and matches[0].has_runs:
        raise FeltError(f"--hands {hands}: a run is written whole: give --match alone, like --match 0")
    matches, left_out = _exportable(matches, first, kind)
    total = sum(count_hands(logged, first, last) for logged in matches)
    if not total:
        raise FeltError(left_out[0] if left_out else f"no hands {hands} in the log {str(folder)!r}: leave out --hands")
    with progress_bar("Writing") as report:
        hands_of = partial(match_records, first=first, last=last)
        records = _reported(chain.from_iterable(map(hands_of, matches)), report, total)
        # piece by piece where the format allows it: a log may have millions of hands
        write_text(file, phhs_pieces(records) if kind == "phhs" else to_text(records, kind))
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


def _exportable(matches: "list[LoggedMatch]", first: int, kind: str) -> "tuple[list[LoggedMatch], list[str]]":
    """The matches whose hands can be written, and why others cannot: a match is of one game, so one hand tells."""
    from felt.interop.formats import write_text as to_text
    from felt.store.log.reading import match_records

    exportable, left_out = [], []
    for match in matches:
        try:
            for record in islice(match_records(match, first), 1):
                to_text([record], kind)
            exportable.append(match)
        except FeltError as error:
            left_out.append(f"match {match.number}: {error}")
    return exportable, left_out


def _reported(records: "Iterator[HandRecord]", report: Report | None, total: int) -> "Iterator[HandRecord]":
    for done, record in enumerate(records, 1):
        yield record
        if report:
            report(done, total)


# Logs of earlier releases


@app.command()
def upgrade(folder: Folder) -> None:
    """Turn a log of Felt 0.1 into the form of today; logs of 0.1 can be read and resumed without it, only slower.

    A match gets the columns that it lacks, part by part. A tournament, ring or evolution is written as match=0001
    beside its own files, which stay as they are and may be deleted then.

    Example: `felt log upgrade mylog`
    """
    from felt.store.log.upgrade import upgrade_log

    with progress_bar("Upgrading") as report:
        count = upgrade_log(folder, report)
    name = output.plain(str(folder))
    output.say(f"{name} has the form of today" if count else f"{name} has the form of today already")
