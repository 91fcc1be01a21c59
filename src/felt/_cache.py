"""Where Felt keeps what it can make again: compiled kernels, and tables built on demand."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder: `FELT_CACHE`, or ``felt`` in the user's cache folder."""
    chosen = os.environ.get("FELT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "felt"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "felt"
