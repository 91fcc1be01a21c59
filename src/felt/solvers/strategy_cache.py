"""What was solved once is looked up: a protocol for places that keep strategies, and the simplest one, a folder.

A key says all that the answer depends on and nothing else. Who looks something up checks it as if a stranger had
written it: a file that is damaged or foreign costs a new solve, no more.
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from felt._cache import cache_folder

Floats = NDArray[np.float64]


class StrategyCache(Protocol):
    """A place that keeps arrays of numbers by a key."""

    def get(self, key: str) -> Floats | None:
        """What was put there; None if there is nothing that can be read."""
        ...

    def put(self, key: str, strategy: Floats) -> None:
        """Keep an array; where that is not possible, nothing happens."""
        ...


class FolderCache:
    """A folder with a file for each key, put in place whole; by default in Felt's cache folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = cache_folder() / "strategies" if folder is None else folder

    def get(self, key: str) -> Floats | None:
        """The array that was kept under a key."""
        try:
            # Mapped, so that a file that claims to be larger than it is takes no memory.
            array = np.load(self._path(key), mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError, TypeError, SyntaxError, OverflowError):
            return None
        return np.array(array) if isinstance(array, np.ndarray) and array.dtype == np.float64 else None

    def put(self, key: str, strategy: Floats) -> None:
        """Write beside and rename; a folder that is read-only or full keeps nothing."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.save(file, strategy, allow_pickle=False)
                Path(name).replace(self._path(key))
            finally:
                Path(name).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"
