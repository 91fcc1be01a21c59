"""The result of a match, and statistics of what its players did: in all, and in stretches of 1,000 hands."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.arena.conductor.conduct import Conduct
from felt.arena.match.spec import Match
from felt.games.views.facts import Facts
from felt.stats.indicators import count_chunks
from felt.stats.rates import Rate, rate, sentence
from felt.stats.table import Table

STRETCH = 1000
"""Hands of a stretch."""


@dataclass(frozen=True, eq=False)
class Stretches:
    """What was counted in some hands: a table, and counts by stretch from number `first` on."""

    table: Table
    first: int
    curves: NDArray[np.int64]
    """``[stretches, player, indicator, 2]``: numerators and denominators."""

    @classmethod
    def joined(cls, parts: Iterable["Stretches"]) -> "Stretches":
        """The counts of all parts of a match."""
        stretches = list(parts)
        end = max(part.first + len(part.curves) for part in stretches)
        table = reduce(add, (part.table for part in stretches))
        curves = np.zeros((end, *stretches[0].curves.shape[1:]), dtype=np.int64)
        for part in stretches:
            curves[part.first : part.first + len(part.curves)] += part.curves
        return cls(table, 0, curves)


@dataclass(frozen=True)
class Indicators:
    """Counts what players do: VPIP, PFR and the others of `felt.stats`."""

    names: tuple[str, ...]

    def count(self, facts: Facts, players: NDArray[np.int64], hands: NDArray[np.int64]) -> Stretches:
        """Count some hands."""
        stretch = hands // STRETCH
        first = int(stretch.min())
        table, curves = count_chunks(facts, players, self.names, stretch - first, int(stretch.max()) - first + 1)
        return Stretches(table, first, curves)


@dataclass(frozen=True, eq=False)
class Result:
    """The sets of a match, and what its players did wrong."""

    match: Match
    totals: NDArray[np.int64]
    """``[sets, players]``: chips won or lost."""
    adjusted: NDArray[np.float64]
    """``[sets, players]``: the same, all-in-adjusted."""
    conduct: Conduct
    actions: int
    seconds: float
    played: int
    """Hands that were played in those seconds; fewer than `hands` if the match was resumed."""
    ended: str = ""
    """Why it ended before all hands were played; empty if it did not."""
    indicators: Stretches | None = None
    """What players did, if the match was watched."""

    @property
    def sets(self) -> int:
        """How many sets were played."""
        return len(self.totals)

    @property
    def hands(self) -> int:
        """How many hands were played, duplicates included."""
        return self.sets * self.match.plan.size

    @property
    def hands_per_second(self) -> float:
        """How fast."""
        return self.played / self.seconds if self.seconds > 0 else 0.0

    def rate(self, player: int) -> Rate:
        """What a player won per hand, with its interval."""
        return rate(self.totals[:, player], self.match.plan.size, self.match.rules.big_blind)

    def adjusted_rate(self, player: int) -> Rate:
        """The rate of a player from all-in-adjusted results."""
        return rate(self.adjusted[:, player], self.match.plan.size, self.match.rules.big_blind)

    @property
    def rates(self) -> list[Rate]:
        """The rates of all players."""
        return [self.rate(player) for player in range(self.match.players)]

    def sentence(self) -> str:
        """How settled the result is, in plain words: of the player who is ahead, by what shows it best."""
        names, best = self.match.names, int(np.argmax(self.totals.sum(axis=0))) if self.sets else 0
        other = names[1 - best] if self.match.players == 2 else None
        return sentence(self.rate(best), names[best], other)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        return {
            "game": self.match.rules.name,
            "hands": self.hands,
            "seed": self.match.seed,
            "players": [self._player(player) for player in range(self.match.players)],
            "hands_per_second": round(self.hands_per_second, 1),
            "duplicate": self.match.duplicate,
            "sets": self.sets,
            "stack": self.match.stack,
            "big_blind": self.match.rules.big_blind,
            "ended": self.ended,
            "sentence": self.sentence(),
        }

    def _player(self, player: int) -> dict[str, Any]:
        return {
            "name": self.match.names[player],
            **rates_to_dict(self.rate(player), self.adjusted_rate(player)),
            **self.conduct.to_dict(player),
        }


def rate_to_dict(rate: Rate) -> dict[str, Any]:
    """A rate as plain values, for JSON."""
    return {"mbb_per_hand": rate.mbb, "ci95": None if rate.ci95 is None else list(rate.ci95)}


def rates_to_dict(raw: Rate, adjusted: Rate) -> dict[str, Any]:
    """A rate and the all-in-adjusted rate as plain values, for JSON."""
    return {**rate_to_dict(raw), **{f"adjusted_{key}": value for key, value in rate_to_dict(adjusted).items()}}
