"""Writing a file whole or not at all."""

import os
import tempfile
from pathlib import Path

from felt.errors import FeltError


def write_text(path: Path, text: str) -> None:
    """Write `text` beside `path` and rename it into place, so nobody ever reads half a file."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise _cannot_write(path, error) from None
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from None
    finally:
        part.unlink(missing_ok=True)  # gone already when all went well


def _umask() -> int:
    """What the user's files are not allowed to be; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot_write(path: Path, error: OSError) -> FeltError:
    return FeltError(f"cannot write {str(path)!r} ({(error.strerror or 'error').lower()}): choose another place")
