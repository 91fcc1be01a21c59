"""Writing the log of a match, part by part.

A match has a folder, ``match=0001``, with what describes it (``match.json``, ``players.parquet``,
``tables.parquet``) and with its hands in parts: ``actions/NAME.parquet`` has a row for every action and the public
state in which it was taken, ``hands/NAME.parquet`` a row for every hand. The file of hands is written last: with it
the part is there. So whatever ends a match, what was written before can be read.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from felt.arena.work import HandColumns, Task
from felt.games.facts import Facts
from felt.store.columns import action_columns, hand_columns
from felt.store.files import TEMPORARY, make_folder, sync, write_bytes, write_parquet

ACTIONS, HANDS = "actions", "hands"
SUFFIX = ".parquet"

_NAME = re.compile(r"sets-\d+-\d+-\d+")
"""Of a part, as `Task.name` has it; other files are none of ours."""


@dataclass(frozen=True)
class PartWriter:
    """Writes parts into the folder of a match. It can be sent to other processes."""

    folder: Path

    def write(self, name: str, facts: Facts, hands: HandColumns, note: str = "") -> None:
        """Write a part, in place of one of that name, and a note on it; when this returns both are on the disk.

        Raises a `LogError` where the disk is full or the folder cannot be written to; no half files stay behind.
        """
        actions, hands_ = (self.folder / kind for kind in (ACTIONS, HANDS))
        make_folder(actions)
        make_folder(hands_)
        write_parquet(actions / f"{name}{SUFFIX}", action_columns(facts, hands))
        write_parquet(hands_ / f"{name}{SUFFIX}", hand_columns(facts, hands), note)

    def put(self, part: "PartBytes") -> None:
        """Write a part that somebody else has written elsewhere; when this returns it is on the disk."""
        for kind, content in ((ACTIONS, part.actions), (HANDS, part.hands)):
            make_folder(self.folder / kind)
            write_bytes(self.folder / kind / f"{part.name}{SUFFIX}", content)


@dataclass(frozen=True)
class PartBytes:
    """A part on its way from one folder to another."""

    name: str
    actions: bytes
    hands: bytes


def take_part(folder: Path, name: str) -> PartBytes:
    """The files of a part, which are gone from the folder then."""
    actions, hands = (folder / kind / f"{name}{SUFFIX}" for kind in (ACTIONS, HANDS))
    found = PartBytes(name, actions.read_bytes(), hands.read_bytes())
    remove_parts(folder, [name])
    return found


# The parts of a match


def done_parts(folder: Path) -> list[str]:
    """The names of a match's whole parts, in order.

    A part that lies within another was to replace it, and that did not come to pass: it does not count.
    """
    actions, hands = ({path.stem for path in (folder / kind).glob(f"*{SUFFIX}")} for kind in (ACTIONS, HANDS))
    tasks = {name: Task.named(name) for name in actions & hands if _NAME.fullmatch(name)}
    found, reached = [], dict[int, int]()
    for name, task in sorted(tasks.items(), key=lambda one: (one[1].first, -one[1].count, one[1].lane)):
        end = task.first + task.count
        if end > reached.get(task.lane, 0):
            found.append(name)
            reached[task.lane] = end
    return found


def clean(folder: Path) -> None:
    """Take away what an interrupted writer left in a match: unfinished files, halves of parts, parts within others."""
    whole = set(done_parts(folder))
    left = list(folder.glob(f"**/*{TEMPORARY}"))
    left += [path for kind in (HANDS, ACTIONS) for path in (folder / kind).glob(f"*{SUFFIX}") if path.stem not in whole]
    for path in left:
        path.unlink(missing_ok=True)


def remove_parts(folder: Path, names: Iterable[str]) -> None:
    """Delete parts; the hands first, so that none ever seems to be there that is not."""
    gone = list(names)
    for kind in (HANDS, ACTIONS):
        for name in gone:
            (folder / kind / f"{name}{SUFFIX}").unlink(missing_ok=True)
        if (folder / kind).is_dir():
            sync(folder / kind)
