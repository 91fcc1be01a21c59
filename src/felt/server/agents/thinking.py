"""The threads in which agents think: who waits for a person goes first, and nobody takes all of them."""

import asyncio
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

PEOPLE, OTHERS, GUESTS = "felt-agent", "felt-watched", "felt-guest"
PROGRAMS, PROGRAMS_EACH = 64, 8
"""Programs outside that are waited for at a time: of all players, and of one."""
CLASS, CLASS_EACH = 8, 2
"""The same for one class in a file; it works in the service itself."""


class TooLateError(Exception):
    """No answer has come in time."""


class OverranError(TooLateError):
    """No answer has come in time, and the work goes on in its thread."""


class Lane:
    """Some threads, of which everybody may have `each` at a time; 0 stands for all."""

    def __init__(self, threads: int, name: str, *, each: int = 0, gives_up: bool = False) -> None:
        """With `gives_up`, work that has overrun is no longer counted among what somebody has: it may never end."""
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._each, self._gives_up = each, gives_up
        self._turns: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    async def run(
        self, work: Callable[[], T], *, seconds: float, whose: Hashable = None, after: Callable[[], None] = lambda: None
    ) -> T:
        """What comes of some work, or what it raises, or `TooLateError` after so many seconds, waiting included.

        What has not begun in time is never done, and what has begun goes on: `after` is called when its thread is free
        again.
        """
        loop = asyncio.get_running_loop()
        over = loop.time() + max(seconds, 0.0)
        turn = self._turns.setdefault(whose, asyncio.Semaphore(self._each)) if self._each else None
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
        held = [turn] if turn is not None else []

        def done(working: "asyncio.Future[Any]") -> None:
            while held:
                held.pop().release()
            if not working.cancelled():
                working.exception()  # of a late answer nobody else takes note
            after()

        abandoned = False

        def begin() -> T:
            if abandoned:
                raise TooLateError("did not get to think in time")
            try:
                return work()
            except SystemExit as error:  # of an agent: it would end the event loop
                raise RuntimeError(f"it wants to exit with {error.code!r}") from error

        try:
            begun = self._pool.submit(begin)
        except BaseException:  # no thread for it, though the pool may come to it later: then it is not done any more
            abandoned = True
            while held:
                held.pop().release()
            after()
            raise
        working = asyncio.wrap_future(begun)
        working.add_done_callback(done)
        try:
            return await asyncio.wait_for(asyncio.shield(working), max(over - loop.time(), 0.0))
        except TimeoutError:
            if working.done():  # it is what the work itself has raised
                raise
            if begun.cancel():
                raise TooLateError("did not get to think in time") from None
            while self._gives_up and held:
                held.pop().release()
            raise OverranError("did not answer in time") from None

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """Threads of several kinds.

    Some are for tables at which people sit, and only for those. The others are for all else, and there everybody has
    one at a time: somebody's many tables of agents wait for each other, not others for them. Guests are in neither:
    programs outside, which are only waited for, have threads of their own, and so has every class in a file, since
    those that never answer keep theirs.
    """

    def __init__(self, threads: int) -> None:
        self.people = Lane(threads, PEOPLE)
        self.others = Lane(max(2, threads // 2), OTHERS, each=1)
        self.programs = Lane(PROGRAMS, GUESTS, each=PROGRAMS_EACH)
        self._classes: dict[str, Lane] = {}

    def class_named(self, name: str) -> Lane:
        """The threads of one class in a file."""
        if name not in self._classes:
            self._classes[name] = Lane(CLASS, f"{GUESTS}-{name}", each=CLASS_EACH, gives_up=True)
        return self._classes[name]

    def close(self) -> None:
        """Begin nothing more."""
        for lane in (self.people, self.others, self.programs, *list(self._classes.values())):
            lane.close()


def still_at_work(seconds: float) -> bool:
    """Whether an agent thinks on, so many seconds after all threads were told to begin nothing more."""
    until = monotonic() + seconds
    for thread in threading.enumerate():
        if thread.name.startswith((PEOPLE, OTHERS, GUESTS)):
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                return True
    return False
