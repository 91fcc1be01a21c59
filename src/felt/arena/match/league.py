"""Everybody against everybody: a match for each pair, and a table of them all.

`Matches` and `play_matches` are for several matches between some of the same agents, of whatever kind.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum, sqrt
from typing import Any, TypedDict, Unpack

from felt._chance import block_seed
from felt._moved import renamed_arguments
from felt.arena.conductor.conduct import Fault
from felt.arena.match.hands import Log
from felt.arena.match.result import Result, rates_to_dict
from felt.arena.match.run import Progress, play
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Executor
from felt.errors import FeltError
from felt.stats.rates import Rate

STREAM = 0x6C656167  # "leag"
SEEDS = 2**31

Players = tuple[int, ...]
"""Who plays a match, by their numbers among all."""
LogMaker = Callable[[int, Match], Log]
"""Gives the log of a match by its number, from 1."""
ProgressMaker = Callable[[int, int, Match], Progress]
"""Gives a callback as each match begins: its number, the number of all, and the match."""


class SeveralOptions(TypedDict, total=False):
    """The options of `felt.arena.play`, for several matches."""

    workers: int | None
    log: LogMaker | None
    progress: ProgressMaker | None
    executor: Executor | None


@dataclass(frozen=True, eq=False)
class Matches:
    """The results of several matches, by their players."""

    names: tuple[str, ...]
    results: Mapping[Players, Result]
    seed: int

    @property
    def first_match(self) -> Match:
        """One of them: all have the same rules and stacks."""
        return next(iter(self.results.values())).match

    @property
    def hands(self) -> int:
        """Hands of all matches."""
        return sum(result.hands for result in self.results.values())

    @property
    def speed(self) -> str:
        """How fast, in words."""
        played = sum(result.played for result in self.results.values())
        seconds = sum(result.seconds for result in self.results.values())
        return f"{played / seconds:,.0f} hands a second" if played and seconds > 0 else "all of it was in the logs"

    def matches_of(self, player: int, among: Iterable[int] | None = None) -> list[tuple[Players, int, Result]]:
        """The matches of a player, or those between some: the players, its place among them, and the result."""
        allowed = frozenset(range(len(self.names)) if among is None else among)
        return [
            (players, players.index(player), result)
            for players, result in self.results.items()
            if player in players and allowed.issuperset(players)
        ]

    def bankroll(self, player: int, among: Iterable[int] | None = None) -> int:
        """Chips won or lost in all matches of a player, or in those between some of the players."""
        return sum(int(result.totals[:, place].sum()) for _, place, result in self.matches_of(player, among))

    def overall(self, player: int, among: Iterable[int] | None = None, *, adjusted: bool = False) -> Rate:
        """The mean of a player's rates in its matches, or in those between some of the players."""
        matches = self.matches_of(player, among)
        return mean_rate(
            [result.adjusted_rate(place) if adjusted else result.rate(place) for _, place, result in matches]
        )

    def faults(self, player: int) -> dict[str, int]:
        """What a player did wrong in all its matches."""
        counts = {fault.value: 0 for fault in Fault}
        for _, place, result in self.matches_of(player):
            for fault, times in result.conduct.counts[place].items():
                counts[fault] += times
        return counts

    def rates_to_dict(self, player: int) -> dict[str, Any]:
        """A player's rates as plain values, for JSON."""
        return rates_to_dict(self.overall(player), self.overall(player, adjusted=True))


def mean_rate(rates: Sequence[Rate]) -> Rate:
    """The mean of the rates of matches. These are independent: their variances add up."""
    halves = [rate.half for rate in rates if rate.half is not None]
    half = sqrt(fsum(half * half for half in halves)) / len(rates) if len(halves) == len(rates) else None
    mbb = fsum(rate.mbb for rate in rates) / len(rates)
    return Rate(mbb, half, sum(rate.units for rate in rates), sum(rate.hands for rate in rates))


def choose_players(everybody: Match, players: Players, number: int, stream: int, **rules: Any) -> Match:
    """The match `number` between some of the players, with a seed of its own and other `rules`."""
    seed = int(block_seed(everybody.seed, number, stream)) % SEEDS
    return replace(everybody, entrants=tuple(everybody.entrants[place] for place in players), seed=seed, **rules)


def play_matches(
    matches: Mapping[Players, Match],
    hands: int | None,
    *,
    log: LogMaker | None = None,
    progress: ProgressMaker | None = None,
    **options: Any,
) -> dict[Players, Result]:
    """Play matches one after the other, with the `options` of `felt.arena.play`."""
    return {
        players: play(
            match,
            hands,
            log=log(number, match) if log else None,
            progress=progress(number, len(matches), match) if progress else None,
            **options,
        )
        for number, (players, match) in enumerate(matches.items(), 1)
    }


class League(Matches):
    """The matches of a league, by the numbers of the two players."""

    def rate(self, player: int, other: int) -> Rate:
        """What one player won against another."""
        if player < other:
            return self.results[player, other].rate(0)
        return self.results[other, player].rate(1)

    @property
    def table(self) -> list[int]:
        """The players, the best first."""
        return sorted(range(len(self.names)), key=lambda player: -self.overall(player).mbb)

    def as_dict(self) -> dict[str, Any]:
        """The league as plain values, for JSON: players in the order of the table."""
        return {
            "game": self.first_match.rules.name,
            "hands": self.hands,
            "seed": self.seed,
            "players": [self._player(player) for player in self.table],
            "matches": [result.as_dict() for result in self.results.values()],
        }

    def _player(self, player: int) -> dict[str, Any]:
        others = [other for other in range(len(self.names)) if other != player]
        return {
            "name": self.names[player],
            **self.rates_to_dict(player),
            **self.faults(player),
            "against": {self.names[other]: self.rate(player, other).mbb for other in others},
        }


@renamed_arguments(crew="executor")
def play_league(
    everybody: Match,
    hands: int | None = None,
    *,
    until: float | None = None,
    watch: bool = False,
    **options: Unpack[SeveralOptions],
) -> League:
    """Play a match of `hands` between every two of the players of `everybody`.

    Every match has a seed of its own, drawn from that of the league. `log` gives the log of a match by its number, from
    1; `progress` is asked for a callback as each match begins: its number, the number of all, and the match.
    """
    if everybody.players < 2:
        raise FeltError("a league needs at least two players")
    pairs = combinations(range(everybody.players), 2)
    matches: dict[Players, Match] = {pair: pair_match(everybody, pair, number) for number, pair in enumerate(pairs, 1)}
    results = play_matches(matches, hands, until=until, watch=watch, **options)
    return League(everybody.names, results, everybody.seed)


def pair_match(everybody: Match, pair: Sequence[int], number: int) -> Match:
    """The match of two players, which is `number` of the league."""
    return choose_players(everybody, tuple(pair), number, STREAM)
