"""What a tournament is: all that decides how it goes, but for the number of its repetition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from felt.agents.naming import Entrant, entrant
from felt.arena.conductor.conduct import Penalty
from felt.arena.match.spec import TIMEOUT, RunSpec, check_agents, check_timeout, numbered, seen_names
from felt.arena.schedule.workplace import Record, RunWorkplace
from felt.arena.tournament.play import Played, play_once, play_together
from felt.arena.tournament.structure import Payouts, Schedule, longest
from felt.errors import FeltError
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.rules import MAX_CHIPS, GameRules
from felt.solvers.pushfold.icm import MOST_PLAYERS as MOST_ICM

STACK = 100
"""Big blinds of the first level that everybody begins with, by default."""
TABLE = 9
"""Players at a full table by default."""
MOST_ENTRIES = 10_000
HANDED_OUT = 4000
"""Players of the tournaments that are played in step, at least: with fewer it would not pay."""


@dataclass(frozen=True)
class ManyPlayers(RunSpec):
    """What tournaments and rings have in common: players at several tables, each with a copy of one of the agents."""

    games: tuple[GameRules, ...]
    """The game; or several, each for other numbers of players."""
    entrants: tuple[Entrant, ...]
    lineup: tuple[int, ...]
    """For each player, the place of its agent among the entrants."""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.lineup)

    @property
    def copies(self) -> tuple[int, ...]:
        """How many players each agent is."""
        counts = Counter(self.lineup)
        return tuple(counts[place] for place in range(len(self.entrants)))

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names."""
        return numbered(entrant.spec for entrant in self.entrants)

    @cached_property
    def player_names(self) -> tuple[str, ...]:
        """The players' names for each other: the agents', numbered where an agent is several players."""
        agents = seen_names(self.entrants)
        return numbered(agents[entry] for entry in self.lineup)

    @property
    def who(self) -> str:
        """The agents, and how many players each is: ``tag, 8 × call``."""
        pairs = zip(self.names, self.copies, strict=True)
        return ", ".join(name if copies == 1 else f"{copies} × {name}" for name, copies in pairs)

    def check_players(self, kind: str) -> None:
        """Raise a `FeltError` unless so many can play; `kind` is what they play."""
        if not 2 <= self.players <= MOST_ENTRIES:
            raise FeltError(
                f"a {kind} is for 2 to {MOST_ENTRIES:,} players, here {'is' if self.players == 1 else 'are'} "
                f"{self.players}: name several agents, or one several times, like call*9"
            )


@dataclass(frozen=True)
class Tournament(ManyPlayers):
    """A freeze-out: everybody begins with the same stack, and plays until one player has all chips.

    Its runs are independent of each other; agents remember nothing of those before.
    """

    stack: int
    table_size: int
    payouts: Payouts
    schedule: Schedule = field(default_factory=Schedule)
    icm_at: int = 0
    """Stacks are valued as soon as no more players than this are left; 0 for never."""

    @classmethod
    def of(
        cls,
        agents: Sequence[Any],
        game: GameRules | Sequence[GameRules],
        *,
        stack: int | None = None,
        table_size: int | None = None,
        schedule: Schedule | None = None,
        payouts: Sequence[float] | None = None,
        icm_at: int | None = None,
        seed: int = 0,
        on_error: str = Penalty.FOLD,
        timeout: float = TIMEOUT,
    ) -> "Tournament":
        """A tournament, checked. Agents are names, classes, or both with how often they enter, like ``"call*20"``.

        `stack` in chips; `payouts` as shares of all buy-ins.

        >>> from felt.games import load
        >>> tournament = Tournament.of(["tag", "call*8"], load("nlhe"))
        >>> tournament.players, tournament.names, tournament.stack, tournament.payouts.prizes
        (9, ('tag', 'call'), 200, (4.5, 2.7, 1.8))
        """
        games = (game,) if isinstance(game, GameRules) else tuple(game)
        entrants, lineup = entries(agents)
        most = max(rules.max_players for rules in games)
        size = min(TABLE, most) if table_size is None else table_size
        if not 2 <= size <= most:
            raise FeltError(f"{size} players at a table: {games[0].name} is for 2 to {most}")
        levels, players = schedule or Schedule(), max(2, len(lineup))
        if stack is None:
            stack = STACK * levels.rules(games[0], 0, MAX_CHIPS).big_blind
        prizes = Payouts.of(players, payouts)
        tournament = cls(games, entrants, lineup, stack, min(size, players), prizes, levels, seed=seed, timeout=timeout)
        tournament = replace(tournament, icm_at=tournament._moment(icm_at), penalty=fold_or_call(on_error))
        tournament._check()
        return tournament

    @cached_property
    def rules(self) -> Played:
        """What so many players play at a level."""
        return played(self.games, self.schedule, self.chips)

    @property
    def big_blind(self) -> int:
        """The big blind of the first level."""
        return self.rules(0, 2).big_blind

    @property
    def chips(self) -> int:
        """All chips in play, from the first hand to the last."""
        return self.players * self.stack

    def run(self, number: int, workplace: RunWorkplace) -> Record:
        """Play it once."""
        return play_once(self, number, workplace.table(number))

    @property
    def together(self) -> bool:
        """Whether all agents are ours and decide at many tables at once, so that many tournaments go in step."""
        return all(entrant.trusted and entrant.batch and not entrant.remembers for entrant in self.entrants)

    @property
    def task_size(self) -> tuple[int, float]:
        """How many tournaments to hand out at first, and for how many seconds at a time."""
        return (max(1, HANDED_OUT // self.players), 10.0) if self.together else (1, 1.0)

    def run_together(self, numbers: Sequence[int], *, with_hands: bool = False) -> list[Record] | None:
        """Play it several times at once, where the agents are of a kind for that."""
        return play_together(self, numbers, with_hands=with_hands) if self.together else None

    def describe(self) -> dict[str, Any]:
        """All that decides it, in values that JSON has."""
        return {
            "kind": "tournament",
            "game": [write_pgdl(rules) for rules in self.games],
            "agents": [
                {"spec": entrant.spec, "sha256": entrant.digest, "entries": copies}
                for entrant, copies in zip(self.entrants, self.copies, strict=True)
            ],
            "lineup": list(self.lineup),
            "stack": self.stack,
            "table_size": self.table_size,
            "payouts": list(self.payouts.prizes),
            "levels": [level if isinstance(level, int) else list(level) for level in self.schedule.levels],
            "hands_per_level": self.schedule.hands,
            "ante": self.schedule.ante,
            **self.describe_fields("icm_at"),
        }

    def _moment(self, players: int | None) -> int:
        """When stacks are valued: on the bubble by default."""
        most = min(MOST_ICM, self.players)
        if players is None:
            bubble = self.payouts.paid + 1
            return bubble if bubble <= most else 0
        if players and not 2 <= players <= most:
            raise FeltError(f"icm_at={players}: stacks of 2 to {most} players can be valued here")
        return players

    def _check(self) -> None:
        self.check_players("tournament")
        if self.stack < 1 or self.chips > MAX_CHIPS:
            raise FeltError(f"stacks of {self.stack:,}: give 1 chip or more, all together {MAX_CHIPS:,} at most")
        check_timeout(self.timeout)
        for players in range(2, self.table_size + 1):
            rules = self.rules(0, players)
            if not rules.ante and sum(blind > 0 for blind in rules.blinds) < 2:
                raise FeltError(
                    f"{rules.name} makes fewer than two players bet in a hand: give --ante, or two blinds, or the "
                    "tournament has no end"
                )
            check_agents(self.entrants, rules, players)


def entries(agents: Sequence[Any]) -> tuple[tuple[Entrant, ...], tuple[int, ...]]:
    """Agents, and for each player which of them it is. ``"call*20"`` enters twenty times.

    >>> entries(["call*2", "tag", "call"])[1]
    (0, 0, 1, 0)
    """
    entrants: list[Entrant] = []
    lineup: list[int] = []
    for agent in agents:
        agent, times = times_of(agent, MOST_ENTRIES) if isinstance(agent, str) else (agent, 1)
        entered = entrant(agent)
        if entered not in entrants:
            entrants.append(entered)
        lineup += [entrants.index(entered)] * times
    return tuple(entrants), tuple(lineup)


def times_of(agent: str, most: int) -> tuple[str, int]:
    """A name, and how often it enters: ``call*20`` is twenty times ``call``."""
    name, star, number = agent.rpartition("*")
    if not star or not number.isdecimal():
        return agent, 1
    if len(number) > 9 or not 1 <= int(number) <= most:  # Python refuses to read thousands of digits
        raise FeltError(f"{name}*{number}: an agent may enter 1 to {most:,} times")
    return name, int(number)


def played(games: Sequence[GameRules], schedule: Schedule, chips: int) -> Played:
    """What is played in a tournament with so many chips in all."""
    last = longest(schedule, games[0], chips)

    @cache
    def of_game(level: int, place: int) -> GameRules:
        return schedule.rules(games[place], level, chips)

    @cache
    def rules(level: int, players: int) -> GameRules:
        return of_game(min(level, last), place_of(games, players))

    return rules


def rules_told(description: Mapping[str, Any]) -> Played:
    """The games of the tournament that `Tournament.describe` describes."""
    levels = tuple(level if isinstance(level, int) else tuple(level) for level in description["levels"])
    schedule = Schedule(levels, description["hands_per_level"], description["ante"])
    chips = description["stack"] * len(description["lineup"])
    return played([read_pgdl(text) for text in description["game"]], schedule, chips)


def place_of(games: Sequence[GameRules], players: int) -> int:
    for place, game in enumerate(games):
        if game.min_players <= players <= game.max_players:
            return place
    raise FeltError(f"{games[0].name} is not for {players} players: a tournament needs all numbers down to two")


def fold_or_call(text: str) -> Penalty:
    choices = (Penalty.FOLD, Penalty.CALL)
    if text not in choices:
        raise FeltError(f"on_error={text!r}: choose {' or '.join(choices)}")
    return Penalty(text)
