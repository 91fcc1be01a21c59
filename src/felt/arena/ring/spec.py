"""What a ring is: who plays with which bankroll and policy, at which stakes, for how long."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from felt.agents.naming import Entrant, entrant
from felt.arena.conductor.conduct import Penalty
from felt.arena.match.spec import TIMEOUT, check_agents, check_timeout, numbered
from felt.arena.ring.play import History
from felt.arena.ring.policies import called, digest, file_of, is_policy, policy, shown
from felt.arena.ring.policies import place_of as policy_place
from felt.arena.schedule.workplace import Record, RunWorkplace
from felt.arena.tournament.play import Played
from felt.arena.tournament.spec import MOST_ENTRIES, ManyPlayers, fold_or_call, place_of, times_of
from felt.arena.tournament.structure import smallest_forced
from felt.errors import FeltError
from felt.games.catalogue import scaled
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.rules import MAX_CHIPS, GameRules

BUY_IN, BANKROLL = 100, 1000
"""A full buy-in, in big blinds of its level, and what everybody begins with, in big blinds of the smallest."""
LEAST = 0.4
"""The smallest buy-in, as a part of a full one."""
TABLE, ROUNDS = 6, 1000
LEVELS = (1, 2, 5, 10)
POLICY = "buyins"
PROGRAMS = ("cmd:", "tcp:", "acpc:")
"""Agents outside, whose names may have any sign in them."""


@dataclass(frozen=True)
class Ring(ManyPlayers):
    """A ring game; its runs are histories of all players that have nothing to do with each other.

    There is an entrant for each agent with a policy and a bankroll of its own.
    """

    policies: tuple[Any, ...]
    """The policy of each entrant: a name, a file, or a class."""
    bankrolls: tuple[int, ...]
    """The bankroll of each entrant, in chips."""
    levels: tuple[int, ...]
    """Multiples of the game's stakes."""
    buy_in: int
    """A full buy-in, in big blinds."""
    table_size: int
    rounds: int
    """Hands at each table, at most."""

    @classmethod
    def of(
        cls,
        agents: Sequence[Any],
        game: GameRules | Sequence[GameRules],
        *,
        bankroll: float | Sequence[float] = BANKROLL,
        policy: Any = POLICY,
        levels: Sequence[int] = LEVELS,
        buy_in: int = BUY_IN,
        table_size: int | None = None,
        rounds: int = ROUNDS,
        seed: int = 0,
        on_error: str = Penalty.FOLD,
        timeout: float = TIMEOUT,
    ) -> "Ring":
        """A ring, checked. An agent is a name or class, alone or in a pair with a policy; ``"tag@kelly*4"`` is four
        times `tag` with that policy. `bankroll` in big blinds of the smallest level: one for all, or one for each.

        >>> from felt.games import load
        >>> ring = Ring.of(["tag@kelly*2", "call"], load("nlhe"), bankroll=(500, 2000))
        >>> ring.names, ring.policies, ring.lineup, ring.bankrolls
        (('tag@kelly', 'call@buyins'), ('kelly', 'buyins'), (0, 0, 1), (1000, 4000))
        """
        games = (game,) if isinstance(game, GameRules) else tuple(game)
        each = [bankroll] * len(agents) if isinstance(bankroll, int | float) else list(bankroll)
        if len(each) != len(agents):
            raise FeltError(f"{len(each)} bankrolls for {len(agents)} agents: give one for all, or one for each")
        if not levels or min(levels) < 1 or list(levels) != sorted(set(levels)):
            raise FeltError(f"levels {tuple(levels)}: multiples of the stakes are 1 or more, and rise")
        chips = [_chips(bankroll, games[0].big_blind * levels[0]) for bankroll in each]
        entries: list[tuple[Entrant, Any, int]] = []
        lineup: list[int] = []
        for agent, own in zip(agents, chips, strict=True):
            entered, how, times = _entry(agent, policy)
            if (entered, how, own) not in entries:
                entries.append((entered, how, own))
            lineup += [entries.index((entered, how, own))] * times
        most = max(rules.max_players for rules in games)
        entrants, policies, bankrolls = (tuple(column) for column in zip(*entries, strict=True))
        size = min(TABLE, most) if table_size is None else table_size
        fields = (games, entrants, tuple(lineup), policies, bankrolls, tuple(levels), buy_in, size, rounds)
        ring = cls(*fields, seed=seed, penalty=fold_or_call(on_error), timeout=timeout)
        ring._check(most)
        return ring

    @property
    def chips(self) -> int:
        """All chips at the beginning."""
        return sum(self.bankrolls[entry] for entry in self.lineup)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The entrants' names: with their policies where these differ, numbered where two are still alike."""
        alike = len(set(self.policies)) == 1
        pairs = zip(self.entrants, self.policies, strict=True)
        return numbered(entrant.spec if alike else f"{entrant.spec}@{called(how)}" for entrant, how in pairs)

    def big_blind(self, level: int) -> int:
        """The big blind of a level, in chips."""
        return self.games[0].big_blind * self.levels[level]

    def buy_ins(self, level: int) -> tuple[int, int]:
        """The least and the most that one may sit down with at a level, in chips."""
        most = self.buy_in * self.big_blind(level)
        return max(1, round(LEAST * most)), most

    def run(self, number: int, workplace: RunWorkplace) -> Record:
        """Play one history."""
        return History(self, number, workplace.table(number)).play()

    def files(self) -> tuple[tuple[str, str | None], ...]:
        """The policies that are in files, by their places, and the hashes of these: the same wherever it is played."""
        for how in self.policies:
            if not isinstance(how, str):
                raise FeltError(
                    f"policy {shown(how)!r} is known to this program only: give a name or a file, like ./mine.py:Mine"
                )
        return tuple((policy_place(how), digest(how)) for how in dict.fromkeys(self.policies) if file_of(how))

    @property
    def sendable(self) -> bool:
        """Whether other processes find its policies: they do not find classes of this program."""
        return all(isinstance(how, str) for how in self.policies)

    @property
    def trusted(self) -> bool:
        """Whether its policies are ours: others play in processes, which can be ended if one hangs."""
        return not any(map(file_of, self.policies))

    def describe(self) -> dict[str, Any]:
        """All that decides it, in values that JSON has."""
        columns = zip(self.entrants, self.policies, self.bankrolls, self.copies, strict=True)
        return {
            "kind": "ring",
            "game": [write_pgdl(rules) for rules in self.games],
            "agents": [
                {
                    "spec": entrant.spec, "sha256": entrant.digest, "policy": shown(how), "policy_sha256": digest(how),
                    "bankroll": chips, "players": copies,
                }
                for entrant, how, chips, copies in columns
            ],
            **self.describe_fields("lineup", "levels", "buy_in", "table_size", "rounds"),
        }  # fmt: skip

    @cached_property
    def rules(self) -> Played:
        """What so many players play at a level."""
        return played(self.games, self.levels)

    def __getstate__(self) -> dict[str, Any]:
        """Without cached values, and with the whole paths of policies that are in files."""
        return {**super().__getstate__(), "policies": tuple(map(policy_place, self.policies))}

    def _check(self, most: int) -> None:
        self.check_players("ring")
        if not 2 <= self.table_size <= most:
            raise FeltError(f"{self.table_size} players at a table: {self.games[0].name} is for 2 to {most}")
        if self.buy_in < 1 or self.buy_ins(len(self.levels) - 1)[1] > MAX_CHIPS // 100:
            raise FeltError(f"buy-ins of {self.buy_in} big blinds: give 1 or more, and no more than chips can count")
        if min(self.bankrolls) < 1 or self.chips > MAX_CHIPS:
            raise FeltError(f"bankrolls of {self.chips:,} chips together: give 1 chip or more, {MAX_CHIPS:,} at most")
        if self.rounds < 1:
            raise FeltError(f"rounds={self.rounds}: give 1 or more")
        check_timeout(self.timeout)
        for how in set(self.policies):
            policy(how)
        for players in range(2, min(self.table_size, self.players) + 1):
            rules = self.rules(0, players)
            if not smallest_forced(rules):
                raise FeltError(f"{rules.name} has no blinds and no antes: nobody has to play for anything")
            check_agents(self.entrants, rules, players)


def _chips(bankroll: float, big_blind: int) -> int:
    """A bankroll that was given in big blinds."""
    if not 0 <= bankroll <= MAX_CHIPS // big_blind:  # NaN is not either
        most = f"{MAX_CHIPS // big_blind:,}"
        raise FeltError(f"a bankroll of {bankroll:g} big blinds: give a number above 0, and {most} at most")
    return round(bankroll * big_blind)


def _entry(agent: Any, usual: Any) -> tuple[Entrant, Any, int]:
    """An agent as it was asked for, its policy, and how often it plays."""
    if isinstance(agent, tuple):
        return entrant(agent[0]), agent[1], 1
    if not isinstance(agent, str):
        return entrant(agent), usual, 1
    name, times = times_of(agent, MOST_ENTRIES)
    name, how = split(name)
    return entrant(name), usual if how is None else how, times


def split(name: str) -> tuple[str, str | None]:
    """An agent and its policy, or None: the last ``@`` is between them, unless it is a part of a command.

    >>> split("tag@kelly"), split("tag"), split("cmd:./bot a@b"), split("cmd:./bot a@b@never")
    (('tag', 'kelly'), ('tag', None), ('cmd:./bot a@b', None), ('cmd:./bot a@b', 'never'))
    """
    before, at, how = name.rpartition("@")
    if not at or (before.startswith(PROGRAMS) and not is_policy(how)):
        return name, None
    return before, how


def played(games: Sequence[GameRules], levels: Sequence[int]) -> Played:
    """What is played in a ring."""

    @cache
    def of_game(level: int, place: int) -> GameRules:
        return scaled(games[place], levels[level])

    return lambda level, players: of_game(level, place_of(games, players))


def rules_told(description: Mapping[str, Any]) -> Played:
    """The games of the ring that `Ring.describe` describes."""
    return played([read_pgdl(text) for text in description["game"]], description["levels"])
