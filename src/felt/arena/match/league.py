"""Everybody against everybody: a match for each pair, and a table of them all."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from felt._moved import renamed_arguments
from felt.arena.match.several import LogMaker, Matches, Players, ProgressMaker, choose_players, play_matches
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Executor
from felt.errors import FeltError
from felt.stats.rates import Rate

STREAM = 0x6C656167  # "leag"


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
    workers: int | None = None,
    watch: bool = False,
    log: LogMaker | None = None,
    progress: ProgressMaker | None = None,
    executor: Executor | None = None,
) -> League:
    """Play a match of `hands` between every two of the players of `everybody`.

    Every match has a seed of its own, drawn from that of the league. `log` gives the log of a match by its number, from
    1; `progress` is asked for a callback as each match begins: its number, the number of all, and the match.
    """
    if everybody.players < 2:
        raise FeltError("a league needs at least two players")
    pairs = combinations(range(everybody.players), 2)
    matches: dict[Players, Match] = {pair: pair_match(everybody, pair, number) for number, pair in enumerate(pairs, 1)}
    results = play_matches(
        matches, hands, until=until, workers=workers, watch=watch, log=log, progress=progress, executor=executor
    )  # fmt: skip
    return League(everybody.names, results, everybody.seed)


def pair_match(everybody: Match, pair: Sequence[int], number: int) -> Match:
    """The match of two players, which is `number` of the league."""
    return choose_players(everybody, tuple(pair), number, STREAM)
