"""Where runs are played: copies of the agents, a table to ask them at, and what they do wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, NoReturn

from felt.agents.adapters import AsPlain
from felt.agents.faults import AgentFault
from felt.arena.conduct import Conduct, Fault, take_stock
from felt.arena.lockstep import Floor
from felt.arena.prepare import prepare
from felt.arena.runs.spec import HANDS, Competition, Done, Parcel, Record, by_entrant, hand_number
from felt.arena.table import MADE, MARKS, NOBODY, Known, Late, Marks, Table, beside
from felt.arena.worker import BROKEN, DONE, OVER
from felt.arena.worker_process import MOST_DEATHS
from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.view import View

MAKE_TIMES = 10
"""An agent may take so many times as long to be made as to decide: some load a model."""


def prepare_runs(competition: Competition) -> None:
    """Compile and load what the runs of a competition need, if it says what is played: see `prepare`."""
    for rules in getattr(competition, "games", ()):
        prepare(rules, competition.entrants, players=min(len(competition.lineup), rules.max_players))


class Bench:
    """Plays runs of one competition, one after the other. Agents that remember nothing are kept from run to run."""

    def __init__(self, competition: Competition, *, marks: "Marks | None" = None) -> None:
        self.competition = competition
        prepare_runs(competition)
        self.known: Known = {}
        self.retired: frozenset[int] = frozenset()
        self.with_hands = False
        self.broken: Counter[int] = Counter()
        """How often programs outside had to be ended here, by entrant."""
        self._marks = marks
        self._agents: list[Any] = []
        self._table: Table | None = None
        self._floor: Floor | None = None

    def play_all(self, numbers: Sequence[int]) -> list[Record]:
        """The records of several runs: all at once, if the competition can do that (`run_together`) and does."""
        together = getattr(self.competition, "run_together", None)
        if together is not None and not self.known and not self.retired:
            told = together(numbers, with_hands=self.with_hands)
            if told is not None:
                return [{"run": number, **one} for number, one in zip(numbers, told, strict=True)]
        return [self.play(number) for number in numbers]

    def play(self, number: int) -> Record:
        """The record of one run."""
        competition, self._table, self._floor = self.competition, None, None
        told = competition.run(number, self)
        record: Record = {"run": number, **told}
        if self._table is not None and self._table.played is not None:
            record[HANDS] = list(self._table.played.values())
        if self._table is not None and self._any_memory:
            self._table.over()
        asked = self._table or self._floor
        if self._table is not None:
            ended = take_stock(self._agents, self._table.conduct, hand_number(number, 0))
            for player, times in ended.items():
                entry = competition.lineup[player]
                self.broken[entry] += times
                if self.broken[entry] >= MOST_DEATHS:
                    self.retired |= {entry}
        if asked is not None and not asked.conduct.clean:
            record["conduct"] = asdict(by_entrant(asked.conduct, competition.lineup, len(competition.entrants)))
        return record

    def table(self, number: int) -> Table:
        """A table for all players of run `number`: agents with a memory begin it without any."""
        competition, before = self.competition, self._agents
        kept = [None if isinstance(one, Unmade) else one for one in before or [None] * len(competition.lineup)]
        self._agents = [
            self._make(player, number) if competition.entrants[entry].remembers or agent is None else agent
            for player, (entry, agent) in enumerate(zip(competition.lineup, kept, strict=True))
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
        )
        self._table.played = {} if self.with_hands else None
        self._table.known = self.known
        self._table.retired = {player for player, entry in enumerate(competition.lineup) if entry in self.retired}
        return self._table

    def floor(self, rules: GameRules, agents: Sequence[Any], stack: int) -> Floor:
        """In place of a table: many tables in step, for agents that decide at all of them, one for each player."""
        competition = self.competition
        self._floor = Floor(
            rules, agents, stack, competition.seed, competition.penalty, competition.timeout,
            Conduct.of(len(agents)), self.known,
            frozenset(player for player, entry in enumerate(competition.lineup) if entry in self.retired),
        )  # fmt: skip
        if self._marks is not None:
            self._floor.marks = self._marks
        return self._floor

    @property
    def _any_memory(self) -> bool:
        return any(one.remembers for one in self.competition.entrants)

    def _make(self, player: int, number: int) -> Any:
        """A new copy of a player's agent. Where that fails, somebody sits there of whom every decision is a fault."""
        entry, first = self.competition.lineup[player], hand_number(number, 0)
        died = self.known.get((first, beside(player, MADE)))
        if died is not None or entry in self.retired:
            too_often = (Fault.ERROR, "not made: it died or was started again too often")
            return Unmade(*(died[1:] if died is not None else too_often))
        watched: Marks = [NOBODY] * MARKS if self._marks is None else self._marks
        watched[1], watched[2] = first, beside(player, MADE)
        watched[3] = int(1000 * MAKE_TIMES * self.competition.timeout)
        try:
            watched[0] = player
            agent = self.competition.entrants[entry].make()
            watched[0] = NOBODY
        except Late:
            watched[0] = NOBODY
            return Unmade(Fault.TIMEOUT, f"not made within {MAKE_TIMES * self.competition.timeout:g} s")
        except FeltError as error:
            watched[0] = NOBODY
            return Unmade(Fault.ERROR, str(error))
        if getattr(agent, "keeps_time", False):
            agent.patience = self.competition.timeout
        return agent if hasattr(agent, "act") else AsPlain(agent)


class Unmade:
    """In place of an agent that cannot be made."""

    def __init__(self, fault: Fault, said: str) -> None:
        self._fault, self._said = fault.value, said

    def act(self, view: View) -> NoReturn:
        """Say why there is no decision."""
        raise AgentFault(self._fault, self._said)


def do(parcel: Parcel, bench: Bench | None = None) -> Done:
    """Play a parcel, here and now: what every crew does in the end."""
    bench = bench or Bench(parcel.competition)
    started = perf_counter()
    bench.known, bench.retired, bench.with_hands = parcel.known, parcel.retired, parcel.with_hands
    before = bench.broken.copy()
    records = bench.play_all(range(parcel.first, parcel.first + parcel.count))
    return Done(parcel, records, perf_counter() - started, bench.broken - before)


class BenchKeeper:
    """Plays parcels of one competition after another; as long as it is the same, so is the bench."""

    def __init__(self, marks: "Marks | None" = None) -> None:
        self._marks = marks
        self._bench: Bench | None = None

    def do(self, parcel: Parcel) -> Done:
        """Play a parcel."""
        if self._bench is None or self._bench.competition != parcel.competition:
            self._bench = Bench(parcel.competition, marks=self._marks)
        return do(parcel, self._bench)


class WorkerBench:
    """Plays the parcels that come through a connection: in a process of its own, see `felt.arena.worker`."""

    def __init__(self, connection: Connection, marks: "memoryview[int]") -> None:
        self._connection, self._keeper = connection, BenchKeeper(marks)

    def work(self) -> None:
        """Play until there is no more. What agents raise is counted; what cannot be played at all is told."""
        while True:
            try:
                parcel = self._connection.recv()
                if parcel is None:
                    break
                done = self._keeper.do(parcel)
            except FeltError as error:
                self._connection.send((BROKEN, str(error)))
            else:
                self._connection.send((DONE, (done.records, done.seconds, done.broken)))
        self._connection.send((OVER, Conduct.of(0)))
