"""Workers of a match as processes: what becomes of one, the match goes on.

If a worker dies or hangs its agent is known. A new worker plays the task again; for the decision that cost a process
nobody is asked.
"""

from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import wait

from felt.arena.conduct import Conduct
from felt.arena.spec import Match
from felt.arena.table import Known
from felt.arena.watching import Indicators
from felt.arena.work import Done, Sink, Task
from felt.arena.worker import BROKEN, DONE, FAILED, READY, at_match, describe
from felt.arena.worker_process import IN_FLIGHT, LOOK_EVERY, MOST_DEATHS, WorkerError, WorkerProcess


class Processes:
    """A crew of processes."""

    def __init__(self, match: Match, workers: int, sink: Sink | None = None, watch: Indicators | None = None) -> None:
        self._setting = (describe(match), sink, watch)
        self._match = match
        self._known: Known = {}
        self._deaths: Counter[int] = Counter()
        self.conduct = Conduct.of(match.players)
        """What agents did wrong when the match was over."""
        count = min(workers, len(match.lanes)) if match.remembers else workers
        self._workers = [self._new() for _ in range(count)]

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""
        return any(one.tasks for one in self._workers)

    def room(self, lane: int) -> bool:
        """Whether the worker of this lane, or any worker, has less than it can take."""
        return len(self._worker(lane).tasks) < IN_FLIGHT

    def submit(self, task: Task) -> None:
        """Send a task to a worker."""
        self._worker(task.lane).send(self._informed(task))

    def results(self) -> Iterator[Done]:
        """Wait for a worker that is done with something; see to those that are not well."""
        busy = {one.connection: one for one in self._workers if one.tasks or not one.ready}
        if not self.busy:
            return
        for connection in wait(list(busy), timeout=LOOK_EVERY):
            worker = busy[connection]  # type: ignore[index]  # connections are what it was given
            try:
                what, content = worker.connection.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if what == DONE:
                worker.tasks.popleft()
                self._deaths.update(content.broken)
                yield content
            elif what == READY:
                worker.ready = True
            elif what in (FAILED, BROKEN):
                raise WorkerError(content)
        for worker in self._workers:
            worker.end_if_stuck()

    def close(self) -> None:
        """Let the workers tell their agents that the match is over, if they are idle; end the others."""
        for worker in self._workers:
            conduct = worker.close()
            if conduct is not None:
                self.conduct.join(conduct)

    def _worker(self, lane: int) -> WorkerProcess[Task]:
        """Whoever has least to do of those who play a lane: all, if there is one; else each lane has workers of its
        own, or each worker lanes of its own, so that no more copies of agents are needed than the larger number."""
        lanes, count = len(self._match.lanes), len(self._workers)
        own = [one for at, one in enumerate(self._workers) if at % lanes == lane % count]
        return min(own, key=lambda one: len(one.tasks))

    def _informed(self, task: Task) -> Task:
        retired = frozenset(player for player, deaths in self._deaths.items() if deaths >= MOST_DEATHS)
        return task.informed(dict(self._known), retired)

    def _bury(self, worker: WorkerProcess[Task]) -> None:
        """Find out why a worker died, and give its tasks to a new one."""
        death = worker.death()
        self._deaths[death.player] += 1
        self._known[death.hand, death.decision] = (death.player, death.fault, death.said)
        new = self._new()
        for task in worker.tasks:
            new.send(self._informed(task))
        worker.close()
        self._workers[self._workers.index(worker)] = new

    def _new(self) -> WorkerProcess[Task]:
        return WorkerProcess(at_match, *self._setting)
