"""The parts of a match read back: hands as they were played, and what was noted of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.store.files import NOTE, LogError, connection, engine, quoted
from felt.store.log import ACTIONS, HANDS, SUFFIX

_MATCH = r"regexp_extract(filename, '.*match=(\d+)[/\\]', 1)::INTEGER"
"""The number of a match, from the path of one of its files."""


class PlayedHands(NamedTuple):
    """Hands in order, as arrays; and the codes of all their actions, hand after hand."""

    numbers: NDArray[np.int64]
    places: NDArray[np.int64]
    """In their sets."""
    deals: NDArray[np.int64]
    seatings: NDArray[np.int64]
    """``[hands, players]``: who sat where."""
    counts: NDArray[np.int64]
    """How many actions each has."""
    codes: NDArray[np.int64]
    """The amount of each action times four plus its move."""


class Extent(NamedTuple):
    """How far the hands of a part reach."""

    name: str
    first: int
    last: int
    hands: int


def read_hands(
    folder: Path, names: Iterable[str], players: int, first: int = 0, last: int | None = None
) -> PlayedHands:
    """The hands of parts of a match, from number `first` to `last`, in the order of the match."""
    files, seats = list(names), [f"player_{seat}" for seat in range(players)]
    wanted = _between(first, last)
    found = select(
        f"hand, seating, deal, actions, {', '.join(seats)} FROM {parquet(part_files(folder, HANDS, files))} {wanted} "
        "ORDER BY hand"
    )
    moves = select(
        f"amount::BIGINT * 4 + move AS code FROM {parquet(part_files(folder, ACTIONS, files))} {wanted} "
        "ORDER BY hand, number"
    )
    seatings = np.stack([found[seat].astype(np.int64) for seat in seats], axis=1)
    counts = found["actions"].astype(np.int64)
    if counts.sum() != len(moves["code"]):
        raise LogError(f"the log in {str(folder)!r} is damaged: hands and actions do not fit together")
    return PlayedHands(found["hand"], found["seating"], found["deal"], seatings, counts, moves["code"])


def read_note(folder: Path, name: str) -> str:
    """What was noted of a part; nothing if nothing was."""
    (file,) = part_files(folder, HANDS, [name])
    found = select(f"decode(value) AS note FROM parquet_kv_metadata({_pattern(file)}) WHERE key = {quoted(NOTE)}")
    return str(found["note"][0]) if len(found["note"]) else ""


def extents(folder: Path, names: Iterable[str], first: int = 0, last: int | None = None) -> list[Extent]:
    """How far the hands of parts reach, of those from number `first` to `last`; parts in the order of their first ones.

    The hands of several lanes mingle.
    """
    files = part_files(folder, HANDS, names)
    if not files:
        return []
    found = select(
        "parse_filename(filename, true) AS name, min(hand) AS first, max(hand) AS last, count(*) AS hands "
        f"FROM {parquet(files)} {_between(first, last)} GROUP BY ALL ORDER BY first, name"
    )
    rows = zip(*(found[field].tolist() for field in Extent._fields), strict=True)
    return [Extent(*row) for row in rows]


def _between(first: int, last: int | None) -> str:
    return f"WHERE hand >= {first}" + ("" if last is None else f" AND hand <= {last}")


def part_files(folder: Path, kind: str, names: Iterable[str]) -> list[Path]:
    """The files of parts: actions or hands."""
    return [folder / kind / f"{name}{SUFFIX}" for name in names]


def parquet(files: Iterable[Path]) -> str:
    """Files as SQL reads them; the number of their match, which is in the name of its folder, is a column of them."""
    listed = ", ".join(map(_pattern, files))
    read = f"read_parquet([{listed}], filename = true, hive_partitioning = false)"  # folders are named by their user
    return f"(SELECT *, {_MATCH} AS match FROM {read})"


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
