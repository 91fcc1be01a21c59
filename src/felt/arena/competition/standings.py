"""Who won a competition: by total bankroll, and by instant run-off."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, sqrt
from typing import Any

import numpy as np

from felt.arena.conduct import Fault
from felt.arena.result import Result
from felt.stats.rates import Rate, rate

Table = tuple[int, ...]


@dataclass(frozen=True)
class Round:
    """One count of a run-off."""

    agents: tuple[int, ...]
    """Those who are still in, the best first."""
    rates: tuple[Rate, ...]
    """Theirs in the matches between them, in the same order."""
    lead: Rate | None
    """By how much the last but one is ahead of the last; None in the final count, in which nobody is dropped."""

    @property
    def dropped(self) -> int | None:
        """Who goes: the last."""
        return None if self.lead is None else self.agents[-1]


@dataclass(frozen=True)
class First:
    """Who is first by one of the rules."""

    agents: tuple[int, ...]
    """All who have the most: several where they are equal."""
    second: int
    """The next in the table; one of the first themselves where several are."""
    lead: Rate
    """By how much the first is ahead of it."""

    def told(self, names: Sequence[str]) -> str:
        """Who wins, by how much, and whether that is settled."""
        if len(self.agents) > 1:
            *others, last = (names[agent] for agent in self.agents)
            return f"{', '.join(others)} and {last} share the first place"
        sure = "" if self.lead.settled else ", which is not settled"
        return f"{names[self.agents[0]]} wins, {str(self.lead).lstrip('+')} ahead of {names[self.second]}{sure}"


@dataclass(frozen=True, eq=False)
class Standings:
    """The matches of a competition, by the places of their players."""

    names: tuple[str, ...]
    results: Mapping[Table, Result]
    seed: int

    @property
    def seats(self) -> int:
        """Players at a table."""
        return len(next(iter(self.results)))

    @property
    def hands(self) -> int:
        """Of all matches."""
        return sum(result.hands for result in self.results.values())

    @property
    def speed(self) -> str:
        """How fast, in words."""
        played = sum(result.played for result in self.results.values())
        seconds = sum(result.seconds for result in self.results.values())
        return f"{played / seconds:,.0f} hands a second" if played and seconds > 0 else "all of it was in the logs"

    def tables(self, agent: int) -> list[tuple[Table, int, Result]]:
        """The matches of an agent: who plays, its place among them, and what came of it."""
        return [(table, table.index(agent), result) for table, result in self.results.items() if agent in table]

    def bankroll(self, agent: int, among: Iterable[int] | None = None) -> int:
        """Chips won or lost in all matches, or in those between some of the agents."""
        return sum(int(result.totals[:, place].sum()) for place, result in self._matches(agent, among))

    def overall(self, agent: int, among: Iterable[int] | None = None, *, adjusted: bool = False) -> Rate:
        """The same as a rate. Matches are independent of each other: their variances add up."""
        matches = self._matches(agent, among)
        return _together([(one.adjusted_rate if adjusted else one.rate)(place) for place, one in matches])

    @cached_property
    def table(self) -> list[int]:
        """The agents by total bankroll, the best first."""
        return sorted(range(len(self.names)), key=lambda agent: -self.bankroll(agent))

    @cached_property
    def places(self) -> list[int]:
        """By agent: the place by total bankroll, from 1; equals share theirs."""
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
        return [*final.agents, *(one.agents[-1] for one in reversed(before))]

    @cached_property
    def run_off_places(self) -> list[int]:
        """By agent: the place by instant run-off, from 1; equals of the last count share theirs."""
        final = self.run_off[-1].agents
        shared = _places([self.bankroll(agent, final) for agent in final])
        order = self.run_off_table
        found = {**{agent: place for place, agent in enumerate(order, 1)}, **dict(zip(final, shared, strict=True))}
        return [found[agent] for agent in range(len(self.names))]

    @cached_property
    def run_off_first(self) -> First:
        """Who wins by instant run-off."""
        final = self.run_off[-1].agents
        return self._first(final, frozenset(final))

    def as_dict(self) -> dict[str, Any]:
        """The competition as plain values, for JSON: agents in the order of their bankrolls."""
        first = next(iter(self.results.values()))
        return {
            "game": first.match.rules.name,
            "seats": self.seats,
            "hands": self.hands,
            "seed": self.seed,
            "winners": {
                "total_bankroll": [self.names[agent] for agent in self.first.agents],
                "instant_run_off": [self.names[agent] for agent in self.run_off_first.agents],
            },
            "leads": {
                "total_bankroll": {**_figures(self.first.lead), "settled": self.first.lead.settled},
                "instant_run_off": {**_figures(self.run_off_first.lead), "settled": self.run_off_first.lead.settled},
            },
            "players": [self._player(agent) for agent in self.table],
            "run_off": [self._round(one) for one in self.run_off],
            "matches": [result.as_dict() for result in self.results.values()],
        }

    def faults(self, agent: int) -> dict[str, int]:
        """What an agent did wrong in all its matches."""
        found = {fault.value: 0 for fault in Fault}
        for _, place, result in self.tables(agent):
            for fault, count in result.conduct.counts[place].items():
                found[fault] += count
        return found

    def _matches(self, agent: int, among: Iterable[int] | None) -> list[tuple[int, Result]]:
        allowed = frozenset(range(len(self.names)) if among is None else among)
        return [(place, result) for table, place, result in self.tables(agent) if allowed.issuperset(table)]

    def _first(self, order: Sequence[int], among: frozenset[int]) -> First:
        """Who is first among some of the agents, given with the best first."""
        most = self.bankroll(order[0], among)
        equals = tuple(agent for agent in order if self.bankroll(agent, among) == most)
        return First(equals, order[1], self._lead(order[0], order[1], among))

    def _lead(self, one: int, other: int, among: frozenset[int]) -> Rate:
        """How far one agent is ahead of another. In matches of both only the difference of each set counts."""
        rates = []
        for table, result in self.results.items():
            if among.issuperset(table) and (one in table or other in table):
                gap = np.zeros(result.sets, dtype=np.int64)
                for who, sign in ((one, 1), (other, -1)):
                    if who in table:
                        gap += sign * result.totals[:, table.index(who)]
                rates.append(rate(gap, result.match.plan.size, result.match.rules.big_blind))
        each = sum(1 for table in self.results if among.issuperset(table) and one in table)
        whole = _together(rates)
        share = len(rates) / each  # of the mean over the matches of one of them
        half = None if whole.half is None else whole.half * share
        return Rate(whole.mbb * share, half, whole.units, whole.hands)

    def _player(self, agent: int) -> dict[str, Any]:
        raw, adjusted = self.overall(agent), self.overall(agent, adjusted=True)
        return {
            "name": self.names[agent],
            "bankroll": self.bankroll(agent),
            "place": self.places[agent],
            "run_off_place": self.run_off_places[agent],
            "mbb_per_hand": raw.mbb,
            "ci95": None if raw.ci95 is None else list(raw.ci95),
            "adjusted_mbb_per_hand": adjusted.mbb,
            "adjusted_ci95": None if adjusted.ci95 is None else list(adjusted.ci95),
            **self.faults(agent),
        }

    def _round(self, one: Round) -> dict[str, Any]:
        lead = one.lead
        return {
            "players": [
                {"name": self.names[agent], **_figures(rate)} for agent, rate in zip(one.agents, one.rates, strict=True)
            ],
            "dropped": None if one.dropped is None else self.names[one.dropped],
            "behind": None if lead is None else _figures(lead),
        }


def _places(bankrolls: Sequence[int]) -> list[int]:
    """A place for each, from 1: equals share theirs.

    >>> _places([5, 9, 5, -19])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > own for other in bankrolls) for own in bankrolls]


def _figures(rate: Rate) -> dict[str, Any]:
    return {"mbb_per_hand": rate.mbb, "ci95": None if rate.ci95 is None else list(rate.ci95)}


def _together(rates: list[Rate]) -> Rate:
    """The mean of the rates of independent matches."""
    halves = [one.half for one in rates if one.half is not None]
    half = sqrt(fsum(half * half for half in halves)) / len(rates) if len(halves) == len(rates) else None
    mbb = fsum(one.mbb for one in rates) / len(rates)
    return Rate(mbb, half, sum(one.units for one in rates), sum(one.hands for one in rates))
