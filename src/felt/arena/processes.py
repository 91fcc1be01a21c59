"""Workers as processes: what becomes of one, the match goes on.

Each worker says in a piece of shared memory whom it is asking, in which hand and for which decision. If it dies or
hangs the agent is known. A new worker plays the task again; for the decision that cost a process nobody is asked.
"""

import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from felt.arena.conduct import Conduct, Fault
from felt.arena.spec import Match
from felt.arena.table import MARKS, NOBODY, Known
from felt.arena.watching import Indicators
from felt.arena.work import Done, Sink, Task
from felt.arena.worker import BROKEN, DONE, FAILED, OVER, READY, describe
from felt.errors import FeltError

LOOK_EVERY = 0.25
GRACE = 2.0
"""Seconds that a worker gets to interrupt an agent by itself before it is ended."""
MOST_DEATHS = 20
"""Deaths of one agent's process after which it is not asked any more: every one costs about a second."""
IN_FLIGHT = 2
"""Tasks that a worker has at a time: one to play, one to play next."""
CLOSE_WITHIN = 5.0


class WorkerError(FeltError):
    """Workers that cannot do their work."""


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
        self._workers = [_Worker(self._setting) for _ in range(count)]

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

    def _worker(self, lane: int) -> "_Worker":
        if self._match.remembers:
            return self._workers[lane % len(self._workers)]
        return min(self._workers, key=lambda one: len(one.tasks))

    def _informed(self, task: Task) -> Task:
        retired = frozenset(player for player, deaths in self._deaths.items() if deaths >= MOST_DEATHS)
        return replace(task, known=dict(self._known), retired=retired)

    def _bury(self, worker: "_Worker") -> None:
        """Find out why a worker died, and give its tasks to a new one."""
        player, hand, decision = worker.marks[0], worker.marks[1], worker.marks[2]
        why = worker.epitaph()
        if player == NOBODY or not worker.ready:
            worker.close()
            raise WorkerError(f"a worker process ended while no agent was deciding ({why}): see the messages above")
        self._deaths[player] += 1
        fault = Fault.TIMEOUT if worker.stuck else Fault.ERROR
        said = (
            f"no answer within {worker.marks[3] / 1000:g} s, and it could not be interrupted" if worker.stuck else why
        )
        self._known[hand, decision] = (player, fault, said)
        new = _Worker(self._setting)
        for task in worker.tasks:
            new.send(self._informed(task))
        worker.close()
        self._workers[self._workers.index(worker)] = new


class _Worker:
    """One process, with what it was given to do."""

    def __init__(self, setting: tuple[Any, ...]) -> None:
        own, other = socket.socketpair()
        with tempfile.TemporaryFile() as file, other:
            file.truncate(MARKS * 8)
            self._map = mmap.mmap(file.fileno(), MARKS * 8)
            self.marks = memoryview(self._map).cast("q")
            self.marks[0] = NOBODY
            # -P: a random.py in the user's folder is not Python's
            command = [sys.executable, "-P", "-m", "felt.arena.worker", str(other.fileno()), str(file.fileno())]
            pass_on = (other.fileno(), file.fileno())
            self._process = subprocess.Popen(  # what agents print is no part of our output
                command, pass_fds=pass_on, stdin=subprocess.DEVNULL, stdout=_stderr(), env=_environment()
            )
        self.connection = Connection(own.detach())
        self.tasks: deque[Task] = deque()
        self.ready = self.stuck = False
        self._seen: tuple[int, ...] = ()
        self._since = 0.0
        self.connection.send(setting)

    def send(self, task: Task) -> None:
        """Give the process something to do."""
        self.tasks.append(task)
        with suppress(OSError):  # it may be dead: whoever waits for it will see
            self.connection.send(task)

    def end_if_stuck(self) -> None:
        """Kill the process if it has been asking one agent for too long."""
        now, after = tuple(self.marks), self.marks[3] / 1000 + GRACE
        if now != self._seen or now[0] == NOBODY:
            self._seen, self._since = now, time.monotonic()
        elif time.monotonic() - self._since > after and not self.stuck:
            self.stuck = True
            self._process.kill()

    def epitaph(self) -> str:
        """How the process ended, in words."""
        code = self._process.wait()
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

    def close(self) -> Conduct | None:
        """End the process: kindly if it has nothing to do, else at once."""
        conduct: Conduct | None = None
        try:
            if self.ready and not self.tasks and self._process.poll() is None:
                self.connection.send(None)
                if self.connection.poll(CLOSE_WITHIN):
                    what, content = self.connection.recv()
                    conduct = content if what == OVER else None
        except (EOFError, OSError):
            pass
        self.connection.close()
        try:
            self._process.wait(CLOSE_WITHIN if conduct is not None else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.marks.release()
        self._map.close()
        return conduct


def _stderr() -> int:
    """Where what agents print goes: to the real standard error, whatever stands in for it here."""
    try:
        return sys.__stderr__.fileno() if sys.__stderr__ is not None else subprocess.DEVNULL
    except (OSError, ValueError):
        return subprocess.DEVNULL


def _environment() -> dict[str, str]:
    """Of a worker: numerical libraries shall not start threads of their own beside other workers."""
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}
