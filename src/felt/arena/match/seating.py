"""Who sits where: sets of hands in which luck is shared out evenly.

A match is a row of sets. In a *duplicate* set one deal is played in several seatings: all of them for up to four
players, for more as many as there are seats, such that everybody gets every seat once. Otherwise a set is as many deals
as there are seats, and everybody has every seat once. Sets are alike and independent: they are the unit of intervals.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from felt._chance import seeds_of

STREAM = 0x73656174  # "seat"
ALL_SEATINGS_UP_TO = 4


@dataclass(frozen=True)
class SeatingPlan:
    """The seatings and deals of a match: hand number ``set * size + place`` for each place in a set."""

    players: int
    duplicate: bool
    seed: int
    turning: bool = False
    """Whether the button goes round from set to set in each of all seatings of a duplicate set, as it does at a real
    table: who keeps the same place in the sets meets the same neighbours in turning seats. Sets have the same hands."""

    @cached_property
    def size(self) -> int:
        """Hands in a set."""
        every = self.duplicate and self.players <= ALL_SEATINGS_UP_TO
        return factorial(self.players) if every else self.players

    def seatings(self, number: int) -> tuple[tuple[int, ...], ...]:
        """For each hand of a set, the player in each seat.

        >>> SeatingPlan(2, duplicate=True, seed=0).seatings(5)
        ((0, 1), (1, 0))
        """
        return tuple(map(tuple, self.arrays(number, 1)[1].tolist()))

    def deal(self, number: int, place: int) -> int:
        """The deal of one hand of a set."""
        return number if self.duplicate else number * self.size + place

    def arrays(self, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Deals ``[hands]`` and seatings ``[hands, players]`` of all hands of some sets."""
        sets, n = np.arange(first, first + count), self.players
        hands = np.arange(first * self.size, (first + count) * self.size)
        deals = np.repeat(sets, self.size) if self.duplicate else hands
        if n == 2 or self.size > n:
            seats = (np.arange(n) + self.turning * sets[:, None]) % n
            return deals, np.array(list(permutations(range(n))))[:, seats].swapaxes(0, 1).reshape(-1, n)
        turned = (np.arange(n)[:, None] + np.arange(n)) % n
        return deals, self._orders(sets)[:, turned].reshape(-1, n)

    def _orders(self, sets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The order around the table in each set: by chance, so that nobody always acts behind the same player."""
        draws = [seeds_of(sets, self.seed, STREAM + player) for player in range(self.players)]
        return np.argsort(np.stack(draws, axis=1), axis=1, kind="stable")
