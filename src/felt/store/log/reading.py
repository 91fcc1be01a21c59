"""Reading a log: questions in SQL over its views, hands as records, hands as facts; some thousand hands at a time."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.games.history import HandRecord
from felt.games.views.facts import Facts
from felt.stats.indicators import positions
from felt.store.files import LogError, engine
from felt.store.log.logged import LoggedMatch, facts_of, match_folders, read_match, records_of
from felt.store.log.part_reader import PlayedHands, extents, in_one_line, read_hands
from felt.store.log.schema import DESCRIPTION
from felt.store.log.upgrade import readable
from felt.store.log.views import MATCHES, exchanges, statements

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CHUNK = 16_384
"""Hands that are read and played again at a time."""

_COLUMNS: dict[str, Callable[[LoggedMatch], Any]] = {
    "match INTEGER": lambda match: match.number,
    "game VARCHAR": lambda match: match.rules.name,
    "title VARCHAR": lambda match: match.rules.title,
    "players INTEGER": lambda match: len(match.names),
    "names VARCHAR[]": lambda match: list(match.names),
    "seed HUGEINT": lambda match: match.seed,
    "stack INTEGER": lambda match: match.stack or None,
    "big_blind INTEGER": lambda match: match.rules.big_blind,
    "duplicate BOOLEAN": lambda match: match.duplicate,
    "streets VARCHAR[]": lambda match: [part.name for part in match.rules.rounds],
    "description JSON": lambda match: json.dumps(match.description, ensure_ascii=False),
    "kind VARCHAR": lambda match: match.kind,
    "started TIMESTAMP": lambda match: match.description.get("started") or None,
    "felt VARCHAR": lambda match: match.description.get("felt", ""),
    "positions VARCHAR[][]": lambda match: [
        list(positions(match.rules_of(0, seats), seats)) if seats > 1 else [] for seats in range(match.seats + 1)
    ],
    "exchanges VARCHAR[][]": lambda match: [exchanges(part) for part in match.rules.rounds],
    "all_in_at INTEGER": lambda match: min(match.stack, match.rules.cap or match.stack),
    "seats INTEGER": lambda match: match.seats,
    "shows BOOLEAN": lambda match: match.rules.shows_cards,
    "counts BOOLEAN": lambda match: match.rules.shows_cards or match.rules.has_draws,
}
"""What the views need to know of each match (`views.MATCHES`), with its type."""


def read_matches(log: str | Path) -> list[LoggedMatch]:
    """The matches of a log in order; an error where there is no log, or nothing has been logged yet."""
    if not Path(log).is_dir():
        raise LogError(f"{str(log)!r} is no folder: give one that felt match --log wrote")
    folders = match_folders(readable(Path(log)))
    if not folders:
        raise LogError(f"{str(log)!r} is no log of matches: there is no match=0001/{DESCRIPTION} in it")
    matches = [read_match(number, folder) for number, folder in folders.items()]
    if not any(match.parts for match in matches):
        raise LogError(f"the log {str(log)!r} is empty: no hands have been written to it yet")
    return matches


# Questions in SQL


def connect(folder: str | Path) -> "DuckDBPyConnection":
    """A database in memory with the views of a log (`views.VIEWS`) over its files.

    What is logged later is not in them: connect again.
    """
    duckdb, matches = engine(), read_matches(folder)
    database: DuckDBPyConnection = duckdb.connect()
    database.execute(f"CREATE TABLE {MATCHES} ({', '.join(_COLUMNS)})")
    rows = [[read(match) for read in _COLUMNS.values()] for match in matches]
    database.executemany(f"INSERT INTO {MATCHES} VALUES ({', '.join('?' for _ in _COLUMNS)})", rows)
    try:
        for statement in statements(matches):
            database.execute(statement)
    except duckdb.Error as error:
        raise LogError(f"the log {str(folder)!r} cannot be read: {in_one_line(error)}") from None
    return database


def query(folder: str | Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answer to a question in SQL: the names of its columns, and its rows."""
    columns, rows = ask(folder, sql)
    return columns, list(rows)


def ask(folder: str | Path, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """The same, with rows that are read as they are wanted."""
    duckdb, database = engine(), connect(folder)
    if not sql.strip(" ;\n\t"):
        raise LogError(f"{sql!r} asks nothing: write a question, like 'SELECT count(*) FROM hands'")
    try:
        answer = database.execute(sql)
    except duckdb.Error as error:
        raise LogError(in_one_line(error)) from None

    def rows() -> Iterator[tuple[Any, ...]]:
        try:
            while batch := answer.fetchmany(CHUNK):
                yield from batch
        except duckdb.Error as error:
            raise LogError(in_one_line(error)) from None

    return [column[0] for column in answer.description or ()], rows()


# Hands as they were played


def records(
    folder: str | Path, match: int | None = None, first: int = 0, count: int | None = None
) -> Iterator[HandRecord]:
    """The hands of a match, or of all matches, as records: dealt again and played by their moves.

    `match` is the number of a match, or that of a run of a tournament, ring or evolution. `first` is the number of a
    hand in its match, from 0; `count` is how many from there on.
    """
    for logged in chosen(folder, match):
        yield from match_records(logged, first, None if count is None else first + count - 1)


def facts(folder: str | Path, match: int | None = None) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
    """The hands of a match, or of all, as facts, some thousands at a time; and who sat where: ``[hands, seats]``."""
    for logged in chosen(folder, match):
        yield from match_facts(logged)


def match_records(match: LoggedMatch, first: int = 0, last: int | None = None) -> Iterator[HandRecord]:
    """The hands of a match from number `first` to `last` as records."""
    for hands in _chunks(match, first, last):
        yield from records_of(match, hands)


def match_facts(match: LoggedMatch) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
    """The hands of a match as facts, and who sat where."""
    for hands in _chunks(match):
        yield from facts_of(match, hands)


def chosen(folder: str | Path, match: int | None = None) -> list[LoggedMatch]:
    """The match of this number, or all of them: those that have hands. Of runs it is the number of a run."""
    matches = [logged for logged in read_matches(folder) if logged.parts]
    if matches[0].has_runs:
        runs = matches[0] if match is None else matches[0].only_run(match)
        _ = runs.rules_of  # what has no hands says so
        if not count_hands(runs):
            hands = "hands" if match is None else f"hands of run {match}"
            raise LogError(f"there are no {hands} in {str(folder)!r}")
        return [runs]
    numbers = [logged.number for logged in matches]
    if match is not None and match not in numbers:
        there = ", ".join(map(str, numbers)) if len(numbers) <= 10 else f"{numbers[0]} to {numbers[-1]}"
        raise LogError(f"there is no match {match} with hands in {str(folder)!r}: it has {there}")
    return [logged for logged in matches if match is None or logged.number == match]


def count_hands(match: LoggedMatch, first: int = 0, last: int | None = None) -> int:
    """How many hands of a match are in the log, of those from number `first` to `last`."""
    return sum(part.hands for part in extents(match.folder, match.parts, first, last, match.run))


def _chunks(match: LoggedMatch, first: int = 0, last: int | None = None) -> Iterator[PlayedHands]:
    """The hands of a match from number `first` to `last` in order, so many at a time."""
    parts = extents(match.folder, match.parts, first, last, match.run)
    end = max((part.last for part in parts), default=-1)
    for at in range(min((part.first for part in parts), default=0), end + 1, CHUNK):
        to = min(at + CHUNK - 1, end)
        names = [part.name for part in parts if part.first <= to and part.last >= at]
        hands = read_hands(match.folder, names, match.seats, at, to, match.run, match.stack)
        if len(hands.numbers):
            yield hands
