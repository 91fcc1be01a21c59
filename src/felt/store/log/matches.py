"""Logs while they are written: how a match, or a tournament, ring or evolution, is described, started and resumed."""

import json
import os
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from felt.arena.conductor.conduct import Conduct
from felt.arena.match.hands import Hands
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Task
from felt.arena.schedule.workplace import Record
from felt.games.history import HandRecord
from felt.games.pgdl import write_pgdl
from felt.games.views.facts import Facts
from felt.store.files import LogError, locked_folder, make_folder, write_parquet
from felt.store.log.logged import MATCH, LoggedMatch, heading, match_folder, read_match, write_description
from felt.store.log.part_reader import read_hands, read_note
from felt.store.log.part_writer import SUFFIX, PartWriter, clean, done_parts, remove_parts
from felt.store.log.reading import facts, records
from felt.store.log.run_writer import RunLog, read_records, start_runs
from felt.store.log.schema import DESCRIPTION, PLAYERS, TABLES
from felt.store.log.upgrade import readable, upgrade_runs

DECISIVE = ("game", "players", "stack", "seed", "duplicate", "turning", "on_error")
"""What must be the same for a match to be resumed."""


class MatchLog:
    """The log of one match, as `felt.arena.play` wants it."""

    def __init__(self, folder: Path, players: int) -> None:
        self.folder, self._players = folder, players
        self.close = finalize(self, os.close, locked_folder(folder))
        """Let others write to it; happens by itself when the log is forgotten."""

    @property
    def sink(self) -> PartWriter:
        """Where hands are kept; can be sent to other processes."""
        return PartWriter(self.folder)

    def parts(self) -> list[str]:
        """The names of the parts that are there."""
        return done_parts(self.folder)

    def read(self, name: str) -> tuple[Hands, str]:
        """The hands of a part, and what was noted of it."""
        played = read_hands(self.folder, [name], self._players)
        arrays = ("numbers", "places", "deals", "seatings", "codes", "counts")
        hands = Hands(
            task=Task.named(name), **{array: getattr(played, array) for array in arrays},
            conduct=Conduct.of(self._players), seconds=0.0, memory=None,
        )  # fmt: skip
        return hands, read_note(self.folder, name)

    def remove(self, name: str) -> None:
        """Take a part out."""
        remove_parts(self.folder, [name])


def open_match(log: str | Path, match: Match, *, number: int = 1, command: str = "") -> MatchLog:
    """The log of match `number`, from 1, in a folder: a new one, or that of the same match, which goes on then.

    `command` is what somebody has to type to play it again.
    """
    folder = match_folder(Path(log), number)
    description = describe(match, command=command)
    if (folder / DESCRIPTION).is_file():
        before = read_match(number, folder)
        _check_same(before, description)
        resumed = MatchLog(folder, match.players)
        clean(folder)
        if command and before.description.get("command") != command:  # it may go on for longer than it was started for
            write_description(folder, {**before.description, "command": command})
        return resumed
    make_folder(folder)
    started = MatchLog(folder, match.players)
    _write_dimensions(folder, match)
    write_description(folder, description)
    return started


def describe(match: Match, *, command: str = "") -> dict[str, Any]:
    """All that decides a match, and how it was begun."""
    rules = match.rules
    return {
        **heading(MATCH, command),
        "game": {"name": rules.name, "pgdl": write_pgdl(rules)},
        "players": [
            {"name": name, "spec": entrant.spec, "sha256": entrant.digest}
            for name, entrant in zip(match.names, match.entrants, strict=True)
        ],
        "stack": match.stack,
        "seed": match.seed,
        "duplicate": match.duplicate,
        **({"turning": True} if match.turning else {}),  # logs from before it have no such word
        "set_size": match.plan.size,
        "on_error": str(match.penalty),
        "timeout": match.timeout,
    }


def _write_dimensions(folder: Path, match: Match) -> None:
    """Players and tables: the small tables around the actions."""
    numbers = np.arange(match.players, dtype=np.int16)
    names, specs = (
        np.array(column, dtype=object) for column in (match.names, [entrant.spec for entrant in match.entrants])
    )
    players = {"player": numbers, "name": names, "spec": specs, "agent": names}
    write_parquet(folder / f"{PLAYERS}{SUFFIX}", players)
    lanes = np.array([lane for lane, places in enumerate(match.lanes) for _ in places], dtype=np.int32)
    write_parquet(folder / f"{TABLES}{SUFFIX}", {"seating": np.arange(len(lanes), dtype=np.int32), "lane": lanes})


def _check_same(before: LoggedMatch, description: Mapping[str, Any]) -> None:
    folder = str(before.folder)
    if before.has_runs:
        raise LogError(f"{folder!r} holds a log of another kind ({before.kind}): choose another folder")
    for key in DECISIVE:
        there, now = before.description.get(key), description.get(key)
        if there == now:
            continue
        if _summary(there) == _summary(now):
            raise LogError(
                f"{folder!r} was begun with other code of {_summary(now)}: the file has changed since. "
                "Choose another folder, or put the file back as it was"
            )
        raise LogError(
            f"{folder!r} holds another match ({key} {_summary(there)}, not {_summary(now)}): "
            "choose another folder, or the same match to go on with it"
        )


def _summary(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(player["spec"] for player in value)
    return str(value["name"]) if isinstance(value, dict) else str(value)


def open_runs(folder: str | Path, description: Mapping[str, Any], *, command: str = "") -> RunLog:
    """The log of a competition in a folder: a new one, or that of the same competition, which goes on then.

    `description` is all that decides it, in values that JSON has; `command` is what somebody has to type to play it.
    A log of Felt 0.1 is turned into the new form first; its own files stay.
    """
    decisive = json.loads(json.dumps(description))
    upgrade_runs(Path(folder))
    place = match_folder(Path(folder), 1)
    if (place / DESCRIPTION).is_file():
        before = read_match(1, place)
        if not before.has_runs:
            raise LogError(f"{str(folder)!r} holds a log of another kind ({before.kind}): choose another folder")
        for key, value in decisive.items():
            if before.decisive.get(key) != value:
                both = map(json.dumps, (before.decisive.get(key), value))
                there, now = (text if len(text) < 80 else "another" for text in both)
                raise LogError(
                    f"{str(Path(folder))!r} holds another competition ({key}: {there}, not {now}): "
                    "choose another folder, or give the same command to go on with it"
                )
        return RunLog(before)
    return start_runs(place, {**heading(decisive.get("kind", ""), command), "competition": decisive})


def read_runs(folder: str | Path) -> Iterator[Record]:
    """The records of a log in order."""
    yield from read_records(match_folder(readable(Path(folder)), 1))


class RunHands:
    """Deprecated, will go with 0.3: `felt.store.log.reading.records` and `facts` read logs of every kind."""

    def __init__(self, folder: str | Path) -> None:
        warnings.warn("RunHands: use felt.store.log.reading.records and facts", DeprecationWarning, stacklevel=2)
        self.folder = Path(folder)

    def records(self, run: int | None = None) -> Iterator[HandRecord]:
        """Hands as records, one after the other."""
        return records(self.folder, run)

    def facts(self, run: int | None = None) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
        """Hands as facts, and who sat where."""
        return facts(self.folder, run)
