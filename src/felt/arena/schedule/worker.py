"""A process that plays tasks: `main` is run by `worker_process`, with the numbers of a socket and of a file of marks.

Agents run in its main thread. A second thread settles what was played, while the next task is played. A third one
interrupts decisions that take too long, and ends the process when its parent is gone.
"""

import gc
import mmap
import os
import signal
import sys
import threading
import time
import traceback
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from felt.arena.conductor.table import ASKED, DECISION, IN_HAND, LIMIT_MS, MARKS, NOBODY, Late
from felt.arena.schedule.executors import BROKEN, DONE, FAILED, FINISH, OVER, READY, prepare_plan
from felt.arena.schedule.tasks import Task, Workplace, unpack
from felt.errors import FeltError

LOOK_EVERY = 0.1
"""Seconds between two looks at what the main thread is doing."""


def main() -> None:
    """Play what comes through the socket until it is closed."""
    try:
        _work(int(sys.argv[1]), int(sys.argv[2]))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        sys.exit(1)  # the plan is over, or its process is gone


def _work(socket: int, marks_file: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    marks = memoryview(mmap.mmap(marks_file, MARKS * 8)).cast("q")
    marks[ASKED] = NOBODY
    _interrupt_late_decisions(marks)
    _Worker(Connection(socket), marks).work()


class _Worker:
    """Takes plans and tasks from a connection, and sends back results."""

    def __init__(self, connection: Connection, marks: "memoryview[int]") -> None:
        self._connection, self._marks = connection, marks
        self._workplace: Workplace | None = None
        self._lock = Lock()
        self._second = ThreadPoolExecutor(1)
        self._last: Future[None] | None = None

    def work(self) -> None:
        """Do what is asked for until there is nothing more."""
        while True:
            message = self._connection.recv()
            if isinstance(message, bytes):
                if not self._begin(message):
                    return
            elif message == FINISH:
                self._finish()
            else:
                self._play(message)

    def _begin(self, packed: bytes) -> bool:
        """Open the workplace of a plan; whether that was possible."""
        try:
            plan = unpack(packed)
            prepare_plan(plan)
            first, self._workplace = self._workplace is None, plan.workplace(marks=self._marks)
        except FeltError as error:
            self._send(FAILED, str(error))
            return False
        if first:
            gc.freeze()  # what is loaded by now is never garbage: it need not be searched while hands are played
        self._send(READY, None)
        return True

    def _play(self, task: Task) -> None:
        assert self._workplace is not None
        try:
            played = self._workplace.play(task)
        except FeltError as error:
            self._send(BROKEN, str(error))
            return
        self._wait()  # no more than one task waits to be settled
        self._last = self._second.submit(self._settle, self._workplace, played)

    def _settle(self, workplace: Workplace, played: Any) -> None:
        try:
            self._send(DONE, workplace.settle(played))
        except FeltError as error:
            self._send(BROKEN, str(error))
        except BaseException:  # nobody may come to ask for it, and the parent would wait for ever
            traceback.print_exc()
            os._exit(1)

    def _finish(self) -> None:
        self._wait()
        assert self._workplace is not None
        self._send(OVER, self._workplace.close())

    def _wait(self) -> None:
        if self._last is not None:
            self._last.result()

    def _send(self, kind: str, content: Any) -> None:
        with self._lock:
            self._connection.send((kind, content))


def _interrupt_late_decisions(marks: "memoryview[int]") -> None:
    """Interrupt decisions that take too long, and end the process when its parent is gone."""
    main_thread, parent = threading.main_thread().ident, os.getppid()
    assert main_thread is not None

    def interrupt(signum: int, frame: object) -> None:
        if marks[ASKED] != NOBODY:
            raise Late

    def look() -> None:
        seen, since = (NOBODY, 0, 0), 0.0
        while True:
            time.sleep(LOOK_EVERY)
            if os.getppid() != parent:
                os._exit(1)
            now = (marks[ASKED], marks[IN_HAND], marks[DECISION])
            if now != seen or now[0] == NOBODY:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > marks[LIMIT_MS] / 1000:
                signal.pthread_kill(main_thread, signal.SIGUSR1)

    signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=look, name="felt watch", daemon=True).start()
