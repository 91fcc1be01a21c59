"""Playing a match: its sets are the tasks, and its books know when it is over."""

from collections.abc import Callable, Iterator
from contextlib import closing
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from felt._moved import renamed_arguments
from felt.arena.conductor.conduct import Conduct
from felt.arena.match.hands import Log, SetTotals, first_sets, match_plan, read_part, settle
from felt.arena.match.result import Indicators, Result, Stretches
from felt.arena.match.spec import Match
from felt.arena.schedule.executors import prepare_plan
from felt.arena.schedule.scheduler import Scheduler, employ
from felt.arena.schedule.tasks import Executor, Memory, Task, TaskResult
from felt.errors import FeltError
from felt.stats.rates import Rate, Tally

FIRST_LOOK, STEP = 100, 1.05
"""Sets after which the width of intervals is looked at for the first time, and how many times as many at the next."""

Progress = Callable[["Ledger"], None]
"""Called whenever a part of the match is done."""
Totals = tuple[NDArray[np.int64], NDArray[np.float64]]
"""``[sets, players]``: chips won or lost, raw and all-in-adjusted."""


@renamed_arguments(crew="executor")
def play(
    match: Match,
    hands: int | None = None,
    *,
    until: float | None = None,
    workers: int | None = None,
    log: Log | None = None,
    watch: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Result:
    """Play a match of `hands` hands, duplicates included and rounded up to whole sets.

    `until`: stop as soon as every player's 95 % interval is at most so many mbb/hand to either side, checked after
    fixed numbers of sets; without `hands` there is no other end. `workers`: as many as there are cores by default; they
    change no result, nor does an `executor`, like that of a cluster, which is left open. With a `log` every hand is
    kept, and what is there already is not played again. `watch` has what players do counted, for a report.

    >>> from felt.games import load
    >>> result = play(Match.of(["fold", "raise"], load("nlhe"), seed=1), hands=100)
    >>> print(result.rate(0))
    -750 ± 0.0 mbb/hand
    """
    if hands is None and until is None:
        raise FeltError("say how long to play: a number of hands, or until which width of the interval")
    if hands is not None and hands < 1:
        raise FeltError(f"hands={hands}: a match has at least one")
    if until is not None and not until > 0:
        raise FeltError(f"until={until}: give a width in mbb/hand, more than 0")
    if workers is not None and workers < 1:
        raise FeltError(f"workers={workers}: give 1 or more")
    indicators = Indicators(match.names) if watch else None
    plan = match_plan(match, log.sink if log else None, indicators)
    books = MatchBooks(match, None if hands is None else -(-hands // match.plan.size), until, log)
    books.resume(indicators)
    logged, started, endings = books.ledger.hands, perf_counter(), []
    if not books.over:
        prepare_plan(plan)
        started = perf_counter()
        with employ(plan, workers, executor) as hired:
            scheduler = Scheduler(plan, books, hired)
            with closing(scheduler.run()) as results:
                for _ in results:
                    if progress is not None:
                        progress(books.ledger)
            endings = scheduler.endings
    result = books.result(perf_counter() - started, books.ledger.hands - logged)
    for conduct in endings:
        result.conduct.join(conduct)
    return result


class MatchBooks:
    """Sums up the sets of a match, and finds out when it is over."""

    def __init__(self, match: Match, sets: int | None, until: float | None, log: Log | None) -> None:
        self._match, self._sets, self._log = match, sets, log
        self._width = None if until is None else Width(match, until)
        self._end: tuple[int, str] | None = None
        self.ledger = Ledger(match)

    @property
    def over(self) -> bool:
        """Whether the number of sets that count is known."""
        if self._end is None:
            self._end = self._find_end()
        return self._end is not None

    def _find_end(self) -> tuple[int, str] | None:
        """How many sets count, and why the match ended before its time."""
        size, ledger = self._match.plan.size, self.ledger
        ends = []
        if ledger.conduct.forfeits:
            player, hand = min(ledger.conduct.forfeits.items(), key=lambda forfeit: forfeit[1])
            if hand // size < ledger.sets:
                ends.append((hand // size + 1, f"{self._match.names[player]} forfeited it in hand {hand + 1:,}"))
        if self._width is not None:
            reached = self._width.reached(ledger)
            if reached is not None:
                ends.append((reached, "its interval was narrow enough"))
        if self._sets is not None and ledger.sets >= self._sets:
            ends.append((self._sets, ""))
        return min(ends) if ends else None

    def missing(self, lane: int) -> list[tuple[int, float]]:
        """Gaps in what the log had, and all after it. Hands of agents with a memory that follow a gap do not count."""
        end = inf if self._sets is None else self._sets
        done = self.ledger.lanes[lane]
        remembered: list[tuple[int, float]] = [(done.reached, end)]
        ranges = remembered if self._match.remembers else [*done.gaps(), (done.end, end)]
        return [(first, after) for first, after in ranges if first < after]

    def count_for(self, first: int, most: int, left: float) -> int:
        """No task goes beyond the next check of the width, so that a match that ends there ends with a task."""
        count = int(min(most, left))
        return count if self._width is None else min(count, next(look for look in looks() if look > first) - first)

    def memory(self, lane: int, first: int) -> Memory:
        """What the agents of a lane saved after the set before `first`, if that was the last so far."""
        done = self.ledger.lanes[lane]
        return done.memory if first == done.reached else None

    def take(self, result: TaskResult) -> None:
        """Enter the sets of a task."""
        self.ledger.add(result)

    def result(self, seconds: float, played: int) -> Result:
        """The result of the match, which is over; hands that were logged beyond its end are removed."""
        assert self._end is not None
        sets, reason = self._end
        if reason:
            self._cut(sets)
        totals, adjusted = self.ledger.totals(sets)
        indicators = [part for first, part in self.ledger.indicators if first < sets]
        conduct, statistics = self.ledger.conduct_before(sets), Stretches.joined(indicators) if indicators else None
        return Result(self._match, totals, adjusted, conduct, self.ledger.actions, seconds, played, reason, statistics)

    # The log

    def resume(self, indicators: Indicators | None) -> None:
        """Enter what the log has already."""
        lanes = self._match.lanes
        for name in sorted(self._log.parts()) if self._log else ():
            assert self._log is not None
            hands = read_part(self._log, name)
            task = hands.task
            if task.lane >= len(lanes) or len(hands.numbers) != task.count * len(lanes[task.lane]):
                raise FeltError(
                    f"part {task.name!r} of the log was played by other copies of the agents, by an older version of "
                    "Felt or before a program said otherwise of its memory: choose another folder"
                )
            self.ledger.add(settle(self._match, hands, indicators=indicators))

    def _cut(self, sets: int) -> None:
        """Take out of the log what was played beyond the end of the match."""
        for name in self._log.parts() if self._log else ():
            assert self._log is not None
            task = Task.named(name)
            if task.first < sets < task.first + task.count:
                settle(self._match, first_sets(read_part(self._log, name), sets - task.first), self._log.sink)
            if task.first + task.count > sets:
                self._log.remove(name)


# The books


class Ledger:
    """What each set came to, in order, whoever played it and whenever it was done: tasks come in any order."""

    def __init__(self, match: Match) -> None:
        self.conduct = Conduct.of(match.players)
        self.hands = self.actions = 0
        self._conducts: list[tuple[int, Conduct]] = []
        self.sets = 0
        """Sets from the first on that are complete: done in all lanes."""
        self._match, self.lanes = match, [_Lane() for _ in match.lanes]
        self._parts: list[Totals] = [(np.zeros((0, match.players), dtype=np.int64), np.zeros((0, match.players)))]
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
        self.lanes[task.lane].add(task.first, task.count, sets)
        complete = min(lane.reached for lane in self.lanes)
        if complete > self.sets:  # sum up over lanes the sets that are complete now
            parts = [lane.take(complete - self.sets) for lane in self.lanes]
            totals, adjusted = (np.sum(column, axis=0) for column in zip(*parts, strict=True))
            self._parts.append((totals, adjusted))
            for player, tally in enumerate(self._tallies):
                tally.add(totals[:, player])
            self.sets = complete

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

    def totals(self, sets: int | None = None) -> Totals:
        """What was won in the sets that are complete, or in the first of them."""
        raw, adjusted = (np.concatenate(column)[:sets] for column in zip(*self._parts, strict=True))
        return raw, adjusted


class _Lane:
    """The tasks of one lane."""

    def __init__(self) -> None:
        self.reached = 0
        """Sets that are done without a gap."""
        self.memory: Memory = None
        """What the agents remembered after those."""
        self._early: dict[int, tuple[int, SetTotals]] = {}
        """Tasks after a gap, by their first set: how many sets, and their totals."""
        self._rest: list[Totals] = []

    @property
    def end(self) -> int:
        """The set after the last that is done."""
        return max([self.reached, *(first + count for first, (count, _) in self._early.items())])

    def add(self, first: int, count: int, sets: SetTotals) -> None:
        self._early[first] = count, sets
        while self.reached in self._early:
            count, sets = self._early.pop(self.reached)
            self._rest.append((sets.totals, sets.adjusted))
            self.reached += count
            self.memory = sets.memory

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Sets that are not done, before the last that is: the first, and the one after the last."""
        end = self.reached
        for first in sorted(self._early):
            if first > end:
                yield end, first
            end = first + self._early[first][0]

    def take(self, count: int) -> Totals:
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
