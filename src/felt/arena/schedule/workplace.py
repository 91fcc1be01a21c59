"""Runs as a plan for the scheduler, where a worker plays them (copies of the agents and a table to ask them at), and
their records: what they hold, how hands are numbered in them, and what agents did wrong in them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from time import perf_counter
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

from felt.agents.adapters import as_agent
from felt.agents.api import AgentFault, OutsideAgent
from felt.agents.naming import Entrant
from felt.arena.conductor.conduct import Conduct, Fault, Penalty, take_stock
from felt.arena.conductor.lockstep import Lockstep
from felt.arena.conductor.table import MADE, MARKS, NOBODY, Known, Late, Marks, Table, beside
from felt.arena.schedule.tasks import MOST_DEATHS, Pace, Plan, Task, TaskResult
from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.views.view import View

Record = dict[str, Any]
"""The result of a run, in values that JSON has. `play_runs` adds its number as ``run``, and what agents did wrong in it
as ``conduct``, if anything was."""

PlayedHand = tuple[int, int, list[int], list[int], list[int]] | tuple[int, int, list[int], list[int], list[int], int]
"""A hand on its way to a log: the level of its stakes, the button, the players by seat and their stacks, and the moves,
each as its amount times four plus its move; then its deal, if that is not its `hand_number`. The engine computes the
rest."""

HANDS = "all_hands"
"""Where the hands of a run are in its record, on their way to a log."""
PLAYERS = "all_players"
"""The same for players whom the description of a competition does not name: name and agent by number."""
HAND_BITS = 32


def hand_number(run: int, hand: int) -> int:
    """The number of a hand among those of all runs: its cards, the agents' dice and their faults depend on it.

    >>> hand_number(3, 7)
    12884901895
    >>> run_of(hand_number(3, 7))
    (3, 7)
    """
    return run << HAND_BITS | hand


def run_of(number: int) -> tuple[int, int]:
    """The run and the hand in it that `hand_number` numbered."""
    return number >> HAND_BITS, number & (1 << HAND_BITS) - 1


def format_hand(kind: str, number: int) -> str:
    """Where the hand of this number is, in words; `kind` is what a run is called.

    >>> format_hand("tournament", hand_number(3, 7))
    'tournament 4, hand 8'
    """
    run, hand = run_of(number)
    return f"{kind} {run + 1:,}, hand {hand + 1:,}"


def conduct_of(records: Iterable[Record], entrants: int) -> Conduct:
    """What agents did wrong in all runs, by entrant; the hands of incidents are numbered as by `hand_number`."""
    conduct = Conduct.of(entrants)
    for record in records:
        if "conduct" in record:
            conduct.join(Conduct.from_dict(record["conduct"]))
    return conduct


Spec = TypeVar("Spec", bound=Any)


@dataclass(frozen=True, eq=False)
class RunResult(Generic[Spec]):
    """The records of a competition that was repeated. Agents are counted by their places among the entrants."""

    competition: Spec
    records: Sequence[Record]
    seconds: float
    known: int
    """Runs that a log had already; the others were played in those seconds."""

    run_name: ClassVar[str]

    @property
    def repeats(self) -> int:
        """How many runs there are."""
        return len(self.records)

    @property
    def hands(self) -> int:
        """Hands of all runs, at all tables."""
        return sum(record["hands"] for record in self.records)

    @property
    def table(self) -> list[int]:
        """The agents, the best first."""
        raise NotImplementedError

    @cached_property
    def conduct(self) -> Conduct:
        """What agents did wrong; hands are numbered over all runs, see `run_of`."""
        return conduct_of(self.records, len(self.competition.entrants))

    def where(self, hand: int) -> str:
        """Where a hand is, in words."""
        return format_hand(self.run_name, hand)

    def faults_to_dict(self, agent: int) -> dict[str, Any]:
        """What an agent did wrong, as plain values, for JSON."""
        return self.conduct.to_dict(agent, lambda hand: dict(zip(("run", "hand"), run_of(hand), strict=True)))


def by_entrant(conduct: Conduct, lineup: Sequence[int], entrants: int) -> Conduct:
    """What players did wrong, counted for their agents."""
    joined = Conduct.of(entrants)
    for incident in sorted(conduct.incidents, key=lambda incident: incident.hand):
        joined.add(replace(incident, player=lineup[incident.player]))
    joined.counts = Conduct.of(entrants).counts
    for player, counts in enumerate(conduct.counts):
        for fault, times in counts.items():
            joined.counts[lineup[player]][fault] += times
    return joined


# Playing runs

MAKE_TIMES = 10
"""An agent may take so many times as long to be made as to decide: some load a model."""


TASK_SIZE = (1, 1.0)
"""Runs of the first task and the fewest of any, and the seconds that a task should take: no more is played again when a
worker is lost. A competition whose runs are quicker together than alone has a `task_size` of its own."""
MOST_RUNS = 4096
"""The most runs in one task."""


class Competition(Protocol):
    """All that decides the runs of a competition. It can be pickled, and equal ones have equal runs.

    A competition can have more:

    - ``run_together(numbers, with_hands=…)`` plays several runs at once and returns their records, or None if they have
      to be played one by one;
    - `games`, the rules that are played, so that all is compiled before anybody has to decide;
    - `task_size`, as `TASK_SIZE`;
    - `player_names`, the names under which the players of a run see each other;
    - if it needs more files than its agents: ``files()``, their places and hashes; `sendable`, whether other processes
      find them; `trusted`, whether they are ours.
    """

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The agents."""

    @property
    def lineup(self) -> tuple[int, ...]:
        """For each player of a run, the number of its agent among the entrants: an agent may play several times."""

    @property
    def seed(self) -> int:
        """What chance comes from, together with the number of a run."""

    @property
    def penalty(self) -> Penalty:
        """What is done for an agent that does wrong."""

    @property
    def timeout(self) -> float:
        """Seconds for a decision."""

    def run(self, number: int, workplace: "RunWorkplace") -> Record:
        """Play a run: the same record for the same number. Agents are asked at ``workplace.table(number)`` or at
        ``workplace.tables_in_step(…)`` only."""


class RunWorkplace:
    """Plays runs of one competition, one after the other. Agents that remember nothing are kept from run to run."""

    settles = False

    def __init__(self, competition: Competition, *, with_hands: bool = False, marks: "Marks | None" = None) -> None:
        self.competition, self.with_hands, self._marks = competition, with_hands, marks
        self.known: Known = {}
        self.retired: frozenset[int] = frozenset()
        self.broken: Counter[int] = Counter()
        """How often programs outside had to be ended here, by entrant."""
        self._agents: list[Any] = []
        self._table: Table | None = None
        self._lockstep: Lockstep | None = None

    def play(self, task: Task) -> TaskResult:
        """The records of the runs of a task: all at once, if the competition can do that (`run_together`) and does."""
        started, before = perf_counter(), self.broken.copy()
        self.known, self.retired = task.known, task.retired
        numbers = range(task.first, task.first + task.count)
        together = getattr(self.competition, "run_together", None)
        contents: list[Record] | None = None
        if together is not None and not self.known and not self.retired:
            contents = together(numbers, with_hands=self.with_hands)
        if contents is None:
            records = [self.play_run(number) for number in numbers]
        else:
            records = [{"run": number, **content} for number, content in zip(numbers, contents, strict=True)]
        return TaskResult(task, records, perf_counter() - started, self.broken - before)

    def settle(self, played: TaskResult) -> TaskResult:
        """There is nothing to do any more."""
        return played

    def close(self) -> Conduct:
        """Agents hear of the end of each run; there is nothing more to tell."""
        return Conduct.of(0)

    def play_run(self, number: int) -> Record:
        """The record of one run."""
        competition, self._table, self._lockstep = self.competition, None, None
        record: Record = {"run": number, **competition.run(number, self)}
        table: Table | None = self._table
        if table is not None:
            if table.played is not None:
                record[HANDS] = list(table.played.values())
            if any(entrant.remembers for entrant in competition.entrants):
                table.over()
            for player, times in take_stock(self._agents, table.conduct, hand_number(number, 0)).items():
                entry = competition.lineup[player]
                self.broken[entry] += times
                if self.broken[entry] >= MOST_DEATHS:
                    self.retired |= {entry}
        used = table or self._lockstep
        if used is not None and not used.conduct.clean:
            record["conduct"] = asdict(by_entrant(used.conduct, competition.lineup, len(competition.entrants)))
        return record

    def table(self, number: int) -> Table:
        """A table for all players of run `number`: agents with a memory begin it without any."""
        competition = self.competition
        before = self._agents or [None] * len(competition.lineup)
        self._agents = [
            self._make(player, number)
            if agent is None or isinstance(agent, Unmade) or competition.entrants[entry].remembers
            else agent
            for player, (entry, agent) in enumerate(zip(competition.lineup, before, strict=True))
        ]
        if self._table is not None:
            raise AssertionError(f"run {number} asks for a second table; one is for all its hands")
        self._table = Table(
            self._agents,
            seed=competition.seed,
            penalty=competition.penalty,
            timeout=competition.timeout,
            marks=self._marks,
            first=hand_number(number, 0),
            names=getattr(competition, "player_names", ()),
        )
        self._table.played = {} if self.with_hands else None
        self._table.known = self.known
        self._table.retired = {player for player, entry in enumerate(competition.lineup) if entry in self.retired}
        return self._table

    def tables_in_step(self, rules: GameRules, agents: Sequence[Any], stack: int) -> Lockstep:
        """Many tables in step instead of one, for agents that decide at all of them; one agent for each player."""
        competition = self.competition
        self._lockstep = Lockstep(
            rules, agents, stack, competition.seed, competition.penalty, competition.timeout,
            Conduct.of(len(agents)), self.known,
            frozenset(player for player, entry in enumerate(competition.lineup) if entry in self.retired),
        )  # fmt: skip
        if self._marks is not None:
            self._lockstep.marks = self._marks
        return self._lockstep

    def _make(self, player: int, number: int) -> Any:
        """A new copy of a player's agent. Where that fails it is an `Unmade`: each of its decisions is a fault."""
        entry, first = self.competition.lineup[player], hand_number(number, 0)
        died = self.known.get((first, beside(player, MADE)))
        if died is not None:
            return Unmade(*died[1:])
        if entry in self.retired:
            return Unmade(Fault.ERROR, "not made: it died or was started again too often")
        watched: Marks = [NOBODY] * MARKS if self._marks is None else self._marks
        seconds = MAKE_TIMES * self.competition.timeout
        watched[1], watched[2], watched[3] = first, beside(player, MADE), int(1000 * seconds)
        try:
            watched[0] = player
            agent = self.competition.entrants[entry].make()
            watched[0] = NOBODY
        except (Late, FeltError) as error:
            watched[0] = NOBODY
            if isinstance(error, Late):
                return Unmade(Fault.TIMEOUT, f"not made within {seconds:g} s")
            return Unmade(Fault.ERROR, str(error))
        if isinstance(agent, OutsideAgent):
            agent.patience = self.competition.timeout
        return as_agent(agent)


class Unmade:
    """Stands in for an agent that cannot be made."""

    def __init__(self, fault: Fault, message: str) -> None:
        self._fault, self._message = fault.value, message

    def act(self, view: View) -> NoReturn:
        """Raise the reason why there is no agent."""
        raise AgentFault(self._fault, self._message)


def run_plan(competition: Competition, *, with_hands: bool = False) -> Plan:
    """The runs of a competition as a plan for the scheduler: a task is some runs."""
    entrants, lineup = competition.entrants, competition.lineup
    size, seconds = getattr(competition, "task_size", TASK_SIZE)
    trusted = all(entrant.trusted for entrant in entrants) and getattr(competition, "trusted", True)
    return Plan(
        entrants,
        lineup,
        tuple((rules, min(len(lineup), rules.max_players)) for rules in getattr(competition, "games", ())),
        partial(RunWorkplace, competition, with_hands=with_hands),
        Pace(size, size, MOST_RUNS, seconds),
        sendable=all(entrant.named for entrant in entrants) and getattr(competition, "sendable", True),
        workers_here=1 if trusted else 0,
        files=getattr(competition, "files", tuple),
    )
