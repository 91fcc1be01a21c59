"""Who plays the tasks of a match: threads of this process, or processes of their own.

Agents of ours that decide at many tables at once play in threads, since kernels let go of Python's lock. All others
play in processes: Python code gets a core each, and what an agent does to its process does not harm the match.
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from felt.arena.conduct import Conduct
from felt.arena.spec import Match
from felt.arena.watching import Indicators
from felt.arena.work import Dealer, Done, Hands, Sink, Task, settle


class Crew(Protocol):
    """Takes tasks, and gives them back done, in any order."""

    conduct: Conduct
    """What agents did wrong when the match was over; whole after `close`."""

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""

    def room(self, lane: int) -> bool:
        """Whether one more task of this lane would be begun soon."""

    def submit(self, task: Task) -> None:
        """Have a task played."""

    def results(self) -> Iterator[Done]:
        """Tasks that are done: waits for one, unless none is under way."""

    def close(self) -> None:
        """Let everybody go; what is under way is dropped."""


class Threads:
    """Threads of this process. Agents that decide one table at a time all play in the caller's, and so do those of
    several lanes: then there is one copy for each lane."""

    def __init__(self, match: Match, workers: int, sink: Sink | None = None, watch: Indicators | None = None) -> None:
        self._match, self._sink, self._watch = match, sink, watch
        self._dealer = Dealer(match)
        self._here = workers == 1 or not match.in_step or len(match.lanes) > 1
        self._most = 2 if self._here else workers + 1
        self._pool = ThreadPoolExecutor(1 if self._here else workers, thread_name_prefix="felt arena")
        self._waiting: list[Task] = []
        self._running: set[Future[Done]] = set()
        self.conduct = Conduct.of(match.players)

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""
        return bool(self._waiting or self._running)

    def room(self, lane: int) -> bool:
        """Whether there is somebody to begin one more task, or to have it next."""
        return len(self._running) + len(self._waiting) < self._most

    def submit(self, task: Task) -> None:
        """Begin a task in a thread, or put it down for the caller's."""
        if self._here:
            self._waiting.append(task)
        else:
            self._running.add(self._pool.submit(self._do, task))

    def results(self) -> Iterator[Done]:
        """What is done next. Where the caller's thread plays, it plays a task now; others tell of it and keep it."""
        if self._waiting:
            hands = self._dealer.play(self._waiting.pop(0))
            self._running.add(self._pool.submit(self._settle, hands))
        done, self._running = wait(self._running, 0 if self._waiting else None, FIRST_COMPLETED)
        for future in sorted(done, key=lambda one: one.result().task.first):
            yield future.result()

    def close(self) -> None:
        """Forget what has not begun."""
        self._pool.shutdown(cancel_futures=True)
        self.conduct.join(self._dealer.over())

    def _do(self, task: Task) -> Done:
        return self._settle(self._dealer.play(task))

    def _settle(self, hands: Hands) -> Done:
        return settle(self._match, hands, self._sink, self._watch)
