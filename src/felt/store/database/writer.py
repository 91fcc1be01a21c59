"""Everything that is written to the database: by one thread, in groups.

Whoever writes gets a future that is done when the change is committed. Changes that wait at the same time share one
transaction, so that under load one sync to disk serves many tables. What is `synced` is on disk before its future is
done (no power cut takes it back); anything else only has to survive the process.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session

from felt.errors import FeltError
from felt.store.database.engine import Database, Lock, is_damage, reason
from felt.store.database.values import StoreError

Change = Callable[[Session], object]
_DATABASE_FAILS = (OperationalError, InterfaceError, StoreError)
"""Not reachable, shut down, full or locked; the last where another process has taken it."""


class _Waiting(NamedTuple):
    change: Change
    synced: bool
    done: "Future[None]"


class Writer:
    """The thread that writes, over a connection of its own."""

    def __init__(self, database: Database, connection: Connection, lock: Lock) -> None:
        self._database, self._connection, self._lock = database, connection, lock
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._write, name="felt-store", daemon=True)
        self._thread.start()

    def submit(self, change: Change, *, synced: bool) -> "Future[None]":
        """Make a change as soon as possible. What the change itself raises as a `FeltError` is handed on.

        A future that is cancelled before its turn comes takes the change back.
        """
        done: Future[None] = Future()
        self._waiting.put(_Waiting(change, synced, done))
        return done

    def close(self) -> None:
        """Write what waits, and end."""
        self._waiting.put(None)
        self._thread.join()

    def _write(self) -> None:
        going_on = True
        with self._connection as connection, Session(connection, expire_on_commit=False) as session:
            while going_on:
                group = [self._waiting.get()]
                try:
                    while not self._waiting.empty():
                        group.append(self._waiting.get())
                    going_on = None not in group
                    work = [item for item in group if item is not None and item.done.set_running_or_notify_cancel()]
                    if work:
                        self._commit(session, work)
                except BaseException as error:  # no memory, say: nobody waits for ever, and those who come write again
                    going_on = None not in group
                    for item in group:
                        if item is not None and not item.done.done():
                            item.done.set_exception(StoreError(f"this could not be written: {reason(error)}"))

    def _commit(self, session: Session, work: Sequence[_Waiting]) -> None:
        """One transaction for all; if it fails, one for each, so that only who asks for the impossible is told so.

        Where it is the database that fails, all have failed: each would wait as long again, to no purpose.
        """
        try:
            self._transact(session, (item.change for item in work), synced=any(item.synced for item in work))
        except BaseException as error:  # whatever it is, those who come after still want to write
            if len(work) == 1 or isinstance(error, _DATABASE_FAILS):
                failure = error
                if isinstance(error, SQLAlchemyError) and is_damage(error):
                    failure = self._database.refused(error)
                elif not isinstance(error, FeltError):
                    failure = StoreError(f"the database does not take this: {reason(error)}")
                for item in work:
                    item.done.set_exception(failure)
                return
            for item in work:
                self._commit(session, [item])
            return
        for item in work:
            item.done.set_result(None)

    def _transact(self, session: Session, changes: Iterable[Change], *, synced: bool) -> None:
        try:
            connection = session.connection()
            self._lock.hold(connection)
            self._database.sync(connection, synced)
            for change in changes:
                change(session)
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.expunge_all()


@cache
def _insert_new(dialect: str, row: type[DeclarativeBase], key: str) -> Any:
    table = row.__table__
    kind = postgresql if dialect == "postgresql" else sqlite
    return kind.insert(table).on_conflict_do_nothing().returning(table.c[key])


def insert_new(session: Session, row: type[DeclarativeBase], values: dict[str, Any], key: str) -> Any:
    """Insert a row unless there is one like it; its `key`, or None if there is."""
    return session.connection().execute(_insert_new(session.get_bind().dialect.name, row, key), values).scalar()
