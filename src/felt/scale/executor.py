"""The executor of a cluster: a worker for each core of its machines, which come and go. Each is a Ray actor.

What a worker is sent is pickled before, so that a file that is missing there is an error of one line.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError, RayTaskError

import felt
from felt.arena.conductor.conduct import Conduct
from felt.arena.schedule.tasks import LostTasks, Plan, Task, TaskResult, pack
from felt.errors import FeltError
from felt.scale.worker import MachineWorker, ScaleError, files_of
from felt.store.log.part_writer import PartWriter

IN_FLIGHT = 2
"""Tasks that a worker has: one to play, one to play next."""
LOOK_EVERY = 2.0
"""Seconds between two looks at how many cores there are."""
PATIENCE = 60.0
"""Seconds that a cluster may be without any core before it is given up."""
WAIT = 0.25
FINISH_WITHIN = 5.0
WARN_AFTER = 15.0
"""Seconds without any worker after which a line says so: other work may have all the cores."""


@dataclass(eq=False)
class _Actor:
    """A worker, and the tasks that it has not answered yet, in order."""

    handle: Any
    opening: Any
    """Answers when the worker has a core and has begun the plan; None after that."""
    tasks: dict[Any, Task] = field(default_factory=dict)


class RayExecutor:
    """Workers on all machines of a cluster. A lane of agents that remember keeps to one worker while that lives."""

    def __init__(self) -> None:
        self._remote = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(MachineWorker)
        self._actors: list[_Actor] = []
        self._waiting: list[Task] = []
        """Tasks that came while there was no worker for them."""
        self._looked, self._alone_since, self._warned = 0.0, time.monotonic(), False

    @property
    def busy(self) -> bool:
        return bool(self._waiting) or any(actor.tasks for actor in self._actors)

    def begin(self, plan: Plan) -> None:
        if plan.sink is not None and not isinstance(plan.sink, PartWriter):
            raise ScaleError("only logs in folders can be kept of a match on a cluster")
        self._sink: PartWriter | None = plan.sink
        files = files_of(plan)  # first: an agent that cannot be pickled is an error of one line
        self._sent, self._remembers = (felt.__version__, files, pack(plan)), plan.remembers
        self._most = len(plan.lanes) if plan.remembers else None
        self._by_lane: dict[int, _Actor] = {}
        self._looked, self._alone_since = 0.0, time.monotonic()
        for actor in self._actors:
            actor.opening = actor.handle.begin.remote(*self._sent)
        self._grow()

    def has_room(self, lane: int) -> bool:
        """Whether a worker could begin one more task of this lane soon."""
        return not self._waiting and (self._actor_for(lane) is not None or not self._ready)

    def submit(self, task: Task) -> None:
        """Send a task to a worker, or put it down until there is one."""
        actor = self._actor_for(task.lane)
        if actor is None or any(other.lane == task.lane for other in self._waiting):
            self._waiting.append(task)
        else:
            actor.tasks[actor.handle.play.remote(task)] = task

    def results(self) -> Iterator[TaskResult | LostTasks]:
        """What has come: waits a moment for it. All tasks of a worker that is gone are lost."""
        self._grow()
        pending = {ref: actor for actor in self._actors for ref in actor.tasks}
        pending |= {actor.opening: actor for actor in self._actors if actor.opening is not None}
        ready, _ = ray.wait(list(pending), timeout=WAIT) if pending else ([], [])
        for ref in ready:
            actor = pending[ref]
            if ref is actor.opening or ref in actor.tasks:  # else its worker was lost meanwhile
                yield from self._answer(actor, ref)
        waiting, self._waiting = sorted(self._waiting, key=lambda task: (task.lane, task.first)), []
        for task in waiting:
            self.submit(task)

    def finish(self) -> list[Conduct]:
        """Let idle workers finish the plan; busy ones are ended."""
        self._waiting = []
        endings: list[Conduct] = []
        for actor in [actor for actor in self._actors if actor.tasks]:
            self._lose(actor)
        for ref in [actor.handle.finish.remote() for actor in self._ready]:
            try:
                endings += ray.get(ref, timeout=FINISH_WITHIN)
            except (RayError, GetTimeoutError):
                continue
        return endings

    def close(self) -> None:
        for actor in list(self._actors):
            self._lose(actor)

    @property
    def _ready(self) -> list[_Actor]:
        return [actor for actor in self._actors if actor.opening is None]

    def _actor_for(self, lane: int) -> _Actor | None:
        """The worker of a lane, or the least busy one, unless it has enough to do."""
        actor = self._by_lane.get(lane)
        if actor is None or actor not in self._actors:
            actor = min(self._ready, key=lambda actor: len(actor.tasks), default=None)
            if self._remembers and actor is not None and len(actor.tasks) < IN_FLIGHT:
                self._by_lane[lane] = actor
        return actor if actor is not None and len(actor.tasks) < IN_FLIGHT else None

    def _answer(self, actor: _Actor, ref: Any) -> Iterator[TaskResult | LostTasks]:
        try:
            answer = ray.get(ref)
        except RayTaskError as error:
            raise _cause(error) from None
        except RayActorError as error:
            cause = getattr(error, "cause", None) or error.__cause__
            if isinstance(cause, RayTaskError):  # it could not be begun: another would fail in the same way
                raise _cause(cause) from None
            yield self._lose(actor)
        except RayError:
            yield self._lose(actor)
        else:
            if ref is actor.opening:
                actor.opening = None
                return
            del actor.tasks[ref]
            result, part = answer
            if part is not None and self._sink is not None:
                self._sink.put(part)
            yield result

    def _lose(self, actor: _Actor) -> LostTasks:
        self._actors.remove(actor)
        ray.kill(actor.handle)
        self._looked = 0.0
        lost, actor.tasks = LostTasks(tuple(actor.tasks.values())), {}
        return lost

    def _grow(self) -> None:
        """Start as many workers as there are cores."""
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        cores = sum(int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"])
        while len(self._actors) < (cores if self._most is None else min(cores, self._most)):
            handle = self._remote.remote()
            self._actors.append(_Actor(handle, handle.begin.remote(*self._sent)))
        if self._ready:
            self._alone_since = now
        elif self._actors and now - self._alone_since > WARN_AFTER and not self._warned:
            self._warned = True
            print("felt: waiting for workers of the cluster to begin", file=sys.stderr, flush=True)
        elif not self._actors and now - self._alone_since > PATIENCE:
            raise ScaleError("the cluster has no core left: begin a machine with ray start, and give the command again")


def _cause(error: RayTaskError) -> BaseException:
    """What a worker raised: our own errors as they are, since their one line says it all."""
    cause = error.cause
    return cause if isinstance(cause, FeltError) else ScaleError(f"a worker failed: {cause!r}")
