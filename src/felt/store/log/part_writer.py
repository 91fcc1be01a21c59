"""Writing a log, part by part (`felt.store.log.schema` says what is where).

A part is some sets of a match, or some runs. Its files are written under other names, brought to the disk and then
renamed, the file that makes the part count last: so a part is there whole or not at all.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._files import sync
from felt.arena.match.hands import HandColumns
from felt.games.engine import fields as f
from felt.games.views.facts import Facts
from felt.games.views.facts_layout import FACT_COLUMNS
from felt.store.files import TEMPORARY, Columns, make_folder, write_bytes, write_parquet
from felt.store.log.schema import ACTIONS, HANDS, PLAYERS, RUNS

SUFFIX = ".parquet"
ORDER = (PLAYERS, ACTIONS, HANDS, RUNS)
"""In which the files of a part are written."""

_NAME = re.compile(r"(?:sets|runs)-(\d+)-(\d+)-(\d+)")


class Part(NamedTuple):
    """What a part has, as its name says: the first and the last set or run, and the lane."""

    first: int
    last: int
    lane: int
    name: str

    @classmethod
    def named(cls, name: str) -> "Part | None":
        """The part of this name; None where that is no name of a part."""
        if not (match := _NAME.fullmatch(name)):
            return None
        first, last, lane = map(int, match.groups())
        return cls(first, last, lane, name)


def runs_name(first: int, last: int) -> str:
    """The name of a part that has these runs."""
    return f"runs-{first:09d}-{last:09d}-000"


@dataclass(frozen=True)
class PartWriter:
    """Writes parts into the folder of a match. It can be sent to other processes."""

    folder: Path

    def write(self, name: str, facts: Facts, hands: HandColumns, note: str = "") -> None:
        """Write a part of a match, in place of one of that name, and a note on it; then both are on the disk.

        Raises a `LogError` where the disk is full or the folder cannot be written to; no half files stay behind.
        """
        players = hands.players.astype(np.int16)
        columns = hand_columns(facts, hands.hand, players)
        columns |= {"set": hands.set, "seating": hands.seating, "deal": hands.deal}
        columns |= by_seat("adjusted", hands.adjusted.T)
        actions = action_columns(facts, hands.hand, players)
        self.write_tables(name, {ACTIONS: [actions], HANDS: [columns]}, note)

    def write_tables(self, name: str, tables: Mapping[str, Sequence[Columns]], note: str = "") -> None:
        """Write a part by its tables, and a note into the last of them."""
        written = [table for table in ORDER if table in tables]
        for table in written:
            make_folder(self.folder / table)
            text = note if table == written[-1] else ""
            write_parquet(self.folder / table / f"{name}{SUFFIX}", *tables[table], note=text)

    def put(self, part: "PartBytes") -> None:
        """Write a part that somebody else has written elsewhere; when this returns it is on the disk."""
        for table, content in part.files.items():
            make_folder(self.folder / table)
            write_bytes(self.folder / table / f"{part.name}{SUFFIX}", content)


@dataclass(frozen=True)
class PartBytes:
    """A part on its way from one folder to another: its files by table, in the order in which they are written."""

    name: str
    files: dict[str, bytes]


def take_part(folder: Path, name: str) -> PartBytes:
    """The files of a part, which are gone from the folder then."""
    paths = {table: folder / table / f"{name}{SUFFIX}" for table in ORDER}
    part = PartBytes(name, {table: path.read_bytes() for table, path in paths.items() if path.is_file()})
    remove_parts(folder, [name])
    return part


# The parts of a match


def done_parts(folder: Path) -> list[str]:
    """The names of the whole parts of a match, in order.

    A part that lies within another was to replace it, and that did not come to pass: it does not count.
    """
    actions, hands, runs = (
        {path.stem for path in (folder / table).glob(f"*{SUFFIX}")} for table in (ACTIONS, HANDS, RUNS)
    )
    complete = runs | {name for name in actions & hands if not name.startswith(RUNS)}
    parts = [part for name in complete if (part := Part.named(name))]
    names, reached = [], dict[int, int]()
    for part in sorted(parts, key=lambda part: (part.first, -part.last, part.lane)):
        if part.last >= reached.get(part.lane, 0):
            names.append(part.name)
            reached[part.lane] = part.last + 1
    return names


def clean(folder: Path) -> None:
    """Take away what an interrupted writer left in a match: unfinished files, halves of parts, parts within others."""
    names = set(done_parts(folder))
    paths = list(folder.glob(f"**/*{TEMPORARY}"))
    paths += [path for table in ORDER for path in (folder / table).glob(f"*{SUFFIX}") if path.stem not in names]
    for path in paths:
        path.unlink(missing_ok=True)


def remove_parts(folder: Path, names: Iterable[str]) -> None:
    """Delete parts; the file that makes one count first, so that none ever seems to be there that is not."""
    removed = list(names)
    for table in reversed(ORDER):
        for name in removed:
            (folder / table / f"{name}{SUFFIX}").unlink(missing_ok=True)
        if (folder / table).is_dir():
            sync(folder / table)


def action_columns(facts: Facts, numbers: NDArray[np.int64], players: NDArray[np.integer]) -> Columns:
    """A row for every action of hands with these numbers and players (``[hands, seats]``).

    Most columns are the arrays of the facts themselves: narrower copies were no faster.
    """
    hand, seat = facts.hand, facts.column("seat")
    columns: Columns = {"hand": numbers[hand], "player": players[hand, seat]}
    columns |= {name: facts.column(name) for name in FACT_COLUMNS}
    columns |= by_seat("stack", facts.stack) | by_seat("bet", facts.bet)
    columns |= {"board": facts.board, "hole_cards": facts.holes}
    return columns | by_seat("up", facts.up) | by_seat("cards", facts.counts)


def hand_columns(facts: Facts, numbers: NDArray[np.int64], players: NDArray[np.integer]) -> Columns:
    """A row for every hand."""
    records, n = facts.numbers, facts.players
    rake = records[:, f.RAKE]
    columns: Columns = {"hand": numbers, **by_seat("player", players.T), **by_seat("cards", facts.held.T)}
    columns["board"] = _packed(facts.cards[:, f.BOARD : f.BOARD + f.BOARD_SIZE], records[:, f.BOARD_COUNT])
    columns |= by_seat("payoff", facts.payoffs.T)
    columns["pot"] = records[:, f.WON : f.WON + n].sum(axis=1, dtype=np.int32) + rake
    return columns | {"rake": rake, "shown": facts.shown, "actions": np.diff(facts.first).astype(np.int32)}


def by_seat(name: str, rows: NDArray[np.generic]) -> Columns:
    """A column for each row of an array."""
    return {f"{name}_{seat}": row for seat, row in enumerate(rows)}


def _packed(cards: NDArray[np.uint8], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows of up to eight cards in one number each, as `Facts` has them."""
    places = np.arange(cards.shape[1])
    there = np.where(places < counts[:, None], cards + 1, 0).astype(np.int64)
    packed: NDArray[np.int64] = np.bitwise_or.reduce(there << 8 * places, axis=1)
    return packed
