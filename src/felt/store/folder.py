"""Where Felt keeps what cannot be made again: players, tables, hands."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder: `FELT_DATA`, or ``felt`` in the user's data folder."""
    chosen = os.environ.get("FELT_DATA")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "felt"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "felt"
