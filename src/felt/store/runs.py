"""The log of a competition that is made of runs: a line for each, in order, as `felt.arena.runs` wants it.

A folder has ``competition.json``, which describes what is played, and ``runs.jsonl``, to which records are added as
they come; the hands of each run are a line of ``hands.jsonl``, written before its record (`felt.store.run_hands` reads
them). Both are on the disk before more are played. Half a line, which only the end of a file can be, is what a crash
left of a record; it is taken away before the file is added to, and so are hands of runs that are not there.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import finalize

import felt
from felt.arena.runs import Record
from felt.arena.runs.spec import HANDS
from felt.store.files import LogError, cannot_write, locked_folder, make_folder, write_text

DESCRIPTION, RUNS, PLAYED = "competition.json", "runs.jsonl", "hands.jsonl"
FORMAT = 1
"""Raised when what a log means changes."""
HELD: dict[str, dict[str, type]] = {
    "ring": {"hands": int, "rounds": int, "curve": list, "out": list, "first": list, "sat": list, "played": list},
    "tournament": {"hands": int, "finish": list},
    "evolution": {"won": list},
}
"""By the kind of a competition: what every record of it has beside its number, and of which type."""


class RunLog:
    """The records of one competition on the disk. The same records give the same bytes."""

    with_hands = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.close = finalize(self, os.close, locked_folder(folder))
        """Let others write to it; happens by itself when the log is forgotten."""
        self._mended = False

    def records(self) -> Iterator[Record]:
        """Those that are there, in order."""
        yield from read_runs(self.folder)

    def add(self, records: Sequence[Record]) -> None:
        """Add the next ones; when this returns they are on the disk."""
        hands = [{"run": one["run"], "hands": one.pop(HANDS)} for one in records if HANDS in one]
        try:
            if not self._mended:
                _take_away_half_a_line(self.folder / RUNS)
                _take_away_half_a_line(self.folder / PLAYED)
                _take_away_from(self.folder / PLAYED, records[0]["run"])
                self._mended = True
            _add_lines(self.folder / PLAYED, hands)
            _add_lines(self.folder / RUNS, records)
        except OSError as error:
            self._mended = False
            raise cannot_write(self.folder, error) from error


def open_runs(folder: str | Path, description: Mapping[str, Any], *, command: str = "") -> RunLog:
    """The log of a competition in a folder: a new one, or that of the same competition, which goes on then.

    `description` is all that decides it, in values that JSON has; `command` is what somebody has to type to play it.
    """
    place, wanted = Path(folder), json.loads(json.dumps(description))
    if (place / DESCRIPTION).is_file():
        there = read_competition(place)
        for key, value in wanted.items():
            if there["competition"].get(key) != value:
                raise LogError(_other(place, key, there["competition"].get(key), value))
        return RunLog(place)
    make_folder(place)
    found = RunLog(place)
    about = {
        "format": FORMAT,
        "felt": felt.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "competition": wanted,
    }
    write_text(place / DESCRIPTION, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    return found


def read_competition(folder: str | Path) -> dict[str, Any]:
    """What a log says of its competition: how it was begun, and under ``competition`` all that decides it."""
    file = Path(folder) / DESCRIPTION
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if found["format"] != FORMAT or not isinstance(found["competition"], dict):
            raise ValueError("it has another form")
    except (OSError, KeyError, TypeError, ValueError) as error:
        why = (error.strerror or "error").lower() if isinstance(error, OSError) else error
        raise LogError(f"{str(file)!r} describes no competition ({why}): choose another folder") from None
    return found


def read_runs(folder: str | Path) -> Iterator[Record]:
    """The records of a log in order; half a line at its end is left out."""
    file = Path(folder) / RUNS
    if not file.is_file():
        return
    described = (Path(folder) / DESCRIPTION).is_file()
    kind = read_competition(folder)["competition"].get("kind", "") if described else ""
    held: dict[str, type] = {"run": int, **HELD.get(kind, {})}
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return
            try:
                record = json.loads(line)
                if not isinstance(record, dict) or not all(isinstance(record.get(key), held[key]) for key in held):
                    raise ValueError("no record")
            except ValueError:
                raise LogError(f"line {number} of {str(file)!r} is damaged: take it and all after it out") from None
            yield record


def _add_lines(file: Path, records: Sequence[Mapping[str, Any]]) -> None:
    if not records:
        return
    lines = "".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False) + "\n" for one in records)
    with file.open("ab") as there:
        there.write(lines.encode("utf-8"))
        there.flush()
        os.fsync(there.fileno())


def _take_away_from(file: Path, run: int) -> None:
    """Cut off the lines of this run and all after it."""
    if not file.is_file():
        return
    with file.open("rb+") as there:
        end = 0
        for line in there:
            if run_in(line) >= run:
                there.truncate(end)
                os.fsync(there.fileno())
                return
            end += len(line)


def run_in(line: bytes) -> int:
    """The number of the run that a line is of."""
    return int(line[len(b'{"run":') : 40].partition(b",")[0])


def _take_away_half_a_line(file: Path) -> None:
    if not file.is_file():
        return
    with file.open("rb+") as there:
        whole = there.seek(0, os.SEEK_END)
        end = whole
        while end > 0:
            begin = max(0, end - 65536)
            there.seek(begin)
            place = there.read(end - begin).rfind(b"\n")
            if place >= 0:
                end = begin + place + 1
                break
            end = begin
        if end < whole:
            there.truncate(end)
            os.fsync(there.fileno())


def _other(folder: Path, key: str, there: Any, wanted: Any) -> str:
    shown, asked = (text if len(text := json.dumps(value)) < 80 else "another" for value in (there, wanted))
    return (
        f"{str(folder)!r} holds another competition ({key}: {shown}, not {asked}): "
        "choose another folder, or give the same command to go on with it"
    )
