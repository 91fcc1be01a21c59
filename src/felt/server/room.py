"""A room: a live table with people and agents round it, a clock, and a log; one task plays it.

Every change happens whole, under a lock: the table moves on, is kept on disk, and only then everybody is told. If it
cannot be kept, it has not happened.
"""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from felt.cards.card import format_cards
from felt.cards.deck import Deck
from felt.errors import FeltError
from felt.games import Action, Move
from felt.games.fair import FairDeal, fair_deal
from felt.interop.histories import HistoryError
from felt.interop.phh_writer import write_phh
from felt.server.brains import Brains
from felt.server.live_state import Scene, state
from felt.server.live_table import LiveTable, TableError
from felt.server.table_words import move_words, result_text, showdown_lines
from felt.server.watching import NOBODY, Audience, Told, Watcher, compact
from felt.store.db import KeptHand, KeptSeat, KeptTable, Player, Store, StoreError

log = logging.getLogger(__name__)

Event = dict[str, Any]
Shuffle = Callable[[Deck], FairDeal]
AGENT_NAMES = ("Bo", "Cem", "Dot", "Eli", "Fay", "Gus", "Hana", "Ivo", "Juno", "Kai")
MOST_LOG = 80
EXPIRES_UNTIL_AWAY = 2
"""Decisions in a row that somebody may let pass before they sit out."""


@dataclass(frozen=True)
class Pace:
    """How fast a table goes, in seconds."""

    after_hand: float = 4.0
    agent: float = 0.6
    """Least time for an agent's move, so that people can follow."""
    present: float = 45.0
    """How long somebody counts as there after they last asked."""
    close_after: float = 600.0
    """How long a table without people is kept when nobody looks at it."""


class Room:
    """One table and all who are at it."""

    def __init__(
        self, kept: KeptTable, *, store: Store, brains: Brains, pace: Pace, shuffle: Shuffle = fair_deal
    ) -> None:
        self.id = kept.id
        self.pace = pace
        self.closed = False
        self.stopped = False
        """Whether the task shall end: a cancellation alone may get lost in Python 3.11's `asyncio.wait_for`."""
        self._store, self._brains, self._shuffle = store, brains, shuffle
        self._lock, self._changed = asyncio.Lock(), asyncio.Event()
        self._asked: dict[str, float] = {}
        self._expired: dict[int, int] = {}
        self._deadline: float | None = None
        self._timed = (-1, -1)
        self._kept = kept
        self._restore(kept)
        self.audience = Audience(int(kept.room["seq"]))
        self._last_seen = self.now()
        self._told_states: tuple[dict[str, str], float | None] = self._states(), None

    def _restore(self, kept: KeptTable) -> None:
        self.table = LiveTable.restored(kept.saved)
        room = kept.room
        self.people: list[str | None] = list(room["people"])
        """Whose the seats are, by the players' ids."""
        self.private, self.invite = bool(room["private"]), str(room["invite"])
        scene = room["scene"]
        self.scene = Scene(**{**scene, "last": {int(seat): words for seat, words in scene["last"].items()}})

    # Who is there

    def seat_of(self, player: str | None) -> int:
        """The seat of a player; -1 for who has none."""
        return self.people.index(player) if player in self.people and player is not None else -1

    def seen(self, viewer: str) -> None:
        """Somebody has asked about the table: they are there."""
        self._asked[viewer] = self._last_seen = self.now()
        self._changed.set()

    def watch(self, viewer: str) -> Watcher:
        """Follow the table over a connection."""
        watcher = Watcher(viewer)
        self.audience.watchers.add(watcher)
        self.seen(viewer)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        """A connection is gone."""
        self.audience.watchers.discard(watcher)
        self._last_seen = self.now()

    @property
    def present(self) -> bool:
        """Whether anybody looks at the table; hands begin for no one else."""
        then = self.now() - self.pace.present
        self._asked = {viewer: at for viewer, at in self._asked.items() if at > then}
        return bool(self.audience.watchers or self._asked)

    def _connected(self, player: str | None) -> bool:
        return player is not None and (self.audience.connected(player) or player in self._asked)

    # What they do

    async def sit(self, player: Player, seat: int, invite: str | None = None) -> None:
        """Take a seat; at a private table with its invitation."""
        if self.private and not hmac.compare_digest((invite or "").encode("utf-8", "replace"), self.invite.encode()):
            raise TableError("no_invitation", "this table is private: come with its invitation link")
        await self.do(lambda: self._sit(player, seat))

    async def leave(self, player: Player) -> None:
        """Get up, from a hand in play when it is over."""
        await self.do(lambda: self._leave(self._own_seat(player)))

    async def sit_out(self, player: Player, away: bool) -> None:
        """Be dealt no more cards, or some again."""

        def change() -> list[Event]:
            seat = self._own_seat(player)
            self.table.sit_out(seat, away=away)
            self._expired.pop(seat, None)
            return [self._seat_event(seat, "sits out" if away else "is back")]

        await self.do(change)

    async def rebuy(self, player: Player) -> None:
        """Buy new chips."""

        def change() -> list[Event]:
            seat = self._own_seat(player)
            self.table.rebuy(seat)
            return [self._seat_event(seat, f"buys {self.table.settings.buy_in} chips")]

        await self.do(change)

    async def act(self, player: Player, action: Action, *, hand: int, step: int) -> None:
        """Make a move."""

        def change() -> list[Event]:
            seat = self._own_seat(player)

            def move() -> Action:
                self.table.act(seat, action, hand=hand, step=step)
                return action

            events = self._move(move)
            self._expired.pop(seat, None)
            return events

        await self.do(change)

    def _own_seat(self, player: Player) -> int:
        seat = self.seat_of(player.id)
        if seat < 0:
            raise TableError("not_seated", "you do not sit at this table: take a seat first")
        return seat

    def _sit(self, player: Player, seat: int) -> list[Event]:
        if self.seat_of(player.id) >= 0:
            raise TableError("seated", f"you sit at this table already, in seat {self.seat_of(player.id)}")
        self.table.sit(seat, self._free_name(player.name))
        self.people[seat] = player.id
        return [self._seat_event(seat, "sits down")]

    def add_agent(self, agent: str) -> None:
        """Give the first free seat to an agent, before anybody knows the table."""
        taken = {who.name for who in self.table.seats if who}
        name = next((name for name in AGENT_NAMES if name not in taken), agent)
        self.table.sit(self.table.seats.index(None), self._free_name(name), agent=agent)

    def _free_name(self, name: str) -> str:
        """The name, or one like it that nobody at the table has."""
        taken = {who.name for who in self.table.seats if who}
        others = (f"{name} {number}" for number in range(2, len(taken) + 3))
        return next(one for one in (name, *others) if one not in taken)

    def _leave(self, seat: int) -> list[Event]:
        event = self._seat_event(seat, "leaves")
        self.table.leave(seat)
        if self.table.seats[seat] is None:
            self.people[seat] = None
        return [event]

    # Changes

    async def do(self, change: Callable[[], list[Event]]) -> None:
        """Make a change whole, even if whoever asked for it goes away meanwhile."""
        await asyncio.shield(asyncio.ensure_future(self._do(change)))

    async def _do(self, change: Callable[[], list[Event]]) -> None:
        async with self._lock:
            if self.closed:
                raise TableError("closed", "this table is closed")
            events = change()
            kept = self._to_keep(self.audience.seq + len(events))
            try:
                await asyncio.wrap_future(self._store.keep_table(kept, self._ended(kept), closed=self.closed))
            except StoreError:
                self.closed = False
                self._restore(self._kept)
                raise
            self._kept = kept
            self._tell(events)

    def _to_keep(self, seq: int) -> KeptTable:
        room = {"seq": seq, "people": list(self.people), "private": self.private, "invite": self.invite}
        scene = asdict(self.scene)
        scene["last"] = {str(seat): words for seat, words in self.scene.last.items()}
        return KeptTable(self.id, self.table.saved(), {**room, "scene": scene})

    def _tell(self, events: list[Event]) -> None:
        self._keep_time()
        self._told_states = self._states(), self._deadline
        for seq, event in enumerate(events, start=self.audience.seq + 1):
            self.audience.tell(Told(seq, event, *self._told_states))
        self._changed.set()

    def _keep_time(self) -> None:
        turn = (self.table.hands, self.table.step) if self.table.turn >= 0 else (-1, -1)
        if turn != self._timed:
            self._timed = turn
            self._deadline = self.now() + self.table.settings.time_limit if self.table.turn >= 0 else None

    def now_told(self) -> Told:
        """The table for who has not been told of it: as it is, but without a change that is not kept yet."""
        if not self._lock.locked():
            self._keep_time()
            self._told_states = self._states(), self._deadline
        return Told(self.audience.seq, {"kind": "snapshot", "seat": -1, "text": ""}, *self._told_states)

    def _states(self) -> dict[str, str]:
        return {viewer: self._state(viewer) for viewer in (NOBODY, *filter(None, self.people))}

    def told_since(self, seq: int | None) -> list[Told]:
        """What was told after an event, or how the table is now."""
        missed = self.audience.since(seq)
        return [self.now_told()] if missed is None else missed

    def _state(self, viewer: str) -> str:
        seat = self.seat_of(viewer or None)
        connected = {at: self._connected(player) for at, player in enumerate(self.people)}
        return compact({"table": self.info(viewer), **state(self.table, seat, self.scene, connected=connected)})

    def info(self, viewer: str) -> dict[str, Any]:
        """What a list of tables says of this one."""
        table, rules = self.table, self.table.rules
        taken = [who for who in table.seats if who is not None]
        return {
            "id": self.id,
            "game": table.settings.game,
            "title": rules.title or rules.name,
            "seats": table.settings.seats,
            "taken": len(taken),
            "people": [who.name for who in taken if who.agent is None],
            "agents": [who.agent for who in taken if who.agent is not None],
            "tournament": table.settings.tournament,
            "stack": table.settings.buy_in,
            "blinds": list(rules.blinds),
            "hands": table.hands,
            "private": self.private,
            "invite": self.invite if self.seat_of(viewer or None) >= 0 else None,
        }

    # Hands

    def _move(self, make: Callable[[], Action]) -> list[Event]:
        table, hand, seat = self.table, self.table.hand, self.table.turn
        if hand is None or seat < 0:
            make()  # refuses
            raise TableError("stale", "no hand is in play; look at the table again")
        legal, opened, board, own = hand.legal(), max(hand.bets) > 0, len(hand.board), hand.turn
        action = make()
        paid = action.move == Move.RAISE or (action.move == Move.CALL and bool(legal.call))
        words = move_words(action, legal, opened=opened, all_in=paid and hand.all_in(own))
        self.scene.last[seat] = words
        event = self._seat_event(seat, words, kind="move")
        event["action"] = {"move": action.move.name.lower(), "amount": action.amount}
        return [event, *self._dealt_since(board), *self._end_of_hand(table)]

    def _dealt_since(self, before: int) -> list[Event]:
        """What has come to the board, street by street."""
        hand = self.table.hand
        assert hand is not None
        events, at = [], 0
        for part in hand.rules.rounds:
            new = hand.board[at : at + part.board]
            if new and at >= before:
                told = format_cards(new)
                events.append({**self._event("board", f"{part.name}: {told}"), "cards": told})
            at += part.board
        return events

    def _end_of_hand(self, table: LiveTable) -> list[Event]:
        if table.hand is None or not table.hand.over or table.deal is None:
            return []
        seen, names = table.view(-1), self._dealt_names()
        shown = [
            (table.dealt[seat], format_cards(cards)) for seat, cards in zip(seen.shown, seen.shown_cards, strict=True)
        ]
        shown += [(table.dealt[seat], "") for seat in seen.mucked]
        events = []
        for (seat, cards), line in zip(shown, showdown_lines(seen, names), strict=True):
            event = {**self._event("showdown", line), "seat": seat}
            events.append({**event, "cards": cards} if cards else event)
        payoffs = [0] * table.settings.seats
        for seat, change in zip(table.dealt, seen.payoffs or (), strict=True):
            payoffs[seat] = change
        text = result_text(seen, names)
        self.scene.result = {"text": text, "payoffs": payoffs}
        return [*events, self._event("result", text)]

    def _dealt_names(self) -> list[str]:
        return [who.name if (who := self.table.seats[seat]) else "" for seat in self.table.dealt]

    def _ended(self, kept: KeptTable) -> KeptHand | None:
        """The hand for the store, if it is over."""
        table = self.table
        if table.hand is None or not table.hand.over or table.deal is None or self.scene.result is None:
            return None
        names, payoffs = self._dealt_names(), table.hand.payoffs
        try:
            phh = write_phh(replace(table.hand.record(), names=tuple(names), hand_id=str(table.hands)))
        except HistoryError:  # the format has no code for this game
            phh = ""
        seats = [
            KeptSeat(seat, self.people[seat], names[i], who.agent if (who := table.seats[seat]) else None, payoffs[i])
            for i, seat in enumerate(table.dealt)
        ]
        game = table.settings.game
        return KeptHand(
            table.hands, game, phh, kept.saved, self.scene.result, {"commitment": table.deal.commitment}, seats
        )

    def _begin(self) -> list[Event]:
        table = self.table
        each = table.settings.hands_per_level if table.settings.tournament else 0
        rises = bool(each and table.hands and table.hands % each == 0)
        table.begin(self._shuffle(table.rules.deck))
        self.scene = Scene()
        who = table.seats[table.button]
        events = [self._event("deal", f"Hand {table.hands}: {who.name if who else 'nobody'} has the button")]
        if rises:
            blinds = "/".join(map(str, table.rules.blinds)) or str(table.rules.ante)
            events.insert(0, self._event("level", f"The stakes rise to {blinds}"))
        return [*events, *self._dealt_since(0), *self._end_of_hand(table)]

    def _finish(self) -> list[Event]:
        table = self.table
        table.finish()
        events = []
        for seat, who in enumerate(table.seats):
            if who is None:
                self.people[seat] = None
            elif who.agent is not None and not who.stack and not table.settings.tournament:
                table.rebuy(seat)
                events.append(self._seat_event(seat, f"buys {table.settings.buy_in} chips"))
            elif self._expired.get(seat, 0) >= EXPIRES_UNTIL_AWAY and not who.away:
                table.sit_out(seat)
                events.append(self._seat_event(seat, "sits out"))
        if table.winner is not None:
            events.append(self._seat_event(table.winner, "wins the tournament", kind="winner"))
        return events or [self._event("seat", "")]

    def _event(self, kind: str, text: str) -> Event:
        if text and kind != "seat":
            self.scene.log = [*self.scene.log, text][-MOST_LOG:]
        return {"kind": kind, "seat": -1, "text": text}

    def _seat_event(self, seat: int, words: str, *, kind: str = "seat") -> Event:
        who = self.table.seats[seat]
        return {**self._event(kind, f"{who.name if who else 'somebody'} {words}"), "seat": seat}

    # The task

    async def run(self) -> None:
        """Play until the table is closed, or the task is stopped."""
        while not (self.closed or self.stopped):
            try:
                await self._next()
            except FeltError as error:
                log.warning("table %s: %s", self.id, error)
                await asyncio.sleep(1.0)

    async def _next(self) -> None:
        self._changed.clear()
        table = self.table
        if table.turn >= 0:
            await self._turn(table.turn, table.hands, table.step)
        elif table.hand is not None:
            await asyncio.sleep(self.pace.after_hand)
            await self.do(self._finish)
        elif table.ready and self.present:
            await self.do(lambda: self._begin() if self.table.ready else [])
        elif not any(self.people) and not self.present and self.now() > self._last_seen + self.pace.close_after:
            await self.do(self._close)
        else:
            await self._wait(5.0)

    async def _turn(self, seat: int, hand: int, step: int) -> None:
        who = self.table.seats[seat]
        self._keep_time()
        left = (self._deadline or 0.0) - self.now()
        if who is None or who.leaving:
            await self._step_in(hand, step, "")
        elif who.agent is not None:
            await self._ask(seat, who.agent, hand, step, left)
        elif left > 0:
            await self._wait(left)
        else:
            self._expired[seat] = (
                EXPIRES_UNTIL_AWAY if not self._connected(self.people[seat]) else (self._expired.get(seat, 0) + 1)
            )
            await self._step_in(hand, step, "runs out of time")

    async def _ask(self, seat: int, agent: str, hand: int, step: int, left: float) -> None:
        begun = self.now()
        owner, view = (self.id, seat), self.table.view(seat)
        action, fault = await self._brains.ask(owner, agent, view, hand=hand, seconds=left)
        await asyncio.sleep(max(0.0, min(self.pace.agent - (self.now() - begun), left)))
        if action is None:
            await self._step_in(hand, step, fault)
            return
        made = action

        def move() -> Action:
            self.table.act(seat, made, hand=hand, step=step)
            return made

        try:
            await self.do(lambda: self._move(move))
        except StoreError:
            raise
        except FeltError as error:
            await self._step_in(hand, step, f"made a move that is not allowed ({error})")

    async def _step_in(self, hand: int, step: int, why: str) -> None:
        """Act for somebody who does not."""

        def change() -> list[Event]:
            if (self.table.hands, self.table.step) != (hand, step) or self.table.turn < 0:
                return []  # they have acted after all
            told = [self._seat_event(self.table.turn, why, kind="expired")] if why else []
            return [*told, *self._move(self.table.expire)]

        await self.do(change)

    def _close(self) -> list[Event]:
        self.closed = True
        return []

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    @staticmethod
    def now() -> float:
        """The time of the loop, in seconds."""
        return asyncio.get_running_loop().time()


def fresh(table: LiveTable, *, private: bool) -> KeptTable:
    """A new table as it is kept before anybody sits there."""
    people: list[str | None] = [None] * table.settings.seats
    room = {"seq": 0, "people": people, "private": private, "invite": secrets.token_urlsafe(12)}
    return KeptTable(secrets.token_urlsafe(9), table.saved(), {**room, "scene": asdict(Scene())})
