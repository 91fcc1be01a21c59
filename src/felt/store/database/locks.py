"""One process at a time plays the tables of a database: two would deal two different hands at each."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import IO

from sqlalchemy import Connection, text

from felt.store.database.values import StoreError

KEY = 0x46656C74
"""Of Felt's lock among the advisory locks of a PostgreSQL database: the letters of its name."""
TRIES, BETWEEN_SECONDS = 15, 0.2
"""PostgreSQL may need a moment until it notices that a process which was killed is gone."""


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
