"""What a match is: all that decides its result; and who sits where.

A match is a row of sets. In a *duplicate* set one deal is played in several seatings: all of them for up to four
players, for more as many as there are seats, such that everybody gets every seat once. Otherwise a set is as many deals
as there are seats, and everybody has every seat once. Sets are alike and independent: they are the unit of intervals.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._chance import seeds_of
from felt.agents.adapters import AsBatch, as_agent
from felt.agents.api import OutsideAgent
from felt.agents.naming import Entrant, entrant
from felt.agents.tables import BatchAgent
from felt.arena.conductor.conduct import Penalty
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules

TIMEOUT = 10.0
"""Seconds for a decision by default."""
MOST_SECONDS = 100_000
STREAM = 0x73656174  # "seat"
ALL_SEATINGS_UP_TO = 4


@dataclass(frozen=True)
class SeatingPlan:
    """The seatings and deals of a match: hand number ``set * size + place`` for each place in a set."""

    players: int
    duplicate: bool
    seed: int
    turning: bool = False
    """Whether the button goes round from set to set in each of all seatings of a duplicate set, as it does at a real
    table: who keeps the same place in the sets meets the same neighbours in turning seats. Sets have the same hands."""

    @cached_property
    def size(self) -> int:
        """Hands in a set."""
        every = self.duplicate and self.players <= ALL_SEATINGS_UP_TO
        return factorial(self.players) if every else self.players

    def seatings(self, number: int) -> tuple[tuple[int, ...], ...]:
        """For each hand of a set, the player in each seat.

        >>> SeatingPlan(2, duplicate=True, seed=0).seatings(5)
        ((0, 1), (1, 0))
        """
        return tuple(map(tuple, self.arrays(number, 1)[1].tolist()))

    def deal(self, number: int, place: int) -> int:
        """The deal of one hand of a set."""
        return number if self.duplicate else number * self.size + place

    def arrays(self, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Deals ``[hands]`` and seatings ``[hands, players]`` of all hands of some sets."""
        sets, n = np.arange(first, first + count), self.players
        hands = np.arange(first * self.size, (first + count) * self.size)
        deals = np.repeat(sets, self.size) if self.duplicate else hands
        if n == 2 or self.size > n:
            seats = (np.arange(n) + self.turning * sets[:, None]) % n
            return deals, np.array(list(permutations(range(n))))[:, seats].swapaxes(0, 1).reshape(-1, n)
        turned = (np.arange(n)[:, None] + np.arange(n)) % n
        return deals, self._orders(sets)[:, turned].reshape(-1, n)

    def _orders(self, sets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The order around the table in each set: by chance, so that nobody always acts behind the same player."""
        draws = [seeds_of(sets, self.seed, STREAM + player) for player in range(self.players)]
        return np.argsort(np.stack(draws, axis=1), axis=1, kind="stable")


@dataclass(frozen=True)
class Match:
    """Players, game, stacks, seed and rules of conduct. The same match has the same hands, wherever it is played."""

    rules: GameRules
    entrants: tuple[Entrant, ...]
    stack: int
    seed: int = 0
    duplicate: bool = False
    penalty: Penalty = Penalty.FOLD
    timeout: float = TIMEOUT
    turning: bool = False
    """Whether the button goes round in every seating of a duplicate match; see `SeatingPlan`."""

    @classmethod
    def of(
        cls,
        agents: Sequence[Any],
        rules: GameRules,
        *,
        stack: int | None = None,
        seed: int = 0,
        duplicate: bool = False,
        on_error: str = Penalty.FOLD,
        timeout: float = TIMEOUT,
        seats: int | None = None,
    ) -> "Match":
        """A match between agents by name or class, checked: `stack` in chips, `on_error` a `Penalty`.

        `seats` if not all of them sit at one table, as in a league.
        """
        if on_error not in list(Penalty):
            raise FeltError(f"on_error={on_error!r}: choose {', '.join(Penalty)}")
        check_timeout(timeout)
        entrants = tuple(entrant(agent) for agent in agents)
        count = len(entrants) if seats is None else seats
        first = Hand.new(rules, stack, seed, players=count)
        match = cls(rules, entrants, first.starting_stacks[0], seed, duplicate, Penalty(on_error), timeout)
        check_agents(entrants, rules, count)
        return match

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.entrants)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names: as they were asked for, numbered where two are alike."""
        return numbered(entrant.spec for entrant in self.entrants)

    @property
    def plan(self) -> SeatingPlan:
        """Who sits where in which deal."""
        return SeatingPlan(self.players, self.duplicate, self.seed, self.turning)

    @property
    def remembers(self) -> bool:
        """Whether somebody keeps something from hand to hand, so that hands have to be played in order."""
        return any(entrant.remembers for entrant in self.entrants)

    @property
    def in_step(self) -> bool:
        """Whether the match is played at many tables at once."""
        plain = [entrant for entrant in self.entrants if not entrant.batch]
        if self.remembers or any(entrant.listens for entrant in plain):  # they hear of events one by one
            return False
        return not plain or any(entrant.batch and not hasattr(entrant.kind, "act") for entrant in self.entrants)

    @property
    def trusted(self) -> bool:
        """Whether all agents are ours, which need nobody to watch them."""
        return all(entrant.trusted for entrant in self.entrants)

    @property
    def lanes(self) -> tuple[range, ...]:
        """Which hands of every set are played by the same copies of the agents.

        Agents with a memory must not meet a deal twice: each seating of a duplicate match has copies of its own. So it
        has where programs outside play: what they say of their memory is not taken for granted.
        """
        size = self.plan.size
        if self.duplicate and (self.remembers or any(entrant.outside for entrant in self.entrants)):
            return tuple(range(place, place + 1) for place in range(size))
        return (range(size),)

    def make_agents(self) -> list[Any]:
        """New copies of all agents, in the form in which they will be asked."""
        agents = [entrant.make() for entrant in self.entrants]
        for agent in agents:
            if isinstance(agent, OutsideAgent):
                agent.patience = self.timeout
        if self.in_step:
            return [agent if isinstance(agent, BatchAgent) else AsBatch(agent) for agent in agents]
        return [as_agent(agent) for agent in agents]


def check_timeout(seconds: float) -> None:
    """Raise a `FeltError` unless so many seconds can be given for a decision."""
    if not 0 < seconds <= MOST_SECONDS:
        raise FeltError(f"timeout={seconds:g}: give seconds, more than 0 and at most {MOST_SECONDS:,}")


def check_agents(entrants: Iterable[Entrant], rules: GameRules, players: int, kind: str = "agent") -> None:
    """Raise a `FeltError` if an agent does not play a game with so many players."""
    for entered in entrants:
        reason = entered.reason_not_to_play(rules, players)
        if reason:
            raise FeltError(f"{kind} {entered.spec!r} does not play {rules.name} with {players} players: {reason}")


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """What all competitions made of runs have in common: a seed, and rules for agents that do wrong."""

    seed: int = 0
    penalty: Penalty = Penalty.FOLD
    timeout: float = TIMEOUT

    def __getstate__(self) -> dict[str, Any]:
        """Without cached values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def describe_fields(self, *names: str) -> dict[str, Any]:
        """Fields in values that JSON has, then the seed and the rules."""
        values = {name: getattr(self, name) for name in (*names, "seed")}
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        return {**values, "on_error": str(self.penalty), "timeout": self.timeout}


def numbered(specs: Iterable[str]) -> tuple[str, ...]:
    """Names for agents: as they were asked for, files without their folders, numbered where two are alike."""
    counts: Counter[str] = Counter()
    names = []
    for spec in map(_short, specs):
        counts[spec] += 1
        names.append(f"{spec}#{counts[spec]}" if counts[spec] > 1 else spec)
    return tuple(names)


def seen_names(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    """Names under which players see each other: as `numbered`, but what programs are given on their command lines is
    nobody's business.

    >>> from felt.agents.naming import Entrant
    >>> seen_names([Entrant("cmd:./bot --key=1", None), Entrant("cmd:./bot --key=2", None), Entrant("ehs", None)])
    ('cmd:bot', 'cmd:bot#2', 'ehs')
    """
    specs = (entrant.spec for entrant in entrants)
    return numbered(spec.partition(" -")[0] if spec.startswith("cmd:") else spec for spec in specs)


def _short(spec: str) -> str:
    """Files without their folders."""
    file, colon, rest = spec.partition(":")
    if file == "cmd":
        return "cmd:" + " ".join(word if word[:1] == "-" else word.rpartition("/")[2] for word in rest.split(" "))
    return file.rpartition("/")[2] + colon + rest
