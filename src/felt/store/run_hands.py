"""The hands of runs, as a log keeps them: dealt again and played by their moves, as records, facts and tables.

A tournament and a ring go through many stakes and numbers of players; those of one kind are told together.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.arena.ring.spec import rules_told as ring_rules
from felt.arena.runs import hand_number
from felt.arena.runs.spec import PlayedHand
from felt.arena.spec import numbered
from felt.arena.tournament.spec import Played
from felt.arena.tournament.spec import rules_told as tournament_rules
from felt.arena.work import HandColumns
from felt.games import fields as f
from felt.games.batch import VariedBatch
from felt.games.facts import Facts, trace
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.store.columns import hand_columns
from felt.store.files import Columns, LogError, engine, quoted
from felt.store.reading import action_of
from felt.store.runs import DESCRIPTION, PLAYED, RUNS, read_competition, run_in
from felt.store.views import card_names

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CHUNK = 8192
"""Hands that are told at a time."""

VIEWS: Mapping[str, str] = {
    "runs": "one row for each run, as the log has it: hands, who finished where, and so on",
    "hands": "one row for each hand: run, level, stakes, cards and board, what was won; lists are by seat",
    "results": "one row for each player of a hand: stack before it, cards, what was won",
}
"""What can be asked of the log of a competition, and what it is."""

_COLUMNS = (
    "run BIGINT", "hand BIGINT", "level INTEGER", "big_blind INTEGER", "button INTEGER", "players VARCHAR[]",
    "stacks INTEGER[]", "cards VARCHAR[]", "board VARCHAR", "payoffs INTEGER[]",
)  # fmt: skip
_BY_SEAT = {"players": "player", "stacks": "stack", "cards": "cards", "payoffs": "payoff"}

_RULES: Mapping[str, Callable[[Mapping[str, Any]], Played]] = {
    "tournament": tournament_rules,
    "ring": ring_rules,
}


def is_competition(folder: str | Path) -> bool:
    """Whether a folder has the log of a competition that is made of runs."""
    return (Path(folder) / DESCRIPTION).is_file()


@dataclass(frozen=True, eq=False)
class Told:
    """Hands of one kind as facts."""

    facts: Facts
    runs: NDArray[np.int64]
    hands: NDArray[np.int64]
    """By number in their runs."""
    levels: NDArray[np.int64]
    players: NDArray[np.int64]
    """``[hands, seats]``: players of a run."""
    agents: NDArray[np.int64]
    """``[hands, seats]``: their agents."""


class RunHands:
    """The hands in a folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.description: dict[str, Any] = read_competition(folder)["competition"]
        kind = self.description.get("kind")
        if kind not in _RULES:
            raise LogError(f"{str(folder)!r} is the log of {kind or 'something else'}, which keeps no hands")
        self.rules = _RULES[kind](self.description)
        self.agents = numbered(one["spec"] for one in self.description["agents"])
        self.lineup: list[int] = self.description["lineup"]
        self.seed: int = self.description["seed"]

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who plays in a run: agents that are several players are numbered."""
        return numbered(self.agents[entry] for entry in self.lineup)

    def played(self, run: int | None = None) -> Iterator[tuple[int, list[PlayedHand]]]:
        """Runs that are there, with their hands."""
        file, found = self.folder / PLAYED, False
        if file.is_file():
            with file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    if not line.endswith(b"\n"):
                        break
                    if run is None or run_in(line) == run:
                        found = True
                        yield self._read(line, number)
        if not found:
            what = "hands" if run is None else f"hands of run {run}"
            raise LogError(f"there are no {what} in {str(self.folder)!r}")

    def _read(self, line: bytes, number: int) -> tuple[int, list[PlayedHand]]:
        try:
            told = json.loads(line)
            return int(told["run"]), [(*one,) for one in told["hands"]]
        except (KeyError, TypeError, ValueError):
            raise LogError(f"line {number} of {str(self.folder / PLAYED)!r} is damaged: it is no run") from None

    def records(self, run: int | None = None) -> Iterator[HandRecord]:
        """Hands as records, one after the other."""
        names = self.names
        for number, hands in self.played(run):
            for place, (level, button, players, stacks, moves) in enumerate(hands):
                rules = self.rules(level, len(players))
                hand = Hand.new(rules, stacks, self.seed, number=hand_number(number, place), button=button)
                for code in moves:
                    hand.act(action_of(hand, code))
                yield replace(
                    hand.record(),
                    names=tuple(names[player] for player in players),
                    hand_id=f"{number}-{place}",
                    rake=hand.rake,
                    meta={"event": f"{self.description['kind']} {number}", "seed": str(self.seed)},
                )

    def facts(self, run: int | None = None) -> Iterator[Told]:
        """Hands as facts, those of one game and number of players together, some thousands at a time."""
        waiting: dict[tuple[int, int], list[tuple[int, int, PlayedHand]]] = {}
        for number, hands in self.played(run):
            for place, hand in enumerate(hands):
                key = hand[0], len(hand[2])
                own = waiting.setdefault(key, [])
                own.append((number, place, hand))
                if len(own) == CHUNK:
                    yield self._told(*key, waiting.pop(key))
        for key, own in waiting.items():
            yield self._told(*key, own)

    def _told(self, level: int, seats: int, hands: list[tuple[int, int, PlayedHand]]) -> Told:
        rules, lineup = self.rules(level, seats), np.array(self.lineup)
        runs, places = (np.array([one[column] for one in hands], dtype=np.int64) for column in (0, 1))
        _, buttons, players, stacks, moves = zip(*(one[2] for one in hands), strict=True)
        deals = np.array([hand_number(run, place) for run, place, _ in hands], dtype=np.int64)
        batch = VariedBatch(rules, stacks, buttons, seed=self.seed, deals=deals)
        codes = np.array([code for one in moves for code in one], dtype=np.int64)
        counts = np.array([len(one) for one in moves], dtype=np.int64)
        found = trace(rules, *batch.arrays, batch.stacks, codes, counts)
        seated = np.array(players, dtype=np.int64)
        return Told(found, runs, places, np.full(len(hands), level), seated, lineup[seated])


def connect(folder: str | Path) -> "DuckDBPyConnection":
    """A database in memory with the tables of `VIEWS`."""
    hands = RunHands(folder)
    database: DuckDBPyConnection = engine().connect()
    file = str(hands.folder / RUNS)
    database.execute("CREATE TABLE runs AS SELECT * FROM read_json(?, format = 'newline_delimited')", [file])
    database.execute(f"CREATE MACRO card_names(packed) AS {card_names('packed')}")
    database.execute(f"CREATE TABLE hands ({', '.join(_COLUMNS)})")
    for told in hands.facts():
        _insert(database, hands.names, told)
    parts = ", ".join(f"unnest({many}) AS {one}" for many, one in _BY_SEAT.items())
    database.execute(
        f"CREATE VIEW results AS SELECT run, hand, level, big_blind, unnest(range(len(players))) AS seat, {parts}, "
        "payoff * 1000 / big_blind AS mbb FROM hands"
    )
    return database


def _insert(database: "DuckDBPyConnection", names: tuple[str, ...], told: Told) -> None:
    """Add hands of one kind to the table."""
    facts, seats = told.facts, range(told.facts.players)
    columns: Columns = hand_columns(
        facts,
        HandColumns(told.hands, told.runs, told.levels, told.hands, told.players, facts.payoffs.astype(np.float64)),
    )
    columns["button"] = np.ascontiguousarray(facts.numbers[:, f.BUTTON])
    columns |= {f"stack_{seat}": np.ascontiguousarray(facts.stacks[:, seat]) for seat in seats}
    listed = "[" + ", ".join(map(quoted, names)) + "]"

    def by_seat(column: str) -> str:
        return f"[{', '.join(column.format(seat) for seat in seats)}]"

    database.register("told", columns)
    try:
        database.execute(
            "INSERT INTO hands SELECT set AS run, hand, seating AS level, "
            f"{facts.rules.big_blind}, button, {by_seat(f'({listed})[player_{{}} + 1]')}, {by_seat('stack_{}')}, "
            f"{by_seat('card_names(cards_{})')}, card_names(board), {by_seat('payoff_{}')} FROM told"
        )
    finally:
        database.unregister("told")
