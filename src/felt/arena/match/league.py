"""Everybody against everybody: a match for each pair, and a table of them all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum, sqrt
from typing import Any

from felt._chance import block_seed
from felt.arena.match import CrewMaker, Progress, play
from felt.arena.result import Result
from felt.arena.spec import Match
from felt.arena.work import Log
from felt.errors import FeltError
from felt.stats.rates import Rate

STREAM = 0x6C656167  # "leag"
SEEDS = 2**31


@dataclass(frozen=True, eq=False)
class League:
    """The matches of a league, by the places of the two players."""

    names: tuple[str, ...]
    results: dict[tuple[int, int], Result]
    seed: int

    def rate(self, player: int, other: int) -> Rate:
        """What one player won against another."""
        if player < other:
            return self.results[player, other].rate(0)
        return self.results[other, player].rate(1)

    def overall(self, player: int, *, adjusted: bool = False) -> Rate:
        """The mean of a player's rates against all others. Matches are independent: their variances add up."""
        rates = []
        for pair, result in self.results.items():
            if player in pair:
                seat = pair.index(player)
                rates.append(result.adjusted_rate(seat) if adjusted else result.rate(seat))
        halves = [rate.half for rate in rates if rate.half is not None]
        half = sqrt(fsum(half * half for half in halves)) / len(rates) if len(halves) == len(rates) else None
        mbb = fsum(rate.mbb for rate in rates) / len(rates)
        return Rate(mbb, half, sum(rate.units for rate in rates), sum(rate.hands for rate in rates))

    @property
    def table(self) -> list[int]:
        """The players, the best first."""
        return sorted(range(len(self.names)), key=lambda player: -self.overall(player).mbb)

    @property
    def hands(self) -> int:
        """Hands of all matches."""
        return sum(result.hands for result in self.results.values())

    def as_dict(self) -> dict[str, Any]:
        """The league as plain values, for JSON: players in the order of the table."""
        return {
            "game": next(iter(self.results.values())).match.rules.name,
            "hands": self.hands,
            "seed": self.seed,
            "players": [self._player(player) for player in self.table],
            "matches": [result.as_dict() for result in self.results.values()],
        }

    def _player(self, player: int) -> dict[str, Any]:
        raw, adjusted = self.overall(player), self.overall(player, adjusted=True)
        faults: dict[str, int] = {}
        for pair, result in self.results.items():
            if player in pair:
                for fault, count in result.conduct.counts[pair.index(player)].items():
                    faults[fault] = faults.get(fault, 0) + count
        others = [other for other in range(len(self.names)) if other != player]
        return {
            "name": self.names[player],
            "mbb_per_hand": raw.mbb,
            "ci95": None if raw.ci95 is None else list(raw.ci95),
            "adjusted_mbb_per_hand": adjusted.mbb,
            "adjusted_ci95": None if adjusted.ci95 is None else list(adjusted.ci95),
            **faults,
            "against": {self.names[other]: self.rate(player, other).mbb for other in others},
        }


def play_league(
    everybody: Match,
    hands: int | None = None,
    *,
    until: float | None = None,
    workers: int | None = None,
    watch: bool = False,
    log: Callable[[int, Match], Log] | None = None,
    progress: Callable[[int, int, Match], Progress] | None = None,
    crew: CrewMaker | None = None,
) -> League:
    """Play a match of `hands` between every two of the players of `everybody`.

    Every match has a seed of its own, drawn from that of the league. `log` gives the log of a match by its number, from
    1; `progress` is asked for a callback as each match begins: which it is, of how many, and the match.
    """
    if everybody.players < 2:
        raise FeltError("a league needs at least two players")
    pairs = list(combinations(range(everybody.players), 2))
    results = {}
    for number, pair in enumerate(pairs, 1):
        match = pair_match(everybody, pair, number)
        results[pair] = play(
            match,
            hands,
            until=until,
            workers=workers,
            watch=watch,
            log=log(number, match) if log else None,
            progress=progress(number, len(pairs), match) if progress else None,
            crew=crew,
        )
    return League(everybody.names, results, everybody.seed)


def pair_match(everybody: Match, pair: Sequence[int], number: int) -> Match:
    """The match of two players in a league."""
    seed = int(block_seed(everybody.seed, number, STREAM)) % SEEDS
    return replace(everybody, entrants=tuple(everybody.entrants[place] for place in pair), seed=seed)
