"""What runs on the machines of a cluster: a seat plays tasks of a match, or parcels of runs, with processes of its own.

Agents that are not ours play in a process under the seat's own: if one ends it, the seat says whose doing that was, as
at home. What a seat is sent is pickled before, so that what cannot be found there is told in one line.
"""

import pickle
import platform
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import felt
from felt.agents.naming import Entrant, entrant
from felt.arena.conduct import Conduct
from felt.arena.crew import Crew, Threads
from felt.arena.prepare import prepare
from felt.arena.processes import Processes
from felt.arena.ring import policies
from felt.arena.runs import Competition, Done, Lost, Parcel
from felt.arena.runs.crews import crew_for
from felt.arena.spec import Match
from felt.arena.work import Done as TaskDone
from felt.arena.work import Task
from felt.arena.worker import described
from felt.scale.cluster import ScaleError
from felt.store.log import PartBytes, PartWriter, take_part

Files = tuple[tuple[str, str, str | None], ...]
"""Agents and policies, each with its place and the hash of its file."""
AGENT, POLICY = "agent", "policy"


def files_of(entrants: tuple[Entrant, ...]) -> Files:
    """What must be the same on every machine."""
    for one in entrants:
        if not one.named:
            raise ScaleError(f"agent {one.spec!r} is known to this program only: give a name or a file, like ./bot.py")
    return tuple((AGENT, one.place, one.digest) for one in entrants)


def files_of_runs(competition: Competition) -> Files:
    """The same of a competition, with the policies of one that has a method `files`."""
    more: tuple[tuple[str, str | None], ...] = getattr(competition, "files", tuple)()
    return (*files_of(competition.entrants), *((POLICY, place, digest) for place, digest in more))


def check_machine(version: str, files: Files) -> None:
    """Refuse a machine that would play otherwise."""
    here = platform.node()
    if version != felt.__version__:
        raise ScaleError(f"{here} has Felt {felt.__version__}, not {version}: install the same on every machine")
    for what, place, digest in files:
        if digest != (entrant(place).digest if what == AGENT else policies.digest(place)):
            raise ScaleError(f"{here} has another file for {what} {place!r}, or none: copy the same to every machine")


class MatchSeat:
    """Plays tasks of one match."""

    def __init__(self, version: str, files: Files, told: bytes) -> None:
        check_machine(version, files)
        description, watch, logged = pickle.loads(told)
        match = described(**description)
        prepare(match.rules, match.entrants, players=match.players)
        self._folder = TemporaryDirectory(prefix="felt-") if logged else None
        sink = PartWriter(Path(self._folder.name)) if self._folder else None
        self._crew: Crew = Threads(match, 1, sink, watch) if _here(match) else Processes(match, 1, sink, watch)

    def do(self, task: Task) -> tuple[TaskDone, PartBytes | None]:
        """Play a task; with a log, the files of its part."""
        self._crew.submit(task)
        while True:
            for done in self._crew.results():
                return done, take_part(Path(self._folder.name), task.name) if self._folder else None

    def over(self) -> Conduct:
        """Tell the agents that the match is over; what they did wrong in that."""
        self._crew.close()
        return self._crew.conduct


def _here(match: Match) -> bool:
    return match.trusted and match.in_step


class RunSeat:
    """Plays parcels of one competition after another."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._told: bytes | None = None
        self._crew: Any = None

    def do(
        self, told: bytes, files: Files, first: int, count: int, known: Any, retired: frozenset[int], with_hands: bool
    ) -> Done | Lost:
        """Play a parcel of the competition that was pickled as `told`."""
        if told != self._told:
            check_machine(self._version, files)
            self._competition: Competition = pickle.loads(told)
            if self._crew is not None:
                self._crew.close()
            self._crew, self._told = crew_for(self._competition, 1), told
        self._crew.submit(Parcel(self._competition, first, count, known, retired, with_hands))
        while True:
            for result in self._crew.results():
                return result  # type: ignore[no-any-return]  # crews are told apart by what they play
