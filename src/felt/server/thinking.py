"""The threads in which agents think: who waits for a person goes first, and nobody takes all of them."""

import asyncio
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

PEOPLE, OTHERS = "felt-agent", "felt-watched"


class TooLateError(Exception):
    """No answer has come in time."""


class Thinking:
    """Threads of two kinds.

    Some are for tables at which people sit, and only for those. The others are for all else, and there everybody has
    one at a time: somebody's many tables of agents wait for each other, not others for them.
    """

    def __init__(self, threads: int) -> None:
        self._first = ThreadPoolExecutor(threads, thread_name_prefix=PEOPLE)
        self._others = ThreadPoolExecutor(max(2, threads // 2), thread_name_prefix=OTHERS)
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def run(
        self, work: Callable[[], T], *, seconds: float, whose: Hashable = None, after: Callable[[], None] = lambda: None
    ) -> T:
        """What comes of some work, or what it raises, or `TooLateError` after so many seconds, waiting included.

        `whose` is None for a table with people. What has not begun in time is never done, and what has begun goes on:
        `after` is called when its thread is free again.
        """
        loop = asyncio.get_running_loop()
        over = loop.time() + max(seconds, 0.0)
        turn = None if whose is None else self._turns.setdefault(whose, asyncio.Lock())

        def done(working: "asyncio.Future[Any]") -> None:
            if turn is not None:
                turn.release()
            if not working.cancelled():
                working.exception()  # of a late answer nobody else takes note
            after()

        try:
            async with asyncio.timeout_at(over):
                if turn is not None:
                    await turn.acquire()
        except TimeoutError:
            after()
            raise TooLateError("did not get to think in time") from None
        except BaseException:
            after()
            raise
        begun = (self._first if whose is None else self._others).submit(work)
        working = asyncio.wrap_future(begun)
        working.add_done_callback(done)
        try:
            return await asyncio.wait_for(asyncio.shield(working), max(over - loop.time(), 0.0))
        except TimeoutError:
            if working.done():  # it is what the work itself has raised
                raise
            raise TooLateError("did not get to think in time" if begun.cancel() else "did not answer in time") from None

    def close(self) -> None:
        """Begin nothing more."""
        for pool in (self._first, self._others):
            pool.shutdown(wait=False, cancel_futures=True)


def still_at_work(seconds: float) -> bool:
    """Whether an agent thinks on, so many seconds after all threads were told to begin nothing more."""
    until = monotonic() + seconds
    for thread in threading.enumerate():
        if thread.name.startswith((PEOPLE, OTHERS)):
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                return True
    return False
