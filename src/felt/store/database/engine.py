"""The database that everything is kept in: an SQLite file in WAL mode, or PostgreSQL. What differs is said here."""

import os
from pathlib import Path
from typing import Any, Protocol

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from felt.errors import install_command
from felt.store.database.damage import DamagedError, check_file, is_damage, read_json, remedy
from felt.store.database.locks import AdvisoryLock, FileLock
from felt.store.database.values import StoreError
from felt.store.private import close_to_others

FILE = "felt.db"
VARIABLE = "FELT_DATABASE_URL"
CONNECT_SECONDS = 10
_KINDS = "give postgresql://USER:PASSWORD@HOST/NAME or sqlite:////FOLDER/FILE"
_JSON: dict[str, Any] = {
    "json_serializer": lambda value: orjson.dumps(value).decode(),
    "json_deserializer": read_json,
}
"""A table is written at every step."""


class Lock(Protocol):
    """That no other process plays the tables of a database."""

    def hold(self, connection: Connection) -> None:
        """Make sure of it before a change over this connection, which may be a new one."""

    def close(self) -> None:
        """Let another process have it."""


class Database:
    """A database that can be asked; one process at a time may take its `lock` and play the tables in it."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        """The one that `url` names, else the one in `folder`."""
        self._folder = folder
        self._url = _read(url) if url else URL.create("sqlite", database=str(folder / FILE))
        self._synced: bool | None = None
        """What the one connection that writes to SQLite was last told."""
        self._file = Path(self._url.database or "") if self._url.drivername == "sqlite" else None
        if self._file is None:
            self.shown = self._url.set(drivername="postgresql").render_as_string(hide_password=True)
            self.engine = _postgresql(self._url)
        else:
            self.shown = str(self._file.parent)
            self.engine = _sqlite(self._url)

    @property
    def there(self) -> bool:
        """Whether there is something to connect to."""
        return self._file is None or self._file.is_file()

    def lock(self) -> Lock:
        """Take the database for this process; in PostgreSQL the first connection that holds the lock does.

        The data folder is made, or closed to others, before.
        """
        close_to_others(self._folder, self._file)
        if self._file is not None:
            return FileLock(self._file)
        return AdvisoryLock(self.shown)

    def sync(self, connection: Connection, synced: bool) -> None:
        """Say whether what is now changed must survive a power cut, or the end of this process only."""
        if self._file is not None:
            if synced != self._synced:
                connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
                self._synced = synced
        else:
            connection.exec_driver_sql(f"SET LOCAL synchronous_commit = {'on' if synced else 'off'}")

    def refused(self, error: SQLAlchemyError) -> StoreError:
        """Why the database cannot be used, without the password that was given for it."""
        words = reason(error)
        for secret in {self._url.password or "", self._url.render_as_string(hide_password=False)} - {""}:
            words = words.replace(str(secret), "***")
        place = f"in {self.shown!r}" if self._file is not None else self.shown
        if is_damage(error):
            return DamagedError(f"the database {place} is damaged ({words}): {remedy(self._file)}")
        return StoreError(f"the database {place} cannot be used: {words}")

    def check(self) -> None:
        """Refuse a file with damaged pages; PostgreSQL looks after its own."""
        if self._file is not None:
            with self.engine.connect() as connection:
                check_file(connection, self._file)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def chosen_url(url: str | None) -> str | None:
    """The URL that was given, or that of the environment; None for the file in the data folder."""
    return url or os.environ.get(VARIABLE) or None


def reason(error: BaseException) -> str:
    """What went wrong in the words of the database, in one line."""
    return " ".join(str(getattr(error, "orig", None) or error).split())[:300]


def _read(text: str) -> URL:
    """The URL, with the driver that is used; errors quote nothing of it, since there may be a password in it."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(f"the database URL cannot be read: {_KINDS}") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite":
        raise StoreError(f"a database of the kind {url.drivername!r} is not supported: {_KINDS}")
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise StoreError(f"an SQLite database needs a file, or nothing is kept: {_KINDS}")
    return url.set(database=str(Path(url.database).expanduser()))


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, **_JSON)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        for setting in ("journal_mode = WAL", "foreign_keys = ON", "busy_timeout = 5000"):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _postgresql(url: URL) -> Engine:
    try:
        # Connections are tried before they are used: the server may have been started again meanwhile
        arguments = {"connect_timeout": CONNECT_SECONDS, "application_name": "felt"}
        return create_engine(url, pool_pre_ping=True, connect_args=arguments, **_JSON)
    except ModuleNotFoundError as missing:
        raise StoreError(f"{missing.name} is not installed: get it with {install_command('postgres')}") from None
    except (SQLAlchemyError, TypeError, ValueError):
        raise StoreError(f"the database URL cannot be used: {_KINDS}") from None
