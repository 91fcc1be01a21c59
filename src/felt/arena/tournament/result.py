"""The results of many tournaments: how often each agent finishes where, and what that pays."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from felt._moved import renamed_arguments
from felt.arena.schedule.runs import RunOptions, time_runs
from felt.arena.schedule.workplace import Record, RunResult
from felt.arena.tournament.spec import Tournament
from felt.errors import counted
from felt.stats.means import Mean, chi_square_above, mean, wilson

SURE = 0.05
"""What is less likely than this by chance is called a difference."""
EXPECTED = 5
"""How often everybody has to expect each place for the test to hold: the usual rule (Cochran 1954)."""


@dataclass(frozen=True)
class Places:
    """How likely each place is, for an agent or a player."""

    shares: tuple[float, ...]
    """The chance of one entry to finish in each place."""
    ci95: tuple[tuple[float, float], ...]
    """95 % intervals: tournaments are independent, the entries of one are not."""


@dataclass(frozen=True)
class Uniformity:
    """A test whether all are equal: then every place goes to everybody equally often."""

    chi_square: float
    df: int
    p: float | None
    """The chance of so uneven a result between equals; None where tournaments are too few to tell."""
    needed: int
    """How many tournaments are enough."""

    @property
    def differ(self) -> bool:
        """Whether they are no equals."""
        return self.p is not None and self.p < SURE

    def __str__(self) -> str:
        if self.p is None:
            return f"there are too few tournaments to compare places: it takes {self.needed:,}"
        verdict = "more than chance explains" if self.differ else "no more than chance explains"
        freedom = f"{counted(self.df, 'degree')} of freedom"
        return f"places differ {verdict} (χ² = {self.chi_square:.1f}, {freedom}, p = {self.p:.3g})"


def finish(record: Record) -> Iterable[tuple[int, list[int]]]:
    """The places of a record: the first place of each group, from 1, and the players who share it.

    >>> list(finish({"finish": [3, [0, 2], 1]}))
    [(1, [3]), (2, [0, 2]), (4, [1])]
    """
    place = 1
    for finished in record["finish"]:
        group = [finished] if isinstance(finished, int) else list(finished)
        yield place, group
        place += len(group)


def place_groups(players: int, most: int) -> list[tuple[int, int]]:
    """Places in at most so many groups, of a size that doubles: what is first counts most.

    >>> place_groups(4, 10), place_groups(20, 6)
    ([(1, 1), (2, 2), (3, 3), (4, 4)], [(1, 1), (2, 3), (4, 7), (8, 15), (16, 20)])
    """
    if players <= most:
        return [(place, place) for place in range(1, players + 1)]
    groups, first = [], 1
    while first <= players:
        groups.append((first, min(players, 2 * first - 1)))
        first *= 2
    return groups


def uniformity(counts: NDArray[np.float64], copies: NDArray[np.int64], runs: int) -> Uniformity:
    """Whether the rows of ``[who, place]`` are as they are between equals, each with so many copies in every run."""
    n = counts.shape[1]
    surprise = counts - runs * copies[:, None] / n
    chi_square = float((surprise**2 / copies[:, None]).sum() * (n - 1) / runs)
    df = (len(counts) - 1) * (n - 1)
    needed = -(-EXPECTED * n // int(copies.min()))
    return Uniformity(chi_square, df, chi_square_above(chi_square, df) if runs >= needed else None, needed)


@renamed_arguments(crew="executor", kept="log")
def play_tournaments(tournament: Tournament, repeat: int = 1, **options: Unpack[RunOptions]) -> "TournamentResult":
    """Play a tournament so many times; see `felt.arena.schedule.runs.play_runs` for `workers`, `log` and `executor`.

    >>> from felt.games import load
    >>> result = play_tournaments(Tournament.of(["call", "fold*3"], load("nlhe")), 20, workers=1)
    >>> print(result.payout(0))
    4.000 ± 0.000
    """
    return TournamentResult(tournament, *time_runs(tournament, repeat, **options))


class TournamentResult(RunResult[Tournament]):
    """The records of a tournament that was repeated."""

    run_name = "tournament"

    @property
    def tournament(self) -> Tournament:
        """The tournament itself."""
        return self.competition

    @property
    def played(self) -> int:
        """Tournaments that were played, and not in the log before."""
        return self.repeats - self.known

    @property
    def speed(self) -> str:
        """How fast, in words."""
        if not self.played:
            return "all of it was in the log"
        rate = self.played / self.seconds
        return f"{rate:,.{1 if rate < 10 else 0}f} tournaments a second"

    @cached_property
    def player_places(self) -> NDArray[np.float64]:
        """``[player, place]``: how often; those who share places have a part of each."""
        n = self.tournament.players
        places = np.zeros((n, n))
        for record in self.records:
            for first, group in finish(record):
                places[group, first - 1 : first - 1 + len(group)] += 1 / len(group)
        return places

    @cached_property
    def agent_places(self) -> NDArray[np.float64]:
        """``[agent, place]``: how often a place went to an agent."""
        places = np.zeros((len(self.tournament.entrants), self.tournament.players))
        np.add.at(places, np.array(self.tournament.lineup), self.player_places)
        return places

    def places(self, agent: int) -> Places:
        """How likely each place is for an entry of an agent."""
        places = [self.places_between(agent, place, place) for place in range(1, self.tournament.players + 1)]
        return Places(tuple(share for share, _ in places), tuple(ends for _, ends in places))

    def places_between(self, agent: int, first: int, last: int) -> tuple[float, tuple[float, float]]:
        """How likely an entry of an agent is to finish from `first` to `last` place, with the interval.

        By Wilson where one entry at most can do so; else by the normal distribution over tournaments.
        """
        tournament, runs = self.tournament, self.repeats
        copies, taken = tournament.copies[agent], float(self.agent_places[agent, first - 1 : last].sum())
        share = taken / runs / copies
        if copies == tournament.players:  # every place is its own: nothing is left to chance
            return share, (share, share)
        if first == last or copies == 1:
            low, high = wilson(min(taken, runs), runs)
            return share, (low / copies, high / copies)
        each = [
            sum(
                own[agent] * max(0, min(last, place + size - 1) - max(first, place) + 1) / size
                for place, size, own in groups
            )
            / copies
            for groups in self._groups
        ]
        half = mean(each).half or 0.0
        return share, (max(0.0, share - half), min(1.0, share + half))

    @cached_property
    def _groups(self) -> list[list[tuple[int, int, Counter[int]]]]:
        """For each run, those who share places: the first place, how many they are, and how many are each agent's."""
        lineup = self.tournament.lineup
        return [
            [(first, len(group), Counter(lineup[player] for player in group)) for first, group in finish(record)]
            for record in self.records
        ]

    @cached_property
    def _paid(self) -> list[list[float]]:
        """The mean payout of the entries of each agent in each run."""
        tournament, paid = self.tournament, []
        for record in self.records:
            row = [0.0] * len(tournament.entrants)
            for first, group in finish(record):
                prize = tournament.payouts.shared(first, len(group))
                for player in group:
                    row[tournament.lineup[player]] += prize / tournament.copies[tournament.lineup[player]]
            paid.append(row)
        return [[row[agent] for row in paid] for agent in range(len(tournament.entrants))]

    def payout(self, agent: int) -> Mean:
        """What an entry is paid, in buy-ins. One buy-in less is the return on investment."""
        return mean(self._paid[agent])

    def roi(self, agent: int) -> Mean:
        """The return on investment: what an entry wins or loses, as a part of its buy-in."""
        return mean([paid - 1 for paid in self._paid[agent]])

    def place(self, agent: int) -> Mean:
        """The mean place of an agent's entries."""
        totals = [sum(own[agent] * (first + (size - 1) / 2) for first, size, own in groups) for groups in self._groups]
        return mean([total / self.tournament.copies[agent] for total in totals])

    def icm(self, agent: int) -> Mean | None:
        """What an entry was worth when stacks were valued, in buy-ins, prizes that it had won included. Where so many
        went out at once that it was over, what it was paid. None if stacks are not valued."""
        tournament, values = self.tournament, []
        if not tournament.icm_at:
            return None
        for record, groups, paid in zip(self.records, self._groups, self._paid[agent], strict=True):
            if "icm" not in record:
                values.append(paid)
                continue
            total = sum(value for player, _, value in record["icm"] if tournament.lineup[player] == agent)
            for first, size, own in groups:
                if first > len(record["icm"]):
                    total += own[agent] * tournament.payouts.shared(first, size)
            values.append(total / tournament.copies[agent])
        return mean(values)

    def uniformity(self) -> Uniformity:
        """Whether the agents differ; with one agent alone, whether its entries do.

        Every tournament is a permutation, so that the counts of a place and those of a player have fixed sums
        (Anderson 1959 for ranks; with k entries of an agent in a field of n, their sum has n - k to lose against).
        """
        several = len(self.tournament.entrants) > 1
        counts = self.agent_places if several else self.player_places
        copies = np.array(self.tournament.copies if several else [1] * self.tournament.players)
        return uniformity(counts, copies, self.repeats)

    @property
    def table(self) -> list[int]:
        """The agents, those that are paid most first."""
        return sorted(range(len(self.tournament.entrants)), key=lambda agent: -self.payout(agent).value)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        tournament, test = self.tournament, self.uniformity()
        hands = mean([record["hands"] for record in self.records])
        return {
            "game": tournament.games[0].name,
            "repeats": self.repeats,
            "players": tournament.players,
            "table_size": tournament.table_size,
            "stack": tournament.stack,
            "seed": tournament.seed,
            "payouts": list(tournament.payouts.prizes),
            "agents": [self._agent(agent) for agent in self.table],
            "hands": self.hands,
            "hands_per_tournament": hands.as_dict(),
            "uniform": {"chi_square": test.chi_square, "df": test.df, "p": test.p, "needed": test.needed},
            "icm_at": tournament.icm_at,
            "tournaments_per_second": round(self.played / self.seconds, 1) if self.played else None,
        }

    def _agent(self, agent: int) -> dict[str, Any]:
        places, valued = self.places(agent), self.icm(agent)
        return {
            "name": self.tournament.names[agent],
            "entries": self.tournament.copies[agent],
            "payout": self.payout(agent).as_dict(),
            "roi": self.roi(agent).as_dict(),
            "mean_place": self.place(agent).as_dict(),
            "icm": None if valued is None else valued.as_dict(),
            "places": [
                {"place": place, "share": share, "ci95": list(ends)}
                for place, (share, ends) in enumerate(zip(places.shares, places.ci95, strict=True), 1)
            ],
            **self.faults_to_dict(agent),
        }
