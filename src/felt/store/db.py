"""The service's database: an SQLite file in WAL mode, written by one thread in groups.

Whoever writes gets a future that is done when the change is committed. Changes that wait at the same time share one
transaction, so that under load one sync to disk serves many tables. Hands that are over are synced before their future
is done (no power cut takes them back); a step of a hand only has to survive the process.
"""

import fcntl
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, NamedTuple

from sqlalchemy import Engine, create_engine, event, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from felt.errors import FeltError
from felt.store.models import Base, HandRow, HandSeatRow, PlayerRow, SessionRow, TableRow

FILE = "felt.db"
Change = Callable[[Session], object]


class StoreError(FeltError):
    """The database cannot be opened, or does not take what it is given."""


class Player(NamedTuple):
    """Somebody who plays."""

    id: str
    name: str
    guest: bool


class KeptTable(NamedTuple):
    """A table as it was kept."""

    id: str
    saved: dict[str, Any]
    room: dict[str, Any]


class KeptSeat(NamedTuple):
    """Somebody's part in a hand that is over."""

    seat: int
    player: str | None
    name: str
    agent: str | None
    payoff: int
    counts: dict[str, Any] | None = None


class KeptHand(NamedTuple):
    """A hand that is over."""

    number: int
    game: str
    phh: str
    saved: dict[str, Any]
    result: dict[str, Any]
    deal: dict[str, str]
    seats: Sequence[KeptSeat]


class Store:
    """All that the service keeps in one folder, which one process at a time may use."""

    def __init__(self, folder: Path) -> None:
        self._lock = _locked(folder)
        try:
            self._engine = _engine(f"sqlite:///{folder / FILE}")
            Base.metadata.create_all(self._engine)
        except SQLAlchemyError as error:
            self._lock.close()
            raise StoreError(f"the database in {str(folder)!r} cannot be used: {_reason(error)}") from None
        self._waiting: SimpleQueue[tuple[Change, bool, Future[None]] | None] = SimpleQueue()
        self._writer = Thread(target=self._write, name="felt-store", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what waits, and let go of the folder."""
        self._waiting.put(None)
        self._writer.join()
        self._engine.dispose()
        self._lock.close()

    # Players

    def player_of(self, key_hash: str) -> Player | None:
        """Who has the session with this hash."""
        asked = select(PlayerRow).join(SessionRow, SessionRow.player == PlayerRow.id)
        with Session(self._engine) as session:
            row = session.scalar(asked.where(SessionRow.key_hash == key_hash))
            return None if row is None else Player(row.id, row.name, row.guest)

    def add_player(self, player: Player, key_hash: str) -> "Future[None]":
        """Keep a new player with a first session."""

        def change(session: Session) -> None:
            session.add(PlayerRow(id=player.id, name=player.name, guest=player.guest))
            session.flush()
            session.add(SessionRow(key_hash=key_hash, player=player.id))

        return self._submit(change, synced=False)

    def rename_player(self, player: str, name: str) -> "Future[None]":
        """Call a player otherwise from now on."""
        change = update(PlayerRow).where(PlayerRow.id == player).values(name=name)
        return self._submit(lambda session: session.execute(change), synced=False)

    # Tables and hands

    def open_tables(self) -> list[KeptTable]:
        """The tables that were not closed, oldest first."""
        with Session(self._engine) as session:
            rows = session.scalars(select(TableRow).where(TableRow.closed.is_(False)).order_by(TableRow.created))
            return [KeptTable(row.id, row.saved, row.room) for row in rows]

    def keep_table(self, table: KeptTable, ended: KeptHand | None = None, *, closed: bool = False) -> "Future[None]":
        """Keep a table after a step, with the hand that ended by it; a hand is kept once, however often it is told."""

        def change(session: Session) -> None:
            values = {"saved": table.saved, "room": table.room, "closed": closed}
            row = session.get(TableRow, table.id)
            if row is None:
                session.add(TableRow(id=table.id, **values))
            else:
                row.saved, row.room, row.closed = table.saved, table.room, closed
            session.flush()
            if ended is not None:
                _keep_hand(session, table.id, ended)

        return self._submit(change, synced=ended is not None)

    def hands_of(self, table: str) -> list[KeptHand]:
        """The hands of a table that are over, in their order."""
        with Session(self._engine) as session:
            rows = session.scalars(select(HandRow).where(HandRow.table_id == table).order_by(HandRow.number))
            return [_hand(session, row) for row in rows]

    def reading(self) -> Session:
        """A session for those who only read; they close it."""
        return Session(self._engine)

    # Writing

    def _submit(self, change: Change, *, synced: bool) -> "Future[None]":
        done: Future[None] = Future()
        self._waiting.put((change, synced, done))
        return done

    def _write(self) -> None:
        going_on = True
        with self._engine.connect() as connection, Session(connection, expire_on_commit=False) as session:
            while going_on:
                group = [self._waiting.get()]
                while not self._waiting.empty():
                    group.append(self._waiting.get())
                going_on = None not in group
                work = [item for item in group if item is not None]
                if work:
                    self._commit(session, work)

    def _commit(self, session: Session, work: Sequence[tuple[Change, bool, "Future[None]"]]) -> None:
        """One transaction for all; if it fails, one for each, so that only who asks for the impossible is told so."""
        try:
            _transact(session, (change for change, _, _ in work), synced=any(synced for _, synced, _ in work))
        except Exception as error:
            if len(work) == 1:
                work[0][2].set_exception(StoreError(f"the database does not take this: {_reason(error)}"))
                return
            for one in work:
                self._commit(session, [one])
            return
        for _, _, done in work:
            done.set_result(None)


def _transact(session: Session, changes: Iterable[Change], *, synced: bool) -> None:
    try:
        session.connection().exec_driver_sql(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
        for change in changes:
            change(session)
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.expunge_all()


def _keep_hand(session: Session, table: str, hand: KeptHand) -> None:
    values = {**hand._asdict(), "table_id": table}
    del values["seats"]
    added = session.scalar(sqlite_insert(HandRow).values(**values).on_conflict_do_nothing().returning(HandRow.id))
    if added is not None and hand.seats:
        session.execute(insert(HandSeatRow), [{**seat._asdict(), "hand": added} for seat in hand.seats])


def _hand(session: Session, row: HandRow) -> KeptHand:
    seats = session.scalars(select(HandSeatRow).where(HandSeatRow.hand == row.id).order_by(HandSeatRow.seat))
    found = [KeptSeat(seat.seat, seat.player, seat.name, seat.agent, seat.payoff, seat.counts) for seat in seats]
    return KeptHand(row.number, row.game, row.phh, row.saved, row.result, row.deal, found)


def _engine(url: str) -> Engine:
    engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        for setting in ("journal_mode = WAL", "foreign_keys = ON", "busy_timeout = 5000"):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _locked(folder: Path) -> IO[str]:
    """Take the folder for this process, until the file is closed."""
    lock: IO[str] | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "felt.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with suppress(AttributeError):
            lock.close()  # type: ignore[union-attr]
        raise StoreError(f"another Felt serves from {str(folder)!r}: stop it, or give another --data folder") from None
    except OSError as error:
        raise StoreError(f"the folder {str(folder)!r} cannot be used: {error.strerror or error}") from None
    return lock


def _reason(error: BaseException) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())[:200]
