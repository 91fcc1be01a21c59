"""The scheduler: hands out the tasks of a plan, and gives the results to the books of the plan."""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf

from felt._pool import default_threads
from felt.arena.conductor.conduct import Conduct
from felt.arena.conductor.table import Known
from felt.arena.schedule.executors import executor_for
from felt.arena.schedule.tasks import MOST_DEATHS, Books, Executor, LostTasks, Plan, Task, TaskResult


class Scheduler:
    """Decides which task is played next. Whoever plays it, the results are the same."""

    def __init__(self, plan: Plan, books: Books, executor: Executor) -> None:
        self._plan, self._books, self._executor = plan, books, executor
        self._pace = replace(plan.pace)
        self._missing = [books.missing(lane) for lane in range(len(plan.lanes))]
        """For each lane, the ranges that have not been handed out."""
        self._again: list[Task] = []
        """Tasks that were lost."""
        self._known: Known = {}
        self._deaths: Counter[int] = Counter()
        self.endings: list[Conduct] = []
        """What agents did wrong when they heard that the plan is over; complete after `run`."""

    def run(self) -> Generator[TaskResult, None, None]:
        """Play until the books say that it is over; returns the results as they are entered. Close it if you stop."""
        if self._books.over:
            return
        self._executor.begin(self._plan)
        try:
            while not self._books.over:
                self._hand_out()
                for result in self._executor.results():
                    if isinstance(result, LostTasks):
                        self._take_loss(result)
                    else:
                        self._take(result)
                        yield result
        finally:
            self.endings = self._executor.finish()

    def _hand_out(self) -> None:
        """Give the executor as many tasks as it has room for."""
        lanes = set(range(len(self._plan.lanes)))
        while lanes:
            lane = min(lanes, key=self._next_number)  # the lane that is behind comes first, else some would never begin
            task = self._next_task(lane) if self._executor.has_room(lane) else None
            if task is None:
                lanes.remove(lane)
            else:
                retired = frozenset(entrant for entrant, deaths in self._deaths.items() if deaths >= MOST_DEATHS)
                self._executor.submit(replace(task, known=dict(self._known), retired=retired))
        if not self._executor.busy:
            raise AssertionError("no task is under way, and the plan is not over")

    def _next_number(self, lane: int) -> tuple[float, int]:
        """The lane with the smallest number comes next."""
        again = [task.first for task in self._again if task.lane == lane]
        return min([*again, *(first for first, _ in self._missing[lane]), inf]), lane

    def _next_task(self, lane: int) -> Task | None:
        again = [task for task in self._again if task.lane == lane]
        if again:
            task = min(again, key=lambda task: task.first)
            self._again.remove(task)
            return task
        ranges = self._missing[lane]
        if not ranges:
            return None
        first, end = ranges[0]
        most = max(1, self._pace.size // len(self._plan.lanes[lane]))
        count = self._books.count_for(first, most, end - first)
        ranges[:1] = [(first + count, end)] if first + count < end else []
        return Task(first, count, lane, memory=self._books.memory(lane, first))

    def _take(self, result: TaskResult) -> None:
        self._deaths.update(result.broken)
        self._pace.learn(result.task.count * len(self._plan.lanes[result.task.lane]), result.seconds)
        self._books.take(result)

    def _take_loss(self, lost: LostTasks) -> None:
        self._again += lost.tasks
        if lost.death is not None:
            player, hand, decision, fault, message = lost.death
            self._known[hand, decision] = (player, fault, message)
            self._deaths[self._plan.lineup[player]] += 1


@contextmanager
def employ(plan: Plan, workers: int | None, executor: Executor | None, most: float = inf) -> Iterator[Executor]:
    """The executor of a caller, which stays open; else one for a plan of at most `most` tasks, which is closed."""
    if executor is not None:
        yield executor
        return
    own = executor_for(plan, int(min(workers or default_threads(), most)))
    try:
        yield own
    finally:
        own.close()
