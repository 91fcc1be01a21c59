"""The steps from one form of the database to the next, taken by `felt.store.database.upgrade` when one is opened.

A new step is a file in ``versions`` whose `down_revision` is the `HEAD` of before; a test says whether all steps
together make what `felt.store.database.models` describes.
"""

from typing import Any

HEAD = "0005"
"""What this program needs; said here so that a database which is up to date opens without loading Alembic."""
VERSION_TABLE = "felt_version"
"""Where a database says its revision, beside those of other programs that may use it."""


def required(kind: Any, *names: str) -> list[Any]:
    """Columns of a type that are never NULL."""
    from sqlalchemy import Column

    return [Column(name, kind, nullable=False) for name in names]
