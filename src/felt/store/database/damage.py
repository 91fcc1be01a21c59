"""A database that is damaged: pages that cannot be read, or hold something else than was written.

SQLite has no checksums: a page that a disk has spoiled is noticed when its structure is wrong, or when what stands in a
row makes no sense. Whoever meets that is told so in one line, with what to do; nothing is repaired or dropped silently.
"""

from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from felt.store.database.values import StoreError

CHECKED_BYTES = 1 << 30
"""A larger file is not looked through at every start: that would take minutes. What is needed first is read anyway."""
_SIGNS = ("malformed", "not a database", "could not decode", "disk i/o error", "invalid page", "could not read block")
"""What SQLite and PostgreSQL say of pages that are none."""


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
