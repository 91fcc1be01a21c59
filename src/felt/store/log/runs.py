"""The log of a tournament, ring or evolution: a folder with its runs and their hands, as the scheduler wants it."""

import json
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.arena.schedule.workplace import Record
from felt.games.history import HandRecord
from felt.games.views.facts import Facts
from felt.store.files import LogError
from felt.store.log.logged import match_folder, read_match
from felt.store.log.matches import heading
from felt.store.log.reading import facts, records
from felt.store.log.run_writer import RunLog, read_records, start_runs
from felt.store.log.schema import DESCRIPTION
from felt.store.log.upgrade import readable, upgrade_runs


def open_runs(folder: str | Path, description: Mapping[str, Any], *, command: str = "") -> RunLog:
    """The log of a competition in a folder: a new one, or that of the same competition, which goes on then.

    `description` is all that decides it, in values that JSON has; `command` is what somebody has to type to play it.
    A log of Felt 0.1 is turned into the new form first; its own files stay.
    """
    decisive = json.loads(json.dumps(description))
    upgrade_runs(Path(folder))
    place = match_folder(Path(folder), 1)
    if (place / DESCRIPTION).is_file():
        before = read_match(1, place)
        if not before.has_runs:
            raise LogError(f"{str(folder)!r} holds a log of another kind ({before.kind}): choose another folder")
        for key, value in decisive.items():
            if before.decisive.get(key) != value:
                raise LogError(_other(Path(folder), key, before.decisive.get(key), value))
        return RunLog(before)
    return start_runs(place, {**heading(decisive.get("kind", ""), command), "competition": decisive})


def read_runs(folder: str | Path) -> Iterator[Record]:
    """The records of a log in order."""
    yield from read_records(match_folder(readable(Path(folder)), 1))


def _other(folder: Path, key: str, there: Any, now: Any) -> str:
    shown, wished = (text if len(text := json.dumps(value)) < 80 else "another" for value in (there, now))
    return (
        f"{str(folder)!r} holds another competition ({key}: {shown}, not {wished}): "
        "choose another folder, or give the same command to go on with it"
    )


class RunHands:
    """Deprecated, will go with 0.3: `felt.store.log.reading.records` and `facts` read logs of every kind."""

    def __init__(self, folder: str | Path) -> None:
        warnings.warn("RunHands: use felt.store.log.reading.records and facts", DeprecationWarning, stacklevel=2)
        self.folder = Path(folder)

    def records(self, run: int | None = None) -> Iterator[HandRecord]:
        """Hands as records, one after the other."""
        return records(self.folder, run)

    def facts(self, run: int | None = None) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
        """Hands as facts, and who sat where."""
        return facts(self.folder, run)
