"""The books of a match: what each set came to, in order, whoever played it and whenever it was done."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from felt.arena.conductor.conduct import Conduct
from felt.arena.match.hands import SetTotals
from felt.arena.match.result import Stretches
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Memory, TaskResult
from felt.stats.rates import Rate, Tally

FIRST_LOOK, STEP = 100, 1.05
"""Sets after which the width of intervals is looked at for the first time, and how many times as many at the next."""


class Ledger:
    """Takes tasks in any order, and knows the sets that are complete from the first on."""

    def __init__(self, match: Match) -> None:
        self.conduct = Conduct.of(match.players)
        self.hands = self.actions = 0
        self._conducts: list[tuple[int, Conduct]] = []
        self.sets = 0
        """Sets from the first on that are complete: done in all lanes."""
        self._match, self._lanes = match, [_Lane() for _ in match.lanes]
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        self._tallies = [Tally(match.plan.size, match.rules.big_blind) for _ in match.entrants]
        self.indicators: list[tuple[int, Stretches]] = []
        """The first set of each task, and what was counted in it; counts add up in any order."""

    def add(self, result: TaskResult) -> None:
        """Enter a task."""
        task, sets = result.task, result.content
        self.hands += sets.hands
        self.actions += sets.actions
        self.conduct.join(sets.conduct)
        if not sets.conduct.clean:
            self._conducts.append((task.first, sets.conduct))
        if sets.indicators is not None:
            self.indicators.append((task.first, sets.indicators))
        self._lanes[task.lane].add(task.first, task.count, sets)
        complete = min(lane.reached for lane in self._lanes)
        if complete > self.sets:
            self._close(complete)

    def _close(self, sets: int) -> None:
        """Sum up over lanes the sets that are complete now."""
        parts = [lane.take(sets - self.sets) for lane in self._lanes]
        totals = np.sum([part[0] for part in parts], axis=0)
        adjusted = np.sum([part[1] for part in parts], axis=0)
        self._parts.append((totals, adjusted))
        for player, tally in enumerate(self._tallies):
            tally.add(totals[:, player])
        self.sets = sets

    def conduct_before(self, sets: int) -> Conduct:
        """What was done wrong in tasks that began before so many sets."""
        conduct = Conduct.of(self._match.players)
        for first, part in self._conducts:
            if first < sets:
                conduct.join(part)
        return conduct.before(sets * self._match.plan.size) if conduct.forfeits else conduct

    def rates(self) -> list[Rate]:
        """The rates so far, of the sets that are complete."""
        return [tally.rate() for tally in self._tallies]

    def reached(self, lane: int) -> int:
        """Sets of a lane that are done without a gap."""
        return self._lanes[lane].reached

    def memory(self, lane: int) -> Memory:
        """What the agents of a lane remembered after those."""
        return self._lanes[lane].memory

    def gaps(self, lane: int) -> Iterator[tuple[int, int]]:
        """Sets of a lane that are not done, before the last that is: the first, and the one after the last."""
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
        self._early: dict[int, tuple[int, SetTotals]] = {}
        """Tasks after a gap, by their first set: how many sets, and their totals."""
        self._rest: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []

    @property
    def end(self) -> int:
        return max([self.reached, *(first + count for first, (count, _) in self._early.items())])

    def add(self, first: int, count: int, sets: SetTotals) -> None:
        self._early[first] = count, sets
        while self.reached in self._early:
            count, sets = self._early.pop(self.reached)
            self._rest.append((sets.totals, sets.adjusted))
            self.reached += count
            self.memory = sets.memory

    def gaps(self) -> Iterator[tuple[int, int]]:
        end = self.reached
        for first in sorted(self._early):
            if first > end:
                yield end, first
            end = first + self._early[first][0]

    def take(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """What was won in the next sets after those of the last call."""
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
        if ledger.sets < self._next:
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
