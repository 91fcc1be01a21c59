"""Crews of one machine: the caller itself, or processes."""

from collections.abc import Iterator
from multiprocessing.connection import wait

from felt.arena.runs.bench import BenchKeeper, WorkerBench
from felt.arena.runs.spec import Competition, Crew, Done, Lost, Parcel
from felt.arena.worker import BROKEN, DONE, FAILED, READY
from felt.arena.worker_process import IN_FLIGHT, LOOK_EVERY, WorkerError, WorkerProcess


def crew_for(competition: Competition, workers: int) -> Crew:
    """Who plays: as a competition with a method `crew` has it, else processes, if agents can be found from there and
    there is a reason to have any."""
    own: Crew | None = getattr(competition, "crew", lambda workers: None)(workers)
    if own is not None:
        return own
    elsewhere = all(one.named for one in competition.entrants)
    trusted = all(one.trusted for one in competition.entrants)
    return Processes(workers) if elsewhere and (workers > 1 or not trusted) else Here()


class Here:
    """The caller plays, when it asks for results."""

    def __init__(self) -> None:
        self._waiting: list[Parcel] = []
        self._keeper = BenchKeeper()

    @property
    def busy(self) -> bool:
        """Whether there is something to play."""
        return bool(self._waiting)

    def room(self) -> bool:
        """One at a time."""
        return not self._waiting

    def submit(self, parcel: Parcel) -> None:
        """Put a parcel down."""
        self._waiting.append(parcel)

    def results(self) -> Iterator[Done | Lost]:
        """Play what was put down."""
        while self._waiting:
            yield self._keeper.do(self._waiting.pop(0))

    def close(self) -> None:
        """Forget what was put down."""
        self._waiting.clear()


class Processes:
    """Processes of this machine; one that dies or hangs is replaced, and tells of the agent that it was asking."""

    def __init__(self, workers: int) -> None:
        self._workers = [_new() for _ in range(workers)]

    @property
    def busy(self) -> bool:
        """Whether any parcel is under way."""
        return any(one.tasks for one in self._workers)

    def room(self) -> bool:
        """Whether somebody has less than two parcels: one to play, one to play next."""
        return any(len(one.tasks) < IN_FLIGHT for one in self._workers)

    def submit(self, parcel: Parcel) -> None:
        """Send a parcel to whoever has least to do."""
        min(self._workers, key=lambda one: len(one.tasks)).send(parcel)

    def results(self) -> Iterator[Done | Lost]:
        """Wait for a worker that has something to tell; see to those that are not well."""
        if not self.busy:
            return
        told = {one.connection: one for one in self._workers if one.tasks or not one.ready}
        for connection in wait(list(told), timeout=LOOK_EVERY):
            worker = told[connection]  # type: ignore[index]  # connections are what it was given
            try:
                what, content = worker.connection.recv()
            except (EOFError, OSError):
                yield self._bury(worker)
                continue
            if what == DONE:
                yield Done(worker.tasks.popleft(), *content)
            elif what == READY:
                worker.ready = True
            elif what in (FAILED, BROKEN):
                raise WorkerError(content)
        for worker in self._workers:
            worker.end_if_stuck()

    def close(self) -> None:
        """End all of them."""
        for worker in self._workers:
            worker.close()

    def _bury(self, worker: WorkerProcess[Parcel]) -> Lost:
        lost = Lost(tuple(worker.tasks), worker.death())
        worker.close()
        self._workers[self._workers.index(worker)] = _new()
        return lost


def _new() -> WorkerProcess[Parcel]:
    return WorkerProcess(WorkerBench)
