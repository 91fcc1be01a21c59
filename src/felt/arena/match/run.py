"""Playing a match: its sets are the tasks, and its books know when it is over."""

from collections.abc import Callable
from contextlib import closing
from math import inf
from time import perf_counter

from felt._moved import renamed_arguments
from felt.arena.match.hands import Log, first_sets, match_plan, settle, take_note
from felt.arena.match.ledger import Ledger, Width, looks
from felt.arena.match.result import Indicators, Result, Stretches
from felt.arena.match.spec import Match
from felt.arena.schedule.executors import prepare_plan
from felt.arena.schedule.scheduler import Scheduler, employ
from felt.arena.schedule.tasks import Executor, Memory, Task, TaskResult
from felt.errors import FeltError

Progress = Callable[[Ledger], None]
"""Called whenever a part of the match is done."""


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
        if self._match.remembers:
            ranges: list[tuple[int, float]] = [(self.ledger.reached(lane), end)]
        else:
            ranges = [*self.ledger.gaps(lane), (self.ledger.end(lane), end)]
        return [(first, after) for first, after in ranges if first < after]

    def count_for(self, first: int, most: int, left: float) -> int:
        """No task goes beyond the next check of the width, so that a match that ends there ends with a task."""
        count = int(min(most, left))
        return count if self._width is None else min(count, next(look for look in looks() if look > first) - first)

    def memory(self, lane: int, first: int) -> Memory:
        """What the agents of a lane saved after the set before `first`, if that was the last so far."""
        return self.ledger.memory(lane) if first == self.ledger.reached(lane) else None

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
        return Result(
            self._match,
            totals,
            adjusted,
            self.ledger.conduct_before(sets),
            self.ledger.actions,
            seconds,
            played,
            reason,
            Stretches.joined(indicators) if indicators else None,
        )

    # The log

    def resume(self, indicators: Indicators | None) -> None:
        """Enter what the log has already."""
        for name in sorted(self._log.parts()) if self._log else ():
            assert self._log is not None
            hands, note = self._log.read(name)
            self._check_lane(hands.task, len(hands.numbers))
            take_note(hands, note)
            self.ledger.add(settle(self._match, hands, indicators=indicators))

    def _check_lane(self, task: Task, hands: int) -> None:
        """Refuse what was kept when seatings were shared out otherwise among copies of the agents."""
        lanes = self._match.lanes
        if task.lane >= len(lanes) or hands != task.count * len(lanes[task.lane]):
            raise FeltError(
                f"part {task.name!r} of the log was played by other copies of the agents, by an older version of Felt "
                "or before a program said otherwise of its memory: choose another folder"
            )

    def _cut(self, sets: int) -> None:
        """Take out of the log what was played beyond the end of the match."""
        for name in self._log.parts() if self._log else ():
            assert self._log is not None
            task = Task.named(name)
            if task.first + task.count <= sets:
                continue
            if task.first < sets:
                hands, note = self._log.read(name)
                take_note(hands, note)
                settle(self._match, first_sets(hands, sets - task.first), self._log.sink)
            self._log.remove(name)
