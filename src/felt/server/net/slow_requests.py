"""A few threads for slow requests, shared fairly between connections.

Every connection has a queue of its own and they are served in turn, so one client that asks for a
thousand slow things delays another by one of them, not by a thousand. Kernels release the GIL, so the
event loop goes on meanwhile.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from queue import SimpleQueue
from typing import Generic, TypeVar

R = TypeVar("R")


class SlowRequests(Generic[R]):
    """Runs work on `workers` threads and hands each result back in the event loop.

    The threads are daemons: work that is still running when the server has given up on it does not keep
    the process alive. `submit` and `forget` belong to the event loop's thread; work must not raise.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, workers: int, *, step_back: bool = True) -> None:
        """`step_back` lets the event loop go first when there are more busy threads than cores: for work that releases
        the GIL, or the loop would wait for it."""
        self._loop, self._step_back = loop, step_back
        self._workers = self._idle = workers
        self._queues: dict[Hashable, deque[tuple[Callable[[], R], Callable[[R], None]]]] = {}
        self._turns: deque[Hashable] = deque()
        self._inbox: SimpleQueue[tuple[Callable[[], R], Callable[[R], None]] | None] = SimpleQueue()
        for number in range(workers):
            threading.Thread(target=self._serve, name=f"felt-slow-{number}", daemon=True).start()

    def submit(self, owner: Hashable, work: Callable[[], R], done: Callable[[R], None]) -> None:
        """Queue work for this owner; `done` is called with its result, unless the owner is forgotten."""
        if owner not in self._queues:
            self._queues[owner] = deque()
            self._turns.append(owner)
        self._queues[owner].append((work, done))
        self._dispatch()

    def forget(self, owner: Hashable) -> None:
        """Drop what this owner has waiting; what already runs still reports."""
        if self._queues.pop(owner, None) is not None:
            self._turns.remove(owner)

    def close(self) -> None:
        """Let the threads end after what they are at; waiting work is dropped."""
        self._queues.clear()
        self._turns.clear()
        for _ in range(self._workers):
            self._inbox.put(None)

    def _dispatch(self) -> None:
        while self._idle and self._turns:
            owner = self._turns.popleft()
            queue = self._queues[owner]
            self._inbox.put(queue.popleft())
            self._idle -= 1
            if queue:
                self._turns.append(owner)
            else:
                del self._queues[owner]

    def _finished(self, done: Callable[[R], None], result: R) -> None:
        self._idle += 1
        self._dispatch()
        done(result)

    def _serve(self) -> None:
        if self._step_back and sys.platform == "linux":  # only Linux knows a thread as something with a priority
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        while (item := self._inbox.get()) is not None:
            work, done = item
            result = work()
            try:
                self._loop.call_soon_threadsafe(self._finished, done, result)
            except RuntimeError:  # the loop is closed: nobody waits for this any more
                return
