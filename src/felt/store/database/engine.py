"""The database that everything is kept in: an SQLite file in WAL mode, or PostgreSQL. What differs is said here.

One process at a time plays the tables of a database, which a lock ensures: two would deal two different hands at each.

SQLite has no checksums: a page that a disk has spoiled is noticed when its structure is wrong, or when what stands in a
row makes no sense. Whoever meets that is told so in one line, with what to do; nothing is repaired or dropped silently.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import IO, Any, Protocol

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from felt.errors import install_command
from felt.store.database.values import StoreError
from felt.store.private import close_to_others

FILE = "felt.db"
VARIABLE = "FELT_DATABASE_URL"
CONNECT_SECONDS = 10
_KINDS = "give postgresql://USER:PASSWORD@HOST/NAME or sqlite:////FOLDER/FILE"
CHECKED_BYTES = 1 << 30
"""A larger file is not looked through at every start: that would take minutes. What is needed first is read anyway."""
_SIGNS = ("malformed", "not a database", "could not decode", "disk i/o error", "invalid page", "could not read block")
"""What SQLite and PostgreSQL say of pages that are none."""
KEY = 0x46656C74
"""Of Felt's lock among the advisory locks of a PostgreSQL database: the letters of its name."""
TRIES, BETWEEN_SECONDS = 15, 0.2
"""PostgreSQL may need a moment until it notices that a process which was killed is gone."""


class DamagedError(StoreError):
    """The database, or something in it, is damaged."""


def is_damage(error: SQLAlchemyError) -> bool:
    """Whether the database says that it is damaged."""
    words = str(getattr(error, "orig", None) or error).lower()
    return any(sign in words for sign in _SIGNS)


def remedy(file: Path | None) -> str:
    """What to do about a damaged database; None for PostgreSQL's."""
    if file is None:
        return "put back a backup, or see PostgreSQL's documentation on data corruption"
    name = str(file)
    return (
        f"stop the service, copy {name!r} and {name + '-wal'!r}, then put back a backup, or save what can be read with "
        "sqlite3's .recover (the docs of the service have the commands)"
    )


def check_file(connection: Connection, file: Path) -> None:
    """Look through an SQLite file, and refuse one with damaged pages."""
    if file.stat().st_size > CHECKED_BYTES:
        return
    first = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if first != "ok":
        raise DamagedError(f"the database {str(file)!r} is damaged ({' '.join(first.split())[:120]}): {remedy(file)}")


def read_json(text: Any) -> Any:
    """What stands in a column, unless it is damaged."""
    try:
        return orjson.loads(text)
    except ValueError:
        raise DamagedError("something in the database is damaged: a value that is no JSON") from None


class Lock(Protocol):
    """That no other process plays the tables of a database."""

    def hold(self, connection: Connection) -> None:
        """Make sure of it before a change over this connection, which may be a new one."""

    def close(self) -> None:
        """Let another process have it."""


class FileLock:
    """A lock on a file beside the database, which the system takes back when the process ends, however it does."""

    def __init__(self, database: Path) -> None:
        folder = str(database.parent)
        self._file: IO[str] | None = None
        database = Path(os.path.realpath(database))  # whatever link leads here, there is one lock
        _check_names(database)
        try:
            # for the owner only from the start
            self._file = os.fdopen(os.open(database.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600), "w")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise StoreError(f"another Felt serves from {folder!r}: stop it, or give another --data folder") from None
        except OSError as error:
            self.close()
            raise StoreError(f"the folder {folder!r} cannot be used: {error.strerror or error}") from None

    def hold(self, connection: Connection) -> None:
        """Nothing to do: the lock is the process's own."""

    def close(self) -> None:
        """Let another process have it."""
        if self._file is not None:
            self._file.close()


def _check_names(database: Path) -> None:
    """Refuse a file with several names: each would have a lock, and SQLite a journal, of its own."""
    with suppress(OSError):  # it is not there yet, or cannot be used, which is told when it is opened
        if database.is_file() and (names := database.stat().st_nlink) > 1:
            raise StoreError(
                f"the database {str(database)!r} has {names} names (hard links), under which it could be used twice: "
                "remove the others, or make a copy"
            )


class AdvisoryLock:
    """A lock that the connection which writes to PostgreSQL holds: as long as it can write, the lock is its own."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._holder: object = None

    def hold(self, connection: Connection) -> None:
        """Make sure of the lock; a connection that was lost has lost it, and the new one takes it again."""
        if connection.connection.dbapi_connection is self._holder:
            return
        for attempt in range(TRIES):
            if attempt:
                sleep(BETWEEN_SECONDS)
            if connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY}):
                self._holder = connection.connection.dbapi_connection
                return
        raise StoreError(f"another Felt serves from {self._shown}: stop it, or give another --database")

    def close(self) -> None:
        """Nothing to do: it ends with the connection."""


_JSON: dict[str, Any] = {
    "json_serializer": lambda value: orjson.dumps(value).decode(),
    "json_deserializer": read_json,
}
"""A table is written at every step."""


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
