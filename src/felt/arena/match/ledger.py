"""The books of a match: what each set came to, in order, whoever played it and whenever it was done."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from felt.arena.conduct import Conduct
from felt.arena.spec import Match
from felt.arena.watching import Stretches
from felt.arena.work import Done, Memory
from felt.stats.rates import Rate, Tally

FIRST_LOOK, STEP = 100, 1.05
"""Sets after which the width of intervals is looked at for the first time, and how many times as many at the next."""


class Ledger:
    """Takes tasks in any order, and knows the sets that are whole from the first on."""

    def __init__(self, match: Match) -> None:
        self.conduct = Conduct.of(match.players)
        self.hands = self.actions = 0
        self._conducts: list[tuple[int, Conduct]] = []
        self.whole = 0
        """Sets from the first on that are done in all lanes."""
        self.memories: list[Memory] = [None for _ in match.lanes]
        """By lane, what agents remembered after the last set without a gap before it."""
        self._match, self._lanes = match, [_Lane() for _ in match.lanes]
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        self._tallies = [Tally(match.plan.size, match.rules.big_blind) for _ in match.entrants]
        self.counted: list[tuple[int, Stretches]] = []
        """The first set of each task, and what was counted in it; counts add up in any order."""

    def add(self, done: Done) -> None:
        """Enter a task."""
        task = done.task
        self.hands += done.hands
        self.actions += done.actions
        self.conduct.join(done.conduct)
        if not done.conduct.clean:
            self._conducts.append((task.first, done.conduct))
        if done.counted is not None:
            self.counted.append((task.first, done.counted))
        self._lanes[task.lane].add(done)
        whole = min(lane.reached for lane in self._lanes)
        if whole > self.whole:
            self._close(whole)

    def _close(self, whole: int) -> None:
        """Sum up over lanes what has become whole."""
        count = whole - self.whole
        parts = [lane.take(self.whole, count) for lane in self._lanes]
        totals = np.sum([part[0] for part in parts], axis=0)
        adjusted = np.sum([part[1] for part in parts], axis=0)
        self._parts.append((totals, adjusted))
        for player, tally in enumerate(self._tallies):
            tally.add(totals[:, player])
        self.whole = whole

    def conduct_before(self, sets: int) -> Conduct:
        """What was done wrong in tasks that began before so many sets."""
        conduct = Conduct.of(self._match.players)
        for first, one in self._conducts:
            if first < sets:
                conduct.join(one)
        return conduct.before(sets * self._match.plan.size) if conduct.forfeits else conduct

    def rates(self) -> list[Rate]:
        """The rates so far, of the sets that are whole."""
        return [tally.rate() for tally in self._tallies]

    def reached(self, lane: int) -> int:
        """Sets of a lane that are done without a gap."""
        return self._lanes[lane].reached

    def memory(self, lane: int) -> Memory:
        """What the agents of a lane remembered after those."""
        return self._lanes[lane].memory

    def gaps(self, lane: int) -> Iterator[tuple[int, int]]:
        """Sets of a lane that are not done, before the last that is: first and count."""
        return self._lanes[lane].gaps()

    def end(self, lane: int) -> int:
        """The set after the last that is done."""
        return self._lanes[lane].end

    def totals(self, sets: int | None = None) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """``[sets, players]``: chips won or lost, raw and adjusted."""
        players = self._match.players
        raw = [np.zeros((0, players), dtype=np.int64), *(part[0] for part in self._parts)]
        adjusted = [np.zeros((0, players)), *(part[1] for part in self._parts)]
        return np.concatenate(raw)[:sets], np.concatenate(adjusted)[:sets]


class _Lane:
    """The tasks of one lane."""

    def __init__(self) -> None:
        self.reached = 0
        self.memory: Memory = None
        self._dones: dict[int, Done] = {}
        self._rest: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []

    @property
    def end(self) -> int:
        return max([self.reached, *(first + done.task.count for first, done in self._dones.items())])

    def add(self, done: Done) -> None:
        self._dones[done.task.first] = done
        while self.reached in self._dones:
            found = self._dones.pop(self.reached)
            self._rest.append((found.totals, found.adjusted))
            self.reached += found.task.count
            self.memory = found.memory

    def gaps(self) -> Iterator[tuple[int, int]]:
        at = self.reached
        for first in sorted(self._dones):
            if first > at:
                yield at, first - at
            at = first + self._dones[first].task.count

    def take(self, first: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """What was won in the next sets; `first` is where the last taking ended."""
        totals, adjusted = (np.concatenate(parts) for parts in zip(*self._rest, strict=True))
        self._rest = [(totals[count:], adjusted[count:])]
        return totals[:count], adjusted[:count]


def looks() -> Iterator[int]:
    """Numbers of sets after which a match may end because its interval is narrow enough: the same in every run."""
    at = FIRST_LOOK
    while True:
        yield at
        at = max(at + FIRST_LOOK, int(at * STEP))


class Width:
    """Finds the number of sets after which every player's interval is narrow enough."""

    def __init__(self, match: Match, half: float) -> None:
        self._half, self._looks = half, looks()
        self._next = next(self._looks)
        self._tallies = [Tally(match.plan.size, match.rules.big_blind) for _ in match.entrants]
        self._seen = 0

    def reached(self, ledger: Ledger) -> int | None:
        """The first look at which all intervals were narrow enough, as far as the books go; None if there is none."""
        if ledger.whole < self._next:
            return None
        totals, _ = ledger.totals()
        while self._next <= len(totals):
            for player, tally in enumerate(self._tallies):
                tally.add(totals[self._seen : self._next, player])
            self._seen = self._next
            if all((tally.rate().half or 0.0) <= self._half for tally in self._tallies):
                return self._seen
            self._next = next(self._looks)
        return None
