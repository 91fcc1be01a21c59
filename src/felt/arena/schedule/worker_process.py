"""A worker process as its parent sees it: what it was given, whom it is asking, and how it ended.

Each worker says in a piece of shared memory whom it is asking, in which hand and for which decision. If it dies or
hangs the agent is known.
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
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

from felt.arena.conduct import Conduct, Fault
from felt.arena.table import MARKS, NOBODY
from felt.arena.worker import OVER, Begin
from felt.errors import FeltError

LOOK_EVERY = 0.25
GRACE = 2.0
"""Seconds that a worker gets to interrupt an agent by itself before it is ended."""
MOST_DEATHS = 20
"""Deaths of one agent's process after which it is not asked any more: every one costs about a second."""
IN_FLIGHT = 2
"""Tasks that a worker has at a time: one to play, one to play next."""
CLOSE_WITHIN = 5.0

T = TypeVar("T")


class WorkerError(FeltError):
    """Workers that cannot do their work."""


class Death(NamedTuple):
    """The decision that cost a process its life."""

    player: int
    hand: int
    decision: int
    fault: Fault
    said: str


class WorkerProcess(Generic[T]):
    """One process, with what it was given to do."""

    def __init__(self, begin: Begin, *setting: Any) -> None:
        """Begin a process that does ``begin(connection, marks, *setting).work()``, whatever that sends and takes."""
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
        self.tasks: deque[T] = deque()
        self.ready = self.stuck = False
        self._seen: tuple[int, ...] = ()
        self._since = 0.0
        self.connection.send((begin, setting))

    def send(self, task: T) -> None:
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

    def death(self) -> Death:
        """Whose decision ended the process, which has ended; an error if it was nobody's."""
        player, hand, decision, milliseconds = self.marks[:MARKS]
        why = self._epitaph()
        if player == NOBODY or not self.ready:
            self.close()
            raise WorkerError(f"a worker process ended while no agent was deciding ({why}): see the messages above")
        if self.stuck:
            said = f"no answer within {milliseconds / 1000:g} s, and it could not be interrupted"
            return Death(player, hand, decision, Fault.TIMEOUT, said)
        return Death(player, hand, decision, Fault.ERROR, why)

    def _epitaph(self) -> str:
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
