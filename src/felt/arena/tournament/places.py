"""Finishing places: who shares which, how likely they are, and whether those who finish are equals."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from felt.arena.schedule.records import Record
from felt.errors import counted
from felt.stats.means import chi_square_above

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
