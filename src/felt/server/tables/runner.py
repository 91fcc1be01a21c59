"""The host of a room: deals when there are players, asks agents, and steps in for who does not act in time."""

import asyncio
import logging

from felt.errors import FeltError
from felt.games import Action
from felt.server.brains import Brains
from felt.server.dealer import Event
from felt.server.room import Room
from felt.store.db import StoreError

log = logging.getLogger(__name__)

EXPIRES_UNTIL_AWAY = 2
"""Decisions in a row that somebody may let pass before they sit out."""
MOST_WAITS = 20
"""How often an agent is asked again because of the machine: what it needs may be more than there ever is."""
LOOK_AGAIN = 5.0
"""Seconds after which a table is looked at although nothing has happened."""


class Host:
    """Plays one room."""

    def __init__(self, room: Room, brains: Brains) -> None:
        self.stopped = False
        """Whether the task shall end: a cancellation alone may get lost in Python 3.11's `asyncio.wait_for`."""
        self._room, self._brains = room, brains
        self._prepared: frozenset[str] | None = None
        """The agents for whom all is loaded."""
        self._waits = 0
        """How often in a row an agent could not think for want of files, memory or threads."""

    async def run(self) -> None:
        """Play until the table is closed, or the task is stopped."""
        room = self._room
        while not (room.closed or self.stopped):
            try:
                await self._prepare()
                await self._next()
            except FeltError as error:
                log.warning("table %s: %s", room.id, error)
                await asyncio.sleep(1.0)
                if isinstance(error, StoreError):
                    room.restart_clock()

    async def _prepare(self) -> None:
        """Have compiled and imported what the agents here need, before the clock runs for anybody."""
        room, table = self._room, self._room.table
        first = self._prepared is None
        if table.turn >= 0 and not first:  # who comes in the middle of a hand plays the next one
            return
        agents = frozenset(who.agent for who in table.seats if who is not None and who.agent is not None)
        if agents != self._prepared:
            await self._brains.prepare(table.rules, agents, table.settings.seats)
            self._prepared = agents
        if table.turn >= 0 and first:  # the hand was in play when the service was stopped
            room.restart_clock()

    async def _next(self) -> None:
        room, table = self._room, self._room.table
        room.changed.clear()
        if self._forsaken:
            await room.do(room.shut)
        elif table.turn >= 0 and room.speed.paused and not room.steps:
            await self._wait(LOOK_AGAIN)
        elif table.turn >= 0:
            room.steps = 0
            await self._turn(table.turn, table.hands, table.step)
        elif table.hand is not None:
            await self._look_at_result()
            await room.do(self._finish)
        elif table.ready and room.present:
            await room.do(lambda: room.dealer.begin() if room.table.ready else [])
        else:
            await self._wait(LOOK_AGAIN)

    @property
    def _forsaken(self) -> bool:
        """Whether nobody has looked for long; a hand that people are in is played to its end first."""
        room, people = self._room, any(self._room.people)
        if people and room.table.hand is not None:
            return False
        patience = room.pace.abandon_after if people else room.pace.close_after
        return not room.present and room.now() > room.last_seen + patience

    async def _look_at_result(self) -> None:
        """A moment after a hand; who changes the speed or takes a step does not wait longer."""
        room = self._room
        begun = room.now()
        while not (room.steps or room.closed or self._forsaken):
            left = begun + room.speed.hand_seconds - room.now()
            if not room.speed.paused and left <= 0:
                break
            room.changed.clear()
            await self._wait(LOOK_AGAIN if room.speed.paused else left)
        room.steps = 0

    def _finish(self) -> list[Event]:
        room = self._room
        events = room.dealer.finish([seat for seat, times in room.expired.items() if times >= EXPIRES_UNTIL_AWAY])
        room.clock.regain()
        return events

    async def _turn(self, seat: int, hand: int, step: int) -> None:
        room = self._room
        who, person = room.table.seats[seat], room.people[seat]
        room.keep_time()
        left = room.clock.left(seat, now=room.now(), bank=room.connected(person))
        if who is None or who.leaving or (who.away and room.table.settings.tournament):
            await self._step_in(hand, step, "")
        elif who.agent is not None:
            await self._ask(seat, who.agent, hand, step, left)
        elif left > 0:  # in the bank's time, who goes away is noticed
            limit = room.clock.left(seat, now=room.now())
            await self._wait(limit if limit > 0 else min(left, LOOK_AGAIN))
        else:
            room.expired[seat] = room.expired.get(seat, 0) + 1 if room.connected(person) else EXPIRES_UNTIL_AWAY
            await self._step_in(hand, step, "runs out of time")

    async def _ask(self, seat: int, agent: str, hand: int, step: int, left: float) -> None:
        room = self._room
        begun = room.now()
        owner, view = (room.id, seat), room.table.view(seat)
        try:
            action, fault = await self._brains.ask(
                owner, agent, view, hand=hand, seconds=left, whose=room.owner or room.id, people=any(room.people)
            )
        except Exception:  # a fault of the machine
            self._waits += 1
            if self._waits <= MOST_WAITS:
                raise
            action, fault = None, "failed to decide"
        self._waits = 0
        pause = min(room.speed.move_seconds - (room.now() - begun), left)
        if pause > 0:
            await asyncio.sleep(pause)
        if action is None:
            await self._step_in(hand, step, fault)
            return
        made = action

        def move() -> Action:
            room.table.act(seat, made, hand=hand, step=step)
            return made

        try:
            await room.do(lambda: room.dealer.move(move))
        except StoreError:
            raise
        except FeltError as error:
            log.warning("table %s: %s in seat %d made a move that is not allowed: %s", room.id, agent, seat, error)
            await self._step_in(hand, step, "made a move that is not allowed")  # its words might name hidden cards

    async def _step_in(self, hand: int, step: int, why: str) -> None:
        """Act for somebody who does not."""
        room = self._room

        def change() -> list[Event]:
            table = room.table
            if (table.hands, table.step) != (hand, step) or table.turn < 0:
                return []  # they have acted after all
            told = [room.dealer.seat_event(table.turn, why, kind="expired")] if why else []
            room.clock.spend(table.turn, now=room.now())
            return [*told, *room.dealer.move(table.expire)]

        await room.do(change)

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._room.changed.wait(), seconds)
        except TimeoutError:
            return
