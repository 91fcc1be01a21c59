"""The matches of a log as they are found there: what is described of them, and what follows from that."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import felt
from felt.arena.evolution.spec import generation_seed
from felt.arena.match.spec import numbered
from felt.arena.ring.spec import rules_told as ring_rules
from felt.arena.tournament.play import Played
from felt.arena.tournament.spec import rules_told as tournament_rules
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine.batch import HandBatch, VariedBatch
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.moves import Move, decode_move
from felt.games.pgdl import read_pgdl
from felt.games.rules import GameRules
from felt.games.views.facts import Facts, trace
from felt.store.files import LogError, write_bytes
from felt.store.log.part_reader import PlayedHands, part_files, rows, select
from felt.store.log.part_writer import Part, done_parts
from felt.store.log.schema import DESCRIPTION, FORMAT, PLAYERS

MATCH = "match"
"""The kind of what has no runs: a match, also one of a league or a competition."""


def _read_rules(pgdl: str, **source: str) -> Played:
    rules = read_pgdl(pgdl, **source)
    return lambda level, players: rules


_RULES: Mapping[str, Callable[[Mapping[str, Any]], Played]] = {
    MATCH: lambda description: _read_rules(description["game"]["pgdl"], source=DESCRIPTION),
    "tournament": tournament_rules,
    "ring": ring_rules,
    "evolution": lambda description: _read_rules(description["game"]),
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


def write_description(folder: Path, description: Mapping[str, Any]) -> None:
    """Write what describes a match; with it the match is there."""
    write_bytes(folder / DESCRIPTION, (json.dumps(description, indent=2, ensure_ascii=False) + "\n").encode())


def heading(kind: str, command: str) -> dict[str, Any]:
    """What the description of anything that is logged begins with."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return {"format": FORMAT, "kind": kind, "felt": felt.__version__, "started": started, "command": command}


def facts_of(match: LoggedMatch, hands: PlayedHands) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
    """Hands as facts, those of one game, number of players and seed together; and who sat where: ``[hands, seats]``."""
    if not match.has_runs:
        size, seats = hands.seatings.shape
        batch = HandBatch(
            match.rules, size, players=seats, stack=match.stack, seed=match.seed, deals=hands.deals, threads=1
        )
        yield trace(match.rules, *batch.arrays, batch.stacks, hands.codes, hands.counts), hands.seatings
        return
    seeds = {run: match.seed_of(run) for run in np.unique(hands.runs).tolist()}
    kinds = np.stack([hands.seats, hands.levels, [seeds[run] for run in hands.runs.tolist()]], axis=1)
    for players, level, seed in np.unique(kinds, axis=0).tolist():
        own = (kinds == (players, level, seed)).all(axis=1)
        rules, codes = match.rules_of(level, players), hands.codes[np.repeat(own, hands.counts)]
        varied = VariedBatch(
            rules, hands.stacks[own, :players].tolist(), hands.buttons[own].tolist(), seed=seed, deals=hands.deals[own]
        )
        facts = trace(rules, *varied.arrays, varied.stacks, codes, hands.counts[own])
        yield facts, hands.seatings[own, :players]


def records_of(match: LoggedMatch, hands: PlayedHands) -> Iterator[HandRecord]:
    """Hands as records, one after the other."""
    moves = np.split(hands.codes, np.cumsum(hands.counts)[:-1])
    return (_record(match, hands, i, codes.tolist()) for i, codes in enumerate(moves))


def _record(match: LoggedMatch, hands: PlayedHands, i: int, codes: list[int]) -> HandRecord:
    seats, deal, run = int(hands.seats[i]), int(hands.deals[i]), int(hands.runs[i])
    seed = match.seed_of(run)
    stacks, button = hands.stacks[i, :seats].tolist(), int(hands.buttons[i])
    hand = Hand.new(match.rules_of(int(hands.levels[i]), seats), stacks, seed, number=deal, button=button)
    for code in codes:
        hand.act(action_of(hand, code))
    number, place = (run, int(hands.run_places[i])) if match.has_runs else (match.number, int(hands.numbers[i]))
    meta = {"event": f"{match.kind} {number}", "seed": str(seed)}
    return replace(
        hand.record(),
        names=tuple(match.names[player] for player in hands.seatings[i, :seats].tolist()),
        hand_id=f"{number}-{place}",
        rake=hand.rake,
        meta=meta if match.has_runs else {**meta, "deal": str(deal)},
    )


def action_of(hand: Hand, code: int) -> Action:
    """The move that a code stands for, in the hand in which it is made."""
    number, amount = decode_move(code)
    move = Move(number)
    if move != Move.EXCHANGE:
        return Action(move, amount)
    return Action(move, cards=tuple(card for i, card in enumerate(hand.cards(hand.turn)) if amount >> i & 1))
