"""Runs: a competition as a row of independent plays, each of them known by its number.

Tournaments, rings and the generations of an evolution are runs, and whatever else is repeated many times. `play_runs`
has them played, keeps their records, and goes on where it was cut off. The same competition gives the same records,
byte for byte, whoever plays them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from math import ceil
from time import perf_counter
from typing import Any, Protocol, TypedDict

from felt._moved import renamed_arguments, warn_renamed
from felt.arena.schedule.executors import prepare_plan
from felt.arena.schedule.scheduler import Scheduler, employ
from felt.arena.schedule.tasks import Executor, LostTasks, Memory, Task, TaskResult, play_task
from felt.arena.schedule.workplace import Competition, Record, RunWorkplace, conduct_of, hand_number, run_of, run_plan
from felt.errors import FeltError

__all__ = [
    "Competition",
    "Executor",
    "Keeper",
    "Record",
    "conduct_of",
    "hand_number",
    "play_runs",
    "run_of",
    "run_plan",
]

Progress = Callable[[int, int], None]
"""Called with the number of runs that are done, and the number of all, whenever the first has changed."""


class Keeper(Protocol):
    """Where records are kept as they come: `felt.store.log` has one.

    One that wants the hands too has a `with_hands` that is true, and takes them out of the records.
    """

    def records(self) -> Iterable[Record]:
        """Those that are there, in the order of their runs, from the first on."""

    def add(self, records: Sequence[Record]) -> None:
        """Keep the next ones; when this returns they are on disk."""


class RunBooks:
    """Puts the records of runs in order."""

    def __init__(self, first: int, end: int, least: int) -> None:
        self.reached, self._end, self._least = first, end, least
        self._early: dict[int, list[Record]] = {}
        """Records that came before earlier ones, by the number of the first."""

    @property
    def over(self) -> bool:
        """Whether all records are there."""
        return self.reached >= self._end

    def missing(self, lane: int) -> list[tuple[int, float]]:
        return [(self.reached, self._end)]

    def count_for(self, first: int, most: int, left: float) -> int:
        """No worker gets more than half of what is left."""
        return int(min(most, left, max(self._least, ceil(left / 2))))

    def memory(self, lane: int, first: int) -> Memory:
        """Memories last for one run."""
        return None

    def take(self, result: TaskResult) -> None:
        self._early[result.task.first] = result.content

    def next_records(self) -> Iterator[list[Record]]:
        """The next records, as far as all before them are there."""
        while self.reached in self._early:
            records = self._early.pop(self.reached)
            self.reached += len(records)
            yield records


@renamed_arguments(crew="executor", kept="log")
def play_runs(
    competition: Competition,
    count: int,
    *,
    first: int = 0,
    workers: int | None = None,
    log: Keeper | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> list[Record]:
    """The records of `count` runs from number `first` on, in order.

    `workers`: as many as there are cores by default; neither they nor the `executor` change any record. An executor
    that is given is left open. With a `log`, records are kept as they come, and those that are there already are not
    played again: the records of the log begin with run `first`.
    """
    if count < 1 or first < 0:
        raise FeltError(f"{count} runs from number {first} on: give 1 or more, and a number of 0 or more")
    if workers is not None and workers < 1:
        raise FeltError(f"workers={workers}: give 1 or more")
    records: list[Record] = []
    for record in islice(log.records() if log is not None else (), count):
        if record["run"] != first + len(records):
            raise FeltError(f"the log goes on with run {record['run']} after {len(records)} runs: it is of another")
        records.append(record)
    if progress is not None:
        progress(len(records), count)
    if len(records) == count:
        return records
    plan = run_plan(competition, with_hands=getattr(log, "with_hands", False))
    prepare_plan(plan)  # once, and where somebody sees that it takes a while: workers load what is compiled here
    books = RunBooks(first + len(records), first + count, plan.pace.least)
    with (
        employ(plan, workers, executor, most=count - len(records)) as hired,
        closing(Scheduler(plan, books, hired).run()) as results,
    ):
        for _ in results:
            for more in books.next_records():
                if log is not None:
                    log.add(more)
                records += more
                if progress is not None:
                    progress(len(records), count)
    return records


class RunOptions(TypedDict, total=False):
    """The options of `play_runs`, for what is played by it."""

    workers: int | None
    log: Keeper | None
    progress: Progress | None
    executor: Executor | None


def time_runs(
    competition: Competition, count: int, *, progress: Progress | None = None, **options: Any
) -> tuple[list[Record], float, int]:
    """The records as by `play_runs`, with the seconds that they took, and how many were in the log before."""
    logged: list[int] = []

    def note(done: int, total: int) -> None:
        logged.append(done)
        if progress is not None:
            progress(done, total)

    started = perf_counter()
    records = play_runs(competition, count, progress=note, **options)
    return records, perf_counter() - started, logged[0]


_RENAMED: dict[str, Any] = {"Keep": Keeper, "Bench": RunWorkplace, "Crew": Executor, "Done": TaskResult}
_RENAMED |= {"Lost": LostTasks, "Parcel": Task, "do": play_task}
"""Names of 0.1."""


def __getattr__(name: str) -> Any:
    """The names of 0.1, with a warning, until 0.3."""
    value = _RENAMED.get(name)
    if value is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn_renamed(f"{__name__}.{name}", value.__name__)
    return value
