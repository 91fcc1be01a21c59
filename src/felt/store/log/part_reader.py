"""The parts of a match read back: hands as they were played, and what was noted of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.games.moves import MOVE_BITS
from felt.store.files import NOTE, LogError, connection, engine, quoted
from felt.store.log.part_writer import SUFFIX
from felt.store.log.schema import ACTIONS, DECISIONS, HANDS, empty_table

_MATCH = r"regexp_extract(filename, '.*match=(\d+)[/\\]', 1)::INTEGER"
"""The number of a match, from the path of one of its files."""

Ints = NDArray[np.int64]


class PlayedHands(NamedTuple):
    """Hands in order, as arrays; and the codes of all their actions, hand after hand."""

    numbers: Ints
    places: Ints
    """In their sets."""
    deals: Ints
    seatings: Ints
    """``[hands, seats]``: who sat where; -1 for nobody."""
    counts: Ints
    """How many actions each has."""
    codes: Ints
    """The amount of each action times four plus its move."""
    runs: Ints
    run_places: Ints
    """The numbers of the hands in their runs."""
    levels: Ints
    seats: Ints
    buttons: Ints
    stacks: Ints
    """``[hands, seats]``: chips before the hand."""


class Extent(NamedTuple):
    """How far the hands of a part reach."""

    name: str
    first: int
    last: int
    hands: int


def read_hands(
    folder: Path,
    names: Iterable[str],
    seats: int,
    first: int = 0,
    last: int | None = None,
    run: int | None = None,
    stack: int = 0,
) -> PlayedHands:
    """The hands of parts of a match, from number `first` to `last`, in the order of the match.

    `stack` is what everybody has before a hand where the log does not say so.
    """
    parts, where = list(names), _where(first, last, run)
    defaults = {"seating": 0, "run": 0, "place": 0, "level": 0, "seats": seats, "button": seats - 1}
    defaults |= {f"player_{seat}": -1 for seat in range(seats)} | {f"stack_{seat}": stack for seat in range(seats)}
    columns = ", ".join(f"coalesce({name}, {value})::BIGINT AS {name}" for name, value in defaults.items())
    hands = select(
        f"hand, deal, actions, {columns} FROM {rows(part_files(folder, HANDS, parts), HANDS, seats)} {where} "
        "ORDER BY hand"
    )
    actions = rows(part_files(folder, ACTIONS, parts), ACTIONS, seats)
    moves = select(
        f"(amount::BIGINT << {MOVE_BITS}) | move AS code FROM {actions} {where} AND {DECISIONS} ORDER BY hand, number"
    )
    seatings, stacks = (
        np.stack([hands[f"{name}_{seat}"] for seat in range(seats)], axis=1) for name in ("player", "stack")
    )
    counts = hands["actions"].astype(np.int64)
    if counts.sum() != len(moves["code"]):
        raise LogError(f"the log in {str(folder)!r} is damaged: hands and actions do not fit together")
    return PlayedHands(
        hands["hand"], hands["seating"], hands["deal"], seatings, counts, moves["code"],
        hands["run"], hands["place"], hands["level"], hands["seats"], hands["button"], stacks,
    )  # fmt: skip


def read_note(folder: Path, name: str) -> str:
    """What was noted of a part; nothing if nothing was."""
    (file,) = part_files(folder, HANDS, [name])
    notes = select(f"decode(value) AS note FROM parquet_kv_metadata({_pattern(file)}) WHERE key = {quoted(NOTE)}")
    return str(notes["note"][0]) if len(notes["note"]) else ""


def extents(
    folder: Path, names: Iterable[str], first: int = 0, last: int | None = None, run: int | None = None
) -> list[Extent]:
    """How far the hands of parts reach, of those from number `first` to `last`; parts in the order of their first ones.

    The hands of several lanes mingle.
    """
    files = part_files(folder, HANDS, names)
    columns = select(
        "parse_filename(filename, true) AS name, min(hand) AS first, max(hand) AS last, count(*) AS hands "
        f"FROM {rows(files, HANDS, 0)} {_where(first, last, run)} GROUP BY ALL ORDER BY first, name"
    )
    return [Extent(*row) for row in zip(*(columns[field].tolist() for field in Extent._fields), strict=True)]


def _where(first: int, last: int | None, run: int | None) -> str:
    return (
        f"WHERE hand >= {first}"
        + ("" if last is None else f" AND hand <= {last}")
        + ("" if run is None else f" AND run = {run}")
    )


def part_files(folder: Path, table: str, names: Iterable[str]) -> list[Path]:
    """The files of a table, of parts that have it."""
    paths = (folder / table / f"{name}{SUFFIX}" for name in names)
    return [path for path in paths if path.is_file()]


def rows(files: Iterable[Path], table: str, seats: int) -> str:
    """The rows of files of a table, with all its columns for so many seats, as SQL reads them.

    The number of their match, which is in the name of its folder, is a column of them too.
    """
    paths, empty = ", ".join(map(_pattern, files)), empty_table(table, seats)
    if not paths:
        return f"(SELECT *, NULL::INTEGER AS match FROM ({empty}))"
    # Folders are named by their users: what looks like a partition in a path is none.
    read = f"read_parquet([{paths}], filename = true, union_by_name = true, hive_partitioning = false)"
    return f"(SELECT *, {_MATCH} AS match FROM (FROM {read} UNION ALL BY NAME {empty}))"


def select(sql: str) -> dict[str, NDArray[Any]]:
    """The columns of an answer."""
    duckdb = engine()
    try:
        answer = connection().execute(f"SELECT {sql}").fetchnumpy()
    except duckdb.Error as error:
        raise LogError(f"the log cannot be read: {in_one_line(error)}") from None
    return {name: np.ma.getdata(column) for name, column in answer.items()}


def in_one_line(error: Exception) -> str:
    """What DuckDB complains of, without its drawing of where that is."""
    return " ".join(str(error).partition("\nLINE ")[0].split())


def _pattern(file: Path) -> str:
    """A path as DuckDB takes them, with nothing in it that stands for other letters."""
    return quoted("".join(f"[{letter}]" if letter in "[*?" else letter for letter in str(file.absolute())))
