"""What the hand-rank server can be asked, as plain functions of cards; and the file in which slow answers are kept.

The server and its tests are handed a `Measures`; Felt's own are put together here, so that this is the only file of the
server that knows where they come from.
"""

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread

from felt.errors import FeltError

log = logging.getLogger(__name__)
Cards = tuple[int, ...]
APPLICATION_ID = 0x46454C54  # "FELT", so that a file of another program is never written to
LAYOUT = 1  # raised whenever the meaning or the digits of an answer change; older files are then refused


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Functions of 5 to 7 different cards, the two hole cards first (two cards for `chen`).

    `rank`, `chen` and `ars` are called in the event loop and should take microseconds. The others, given the number of
    opponents too, run on threads of their own.
    """

    rank: Callable[[Cards], int]
    chen: Callable[[Cards], float]
    ars: Callable[[Cards, int], float]
    hs: Callable[[Cards, int], float]
    hp: Callable[[Cards, int], tuple[float, float]]
    ehs: Callable[[Cards, int], float]


def felt_measures() -> Measures:
    """Felt's own measures; to load them is to load the tables."""
    from felt import _tables
    from felt.cards.combos import CLASS_NAMES, class_index
    from felt.cards.ranking.evaluator import rank_cards
    from felt.cards.starting import chen
    from felt.odds.strength.ars import SCALE, STREETS

    points = [chen(name) for name in CLASS_NAMES]
    means = {size: _tables.load_archive(f"ars_{street}")["mean"] for size, street in STREETS.items()}

    def ars(cards: Cards, opponents: int) -> float:  # `felt.odds.strength.ars`, without what it says about its error
        strength: int = means[len(cards)].item(rank_cards(cards), class_index(cards[0], cards[1]))
        return (strength / SCALE) ** opponents

    def effective_strength(cards: Cards, opponents: int) -> float:
        now, positive, _ = _strength(cards)  # the chance to be best now against all opponents, or else to become so
        return now**opponents + (1 - now**opponents) * positive

    return Measures(
        rank=rank_cards,
        chen=lambda cards: points[class_index(cards[0], cards[1])],
        ars=ars,
        hs=lambda cards, opponents: _strength(cards)[0] ** opponents,  # as the literature has it
        hp=lambda cards, _: _strength(cards)[1:],  # against one opponent: their number does not enter
        ehs=effective_strength,
    )


def _strength(cards: Cards) -> tuple[float, float, float]:
    """HS, positive and negative potential against one opponent.

    Asked for one opponent only: what `strength` adds for several is sampled, and not what these commands mean.

    >>> from felt.cards.card import parse_cards
    >>> round(_strength(parse_cards("5h4hKh6s3h"))[0], 4)
    0.0264
    """
    from felt.cards.card import format_cards
    from felt.odds.strength.calculate import strength

    measures = strength(format_cards(cards[:2]), format_cards(cards[2:]), threads=1)
    assert measures.hs is not None and measures.ppot is not None and measures.npot is not None  # there is a flop
    return measures.hs, measures.ppot, measures.npot


def warm(measures: Measures) -> None:
    """Ask everything once, on every street, so that no client waits for a table or a kernel to load."""
    for size in (5, 6, 7):
        cards = (51, 50, 40, 30, 21, 12, 3)[:size]
        measures.rank(cards)
        measures.ars(cards, 1)
        for measure in (measures.hs, measures.hp, measures.ehs):
            measure(cards, 1)
            measure(cards, 2)
    measures.chen((51, 50))


class AnswerStore:
    """A file of answers by question; `get` in one thread, `put` from any.

    It is an SQLite database in WAL mode: reading never waits for writing, and what was committed survives the process
    being killed. One thread writes, in batches; the event loop reads, which costs about as much as a quick request.
    Trouble with the file while serving (a full disk, say) is logged once and costs only speed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = AnswerStore(Path(folder) / "answers.db")
    ...     store.put("HS AcAd/2c7h4s 1", "0.951234")
    ...     kept = store.get("HS AcAd/2c7h4s 1")
    ...     store.close()
    >>> kept
    '0.951234'
    """

    def __init__(self, path: Path, *, flush_seconds: float = 0.5, batch: int = 1000) -> None:
        """Open the file or make it; a batch is written after `flush_seconds` or with `batch` answers."""
        self.path, self._flush_seconds, self._batch = path, flush_seconds, batch
        self._unwritten: dict[str, str] = {}
        self._changed = Condition()
        self._closing = self._warned = False
        self._reader = _open(path)
        self._writer = Thread(target=self._write_batches, name="felt-answers", daemon=True)
        self._writer.start()

    def get(self, key: str) -> str | None:
        """The answer kept for this question, or None."""
        if (waiting := self._unwritten.get(key)) is not None:
            return waiting
        try:
            row = self._reader.execute("SELECT answer FROM answers WHERE question = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            self._warn(error)
            return None
        return str(row[0]) if row else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer; it is on disk a little after `flush_seconds`."""
        with self._changed:
            self._unwritten[key] = answer
            self._changed.notify()

    def close(self) -> None:
        """Write what is not written yet, and let go of the file."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._writer.join()
        self._reader.close()

    def _write_batches(self) -> None:
        connection = None
        try:
            connection = sqlite3.connect(self.path, check_same_thread=False)
            connection.execute("PRAGMA synchronous = NORMAL")  # in WAL mode safe against all but a power cut
        except sqlite3.Error as error:
            self._warn(error)
        while rows := self._next_batch():
            self._write(connection, rows)
        if connection is not None:
            connection.close()

    def _next_batch(self) -> list[tuple[str, str]]:
        """Wait until there is something worth writing; empty when the store is closed and all is written."""
        with self._changed:
            self._changed.wait_for(lambda: self._unwritten or self._closing)
            self._changed.wait_for(lambda: len(self._unwritten) >= self._batch or self._closing, self._flush_seconds)
            return list(self._unwritten.items())

    def _write(self, connection: sqlite3.Connection | None, rows: list[tuple[str, str]]) -> None:
        try:
            if connection is not None:
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            self._warn(error)
        with self._changed:  # dropped after a failure too: a full disk must not fill the memory as well
            for key, answer in rows:
                if self._unwritten[key] == answer:
                    del self._unwritten[key]

    def _warn(self, error: sqlite3.Error) -> None:
        if not self._warned:
            log.warning("answers file '%s' does not work (%s): answers are computed afresh", self.path, error)
            self._warned = True


def _open(path: Path) -> sqlite3.Connection:
    """A connection to a file of ours, made if there is none; anything else is refused and left alone."""
    if not path.parent.is_dir():
        raise FeltError(f"answers file '{path}': there is no folder '{path.parent}': make it first")
    connection = None
    try:
        connection = sqlite3.connect(path, check_same_thread=False)
        _prepare(connection, path)
    except (sqlite3.Error, FeltError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, FeltError):
            raise
        raise FeltError(f"answers file '{path}' cannot be used ({error}): name another that can be written") from None
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    application, layout, tables = (
        connection.execute(query).fetchone()[0]
        for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if application != APPLICATION_ID and (application or tables):
        raise FeltError(f"answers file '{path}' is a database of another program: name another file")
    if application == APPLICATION_ID and layout != LAYOUT:
        raise FeltError(f"answers file '{path}' is of another version of Felt: name another file, or delete it")
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {LAYOUT}")
