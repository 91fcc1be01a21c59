"""Statistics of a match while it is played, for its report: in all, and in stretches of 1,000 hands."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from felt.games.views.facts import Facts
from felt.stats.indicators import count_chunks
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
        table = stretches[0].table
        for part in stretches[1:]:
            table = table + part.table
        curves = np.zeros(
            (max(part.first + len(part.curves) for part in stretches), *stretches[0].curves.shape[1:]), dtype=np.int64
        )
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
