"""The workers of a cluster: one for each of its cores, as long as there is work; machines come and go."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError, RayTaskError

from felt.errors import FeltError
from felt.scale.cluster import ScaleError

Work = TypeVar("Work")

AT_A_TIME = 2
"""Pieces of work that a worker has: one to do, one to do next."""
LOOK_EVERY = 2.0
"""Seconds between two looks at how many cores there are."""
PATIENCE = 60.0
"""Seconds that a cluster may be without any core before it is given up."""
WAIT = 0.25
SAY_AFTER = 15.0
"""Seconds without any worker after which that is said: other work may have all the cores."""


@dataclass(eq=False)
class Member(Generic[Work]):
    """A worker, and what it was given and has not answered yet, in order."""

    actor: Any
    beginning: Any
    """Answers when the worker has a core and is ready; None after that."""
    pending: dict[Any, Work] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer(Generic[Work]):
    """What came of a piece of work."""

    work: Work
    result: Any = None
    lost: bool = False
    """The worker is gone, with its machine perhaps; the work is to be done by another."""


class Team(Generic[Work]):
    """Workers that are hired by `hire`, which begins an actor with a method ``do(work)``."""

    def __init__(self, hire: Callable[[], Any], most: int | None = None) -> None:
        self._hire, self._most = hire, most
        self._members: list[Member[Work]] = []
        self._looked, self._alone_since, self._said = 0.0, time.monotonic(), False
        self._grow()

    @property
    def busy(self) -> bool:
        """Whether any work is under way."""
        return any(one.pending for one in self._members)

    @property
    def members(self) -> tuple[Member[Work], ...]:
        """All who are there, and ready."""
        return tuple(one for one in self._members if one.beginning is None)

    def free(self) -> Member[Work] | None:
        """Whoever has least to do, unless everybody has enough."""
        least = min(self.members, key=lambda one: len(one.pending), default=None)
        return least if least is not None and len(least.pending) < AT_A_TIME else None

    def give(self, member: Member[Work], work: Work, *sent: Any) -> None:
        """Have work done: `sent` is what the worker is sent."""
        member.pending[member.actor.do.remote(*sent)] = work

    def answers(self) -> Iterator[Answer[Work]]:
        """What has come: waits a moment for it. Members who are gone give back all that they had."""
        self._grow()
        waiting = {ref: one for one in self._members for ref in one.pending}
        waiting |= {one.beginning: one for one in self._members if one.beginning is not None}
        ready, _ = ray.wait(list(waiting), timeout=WAIT) if waiting else ([], [])
        for ref in ready:
            member = waiting[ref]
            if ref is member.beginning or ref in member.pending:  # else its member was lost meanwhile
                yield from self._answer(member, ref)

    def _answer(self, member: Member[Work], ref: Any) -> Iterator[Answer[Work]]:
        try:
            result = ray.get(ref)
        except RayTaskError as error:
            raise _told(error) from None
        except RayActorError as error:
            if (why := _refused(error)) is not None:
                raise why from None
            yield from self._lose(member)
        except RayError:
            yield from self._lose(member)
        else:
            if ref is member.beginning:
                member.beginning = None
            else:
                yield Answer(member.pending.pop(ref), result)

    def _lose(self, member: Member[Work]) -> Iterator[Answer[Work]]:
        self._members.remove(member)
        ray.kill(member.actor)
        self._looked = 0.0
        for work in member.pending.values():
            yield Answer(work, lost=True)
        member.pending = {}

    def _grow(self) -> None:
        """Hire as many as there are cores."""
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        cores = sum(int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"])
        wanted = cores if self._most is None else min(cores, self._most)
        while len(self._members) < wanted:
            actor = self._hire()
            self._members.append(Member(actor, actor.__ray_ready__.remote()))
        if self.members:
            self._alone_since = now
        elif self._members and now - self._alone_since > SAY_AFTER and not self._said:
            self._said = True
            print("felt: waiting for workers of the cluster to begin", file=sys.stderr, flush=True)
        elif not self._members and now - self._alone_since > PATIENCE:
            raise ScaleError("the cluster has no core left: begin a machine with ray start, and give the command again")

    def close(self, ask: Callable[[Any], Any] | None = None, within: float = 5.0) -> list[Any]:
        """Let everybody go. Those who have nothing to do are asked something first: their answers are returned."""
        asked = [] if ask is None else [ask(one.actor) for one in self.members if not one.pending]
        found = []
        for ref in asked:
            try:
                found.append(ray.get(ref, timeout=within))
            except (RayError, GetTimeoutError):
                continue
        for one in self._members:
            ray.kill(one.actor)
        self._members = []
        return found


def _told(error: RayTaskError) -> BaseException:
    """What a worker raised: our own errors as they are, since their one line says it all."""
    cause = error.cause
    return cause if isinstance(cause, FeltError) else ScaleError(f"a worker failed: {cause!r}")


def _refused(error: RayActorError) -> BaseException | None:
    """Why a worker could not be begun, if that is it: another would fail in the same way."""
    cause = getattr(error, "cause", None) or error.__cause__
    if isinstance(cause, RayTaskError):
        return _told(cause)
    return None
