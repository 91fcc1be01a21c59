"""A worker of a cluster: what runs on its machines. Ray is not imported here.

It has an executor of one machine, with one worker. So agents that are not ours play in a process under its own: if one
ends that process, the worker says which agent it was, as at home.
"""

import platform
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import felt
from felt.agents.naming import entrant
from felt.arena.conductor.conduct import Conduct
from felt.arena.ring import policies
from felt.arena.schedule.executors import executor_for, prepare_plan
from felt.arena.schedule.tasks import Executor, LostTasks, Plan, Task, TaskResult, unpack
from felt.errors import FeltError
from felt.store.log.part_writer import PartBytes, PartWriter, take_part

Files = tuple[tuple[str, str, str | None], ...]
"""Agents and policies, each with its place and the hash of its file."""
AGENT, POLICY = "agent", "policy"


class ScaleError(FeltError):
    """A cluster that cannot be used; the message says what to do."""


def files_of(plan: Plan) -> Files:
    """What must be the same on every machine."""
    for agent in plan.entrants:
        if not agent.named:
            raise ScaleError(
                f"agent {agent.spec!r} is known to this program only: give a name or a file, like ./bot.py"
            )
    agents = ((AGENT, agent.place, agent.digest) for agent in plan.entrants)
    return (*agents, *((POLICY, place, digest) for place, digest in plan.files()))


def check_machine(version: str, files: Files) -> None:
    """Refuse a machine that would play otherwise."""
    here = platform.node()
    if version != felt.__version__:
        raise ScaleError(f"{here} has Felt {felt.__version__}, not {version}: install the same on every machine")
    for kind, place, digest in files:
        if digest != (entrant(place).digest if kind == AGENT else policies.digest(place)):
            raise ScaleError(f"{here} has another file for {kind} {place!r}, or none: copy the same to every machine")


class MachineWorker:
    """Plays tasks of one plan after another."""

    def __init__(self) -> None:
        self._executor: Executor | None = None
        self._folder: TemporaryDirectory[str] | None = None

    def begin(self, version: str, files: Files, packed: bytes) -> None:
        """Play tasks of this plan from now on; refuse it if this machine would play otherwise."""
        check_machine(version, files)
        plan = unpack(packed)
        prepare_plan(plan)
        self._folder = None
        if plan.sink is not None:
            self._folder = TemporaryDirectory(prefix="felt-")
            plan = replace(plan, workplace=partial(plan.workplace, sink=PartWriter(Path(self._folder.name))))
        self.finish()
        self._executor = executor_for(plan, 1)
        self._executor.begin(plan)

    def play(self, task: Task) -> tuple[TaskResult | LostTasks, PartBytes | None]:
        """Play a task; with a log, the files of its part."""
        assert self._executor is not None
        self._executor.submit(task)
        while True:
            for result in self._executor.results():
                if self._folder is None or isinstance(result, LostTasks):
                    return result, None
                return result, take_part(Path(self._folder.name), task.name)

    def finish(self) -> list[Conduct]:
        """End the plan: what its agents did wrong in that."""
        if self._executor is None:
            return []
        endings = self._executor.finish()
        self._executor.close()
        self._executor = None
        return endings
