"""Files that are there whole or not at all, whatever happens while they are written."""

import fcntl
import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt import _files
from felt._files import sync
from felt.errors import FeltError, install_command

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Columns = dict[str, NDArray[Any]]

TEMPORARY = ".tmp"
"""What the name of a file ends with until it is whole."""

OPTIONS = (
    "FORMAT parquet, CODEC zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 256, WRITE_BLOOM_FILTER false, "
    "USE_TMP_FILE false"
)
"""Measured on hands of several kinds: as fast as snappy, with two fifths of its bytes. Larger dictionaries take a fifth
longer, and filters would be a quarter of the file."""

NOTE = "note"


class LogError(FeltError):
    """A log that cannot be written or read; the message says what to do."""


def write_parquet(path: Path, *tables: Columns, note: str = "") -> None:
    """Write tables, each as arrays of one length, below each other into a file, and a note into its metadata.

    Where a table lacks a column of another, its rows have NULL there. The same arrays give the same bytes.
    """
    duckdb = engine()
    part = path.with_name(path.name + TEMPORARY)
    names = [f"table_{number}" for number in range(len(tables))]
    try:
        database = connection()
        for name, columns in zip(names, tables, strict=True):
            database.register(name, {column: np.ascontiguousarray(values) for column, values in columns.items()})
        try:
            rows = " UNION ALL BY NAME ".join(f"SELECT * FROM {name}" for name in names)
            metadata = f", KV_METADATA {{{NOTE}: {quoted(note)}}}" if note else ""
            database.execute(f"COPY ({rows}) TO {quoted(part)} ({OPTIONS}{metadata})")
        finally:
            for name in names:
                database.unregister(name)
        sync(part)
        part.replace(path)
        sync(path.parent)
    except (OSError, duckdb.Error) as error:
        raise cannot_write(path.parent, error) from error
    finally:
        with suppress(OSError):
            part.unlink()  # gone already when all went well


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file."""
    try:
        _files.write_bytes(path, content, synced=True)
    except FeltError as error:
        raise cannot_write(path.parent, error.__cause__ or error) from error


def engine() -> ModuleType:
    """DuckDB, which not everybody who has Felt has."""
    try:
        import duckdb
    except ImportError:
        raise LogError(f"logs need DuckDB, which is not installed: {install_command('arena')}") from None
    return duckdb


def make_folder(path: Path) -> None:
    """Make a folder and those above it; that they are there is on the disk when this returns."""
    if path.is_dir():
        return
    make_folder(path.parent)
    try:
        path.mkdir(exist_ok=True)
        sync(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error


def locked_folder(folder: Path) -> int:
    """A handle; as long as it is open nobody else writes to the folder: two matches in one would be a muddle."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise LogError(f"somebody else is writing to {str(folder)!r}: wait, or choose another folder") from None
    return handle


def quoted(path: object) -> str:
    """Text as SQL has it."""
    return "'" + str(path).replace("'", "''") + "'"


class _Local(threading.local):
    """A connection for each thread: to open one takes as long as to write a thousand hands."""

    process = 0
    connection: "DuckDBPyConnection | None" = None


_local = _Local()


def connection() -> "DuckDBPyConnection":
    """An empty database in memory for this thread, which reads and writes files with one core."""
    if _local.connection is None or _local.process != os.getpid():  # a fork has none
        _local.connection = engine().connect(config={"threads": 1})
        _local.process = os.getpid()
    return _local.connection


def cannot_write(folder: Path, error: BaseException) -> LogError:
    """The error of a log that cannot be written, with what to do."""
    return LogError(
        f"cannot write the log in {str(folder)!r} ({_reason(error)}): what was logged before can be read; "
        "make room, then run the same command again to go on from there"
    )


def _reason(error: BaseException) -> str:
    """Why the system refused, in its own words: DuckDB wraps them in several ways."""
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    number = re.search(r'"errno":\s*"(\d+)"', str(error))
    if number:
        return os.strerror(int(number[1])).lower()
    return str(error).strip().splitlines()[0].rpartition(": ")[2].lower()
