"""Writing a file whole or not at all, and reading one that may be too long."""

import os
import tempfile
from collections.abc import Iterable
from errno import EISDIR
from pathlib import Path

from felt.errors import FeltError


def read_start(path: str | Path, most: int, error: type[FeltError]) -> bytes:
    """The bytes of a file, but one more than `most` at most; `error` is raised where it cannot be read."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(most + 1)
    except OSError as reason:
        raise error(f"{path} cannot be read: {reason.strerror or reason}") from None


def write_text(path: Path, text: str | Iterable[str]) -> None:
    """Write `text`, or the pieces of it, beside `path` and rename it into place, so nobody ever reads half a file.

    A link keeps pointing where it does, and what is no file (``/dev/stdout``, a pipe) is written to and not replaced.
    """
    write_bytes(path, (piece.encode("utf-8") for piece in ([text] if isinstance(text, str) else text)))


def write_bytes(path: Path, pieces: bytes | Iterable[bytes], *, synced: bool = False) -> None:
    """The same for bytes. What is `synced` is on the disk when this returns, and so is its name."""
    pieces = [pieces] if isinstance(pieces, bytes) else pieces
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.writelines(pieces)
            return
        target = path.resolve()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError before Python 3.13
        raise _cannot_write(path, error) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        part.chmod(0o666 & ~_umask())
        part.replace(target)
        if synced:
            sync(target.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        part.unlink(missing_ok=True)  # gone already when all went well


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_writable(path: Path) -> None:
    """Raise what `write_bytes` would raise, as far as that can be known before, and write nothing."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if path.exists() and not path.is_file():
            return
        with tempfile.NamedTemporaryFile(dir=path.resolve().parent):
            pass
    except (OSError, RuntimeError) as error:
        raise _cannot_write(path, error) from error


def make_folder(path: Path) -> None:
    """Make a folder and those above it, if they are not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _umask() -> int:
    """What the user's files are not allowed to be; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot_write(path: Path, error: OSError | RuntimeError) -> FeltError:
    reason = getattr(error, "strerror", None) or "error"
    return FeltError(f"cannot write {str(path)!r} ({reason.lower()}): choose another place")
