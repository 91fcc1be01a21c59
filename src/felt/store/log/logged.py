"""The matches of a log as they are found there: what is described of them, and what follows from that."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from felt.arena.evolution.spec import generation_seed
from felt.arena.match.spec import numbered
from felt.arena.ring.spec import rules_told as ring_rules
from felt.arena.tournament.play import Played
from felt.arena.tournament.spec import rules_told as tournament_rules
from felt.errors import FeltError
from felt.games.pgdl import read_pgdl
from felt.games.rules import GameRules
from felt.store.files import LogError
from felt.store.log.part_reader import part_files, rows, select
from felt.store.log.part_writer import Part, done_parts
from felt.store.log.schema import DESCRIPTION, FORMAT, PLAYERS

MATCH = "match"
"""The kind of what has no runs: a match, also one of a league or a competition."""


def _evolution_rules(description: Mapping[str, Any]) -> Played:
    rules = read_pgdl(description["game"])
    return lambda level, players: rules


def _match_rules(description: Mapping[str, Any]) -> Played:
    rules = read_pgdl(description["game"]["pgdl"], source=DESCRIPTION)
    return lambda level, players: rules


_RULES: Mapping[str, Callable[[Mapping[str, Any]], Played]] = {
    MATCH: _match_rules,
    "tournament": tournament_rules,
    "ring": ring_rules,
    "evolution": _evolution_rules,
}


@dataclass(frozen=True)
class LoggedMatch:
    """A match of a log, or all runs of a tournament, ring or evolution."""

    number: int
    folder: Path
    description: dict[str, Any]
    parts: tuple[str, ...]
    run: int | None = None
    """Only this run of it."""

    @property
    def kind(self) -> str:
        """What is played: match, tournament, ring, evolution."""
        return str(self.description.get("kind", MATCH))

    @property
    def has_runs(self) -> bool:
        """Whether it is made of runs, which are known by their numbers."""
        return self.kind != MATCH

    @property
    def decisive(self) -> dict[str, Any]:
        """All that decides it."""
        return dict(self.description["competition"]) if self.has_runs else self.description

    @cached_property
    def rules_of(self) -> Played:
        """The game by level of the stakes and number of players."""
        if self.kind not in _RULES:
            raise LogError(f"{str(self.folder)!r} is the log of {self.kind or 'something else'}, which has no hands")
        return _RULES[self.kind](self.decisive)

    @property
    def rules(self) -> GameRules:
        """The game, with the first stakes."""
        return self.rules_of(0, min(2, self.seats))

    @property
    def seats(self) -> int:
        """Players at a table, at most."""
        if not self.has_runs:
            return len(self.names)
        if self.kind == "evolution":
            return int(self.decisive["seats"])
        return min(int(self.decisive["table_size"]), len(self.names))

    @cached_property
    def _players(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names, and the names under which statistics count them, by number."""
        if not self.has_runs:
            names = tuple(player["name"] for player in self.description["players"])
            return names, names
        if self.kind != "evolution":
            agents = numbered(agent["spec"] for agent in self.decisive["agents"])
            entered = tuple(agents[entry] for entry in self.decisive["lineup"])
            return numbered(entered), entered
        files = part_files(self.folder, PLAYERS, self.parts)
        columns = select(f"player, any_value(name) AS name FROM {rows(files, PLAYERS, 0)} GROUP BY player")
        known = dict(zip(columns["player"].tolist(), columns["name"].tolist(), strict=True))
        names = tuple(known.get(player, "") for player in range(max(known, default=-1) + 1))
        return names, names

    @property
    def names(self) -> tuple[str, ...]:
        """The players by number."""
        return self._players[0]

    @property
    def agents(self) -> tuple[str, ...]:
        """The names under which statistics count the players: an agent may be several players."""
        return self._players[1]

    @property
    def seed(self) -> int:
        """What the cards were dealt from."""
        return int(self.decisive["seed"])

    def seed_of(self, run: int) -> int:
        """What the cards of a run were dealt from: each generation of an evolution has a seed of its own."""
        if self.kind != "evolution":
            return self.seed
        return generation_seed(self.seed, run // (self.decisive["meetings"] + self.decisive["yardstick"]))

    @property
    def stack(self) -> int:
        """Everybody's chips when a hand begins, or a tournament; 0 in a ring, where players choose."""
        return int(self.decisive.get("stack", 0))

    @property
    def duplicate(self) -> bool:
        """Whether every deal was played in several seatings."""
        return bool(self.decisive.get("duplicate", self.kind == "evolution"))

    def only_run(self, run: int) -> "LoggedMatch":
        """The same, with one run of it."""
        parts = tuple(name for name in self.parts if (part := Part.named(name)) and part.first <= run <= part.last)
        return replace(self, run=run, parts=parts)


def match_folder(log: Path, number: int) -> Path:
    """Where the match of this number is kept."""
    return log / f"match={number:04d}"


def match_folders(log: Path) -> dict[int, Path]:
    """The matches of a log by their numbers: folders in which a match is described."""
    numbers = {
        int(number): path
        for path in log.glob("match=*")
        if (number := path.name.removeprefix("match=")).isdecimal() and (path / DESCRIPTION).is_file()
    }
    return dict(sorted(numbers.items()))


def read_match(number: int, folder: Path) -> LoggedMatch:
    """The match in a folder."""
    file = folder / DESCRIPTION
    try:
        description = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(description, dict):
            raise ValueError("it is not an object")
        match = LoggedMatch(number, folder, description, tuple(done_parts(folder)))
        if int(description.get("format", FORMAT)) > FORMAT:
            raise LogError(f"{str(file)!r} was written by a newer Felt: install {description.get('felt', 'that')}")
        if match.kind in _RULES:
            _ = match.rules, match.seed, match.stack, match.duplicate
    except OSError as error:
        raise LogError(f"cannot read {str(file)!r} ({(error.strerror or 'error').lower()})") from None
    except LogError:
        raise
    except (FeltError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else error
        raise LogError(f"{str(file)!r} does not describe a match: {reason}") from None
    return match
