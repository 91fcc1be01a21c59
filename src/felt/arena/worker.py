"""A process that plays tasks: ``python -m felt.arena.worker SOCKET MARKS``, begun by `felt.arena.worker_process`.

Agents run in its main thread; the hands of a match are told and kept in a second one, while the next are played; a
third sees to it that no decision takes for ever, and that the process does not outlive the match.
"""

import gc
import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, Protocol

from felt.agents.naming import entrant
from felt.arena.conduct import Penalty
from felt.arena.prepare import prepare
from felt.arena.spec import Match
from felt.arena.table import MARKS, NOBODY, Late
from felt.arena.watching import Indicators
from felt.arena.work import Dealer, Hands, Sink, settle
from felt.errors import FeltError
from felt.games.rules import GameRules

LOOK_EVERY = 0.1
"""Seconds between two looks at what the main thread is doing."""
READY, FAILED, DONE, BROKEN, OVER = "ready", "failed", "done", "broken", "over"


def describe(match: Match) -> dict[str, Any]:
    """A match as it is sent to a worker, which loads the agents itself."""
    return {
        "rules": match.rules,
        "specs": tuple(one.place for one in match.entrants),
        "heard": {one.place: one.kind.greeting for one in match.entrants if one.found_at},
        "stack": match.stack,
        "seed": match.seed,
        "duplicate": match.duplicate,
        "turning": match.turning,
        "penalty": match.penalty.value,
        "timeout": match.timeout,
    }


def described(rules: GameRules, specs: tuple[str, ...], penalty: str, heard: dict[str, Any], **more: Any) -> Match:
    """The match that `describe` told of."""
    if heard:  # programs outside have said what they want: they need not be started once more for that
        from felt.agents.outside import naming

        naming.heard(heard)
    return Match(rules, tuple(map(entrant, specs)), penalty=Penalty(penalty), **more)


def main(socket: int, marks_file: int) -> None:
    """Play what comes through the socket until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    connection = Connection(socket)
    marks = memoryview(mmap.mmap(marks_file, MARKS * 8)).cast("q")
    marks[0] = NOBODY
    try:
        begin, setting = connection.recv()
        bench = begin(connection, marks, *setting)
    except FeltError as error:
        connection.send((FAILED, str(error)))
        return
    gc.freeze()  # what is loaded by now is never garbage: not to be looked through while hands are played
    _watch_over(marks)
    connection.send((READY, None))
    bench.work()


class Bench(Protocol):
    """What a worker does: takes tasks from its connection, and sends what came of them, until there are no more."""

    def work(self) -> None:
        """Do it."""


Begin = Callable[..., Bench]
"""Makes a bench from the connection, the marks, and what else it needs; found by its name from another process."""


def at_match(
    connection: Connection,
    marks: "memoryview[int]",
    told: dict[str, Any],
    sink: Sink | None,
    watch: Indicators | None,
) -> Bench:
    """A bench for the tasks of a match."""
    match = described(**told)
    match.make_agents()
    prepare(match.rules, match.entrants, players=match.players)
    return _MatchBench(connection, Dealer(match, marks=marks), sink, watch)


class _MatchBench:
    """Where tasks come in and go out."""

    def __init__(self, connection: Connection, dealer: Dealer, sink: Sink | None, watch: Indicators | None) -> None:
        self._connection, self._dealer, self._sink, self._watch = connection, dealer, sink, watch
        self._lock = Lock()
        self._second = ThreadPoolExecutor(1)

    def work(self) -> None:
        """Play tasks until there are no more."""
        last: Future[None] | None = None
        while (task := self._connection.recv()) is not None:
            hands = self._dealer.play(task)
            if last is not None:
                last.result()  # no more than one task waits to be told
            last = self._second.submit(self._settle, hands)
        if last is not None:
            last.result()
        self._send(OVER, self._dealer.over())

    def _settle(self, hands: Hands) -> None:
        try:
            self._send(DONE, settle(self._dealer.match, hands, self._sink, self._watch))
        except FeltError as error:
            self._send(BROKEN, str(error))

    def _send(self, what: str, content: Any) -> None:
        with self._lock:
            self._connection.send((what, content))


def _watch_over(marks: "memoryview[int]") -> None:
    """Interrupt decisions that take too long, and end the process when its parent is gone."""
    main_thread, parent = threading.main_thread().ident, os.getppid()
    assert main_thread is not None

    def interrupt(signum: int, frame: object) -> None:
        if marks[0] != NOBODY:
            raise Late

    def look() -> None:
        seen, since = (NOBODY, 0, 0), 0.0
        while True:
            time.sleep(LOOK_EVERY)
            if os.getppid() != parent:
                os._exit(1)
            now = (marks[0], marks[1], marks[2])
            if now != seen or now[0] == NOBODY:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > marks[3] / 1000:
                signal.pthread_kill(main_thread, signal.SIGUSR1)

    signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=look, name="felt watch", daemon=True).start()


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        sys.exit(1)  # the match is over, or its process is gone
