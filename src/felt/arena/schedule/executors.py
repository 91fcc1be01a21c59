"""The executors of one machine: threads of this process, or processes of their own.

Agents of ours that decide at many tables at once play in threads, since kernels release Python's lock. All others play
in processes: Python code gets a core each, and an agent that ends its process does no harm to the others. A process
that dies or hangs is replaced. Each notes in a piece of shared memory which agent it is asking, in which hand and for
which decision: so that is known, and nobody is asked for it again.
"""

import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_futures
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from felt.arena.conductor.conduct import Conduct, Fault
from felt.arena.conductor.prepare import prepare
from felt.arena.conductor.table import ASKED, LIMIT_MS, MARKS, NOBODY
from felt.arena.schedule.tasks import Death, Executor, LostTasks, Plan, Task, TaskResult, pack
from felt.errors import FeltError

READY, FAILED, DONE, BROKEN, OVER = "ready", "failed", "done", "broken", "over"
"""What a worker sends: a workplace is open or cannot be opened, a task is done or cannot be played, a plan is over."""
FINISH = "finish"
"""What is sent to a worker beside plans and tasks: close the workplace."""
START = "from felt.arena.schedule.worker import main; main()"
"""The program of a process. (With ``-m``, Python warns that the module was imported before.)"""
LOOK_EVERY = 0.25
GRACE = 2.0
"""Seconds that a worker gets to interrupt an agent by itself before it is ended."""
IN_FLIGHT = 2
"""Tasks that a worker has at a time: one to play, one to play next."""
CLOSE_WITHIN = 5.0
NO_THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Numerical libraries must not start threads beside those of other workers."""


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


class WorkerError(FeltError):
    """Workers that cannot do their work."""


class WorkerProcess:
    """A worker process as its parent sees it, with the tasks that it has not finished."""

    def __init__(self) -> None:
        own, other = socket.socketpair()
        with tempfile.TemporaryFile() as file, other:
            file.truncate(MARKS * 8)
            self._map = mmap.mmap(file.fileno(), MARKS * 8)
            self.marks = memoryview(self._map).cast("q")
            self.marks[ASKED] = NOBODY
            pass_on = (other.fileno(), file.fileno())
            self._process = subprocess.Popen(  # what agents print is no part of our output
                # -P: a random.py in the user's folder is not Python's
                [sys.executable, "-P", "-c", START, *map(str, pass_on)],
                pass_fds=pass_on,
                stdin=subprocess.DEVNULL,
                stdout=_stderr(),
                env={**NO_THREADS, **os.environ},
            )
        self.connection = Connection(own.detach())
        self.tasks: deque[Task] = deque()
        self.opening = 0
        """Plans that were sent and whose workplaces are not open yet."""
        self.stuck = False
        self._seen: tuple[int, ...] = ()
        self._since = 0.0

    def begin(self, packed: bytes) -> None:
        """Send a plan, as `pack` packed it: tasks of it follow."""
        self.opening += 1
        self._send(packed)

    def send(self, task: Task) -> None:
        """Give the process a task."""
        self.tasks.append(task)
        self._send(task)

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it may be dead: whoever waits for it will see
            self.connection.send(message)

    def end_if_stuck(self) -> None:
        """Kill the process if it has been asking one agent for too long."""
        now, after = tuple(self.marks), self.marks[LIMIT_MS] / 1000 + GRACE
        if now != self._seen or now[0] == NOBODY:
            self._seen, self._since = now, time.monotonic()
        elif time.monotonic() - self._since > after and not self.stuck:
            self.stuck = True
            self._process.kill()

    def death(self) -> Death:
        """The decision that ended the process; an error if no agent was deciding."""
        player, hand, decision, milliseconds = self.marks[:MARKS]
        code = self._process.wait()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        ending = f"its process {how}"
        if player == NOBODY or self.opening:
            raise WorkerError(f"a worker process ended while no agent was deciding ({ending}): see the messages above")
        if self.stuck:
            message = f"no answer within {milliseconds / 1000:g} s, and it could not be interrupted"
            return Death(player, hand, decision, Fault.TIMEOUT, message)
        return Death(player, hand, decision, Fault.ERROR, ending)

    def finish(self) -> list[Conduct]:
        """Let the process close its workplace if it has one and is idle; what that returns. A busy one is killed."""
        with suppress(EOFError, OSError):
            if self.opening and not self.tasks:
                return []  # it has played nothing
            if not self.tasks:
                self.connection.send(FINISH)
                if self.connection.poll(CLOSE_WITHIN):
                    kind, content = self.connection.recv()
                    return [content] if kind == OVER else []
        self._process.kill()
        self._process.wait()
        return []

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process: one that is idle ends by itself when the connection is closed."""
        self.connection.close()
        try:
            self._process.wait(0 if self.opening or self.tasks else CLOSE_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.marks.release()
        self._map.close()


def _stderr() -> int:
    """The real standard error, to which everything goes that agents print."""
    try:
        return sys.__stderr__.fileno() if sys.__stderr__ is not None else subprocess.DEVNULL
    except (OSError, ValueError):
        return subprocess.DEVNULL


class Processes:
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._most = workers
        self._workers: list[WorkerProcess] = []

    @property
    def busy(self) -> bool:
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
