"""The executors of one machine: threads of this process, or processes of their own.

Agents of ours that decide at many tables at once play in threads, since kernels release Python's lock. All others play
in processes: Python code gets a core each, and an agent that ends its process does no harm to the others. A process
that dies or hangs is replaced; the decision that it was asking for is known, and nobody is asked for it again.
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_futures
from multiprocessing.connection import wait

from felt.arena.conductor.conduct import Conduct
from felt.arena.conductor.prepare import prepare
from felt.arena.schedule.tasks import Executor, LostTasks, Plan, Task, TaskResult, pack
from felt.arena.schedule.worker_process import (
    BROKEN,
    DONE,
    FAILED,
    IN_FLIGHT,
    LOOK_EVERY,
    READY,
    WorkerError,
    WorkerProcess,
)


def prepare_plan(plan: Plan) -> None:
    """Compile and load what the tasks of a plan need."""
    for rules, players in plan.games:
        prepare(rules, plan.entrants, players=players)


def executor_for(plan: Plan, workers: int) -> Executor:
    """Who plays a plan on this machine."""
    return Processes(workers) if plan.sendable and workers > plan.workers_here else Threads(workers)


class Threads:
    """Threads of this process; the caller's own where a plan does not allow several."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._waiting: list[Task] = []
        self._running: set[Future[TaskResult]] = set()

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""
        return bool(self._waiting or self._running)

    def begin(self, plan: Plan) -> None:
        """Open the workplace that all threads share."""
        self._workplace = plan.workplace()
        self._here = self._workers == 1 or not plan.in_threads
        self._most = self._workers + 1 if not self._here else 2 if self._workplace.settles else 1
        self._pool = ThreadPoolExecutor(1 if self._here else self._workers, thread_name_prefix="felt arena")

    def has_room(self, lane: int) -> bool:
        """Whether a thread is free for one more task, or could have it next."""
        return len(self._running) + len(self._waiting) < self._most

    def submit(self, task: Task) -> None:
        """Begin a task in a thread, or put it down for the caller's."""
        if self._here:
            self._waiting.append(task)
        else:
            self._running.add(self._pool.submit(self._play, task))

    def results(self) -> Iterator[TaskResult | LostTasks]:
        """What is done next. The caller's thread, where it plays, plays a task now; another thread settles it."""
        if self._waiting:
            played = self._workplace.play(self._waiting.pop(0))
            self._running.add(self._pool.submit(self._workplace.settle, played))
        done, self._running = wait_for_futures(self._running, 0 if self._waiting else None, FIRST_COMPLETED)
        yield from sorted((future.result() for future in done), key=lambda result: result.task.first)

    def finish(self) -> list[Conduct]:
        """Drop what has not begun, and close the workplace."""
        self._pool.shutdown(cancel_futures=True)
        self._waiting, self._running = [], set()
        return [self._workplace.close()]

    def close(self) -> None:
        """Nothing is left open after `finish`."""

    def _play(self, task: Task) -> TaskResult:
        return self._workplace.settle(self._workplace.play(task))


class Processes:
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._most = workers
        self._workers: list[WorkerProcess] = []

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""
        return any(worker.tasks for worker in self._workers)

    def begin(self, plan: Plan) -> None:
        """Send the plan to all workers; those that are missing are started."""
        self._packed, self._lanes = pack(plan), len(plan.lanes)
        count = min(self._most, self._lanes) if plan.remembers else self._most
        while len(self._workers) > count:
            self._workers.pop().close()
        self._workers += [WorkerProcess() for _ in range(count - len(self._workers))]
        for worker in self._workers:
            worker.begin(self._packed)

    def has_room(self, lane: int) -> bool:
        """Whether a worker of this lane has less than two tasks: one to play, one to play next."""
        return len(self._worker(lane).tasks) < IN_FLIGHT

    def submit(self, task: Task) -> None:
        """Send a task to a worker."""
        self._worker(task.lane).send(task)

    def results(self) -> Iterator[TaskResult | LostTasks]:
        """Wait for a worker that has something to say; replace those that died, end those that hang."""
        if not self.busy:
            return
        active = {worker.connection: worker for worker in self._workers if worker.tasks or worker.opening}
        for connection in wait(list(active), timeout=LOOK_EVERY):
            worker = active[connection]  # type: ignore[index]  # connections are what it was given
            try:
                kind, content = worker.connection.recv()
            except (EOFError, OSError):
                yield self._replace_worker(worker)
                continue
            if kind == DONE:
                worker.tasks.popleft()
                yield content
            elif kind == READY:
                worker.opening -= 1
            elif kind in (FAILED, BROKEN):
                raise WorkerError(content)
        for worker in self._workers:
            worker.end_if_stuck()

    def finish(self) -> list[Conduct]:
        """Let idle workers close their workplaces; busy ones are ended."""
        endings = [conduct for worker in self._workers for conduct in worker.finish()]
        for worker in [worker for worker in self._workers if not worker.alive]:
            worker.close()
            self._workers.remove(worker)
        return endings

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()
        self._workers = []

    def _worker(self, lane: int) -> WorkerProcess:
        """The least busy worker of a lane. With fewer lanes than workers, each lane has workers of its own; else each
        worker has lanes of its own: so there are no more copies of agents than the larger number."""
        count = len(self._workers)
        own = [worker for place, worker in enumerate(self._workers) if place % self._lanes == lane % count]
        return min(own, key=lambda worker: len(worker.tasks))

    def _replace_worker(self, worker: WorkerProcess) -> LostTasks:
        """Find out why a worker died, and start another in its place."""
        lost = LostTasks(tuple(worker.tasks), worker.death())
        worker.close()
        new = WorkerProcess()
        new.begin(self._packed)
        self._workers[self._workers.index(worker)] = new
        return lost
