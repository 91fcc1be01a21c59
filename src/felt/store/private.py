"""The data folder and what Felt keeps in it are for their owner only.

In it are passwords' hashes, the cards of every hand, and the keys of the service. Only files that Felt has made are
changed: a folder that was given may hold others, which nobody can reach any more once the folder itself is closed.
"""

import logging
import os
import stat
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

from felt.store.database.values import StoreError

log = logging.getLogger(__name__)

OTHERS = 0o077
"""The permissions of everybody but the owner."""
OWN = ("felt.db*", "felt.lock", "deck.key", "tls", "tls/*", "strategies", "strategies/*", "strategies/.*")
"""What Felt makes in its data folder."""
_warned: set[Path] = set()


def data_folder() -> Path:
    """The folder of what cannot be made again: `FELT_DATA`, or ``felt`` in the user's data folder."""
    chosen = os.environ.get("FELT_DATA")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "felt"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "felt"


def make_folder(folder: Path) -> None:
    """Make a folder for its owner only; one that is there already is left as it is."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(folder, error) from None


def close_to_others(folder: Path, file: Path | None = None) -> None:
    """Close the data folder, where it is there, and all that Felt has in it to others; also the files of a database
    that lies elsewhere, which is made. What cannot be closed is named in a warning."""
    if file is not None:
        file = Path(os.path.realpath(file))  # where its journals will be too
        make_folder(file.parent)
        try:
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise unusable(file.parent, error) from None
    paths = [folder, *(path for pattern in OWN for path in folder.glob(pattern))]
    if file is not None:
        paths += [*file.parent.glob(f"{file.name}*"), *file.parent.glob(f"{file.stem}.lock")]
    for path in paths:
        _close(path)


def unusable(folder: Path, error: OSError) -> StoreError:
    """Why nothing can be kept in a folder."""
    return StoreError(f"the folder {str(folder)!r} cannot be used: {error.strerror or error}")


def write_private(path: Path, content: bytes) -> None:
    """Write a file whole, which nobody else could ever read."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}", delete=False) as new:  # with mode 0600
        new.write(content)
        new.flush()
        os.fsync(new.fileno())
    Path(new.name).replace(path)


def _close(path: Path) -> None:
    try:
        mode = path.stat()
    except OSError:  # SQLite has taken it away meanwhile, or it leads nowhere
        return
    if not mode.st_mode & OTHERS:
        return
    reason = "it is not yours" if mode.st_uid != os.geteuid() else _shared(path, mode)
    if not reason:
        try:
            path.chmod(stat.S_IMODE(mode.st_mode) & ~OTHERS)
            reason = "the file system keeps no permissions" if path.stat().st_mode & OTHERS else ""
        except OSError as error:
            reason = error.strerror or str(error)
    if reason and path not in _warned:
        _warned.add(path)
        words = "%r is open to other users of this machine and stays so (%s): choose another --data folder"
        log.warning(words, str(path), reason)


def _shared(path: Path, mode: os.stat_result) -> str:
    """Why a folder is not one to be closed; empty for all others."""
    if mode.st_mode & stat.S_ISVTX:
        return "it is a folder for everybody"
    resolved = path.resolve()
    return "it is a home or a root folder" if resolved in (Path.home().resolve(), Path(resolved.anchor)) else ""
