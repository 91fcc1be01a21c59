"""Logs of Felt 0.1 in the new form.

A match of 0.1 was Parquet already, with fewer columns: it is read, resumed and asked as it is, and its parts can be
written anew with all columns. A tournament, ring or evolution was three files: ``competition.json``, ``runs.jsonl``
with a record on each line, and ``hands.jsonl`` with the hands of a run on each line. These are turned into a match of
the new form beside them, which is there whole or not at all; they themselves stay as they are.
"""

import atexit
import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

from felt._files import sync
from felt.arena.match.hands import HandColumns
from felt.arena.schedule.workplace import HANDS as RECORD_HANDS
from felt.arena.schedule.workplace import PlayedHand, Record
from felt.store.files import TEMPORARY, LogError, cannot_write, locked_folder
from felt.store.log.logged import LoggedMatch, facts_of, match_folder, match_folders, read_match, write_description
from felt.store.log.part_reader import part_files, read_hands, read_note, rows, select
from felt.store.log.part_writer import PartWriter, clean
from felt.store.log.run_writer import PART_HANDS, start_runs
from felt.store.log.schema import FORMAT, HANDS

OLD_DESCRIPTION, OLD_RUNS, OLD_HANDS = "competition.json", "runs.jsonl", "hands.jsonl"
RECORD_TYPES: dict[str, dict[str, type]] = {
    "ring": {"hands": int, "rounds": int, "curve": list, "out": list, "first": list, "sat": list, "played": list},
    "tournament": {"hands": int, "finish": list},
    "evolution": {"won": list},
}
"""By the kind of a competition: what every record of it has beside its number, and of which type."""

Progress = Callable[[int, int], None]


def upgrade_log(log: Path, progress: Progress | None = None) -> int:
    """Turn a log of 0.1 into the new form; how many matches and competitions were turned."""
    if not log.is_dir():
        raise LogError(f"{str(log)!r} is no folder: give one that felt match --log wrote")
    upgraded = upgrade_runs(log, progress)
    matches = [read_match(number, folder) for number, folder in match_folders(log).items()]
    if not matches:
        raise LogError(f"{str(log)!r} is no log: there is neither match=0001 nor {OLD_DESCRIPTION} in it")
    old = [match for match in matches if match.description.get("format") != FORMAT]
    done, total = 0, sum(len(match.parts) for match in old)
    for match in old:
        for _ in _upgrade_match(match):
            done += 1
            if progress is not None:
                progress(done, total)
    return upgraded + len(old)


def _upgrade_match(match: LoggedMatch) -> Iterator[None]:
    """Write the parts of a match anew, one after the other: whenever this ends, the log is whole."""
    lock = locked_folder(match.folder)
    try:
        clean(match.folder)
        for name in match.parts:
            hands = read_hands(match.folder, [name], match.seats, stack=match.stack)
            seats = [f"adjusted_{seat}" for seat in range(match.seats)]
            table = rows(part_files(match.folder, HANDS, [name]), HANDS, match.seats)
            columns = select(f"set, {', '.join(seats)} FROM {table} ORDER BY hand")
            adjusted = np.stack([columns[seat] for seat in seats], axis=1)
            ((facts, players),) = facts_of(match, hands)
            written = HandColumns(hands.numbers, columns["set"], hands.places, hands.deals, players, adjusted)
            PartWriter(match.folder).write(name, facts, written, read_note(match.folder, name))
            yield
        write_description(match.folder, {**match.description, "format": FORMAT, "kind": match.kind})
    finally:
        os.close(lock)


def has_old_runs(log: Path) -> bool:
    """Whether a folder has a tournament, ring or evolution of 0.1 that has not been turned."""
    return (log / OLD_DESCRIPTION).is_file() and not match_folders(log)


def upgrade_runs(log: Path, progress: Progress | None = None) -> int:
    """Turn a tournament, ring or evolution of 0.1; 0 where there is none."""
    if not has_old_runs(log):
        return 0
    target = match_folder(log, 1)
    part = target.with_name(target.name + TEMPORARY)
    lock = locked_folder(log)
    try:
        if not has_old_runs(log):  # somebody else was quicker
            return 0
        shutil.rmtree(part, ignore_errors=True)
        _convert(log, part, progress)
        part.replace(target)
        sync(log)
    except OSError as error:
        raise cannot_write(log, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        os.close(lock)
    return 1


def readable(log: Path) -> Path:
    """The folder in which a log can be read: the log itself, or a copy of one of 0.1 for as long as Felt runs."""
    if not has_old_runs(log):
        return log
    changed = [(log / name).stat().st_mtime_ns for name in (OLD_RUNS, OLD_HANDS) if (log / name).is_file()]
    return _copy(log.absolute(), tuple(changed))


@cache
def _copy(log: Path, changed: tuple[int, ...]) -> Path:
    """A copy of a log as it was when its files were changed last."""
    folder = Path(mkdtemp(prefix="felt-log-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _convert(log, match_folder(folder, 1), None)
    return folder


def _convert(log: Path, target: Path, progress: Progress | None) -> None:
    about = read_old_description(log)
    new = start_runs(target, {**about, "format": FORMAT, "kind": about["competition"].get("kind", "")})
    batch: list[Record] = []
    waiting, size = 0, max(1, (log / OLD_RUNS).stat().st_size if (log / OLD_RUNS).is_file() else 0)
    for read, record in _records_with_hands(log, about["competition"].get("kind", "")):
        batch.append(record)
        waiting += len(record.get(RECORD_HANDS, ()))
        if waiting >= PART_HANDS or len(batch) >= PART_HANDS:
            new.add(batch)
            batch, waiting = [], 0
            if progress is not None:
                progress(read, size)
    if batch:
        new.add(batch)
    new.close()


def read_old_description(log: Path) -> dict[str, Any]:
    """What a log of 0.1 says of its competition: how it was started, and under ``competition`` all that decides it."""
    file = log / OLD_DESCRIPTION
    try:
        about: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if about["format"] != 1 or not isinstance(about["competition"], dict):
            raise ValueError("it has another form")
    except (OSError, KeyError, TypeError, ValueError) as error:
        reason = (error.strerror or "error").lower() if isinstance(error, OSError) else error
        raise LogError(f"{str(file)!r} describes no competition ({reason}): choose another folder") from None
    return about


def _records_with_hands(log: Path, kind: str) -> Iterator[tuple[int, Record]]:
    """How many bytes of records have been read, and each record with its hands."""
    hands = _old_hands(log / OLD_HANDS)
    ahead = next(hands, None)
    types: dict[str, type] = {"run": int, **RECORD_TYPES.get(kind, {})}
    read = 0
    for number, line in _lines(log / OLD_RUNS):
        read += len(line)
        try:
            record = json.loads(line)
            if not isinstance(record, dict) or not all(isinstance(record.get(key), types[key]) for key in types):
                raise ValueError("no record")
        except ValueError:
            file = str(log / OLD_RUNS)
            raise LogError(f"line {number} of {file!r} is damaged: take it and all after it out") from None
        while ahead is not None and ahead[0] < record["run"]:
            ahead = next(hands, None)
        if ahead is not None and ahead[0] == record["run"]:  # else the log has no hands of this run
            record[RECORD_HANDS] = ahead[1]
        yield read, record


def _old_hands(file: Path) -> Iterator[tuple[int, list[PlayedHand]]]:
    for number, line in _lines(file):
        try:
            run = json.loads(line)
            yield int(run["run"]), [(*hand,) for hand in run["hands"]]
        except (KeyError, TypeError, ValueError):
            raise LogError(f"line {number} of {str(file)!r} is damaged: it is no run") from None


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The whole lines of a file; half a line at its end is what a crash left."""
    if file.is_file():
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n"):
                    yield number, line
