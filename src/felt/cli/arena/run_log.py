"""The log of a command that plays runs: tournaments, rings, evolutions."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from felt.cli.arena.match import told_how_to_go_on

if TYPE_CHECKING:
    from felt.store.log.run_writer import RunLog


class Described(Protocol):
    """What is played."""

    def describe(self) -> dict[str, Any]:
        """All that decides it, in values that JSON has."""


@contextmanager
def run_log(log: Path | None, played: Described, words: list[str]) -> "Iterator[RunLog | None]":
    """The log in a folder, if there is to be one; `words` are the command, which goes on with it when typed again.

    Who interrupts it is told so.
    """
    if log is None:
        yield None
        return
    from felt.store.log.runs import open_runs

    command = shlex.join([*words, "--log", str(log)])
    opened = open_runs(log, played.describe(), command=command)
    with told_how_to_go_on(command):
        yield opened
