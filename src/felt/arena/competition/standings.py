"""Who won a competition: by total bankroll, and by instant run-off."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from felt.arena.match.result import rate_to_dict
from felt.arena.match.several import Matches, mean_rate
from felt.stats.rates import Rate, rate


@dataclass(frozen=True)
class Round:
    """One count of a run-off."""

    agents: tuple[int, ...]
    """Those who are still in, the best first."""
    rates: tuple[Rate, ...]
    """The rates of these agents in the matches between them, in the same order."""
    lead: Rate | None
    """The lead of the last but one over the last; None in the final count, in which nobody is dropped."""

    @property
    def dropped(self) -> int | None:
        """Who goes: the last."""
        return None if self.lead is None else self.agents[-1]


@dataclass(frozen=True)
class First:
    """The winner by one of the rules."""

    agents: tuple[int, ...]
    """All who have the most: several where they are equal."""
    second: int
    """The next in the table; one of the first themselves where several are."""
    lead: Rate
    """The lead of the first over the second."""

    def describe(self, names: Sequence[str]) -> str:
        """The winner, the lead, and whether that is settled, in words."""
        if len(self.agents) > 1:
            *others, last = (names[agent] for agent in self.agents)
            return f"{', '.join(others)} and {last} share the first place"
        sure = "" if self.lead.settled else ", which is not settled"
        return f"{names[self.agents[0]]} wins, {str(self.lead).lstrip('+')} ahead of {names[self.second]}{sure}"


class Standings(Matches):
    """The matches of a competition, by the numbers of their players."""

    @property
    def seats(self) -> int:
        """Players at a table."""
        return len(next(iter(self.results)))

    def bankroll(self, agent: int, among: Iterable[int] | None = None) -> int:
        """Chips won or lost in all matches, or in those between some of the agents."""
        return sum(int(result.totals[:, place].sum()) for _, place, result in self.matches_of(agent, among))

    @cached_property
    def table(self) -> list[int]:
        """The agents by total bankroll, the best first."""
        return sorted(range(len(self.names)), key=lambda agent: -self.bankroll(agent))

    @cached_property
    def places(self) -> list[int]:
        """The place of each agent by total bankroll, from 1; agents with equal bankrolls share a place."""
        return _places([self.bankroll(agent) for agent in range(len(self.names))])

    @cached_property
    def first(self) -> First:
        """Who wins by total bankroll."""
        return self._first(self.table, frozenset(self.table))

    @cached_property
    def run_off(self) -> list[Round]:
        """Count by count: the last by total bankroll is dropped, and its matches count no more, until one table is
        left. Of equals at the end the one that was named last is dropped."""
        left, rounds = list(range(len(self.names))), []
        while True:
            among = frozenset(left)
            left.sort(key=lambda agent: (-self.bankroll(agent, among), agent))
            last = len(left) == self.seats
            rates = tuple(self.overall(agent, among) for agent in left)
            rounds.append(Round(tuple(left), rates, None if last else self._lead(left[-2], left[-1], among)))
            if last:
                return rounds
            left.pop()

    @property
    def run_off_table(self) -> list[int]:
        """The agents by instant run-off: those of the last table, then those who were dropped, the last of them
        first."""
        *before, final = self.run_off
        return [*final.agents, *(count.agents[-1] for count in reversed(before))]

    @cached_property
    def run_off_places(self) -> list[int]:
        """The place of each agent by instant run-off, from 1; equal agents of the last count share a place."""
        final = self.run_off[-1].agents
        shared = _places([self.bankroll(agent, final) for agent in final])
        order = self.run_off_table
        places = {**{agent: place for place, agent in enumerate(order, 1)}, **dict(zip(final, shared, strict=True))}
        return [places[agent] for agent in range(len(self.names))]

    @cached_property
    def run_off_first(self) -> First:
        """Who wins by instant run-off."""
        final = self.run_off[-1].agents
        return self._first(final, frozenset(final))

    def as_dict(self) -> dict[str, Any]:
        """The competition as plain values, for JSON: agents in the order of their bankrolls."""
        return {
            "game": self.first_match.rules.name,
            "seats": self.seats,
            "hands": self.hands,
            "seed": self.seed,
            "winners": {
                "total_bankroll": [self.names[agent] for agent in self.first.agents],
                "instant_run_off": [self.names[agent] for agent in self.run_off_first.agents],
            },
            "leads": {
                "total_bankroll": {**rate_to_dict(self.first.lead), "settled": self.first.lead.settled},
                "instant_run_off": {
                    **rate_to_dict(self.run_off_first.lead),
                    "settled": self.run_off_first.lead.settled,
                },
            },
            "players": [self._player(agent) for agent in self.table],
            "run_off": [self._round_to_dict(count) for count in self.run_off],
            "matches": [result.as_dict() for result in self.results.values()],
        }

    def _first(self, order: Sequence[int], among: frozenset[int]) -> First:
        """Who is first among some of the agents, given with the best first."""
        most = self.bankroll(order[0], among)
        equals = tuple(agent for agent in order if self.bankroll(agent, among) == most)
        return First(equals, order[1], self._lead(order[0], order[1], among))

    def _lead(self, agent: int, other: int, among: frozenset[int]) -> Rate:
        """How far an agent is ahead of another. In matches of both only the difference of each set counts."""
        rates = []
        for table, result in self.results.items():
            if among.issuperset(table) and (agent in table or other in table):
                gap = np.zeros(result.sets, dtype=np.int64)
                for who, sign in ((agent, 1), (other, -1)):
                    if who in table:
                        gap += sign * result.totals[:, table.index(who)]
                rates.append(rate(gap, result.match.plan.size, result.match.rules.big_blind))
        each = sum(1 for table in self.results if among.issuperset(table) and agent in table)
        mean = mean_rate(rates)
        share = len(rates) / each  # of the mean over the matches of the first of them
        half = None if mean.half is None else mean.half * share
        return Rate(mean.mbb * share, half, mean.units, mean.hands)

    def _player(self, agent: int) -> dict[str, Any]:
        return {
            "name": self.names[agent],
            "bankroll": self.bankroll(agent),
            "place": self.places[agent],
            "run_off_place": self.run_off_places[agent],
            **self.rates_to_dict(agent),
            **self.faults(agent),
        }

    def _round_to_dict(self, count: Round) -> dict[str, Any]:
        lead = count.lead
        return {
            "players": [
                {"name": self.names[agent], **rate_to_dict(rate)}
                for agent, rate in zip(count.agents, count.rates, strict=True)
            ],
            "dropped": None if count.dropped is None else self.names[count.dropped],
            "behind": None if lead is None else rate_to_dict(lead),
        }


def _places(bankrolls: Sequence[int]) -> list[int]:
    """A place for each, from 1: equals share theirs.

    >>> _places([5, 9, 5, -19])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > own for other in bankrolls) for own in bankrolls]
