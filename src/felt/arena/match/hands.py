"""Where the tasks of a match are played. A task is some sets of it; whoever plays a task plays the same hands."""

import json
from base64 import b64decode, b64encode
from collections import defaultdict
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from math import inf
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from felt.agents.api import OutsideAgent
from felt.arena.conductor.conduct import Conduct, take_stock
from felt.arena.conductor.lockstep import Lockstep, deal_batch
from felt.arena.conductor.table import Marks, Table
from felt.arena.match.result import Indicators, Stretches
from felt.arena.match.spec import Match, seen_names
from felt.arena.schedule.tasks import Memory, Pace, Plan, Task, TaskResult
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.views.facts import Facts, trace
from felt.odds.state.allin import adjusted_payoffs

FIRST_HANDS, MOST_HANDS = 64, 16384
"""Hands of the first tasks, and the most of any."""
FIRST_IN_STEP, LEAST_IN_STEP = 4096, 256
"""Hands of the first tasks that are played in step, and the fewest that are worth it."""
SECONDS = 1.0
"""What a task should take: no more than that is played again after a crash."""
TABLES = 4096
"""Tables that are played in step at a time: their records fit into a processor's cache."""


@dataclass(frozen=True, eq=False)
class HandColumns:
    """What a log keeps of hands beside their facts: arrays over hands."""

    hand: NDArray[np.int64]
    """Number in the match."""
    set: NDArray[np.int64]
    seating: NDArray[np.int64]
    """Place in the set."""
    deal: NDArray[np.int64]
    players: NDArray[np.int64]
    """``[hands, seats]``: who sat where."""
    adjusted: NDArray[np.float64]
    """``[hands, seats]``: all-in-adjusted payoffs."""


class Sink(Protocol):
    """Keeps hands: `felt.store` has one."""

    def write(self, name: str, facts: Facts, hands: HandColumns, note: str = "") -> None:
        """Keep a part and what is to be noted of it; when this returns, both are on disk."""


class Log(Protocol):
    """The log of one match: what was kept of it can be read again, and a match that was cut off can go on."""

    @property
    def sink(self) -> Sink:
        """Keeps its hands; can be sent to other processes."""

    def parts(self) -> list[str]:
        """The names of the parts that are there."""

    def read(self, name: str) -> "tuple[Hands, str]":
        """The hands of a part, and what was noted of it."""

    def remove(self, name: str) -> None:
        """Take a part out."""


@dataclass(eq=False)
class Hands:
    """The hands of a task as they were played: deals, seatings and moves."""

    task: Task
    numbers: NDArray[np.int64]
    places: NDArray[np.int64]
    deals: NDArray[np.int64]
    seatings: NDArray[np.int64]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    conduct: Conduct
    seconds: float = 0.0
    memory: Memory = None
    broken: dict[int, int] = field(default_factory=dict)
    """How often programs outside had to be ended, by player."""


@dataclass(frozen=True, eq=False)
class SetTotals:
    """The totals of the sets of a task."""

    totals: NDArray[np.int64]
    """``[sets, players]``: chips won or lost."""
    adjusted: NDArray[np.float64]
    """``[sets, players]``: the same, all-in-adjusted."""
    conduct: Conduct
    hands: int
    actions: int
    memory: Memory = None
    indicators: Stretches | None = None


class MatchWorkplace:
    """Plays tasks of one match; keeps the agents of the lanes that it has played."""

    settles = True

    def __init__(
        self,
        match: Match,
        *,
        sink: Sink | None = None,
        indicators: Indicators | None = None,
        marks: "Marks | None" = None,
    ) -> None:
        if marks is not None:
            match.make_agents()  # in a process of its own: an agent that cannot be made there is an error now
        self.match, self._sink, self._indicators, self._marks = match, sink, indicators, marks
        self._lanes: dict[int, tuple[int, Table, list[Any]]] = {}
        """For each lane: the next set, the table and its agents."""
        self._idle: dict[int, list[list[Any]]] = defaultdict(list)
        """For each lane, agents without a memory, between two tasks: programs outside need not be started for each."""

    def play(self, task: Task) -> Hands:
        """Play a task."""
        started = perf_counter()
        plan, lane = self.match.plan, self.match.lanes[task.lane]
        deals, seatings = plan.arrays(task.first, task.count)
        numbers = np.arange(task.first * plan.size, (task.first + task.count) * plan.size)
        places = numbers % plan.size
        own, none = (places >= lane.start) & (places < lane.stop), np.zeros(0, dtype=np.int64)
        columns = (numbers[own], places[own], deals[own], seatings[own])
        hands = Hands(task, *columns, codes=none, counts=none, conduct=Conduct.of(self.match.players))
        agents = self._in_step(hands) if self.match.in_step else self._one_by_one(hands)
        hands.broken = take_stock(agents, hands.conduct, int(hands.numbers[-1]))
        if task.lane not in self._lanes:
            self._idle[task.lane].append(agents)
        hands.seconds = perf_counter() - started
        return hands

    def _in_step(self, hands: Hands) -> list[Any]:
        """Play hands at many tables at once; returns the agents that did."""
        match, task, parts, agents = self.match, hands.task, [], self._agents(hands.task.lane)
        lockstep = Lockstep(
            match.rules, agents, match.stack, match.seed, match.penalty, match.timeout, hands.conduct,
            task.known, task.retired, seen_names(match.entrants),
        )  # fmt: skip
        if self._marks is not None:
            lockstep.marks = self._marks
        for begin in range(0, len(hands.numbers), TABLES):
            part = slice(begin, begin + TABLES)
            parts.append(lockstep.play(hands.numbers[part], hands.deals[part], hands.seatings[part]))
        hands.codes, hands.counts = (np.concatenate(column) for column in zip(*parts, strict=True))
        return agents

    def _one_by_one(self, hands: Hands) -> list[Any]:
        task, codes = hands.task, list[int]()
        table, agents = self._seat(task)
        table.conduct = hands.conduct
        rows = zip(hands.numbers.tolist(), hands.deals.tolist(), hands.seatings.tolist(), strict=True)
        counts = [table.play(self._deal(deal), number, seating, codes) for number, deal, seating in rows]
        hands.codes, hands.counts = np.array(codes, dtype=np.int64), np.array(counts, dtype=np.int64)
        if self.match.remembers:
            self._lanes[task.lane] = (task.first + task.count, table, agents)
            hands.memory = table.saved()
        return agents

    def _agents(self, lane: int) -> list[Any]:
        """Copies of all agents, for a lane, that nobody else is using now."""
        with suppress(IndexError):
            return self._idle[lane].pop()
        agents = self.match.make_agents()
        for agent in agents:
            if isinstance(agent, OutsideAgent):
                with suppress(FeltError):  # that it cannot begin is counted when it is asked
                    agent.begin()
        return agents

    def _seat(self, task: Task) -> tuple[Table, list[Any]]:
        """A table for a task, with agents that remember what came before it in its lane."""
        match, (at, table, agents) = self.match, self._lanes.pop(task.lane, (-1, None, []))
        new = table is None or at != task.first
        if table is None or new:
            agents = self._agents(task.lane)
            table = Table(
                agents,
                seed=match.seed,
                penalty=match.penalty,
                timeout=match.timeout,
                marks=self._marks,
                names=seen_names(match.entrants),
            )
        table.known, table.retired = task.known, set(task.retired)
        if new and match.remembers and task.first > 0:
            self._remind(table, agents, task)
        return table, agents

    def _remind(self, table: Table, agents: list[Any], task: Task) -> None:
        """Bring the memory of agents up to a task: by what they saved, or by showing them again what they saw."""
        memory, remember = task.memory, [entrant.remembers for entrant in self.match.entrants]
        if memory and all(saved is not None for saved, needed in zip(memory, remember, strict=True) if needed):
            if table.load(memory):
                return
            agents[:] = self.match.make_agents()
            table.seat(agents)
        plan = self.match.plan
        for number in range(task.first):
            for place in self.match.lanes[task.lane]:
                hand = self._deal(plan.deal(number, place))
                table.play(hand, number * plan.size + place, plan.seatings(number)[place], [])

    def _deal(self, deal: int) -> Hand:
        match = self.match
        return Hand.new(match.rules, match.stack, match.seed, players=match.players, number=deal)

    def settle(self, hands: Hands) -> TaskResult:
        """Sum up hands by set; when this returns they are in the sink."""
        return settle(self.match, hands, self._sink, self._indicators)

    def close(self) -> Conduct:
        """Tell agents with a memory that the match is over; what they did wrong in that."""
        conduct = Conduct.of(self.match.players)
        for at, table, agents in self._lanes.values():
            table.conduct = conduct
            table.over()
            take_stock(agents, conduct, at * self.match.plan.size - 1)
        for agents in chain.from_iterable(self._idle.values()):
            for agent in agents:
                if isinstance(agent, OutsideAgent):
                    with suppress(Exception):  # all are let go, whatever becomes of one
                        agent.dismiss()
            take_stock(agents, conduct, 0)
        self._lanes.clear()
        self._idle.clear()
        return conduct


def match_plan(match: Match, sink: Sink | None = None, indicators: Indicators | None = None) -> Plan:
    """A match as a plan for the scheduler: a task is some sets of it.

    Agents of ours that decide at many tables at once need no processes; others have them, if they are found there.
    """
    first, least = (FIRST_IN_STEP, LEAST_IN_STEP) if match.in_step else (FIRST_HANDS, 1)
    return Plan(
        match.entrants,
        range(match.players),
        ((match.rules, match.players),),
        partial(MatchWorkplace, match, sink=sink, indicators=indicators),
        Pace(first, least, MOST_HANDS, SECONDS),
        sendable=all(entrant.named for entrant in match.entrants),
        workers_here=inf if match.trusted and match.in_step else 0,
        lanes=match.lanes,
        remembers=match.remembers,
        in_threads=match.in_step and len(match.lanes) == 1,
        sink=sink,
    )


def settle(match: Match, hands: Hands, sink: Sink | None = None, indicators: Indicators | None = None) -> TaskResult:
    """Sum up hands by set; when this returns they are in the sink."""
    deals, seatings, sets = hands.deals, hands.seatings, hands.task.count
    start = deal_batch(match.rules, deals, match.players, match.stack, match.seed)
    actions = sink is not None or indicators is not None
    facts = trace(match.rules, *start.arrays, start.stacks, hands.codes, hands.counts, actions=actions)
    adjusted = adjusted_payoffs(facts, deals, match.seed)
    if sink is not None:
        columns = HandColumns(hands.numbers, hands.numbers // match.plan.size, hands.places, deals, seatings, adjusted)
        sink.write(hands.task.name, facts, columns, note_of(hands))
    totals = SetTotals(
        by_set(facts.payoffs.astype(np.int64), seatings, sets),
        by_set(adjusted, seatings, sets),
        hands.conduct,
        hands=len(deals),
        actions=len(hands.codes),
        memory=hands.memory,
        indicators=indicators.count(facts, seatings, hands.numbers) if indicators else None,
    )
    return TaskResult(hands.task, totals, hands.seconds, hands.broken)


def note_of(hands: Hands) -> str:
    """The note that a log keeps with the hands of a task: what agents did wrong, and what they remember after it."""
    note: dict[str, Any] = {}
    if not hands.conduct.clean:
        note["conduct"] = asdict(hands.conduct)
    if hands.memory is not None:
        note["memory"] = [None if saved is None else b64encode(saved).decode() for saved in hands.memory]
    return json.dumps(note) if note else ""


def read_part(log: Log, name: str) -> Hands:
    """The hands of a part of a log, with what `note_of` noted of them."""
    hands, text = log.read(name)
    note = json.loads(text) if text else {}
    if "conduct" in note:
        hands.conduct = Conduct.from_dict(note["conduct"])
    if "memory" in note:
        hands.memory = tuple(None if saved is None else b64decode(saved) for saved in note["memory"])
    return hands


def first_sets(hands: Hands, sets: int) -> Hands:
    """The hands of the first sets of a task."""
    keep = np.arange(len(hands.numbers)) < len(hands.numbers) // hands.task.count * sets
    moves = np.repeat(keep, hands.counts)
    columns = {name: getattr(hands, name)[keep] for name in ("numbers", "places", "deals", "seatings", "counts")}
    return replace(hands, task=replace(hands.task, count=sets), codes=hands.codes[moves], **columns)


def by_set(amounts: NDArray[Any], seatings: NDArray[np.int64], sets: int) -> NDArray[Any]:
    """Amounts by hand and seat, summed by set and player."""
    by_player = np.zeros_like(amounts)
    np.put_along_axis(by_player, seatings, amounts, axis=1)
    total: NDArray[Any] = by_player.reshape(sets, -1, amounts.shape[1]).sum(axis=1)
    return total
