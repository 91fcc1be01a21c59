"""A progress bar on stderr for work that takes longer than two seconds, on a terminal only."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 2.0
"""Seconds that a user waits before a bar is worth its place."""


class Report(Protocol):
    """Draws the bar: how much is done, of how much, and what it says if that has changed."""

    def __call__(self, done: float, total: float, /, doing: str = "") -> None: ...


@contextmanager
def progress_bar(doing: str) -> Iterator[Report | None]:
    """Yield a callback ``(done, total)`` that draws the bar; None where nobody would see it."""
    if sys.stderr is None or not sys.stderr.isatty():  # None: it was closed
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar.report
    finally:
        bar.stop()


class _Bar:
    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._started = time.monotonic()
        self._shown: Progress | None = None

    def report(self, done: float, total: float, /, doing: str = "") -> None:
        self._doing = doing or self._doing
        if self._shown is None:
            if time.monotonic() - self._started < PATIENCE:
                return
            self._shown = self._show()
        self._shown.update(self._shown.task_ids[0], completed=done, total=total, description=self._doing)

    def _show(self) -> "Progress":
        from rich.console import Console
        from rich.progress import Progress

        shown = Progress(console=Console(stderr=True), transient=True)
        shown.add_task(self._doing)
        shown.start()
        return shown

    def stop(self) -> None:
        if self._shown is not None:
            self._shown.stop()
