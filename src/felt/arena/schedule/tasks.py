"""What the scheduler, executors and workers share: tasks, their results, and what a plan has to offer.

A plan is a list of seeded tasks; `match_plan` makes that of a match, `run_plan` that of a tournament and the like. It
can be sent to a worker, which opens a workplace for it. The books of a plan stay at home and sum up the results.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from felt.agents.naming import Entrant
from felt.arena.conductor.conduct import Conduct, Fault
from felt.arena.conductor.table import Known
from felt.games.rules import GameRules

MOST_DEATHS = 20
"""Deaths of one agent's process after which it is not asked any more: every one costs about a second."""

Memory = tuple[bytes | None, ...] | None
"""What each agent saved; None where hands do not depend on earlier ones."""


@dataclass(frozen=True)
class Task:
    """A part of a plan to be played: `count` sets of a match, or runs, from number `first` on."""

    first: int
    count: int
    lane: int = 0
    """Which hands of every set; 0 for runs."""
    known: Known = field(default_factory=dict)
    """Decisions that ended a process before: nobody is asked for them again."""
    retired: frozenset[int] = frozenset()
    """Entrants who are not asked any more: their processes died, or were started again, too often."""
    memory: Memory = None
    """What the agents remembered before `first`, as they saved it."""

    @property
    def name(self) -> str:
        """The name of the part of a log that holds these hands."""
        return f"sets-{self.first:09d}-{self.first + self.count - 1:09d}-{self.lane:03d}"

    @classmethod
    def named(cls, name: str) -> "Task":
        """The task that a part of a log came from."""
        _, first, last, lane = name.split("-")
        return cls(int(first), int(last) - int(first) + 1, int(lane))


@dataclass(frozen=True, eq=False)
class TaskResult:
    """A task that was played."""

    task: Task
    content: Any
    """The result itself: the books of the plan read it."""
    seconds: float
    """How long a worker played; without what was done with the hands afterwards."""
    broken: Mapping[int, int] = field(default_factory=dict)
    """How often programs outside had to be ended, by entrant."""


class Death(NamedTuple):
    """The decision that ended a process."""

    player: int
    hand: int
    decision: int
    fault: Fault
    message: str


@dataclass(frozen=True)
class LostTasks:
    """Tasks that a worker did not finish; the scheduler hands them out again."""

    tasks: tuple[Task, ...]
    death: Death | None = None
    """The decision that ended the worker; None if no agent was at fault, as when a machine is gone."""


@dataclass
class Pace:
    """How large tasks are, in hands or runs: as large as possible without taking longer than `seconds`."""

    size: int
    least: int
    most: int
    seconds: float

    def learn(self, units: int, seconds: float) -> None:
        """Take in that so many units took so long."""
        if seconds > 0:
            self.size = max(self.least, min(self.most, int(units / seconds * self.seconds), self.size * 4))


class Workplace(Protocol):
    """The place where a worker plays the tasks of one plan; it keeps the agents between tasks."""

    @property
    def settles(self) -> bool:
        """Whether `settle` takes time, so that another thread should do it while the next task is played."""

    def play(self, task: Task) -> Any:
        """Let the agents play a task."""

    def settle(self, played: Any) -> TaskResult:
        """Make a result of what `play` returned; what is logged is on disk afterwards."""

    def close(self) -> Conduct:
        """Tell the agents that the plan is over; what they did wrong in that."""


@dataclass(frozen=True)
class Plan:
    """All that decides the results of tasks. It can be pickled if it is `sendable`."""

    entrants: tuple[Entrant, ...]
    lineup: Sequence[int]
    """For each player, the number of its agent among the entrants."""
    games: tuple[tuple[GameRules, int], ...]
    """The rules that are played, and the players at a table: these are compiled before the first task."""
    workplace: Callable[..., Workplace]
    """Opens a workplace; its argument `marks` is where that notes which agent it is asking."""
    pace: Pace
    sendable: bool
    """Whether other processes find all agents."""
    workers_here: float = 0
    """Up to so many workers, tasks are played in this process and not in others."""
    lanes: tuple[range, ...] = (range(1),)
    """Which hands of a set are played by the same copies of the agents; one lane of one hand for runs."""
    remembers: bool = False
    """Whether the tasks of a lane have to be played in order, by one worker."""
    in_threads: bool = False
    """Whether several threads of one process may play tasks at once."""
    sink: Any = None
    """Keeps the hands that workplaces play, if they are logged."""
    files: Callable[[], Sequence[tuple[str, str | None]]] = tuple
    """Files beside those of agents that must be the same on every machine: place and hash."""


class Books(Protocol):
    """Sums up the results of a plan, in any order in which they come."""

    @property
    def over(self) -> bool:
        """Whether nothing more has to be played."""

    def missing(self, lane: int) -> list[tuple[int, float]]:
        """What has to be played in a lane, as ranges: first number, and the number after the last or infinity."""

    def count_for(self, first: int, most: int, left: float) -> int:
        """How many units the next task takes of a range of which `left` units from `first` on are left."""

    def memory(self, lane: int, first: int) -> Memory:
        """What the agents of a lane remembered before `first`, if that is known."""

    def take(self, result: TaskResult) -> None:
        """Enter a result."""


class Executor(Protocol):
    """Plays tasks: threads, processes, or the machines of a cluster. One executor can play several plans in turn.

    It gives back every task once, as a result or as lost, in any order.
    """

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""

    def begin(self, plan: Plan) -> None:
        """Play tasks of this plan from now on."""

    def has_room(self, lane: int) -> bool:
        """Whether one more task of this lane would be begun soon."""

    def submit(self, task: Task) -> None:
        """Have a task played."""

    def results(self) -> Iterator[TaskResult | LostTasks]:
        """What has come of tasks: waits for one, not for ever, unless none is under way."""

    def finish(self) -> list[Conduct]:
        """End the plan: idle workers close their workplaces, and what these return is returned; tasks that are under
        way are dropped."""

    def close(self) -> None:
        """End all workers."""


def play_task(plan: Plan, task: Task) -> TaskResult:
    """Play a task here and now."""
    workplace = plan.workplace()
    return workplace.settle(workplace.play(task))


def pack(plan: Plan) -> bytes:
    """A plan as it is sent to workers. Programs outside have said hello: workers need not start them for that."""
    greetings = {entrant.place: entrant.kind.greeting for entrant in plan.entrants if entrant.found_at}
    return pickle.dumps((greetings, pickle.dumps(plan)))


def unpack(packed: bytes) -> Plan:
    """The plan that `pack` packed."""
    greetings, pickled = pickle.loads(packed)
    if greetings:
        from felt.agents.outside.bot import learn_greetings

        learn_greetings(greetings)
    plan: Plan = pickle.loads(pickled)
    return plan
