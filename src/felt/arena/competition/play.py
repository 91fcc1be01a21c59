"""Playing a duplicate competition by the rules of the computer poker competitions (Teófilo 2016, section 7.2.1).

Every combination of agents that fills a table plays a match. Its deals are played in every seating, the button goes
round from deal to deal, and for each seating agents begin without a memory. With two to four seats these are all
orders of the players; with more, where there would be 120 and more, as many as there are seats, such that everybody
holds every hand once, in an order around the table that is drawn anew for each deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, Unpack

import numpy as np

from felt._moved import renamed_arguments
from felt.arena.match.league import Matches, SeveralOptions, choose_players, mean_rate, play_matches
from felt.arena.match.result import rate_to_dict
from felt.arena.match.spec import Match
from felt.errors import FeltError
from felt.stats.rates import Rate, rate

STREAM = 0x636F6D70  # "comp"
HANDS = 3000
"""Hands of a match by default, all seatings included: as in the competition of 2014."""
MOST_MATCHES = 100_000


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
        return self._first(self.table)

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
        places = {agent: place for place, agent in enumerate(self.run_off_table, 1)}
        places.update(zip(final, shared, strict=True))
        return [places[agent] for agent in range(len(self.names))]

    @cached_property
    def run_off_first(self) -> First:
        """Who wins by instant run-off."""
        return self._first(self.run_off[-1].agents)

    def as_dict(self) -> dict[str, Any]:
        """The competition as plain values, for JSON: agents in the order of their bankrolls."""
        winners = (("total_bankroll", self.first), ("instant_run_off", self.run_off_first))
        return {
            "game": self.first_match.rules.name,
            "seats": self.seats,
            "hands": self.hands,
            "seed": self.seed,
            "winners": {rule: [self.names[agent] for agent in first.agents] for rule, first in winners},
            "leads": {rule: {**rate_to_dict(first.lead), "settled": first.lead.settled} for rule, first in winners},
            "players": [self._player(agent) for agent in self.table],
            "run_off": [self._round_to_dict(count) for count in self.run_off],
            "matches": [result.as_dict() for result in self.results.values()],
        }

    def _first(self, order: Sequence[int]) -> First:
        """Who is first among some of the agents, given with the best first."""
        among = frozenset(order)
        most = self.bankroll(order[0], among)
        equals = tuple(agent for agent in order if self.bankroll(agent, among) == most)
        return First(equals, order[1], self._lead(order[0], order[1], among))

    def _lead(self, agent: int, other: int, among: frozenset[int]) -> Rate:
        """How far an agent is ahead of another. In matches of both only the difference of each set counts."""
        rates = []
        for table, result in self.results.items():
            if among.issuperset(table) and (agent in table or other in table):
                won, lost = (result.totals[:, table.index(who)] if who in table else 0 for who in (agent, other))
                rates.append(rate(np.asarray(won - lost), result.match.plan.size, result.match.rules.big_blind))
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


@renamed_arguments(crew="executor")
def play_competition(everybody: Match, seats: int, hands: int = HANDS, **options: Unpack[SeveralOptions]) -> Standings:
    """Play a duplicate match of `hands` between every `seats` of the players of `everybody`.

    Every match has cards of its own, from a seed that is drawn from that of the competition. `log` gives the log of a
    match by its number, from 1; `progress` is asked for a callback as each begins: which it is, of how many, and the
    match; `executor` plays, as in `felt.arena.play`.

    >>> from felt.games import load
    >>> kuhn = load("kuhn", players=3)
    >>> standings = play_competition(Match.of(["call", "fold", "raise", "random"], kuhn, seats=3), 3, 600)
    >>> len(standings.results), [standings.names[agent] for agent in standings.run_off_table]
    (4, ['raise', 'call', 'random', 'fold'])
    """
    if not 2 <= seats <= everybody.players:
        raise FeltError(f"{seats} players at a table: with {everybody.players} agents give 2 to {everybody.players}")
    count = comb(everybody.players, seats)
    if count > MOST_MATCHES:
        raise FeltError(f"{everybody.players} agents at tables of {seats} have {count:,} matches: enter fewer")
    tables = combinations(range(everybody.players), seats)
    matches = {table: table_match(everybody, table, number) for number, table in enumerate(tables, 1)}
    results = play_matches(matches, hands, **options)
    return Standings(everybody.names, results, everybody.seed)


def table_match(everybody: Match, table: Sequence[int], number: int) -> Match:
    """The match of some of the players, which is `number` of the competition."""
    return choose_players(everybody, tuple(table), number, STREAM, duplicate=True, turning=True)
