"""What a match is: all that decides its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from felt.agents.naming import Entrant, entrant
from felt.agents.tables import BatchAgent
from felt.arena.conduct import Penalty
from felt.arena.seating import Plan
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules

TIMEOUT = 10.0
"""Seconds for a decision, unless told otherwise."""
MOST_SECONDS = 100_000


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
    """Whether the button goes round in every seating of a duplicate match; see `Plan`."""

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
        if not 0 < timeout <= MOST_SECONDS:
            raise FeltError(f"timeout={timeout:g}: give seconds, more than 0 and at most {MOST_SECONDS:,}")
        entrants = tuple(entrant(agent) for agent in agents)
        count = len(entrants) if seats is None else seats
        first = Hand.new(rules, stack, seed, players=count)
        found = cls(rules, entrants, first.starting_stacks[0], seed, duplicate, Penalty(on_error), timeout)
        for one in entrants:
            reason = one.reason_not_to_play(rules, count)
            if reason:
                raise FeltError(f"agent {one.spec!r} does not play {rules.name} with {count} players: {reason}")
        return found

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.entrants)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names: as they were asked for, numbered where two are alike."""
        return numbered(one.spec for one in self.entrants)

    @property
    def plan(self) -> Plan:
        """Who sits where in which deal."""
        return Plan(self.players, self.duplicate, self.seed, self.turning)

    @property
    def remembers(self) -> bool:
        """Whether somebody keeps something from hand to hand, so that hands have to be played in order."""
        return any(one.remembers for one in self.entrants)

    @property
    def in_step(self) -> bool:
        """Whether the match is played at many tables at once."""
        if self.remembers:
            return False
        plain = [one for one in self.entrants if not one.batch]
        if any(one.listens for one in plain):  # events are told one by one
            return False
        return not plain or any(one.batch and not hasattr(one.kind, "act") for one in self.entrants)

    @property
    def trusted(self) -> bool:
        """Whether all agents are ours, which need nobody to watch them."""
        return all(one.trusted for one in self.entrants)

    @property
    def lanes(self) -> tuple[range, ...]:
        """Which hands of every set are played by the same copies of the agents.

        Agents with a memory must not meet a deal twice: each seating of a duplicate match has copies of its own. So it
        has where programs outside play: what they say of their memory is not taken for granted.
        """
        size = self.plan.size
        if self.duplicate and (self.remembers or any(one.outside for one in self.entrants)):
            return tuple(range(place, place + 1) for place in range(size))
        return (range(size),)

    def make_agents(self) -> list[Any]:
        """New copies of all agents, in the form in which they will be asked."""
        agents = [one.make() for one in self.entrants]
        for agent in agents:
            if getattr(agent, "keeps_time", False):
                agent.patience = self.timeout
        if self.in_step:
            return [agent if isinstance(agent, BatchAgent) else _as_batch(agent) for agent in agents]
        return [agent if hasattr(agent, "act") else _as_plain(agent) for agent in agents]


def numbered(specs: Iterable[str]) -> tuple[str, ...]:
    """Names for agents: as they were asked for, files without their folders, numbered where two are alike."""
    short = [_short(spec) for spec in specs]
    names = []
    for place, spec in enumerate(short):
        before = short[:place].count(spec)
        names.append(f"{spec}#{before + 1}" if before else spec)
    return tuple(names)


def _short(spec: str) -> str:
    """Files without their folders."""
    file, colon, rest = spec.partition(":")
    if file == "cmd":
        return "cmd:" + " ".join(word if word[:1] == "-" else word.rpartition("/")[2] for word in rest.split(" "))
    return file.rpartition("/")[2] + colon + rest


def _as_batch(agent: Any) -> Any:
    from felt.agents.adapters import AsBatch

    return AsBatch(agent)


def _as_plain(agent: Any) -> Any:
    from felt.agents.adapters import AsPlain

    return AsPlain(agent)
