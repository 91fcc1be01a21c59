"""Handing out the runs of a competition, and taking in what came of them, in order."""

from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter

from felt._pool import default_threads
from felt.arena.runs.spec import Competition, Crew, Done, Keep, Lost, Parcel, Record
from felt.arena.table import Known
from felt.arena.worker_process import MOST_DEATHS
from felt.errors import FeltError

PARCEL = (1, 1.0)
"""Runs of the first parcel and the fewest of any, and the seconds that one should take: no more is played again when
a worker is lost. A competition whose runs are quicker together than alone may have a `parcel` of its own."""
MOST_RUNS = 4096
"""In one parcel."""

Progress = Callable[[int, int], None]
"""Told how many runs are done, and of how many, whenever that has changed."""


def play_runs(
    competition: Competition,
    count: int,
    *,
    first: int = 0,
    workers: int | None = None,
    kept: Keep | None = None,
    progress: Progress | None = None,
    crew: Crew | None = None,
) -> list[Record]:
    """The records of `count` runs from number `first` on, in order.

    `workers`: as many as there are cores unless told; neither they nor the `crew`, if one is given, change any record.
    A crew that is given is left open. With `kept`, records are kept as they come, and those that are there already are
    not played again: what is kept begins with run `first`.
    """
    runs = iterate_runs(
        competition, count, first=first, workers=workers, kept=kept, progress=progress, crew=crew
    )  # fmt: skip
    return list(runs)


def timed_runs(
    competition: Competition,
    count: int,
    *,
    workers: int | None = None,
    kept: Keep | None = None,
    progress: Progress | None = None,
    crew: Crew | None = None,
) -> tuple[list[Record], float, int]:
    """The same from the first run on, with the seconds that it took, and how many runs had been kept before."""
    begun: list[int] = []

    def noted(done: int, total: int) -> None:
        begun.append(done)
        if progress is not None:
            progress(done, total)

    started = perf_counter()
    records = play_runs(competition, count, workers=workers, kept=kept, progress=noted, crew=crew)
    return records, perf_counter() - started, begun[0] if begun else count


def iterate_runs(
    competition: Competition,
    count: int,
    *,
    first: int = 0,
    workers: int | None = None,
    kept: Keep | None = None,
    progress: Progress | None = None,
    crew: Crew | None = None,
) -> Iterator[Record]:
    """The same one by one, as soon as all before them are there."""
    if count < 1 or first < 0:
        raise FeltError(f"{count} runs from number {first} on: give 1 or more, and a number of 0 or more")
    if workers is not None and workers < 1:
        raise FeltError(f"workers={workers}: give 1 or more")
    from felt.arena.runs.bench import prepare_runs
    from felt.arena.runs.crews import crew_for

    reached = first
    for record in kept.records() if kept is not None else ():
        if record["run"] != reached:
            raise FeltError(f"the log goes on with run {record['run']} after {reached - first} runs: it is of another")
        if reached == first + count:
            return
        reached += 1
        yield record
    if progress is not None:
        progress(reached - first, count)
    if reached == first + count:
        return
    prepare_runs(competition)  # once, and where somebody sees that it takes a while: workers load what is compiled here
    hired = crew or crew_for(competition, min(workers or default_threads(), first + count - reached))
    try:
        course = _Course(competition, reached, first + count, hired, with_hands=getattr(kept, "with_hands", False))
        for records in course.batches():
            if kept is not None:
                kept.add(records)
            reached += len(records)
            if progress is not None:
                progress(reached - first, count)
            yield from records
    finally:
        if crew is None:
            hired.close()


class _Course:
    """Who has which parcel, and what is known by now."""

    def __init__(self, competition: Competition, first: int, end: int, crew: Crew, *, with_hands: bool) -> None:
        self._competition, self._crew, self._with_hands = competition, crew, with_hands
        self._next, self._end, self._reached = first, end, first
        parcel: tuple[int, float] = getattr(competition, "parcel", PARCEL)
        self._size, self._seconds = parcel
        self._least = self._size
        self._known: Known = {}
        self._deaths: Counter[int] = Counter()
        self._again: list[Parcel] = []
        self._early: dict[int, list[Record]] = {}
        """Records that came before earlier ones, by the number of the first."""

    def batches(self) -> Iterator[list[Record]]:
        """Records in order, as many at a time as there are."""
        while self._reached < self._end:
            self._hand_out()
            for result in self._crew.results():
                if isinstance(result, Lost):
                    self._take_loss(result)
                else:
                    self._take(result)
            while self._reached in self._early:
                records = self._early.pop(self._reached)
                self._reached += len(records)
                yield records

    def _hand_out(self) -> None:
        while self._crew.room():
            if self._again:
                parcel = self._again.pop(0)
            elif self._next < self._end:
                left = self._end - self._next
                count = min(self._size, left, max(self._least, -(-left // 2)))  # nobody has all that is left
                parcel = Parcel(self._competition, self._next, count, with_hands=self._with_hands)
                self._next += count
            else:
                break
            self._crew.submit(parcel.informed(self._known, self._retired()))
        if not self._crew.busy:
            raise AssertionError("nobody plays, and the runs are not all there")

    def _take(self, done: Done) -> None:
        self._early[done.parcel.first] = done.records
        self._deaths.update(done.broken)
        if done.seconds > 0:
            wanted = int(done.parcel.count / done.seconds * self._seconds)
            self._size = max(self._least, min(MOST_RUNS, wanted, self._size * 4))

    def _take_loss(self, lost: Lost) -> None:
        self._again += lost.parcels
        if lost.death is not None:
            player, hand, decision, fault, said = lost.death
            self._known[hand, decision] = (player, fault, said)
            self._deaths[self._competition.lineup[player]] += 1

    def _retired(self) -> frozenset[int]:
        return frozenset(entry for entry, deaths in self._deaths.items() if deaths >= MOST_DEATHS)
