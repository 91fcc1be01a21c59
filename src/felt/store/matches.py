"""The matches of a log: how they are described, begun, gone on with, and found again."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np

import felt
from felt.arena.conduct import Conduct
from felt.arena.spec import Match
from felt.arena.work import Hands, Task
from felt.errors import FeltError
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.rules import GameRules
from felt.store.files import LogError, locked_folder, make_folder, write_parquet, write_text
from felt.store.log import PartWriter, clean, done_parts, remove_parts
from felt.store.parts import read_hands, read_note

DESCRIPTION, PLAYERS, TABLES = "match.json", "players.parquet", "tables.parquet"
FORMAT = 1
"""Raised when what a log means changes."""

DECISIVE = ("game", "players", "stack", "seed", "duplicate", "turning", "on_error")
"""What must be the same for a match to be gone on with."""


# Writing


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
        hands = Hands(
            task=Task.named(name),
            **played._asdict(),
            conduct=Conduct.of(self._players),
            seconds=0.0,
            memory=None,
        )
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
        there = read_match(number, folder).description
        _same_match(folder, there, description)
        found = MatchLog(folder, match.players)
        clean(folder)
        if command and there.get("command") != command:  # it may be played for longer than it was begun for
            _write_description(folder, {**there, "command": command})
        return found
    make_folder(folder)
    found = MatchLog(folder, match.players)
    _write_dimensions(folder, match)
    _write_description(folder, description)
    return found


def _write_description(folder: Path, description: Mapping[str, Any]) -> None:
    write_text(folder / DESCRIPTION, json.dumps(description, indent=2, ensure_ascii=False) + "\n")


def describe(match: Match, *, command: str = "") -> dict[str, Any]:
    """All that decides a match, and how it was begun."""
    rules = match.rules
    return {
        "format": FORMAT,
        "felt": felt.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "game": {"name": rules.name, "pgdl": write_pgdl(rules)},
        "players": [
            {"name": name, "spec": one.spec, "sha256": one.digest}
            for name, one in zip(match.names, match.entrants, strict=True)
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
    specs = [one.spec for one in match.entrants]
    numbers = np.arange(match.players, dtype=np.int16)
    names, specs_ = (np.array(column, dtype=object) for column in (match.names, specs))
    write_parquet(folder / PLAYERS, {"player": numbers, "name": names, "spec": specs_})
    lanes = [lane for lane, places in enumerate(match.lanes) for _ in places]
    places = np.arange(len(lanes), dtype=np.int32)
    write_parquet(folder / TABLES, {"seating": places, "lane": np.array(lanes, dtype=np.int32)})


def _same_match(folder: Path, there: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for key in DECISIVE:
        if there.get(key) == wanted.get(key):
            continue
        if _told(there.get(key)) == _told(wanted.get(key)):
            raise LogError(
                f"{str(folder)!r} was begun with other code of {_told(wanted[key])}: the file has changed since. "
                "Choose another folder, or put the file back as it was"
            )
        raise LogError(
            f"{str(folder)!r} holds another match ({key} {_told(there.get(key))}, not {_told(wanted.get(key))}): "
            "choose another folder, or the same match to go on with it"
        )


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(player["spec"] for player in value)
    return str(value["name"]) if isinstance(value, dict) else str(value)


# Reading


@dataclass(frozen=True)
class LoggedMatch:
    """A match of a log: what its description says, and which parts of it are there."""

    number: int
    folder: Path
    description: dict[str, Any]
    parts: tuple[str, ...]

    @cached_property
    def rules(self) -> GameRules:
        """The game that was played."""
        return read_pgdl(self.description["game"]["pgdl"], source=DESCRIPTION)

    @property
    def names(self) -> tuple[str, ...]:
        """The players by number."""
        return tuple(player["name"] for player in self.description["players"])

    @property
    def seed(self) -> int:
        """What the cards were dealt from."""
        return int(self.description["seed"])

    @property
    def stack(self) -> int:
        """Everybody's chips when a hand begins."""
        return int(self.description["stack"])

    @property
    def duplicate(self) -> bool:
        """Whether every deal was played in several seatings."""
        return bool(self.description["duplicate"])


def match_folder(log: Path, number: int) -> Path:
    """Where the match of this number is kept."""
    return log / f"match={number:04d}"


def match_folders(log: Path) -> dict[int, Path]:
    """The matches of a log by their numbers: folders in which a match is described."""
    found = {}
    for path in log.glob("match=*"):
        number = path.name.removeprefix("match=")
        if number.isdecimal() and (path / DESCRIPTION).is_file():
            found[int(number)] = path
    return dict(sorted(found.items()))


def read_matches(log: str | Path) -> list[LoggedMatch]:
    """The matches of a log in order; an error where there is no log, or nothing has been logged yet."""
    place = Path(log)
    if not place.is_dir():
        raise LogError(f"{str(log)!r} is no folder: give one that felt match --log wrote")
    folders = match_folders(place)
    if not folders:
        raise LogError(f"{str(log)!r} is no log of matches: there is no match=0001/{DESCRIPTION} in it")
    found = [read_match(number, folder) for number, folder in folders.items()]
    if not any(match.parts for match in found):
        raise LogError(f"the log {str(log)!r} is empty: no hands have been written to it yet")
    return found


def read_match(number: int, folder: Path) -> LoggedMatch:
    """The match in a folder."""
    try:
        description = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        match = LoggedMatch(number, folder, description, tuple(done_parts(folder)))
        _ = match.rules, match.names, match.seed, match.stack, match.duplicate
    except OSError as error:
        raise LogError(f"cannot read {str(folder / DESCRIPTION)!r} ({(error.strerror or 'error').lower()})") from None
    except (FeltError, KeyError, TypeError, ValueError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise LogError(f"{str(folder / DESCRIPTION)!r} does not describe a match: {why}") from None
    return match
