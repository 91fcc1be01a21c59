"""A worker process as its parent sees it: its tasks, the agent that it is asking, and how it ended.

Each worker notes in a piece of shared memory which agent it is asking, in which hand and for which decision. If it dies
or hangs, the agent is known.
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
from typing import Any

from felt.arena.conductor.conduct import Conduct, Fault
from felt.arena.conductor.table import ASKED, LIMIT_MS, MARKS, NOBODY
from felt.arena.schedule.tasks import Death, Task
from felt.errors import FeltError

READY, FAILED, DONE, BROKEN, OVER = "ready", "failed", "done", "broken", "over"
"""What a worker sends: a workplace is open or cannot be opened, a task is done or cannot be played, a plan is over."""
FINISH = "finish"
"""What is sent to a worker beside plans and tasks: close the workplace."""
LOOK_EVERY = 0.25
GRACE = 2.0
"""Seconds that a worker gets to interrupt an agent by itself before it is ended."""
IN_FLIGHT = 2
"""Tasks that a worker has at a time: one to play, one to play next."""
CLOSE_WITHIN = 5.0


class WorkerError(FeltError):
    """Workers that cannot do their work."""


START = "from felt.arena.schedule.worker import main; main()"
"""The program of the process. (With ``-m``, Python warns that the module was imported before.)"""


class WorkerProcess:
    """One process, with the tasks that it has not finished."""

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
                env=_environment(),
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
        ending = self._ending()
        if player == NOBODY or self.opening:
            raise WorkerError(f"a worker process ended while no agent was deciding ({ending}): see the messages above")
        if self.stuck:
            message = f"no answer within {milliseconds / 1000:g} s, and it could not be interrupted"
            return Death(player, hand, decision, Fault.TIMEOUT, message)
        return Death(player, hand, decision, Fault.ERROR, ending)

    def _ending(self) -> str:
        """How the process ended, in words."""
        code = self._process.wait()
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

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


def _environment() -> dict[str, str]:
    """The environment of a worker: numerical libraries must not start threads beside those of other workers."""
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}
