"""The host of a table: deals when there are players, asks agents, and steps in for who does not act in time."""

import asyncio
import logging

from felt.errors import FeltError
from felt.games import Action
from felt.server.agents.asking import AgentThreads, Answer
from felt.server.agents.conductor import LiveConductor
from felt.server.tables.dealer import Event
from felt.server.tables.table import Table
from felt.store.database.db import StoreError

log = logging.getLogger(__name__)

EXPIRES_UNTIL_AWAY = 2
"""Decisions in a row that somebody may let pass before they sit out."""
MOST_WAITS = 20
"""How often an agent is asked again because of the machine: what it needs may be more than there ever is."""
LOOK_AGAIN = 5.0
"""Seconds after which a table is looked at although nothing has happened."""


class TableRunner:
    """Plays one table."""

    def __init__(self, table: Table, threads: AgentThreads) -> None:
        self.stopped = False
        """Whether the task shall end: a cancellation alone may get lost in Python 3.11's `asyncio.wait_for`."""
        self._table, self._threads = table, threads
        self._conductor = LiveConductor(table, threads)
        self._prepared: frozenset[str] | None = None
        """The agents for whom all is loaded."""
        self._waits = 0
        """How often in a row an agent could not think for want of files, memory or threads."""

    async def run(self) -> None:
        """Play until the table is closed, or the task is stopped."""
        table = self._table
        while not self.stopped:
            if table.closed:
                await table.settle_changes()
                if table.closed:  # and it is stored
                    break
            try:
                await self._prepare()
                await self._next()
            except FeltError as error:
                log.warning("table %s: %s", table.id, error)
                await asyncio.sleep(1.0)
                if isinstance(error, StoreError):
                    table.restart_clock()
        if table.closed:
            self._conductor.follow()
            await self._conductor.deliver()

    async def _prepare(self) -> None:
        """Have compiled and imported what the agents here need, before the clock runs for anybody."""
        table, state = self._table, self._table.state
        first = self._prepared is None
        if state.turn >= 0 and not first:  # who comes in the middle of a hand plays the next one
            return
        agents = frozenset(who.agent for who in state.seats if who is not None and who.agent is not None)
        if agents != self._prepared:
            listening = await self._threads.prepare(state.rules, agents, state.settings.seats)
            self._prepared, self._conductor.listening = agents, listening
        if state.turn >= 0 and first:  # the hand was in play when the service was stopped
            table.restart_clock()

    async def _next(self) -> None:
        table = self._table
        await table.settle_changes()
        if table.closed:
            return
        table.changed.clear()
        state = table.state
        self._conductor.follow()
        if self._forsaken:
            await table.do(table.shut)
        elif state.turn >= 0 and table.speed.paused and not table.steps:
            await self._wait(LOOK_AGAIN)
        elif state.turn >= 0:
            table.steps = 0
            await self._turn(state.turn, state.hands, state.step)
        elif state.hand is not None:
            await self._conductor.deliver()
            await self._look_at_result()
            await table.do(self._finish)
        elif state.ready and table.present:
            await table.do(lambda: table.dealer.begin() if table.state.ready else [])
        else:
            await self._wait(LOOK_AGAIN)

    @property
    def _forsaken(self) -> bool:
        """Whether nobody has looked for long; a hand that people are in is played to its end first."""
        table, people = self._table, any(self._table.people)
        if people and table.state.hand is not None:
            return False
        patience = table.pace.abandon_after if people else table.pace.close_after
        return not table.present and table.now() > table.last_seen + patience

    async def _look_at_result(self) -> None:
        """A moment after a hand; who changes the speed or takes a step does not wait longer."""
        table = self._table
        begun = table.now()
        while not (table.steps or table.closed or self._forsaken):
            left = begun + table.speed.hand_seconds - table.now()
            if not table.speed.paused and left <= 0:
                break
            table.changed.clear()
            await self._wait(LOOK_AGAIN if table.speed.paused else left)
        table.steps = 0

    def _finish(self) -> list[Event]:
        table = self._table
        events = table.dealer.finish([seat for seat, times in table.expired.items() if times >= EXPIRES_UNTIL_AWAY])
        table.clock.regain()
        return events

    async def _turn(self, seat: int, hand: int, step: int) -> None:
        table = self._table
        who, person = table.state.seats[seat], table.people[seat]
        table.keep_time()
        left = table.clock.left(seat, now=table.now(), bank=table.connected(person))
        if who is None or who.leaving or (who.away and table.state.settings.tournament):
            await self._step_in(hand, step, "")
        elif who.agent is not None:
            await self._ask(seat, who.agent, hand, step, left)
        elif left > 0:  # in the bank's time, who goes away is noticed
            limit = table.clock.left(seat, now=table.now())
            await self._wait(limit if limit > 0 else min(left, LOOK_AGAIN))
        else:
            table.expired[seat] = table.expired.get(seat, 0) + 1 if table.connected(person) else EXPIRES_UNTIL_AWAY
            await self._step_in(hand, step, "runs out of time")

    async def _ask(self, seat: int, agent: str, hand: int, step: int, left: float) -> None:
        table = self._table
        begun = table.now()
        try:
            action, fault = await self._conductor.decide(left)
        except Exception:  # a fault of the machine
            self._waits += 1
            if self._waits <= MOST_WAITS:
                raise
            action, fault = Answer(None, "failed to decide")
        self._waits = 0
        pause = min(table.speed.move_seconds - (table.now() - begun), left)
        if pause > 0:
            await asyncio.sleep(pause)
        if action is None:
            await self._step_in(hand, step, fault)
            return
        made = action

        def move() -> Action:
            table.state.act(seat, made, hand=hand, step=step)
            return made

        try:
            await table.do(lambda: table.dealer.move(move))
        except StoreError:
            raise
        except FeltError as error:
            log.warning("table %s: %s in seat %d made a move that is not allowed: %s", table.id, agent, seat, error)
            await self._step_in(hand, step, "made a move that is not allowed")  # its words might name hidden cards

    async def _step_in(self, hand: int, step: int, why: str) -> None:
        """Act for somebody who does not."""
        table = self._table

        def change() -> list[Event]:
            state = table.state
            if (state.hands, state.step) != (hand, step) or state.turn < 0:
                return []  # they have acted after all
            events = [table.dealer.seat_event(state.turn, why, kind="expired")] if why else []
            table.clock.spend(state.turn, now=table.now())
            return [*events, *table.dealer.move(state.expire)]

        await table.do(change)

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._table.changed.wait(), seconds)
        except TimeoutError:
            return
