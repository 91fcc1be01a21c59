"""A live table: people and agents round it, a clock, and a log.

Every change happens whole, under a lock: the table moves on, is kept on disk, and only then everybody is told. If it
cannot be kept, it has not happened.
"""

import asyncio
import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from time import time

from felt.errors import FeltError
from felt.games import Action
from felt.games.fair import fair_deal
from felt.server.tables.dealer import Dealer, Event, Shuffle
from felt.server.tables.settings import Clock, Pace, Speed, TableError, TableSettings
from felt.server.tables.state import TableState
from felt.server.tables.viewer_state import Scene, told_to
from felt.server.tables.watching import NOBODY, Audience, Presence, TableMessage
from felt.store.accounts.names import alike
from felt.store.database.db import Player, Store, StoredTable

RETURN_SECONDS = 3600.0
"""Who comes back to a table within this time has the chips with which they left (Robert's Rules of Poker, buy-in)."""
MOST_LEFT = 100
"""Players of whom that is remembered: a table is written at every step."""
AGENT_NAMES = ("Bo", "Cem", "Dot", "Eli", "Fay", "Gus", "Hana", "Ivo", "Juno", "Kai")


class Table(Presence):
    """One table and all who are at it."""

    def __init__(self, stored: StoredTable, *, store: Store, pace: Pace, shuffle: Shuffle = fair_deal) -> None:
        super().__init__(Audience(int(stored.room["seq"])), pace)
        self.id = stored.id
        self.closed = False
        self.expired: dict[int, int] = {}
        """How many decisions in a row the seats have let pass."""
        self.steps = 0
        """How far a table that is paused shall go."""
        self._store, self._shuffle = store, shuffle
        self._lock = asyncio.Lock()
        self._kept = stored
        settings = TableSettings.restored(stored.saved["settings"])
        self.clock = Clock(limit=settings.time_limit, size=settings.time_bank, banks=stored.room["banks"])
        self._restore(stored)
        self._told = self._picture()

    def _restore(self, stored: StoredTable) -> None:
        fields, state = stored.room, TableState.restored(stored.saved)
        scene = fields["scene"]
        scene = Scene(**{**scene, "last": {int(seat): words for seat, words in scene["last"].items()}})
        self.dealer = Dealer(state, scene, self._shuffle)
        self.people: list[str | None] = list(fields["people"])
        """Whose the seats are, by the players' ids."""
        self.private, self.invite, self.owner = bool(fields["private"]), str(fields["invite"]), fields["owner"]
        self.open_cards = bool(fields["open_cards"])
        self.speed = Speed(**fields["speed"]) if fields["speed"] else self.pace.speed
        self._left: dict[str, tuple[int, float]] = {
            player: (int(stack), float(when)) for player, (stack, when) in fields.get("left", {}).items()
        }
        """With how many chips, and when, players have left who may come back."""
        self.clock.banks = list(fields["banks"])  # the time of the decision runs on

    @property
    def state(self) -> TableState:
        """The table itself."""
        return self.dealer.state

    @property
    def scene(self) -> Scene:
        """What everybody may know beside it."""
        return self.dealer.scene

    # Who is there

    def seat_of(self, player: str | None) -> int:
        """The seat of a player; -1 for who has none."""
        return self.people.index(player) if player in self.people and player is not None else -1

    async def meet(self, viewer: str) -> None:
        """Somebody has asked about the table: from now on there is a picture for them too.

        Most tables have no spectators, and nothing is drawn for nobody.
        """
        self.seen(viewer)
        if not self._told.shows(viewer):
            async with self._lock:
                self._told = self._picture()

    # What they do

    def admit(self, viewer: str, invite: str | None = None) -> None:
        """Refuse who may not see a private table: it is for who sits there, who has set it up, and who is invited."""
        known = bool(viewer) and viewer in (self.owner, *self.people)
        if self.private and not known and not hmac.compare_digest(_bytes(invite or ""), _bytes(self.invite)):
            raise TableError("no_invitation", "this table is private: come with its invitation link")

    async def sit(
        self, player: Player, seat: int, invite: str | None = None, *, check: Callable[[], None] = lambda: None
    ) -> None:
        """Take a seat, if `check` does not refuse it; at a private table with its invitation."""
        self.admit(player.id, invite)

        def change() -> list[Event]:
            check()
            return self._sit(player, seat)

        await self.do(change)

    async def settle(self, player: Player | None, agents: Sequence[str]) -> None:
        """Seat whoever a table is set up with: a player in the first seat, and agents."""

        def change() -> list[Event]:
            events = [] if player is None else self._sit(player, 0)
            for agent in agents:
                self._add_agent(agent)
            return events

        await self.do(change)

    async def leave(self, player: Player) -> None:
        """Get up, from a hand in play when it is over."""
        await self.do(lambda: self._leave(self._own_seat(player)))

    async def rename(self, player: Player, name: str) -> None:
        """Call somebody otherwise who sits here."""
        await self.do(lambda: self.dealer.rename(self._own_seat(player), self._free_name(name)))

    async def sit_out(self, player: Player, away: bool) -> None:
        """Be dealt no more cards, or some again."""

        def change() -> list[Event]:
            seat = self._own_seat(player)
            self.state.sit_out(seat, away=away)
            self.expired.pop(seat, None)
            return [self.dealer.seat_event(seat, "sits out" if away else "is back")]

        await self.do(change)

    async def rebuy(self, player: Player) -> None:
        """Buy new chips."""

        def change() -> list[Event]:
            seat = self._own_seat(player)
            self.state.rebuy(seat)
            return [self.dealer.seat_event(seat, f"buys {self.state.settings.buy_in} chips")]

        await self.do(change)

    async def act(self, player: Player, action: Action, *, hand: int, step: int) -> None:
        """Make a move."""

        def change() -> list[Event]:
            seat = self._own_seat(player)

            def move() -> Action:
                self.state.act(seat, action, hand=hand, step=step)
                self.clock.spend(seat, now=self.now())
                return action

            events = self.dealer.move(move)
            self.expired.pop(seat, None)
            return events

        await self.do(change)

    # What its owner does

    async def set_speed(self, player: Player, speed: Speed) -> None:
        """Let a table of agents go faster or slower, or wait."""

        def change() -> list[Event]:
            self._own(player)
            if any(self.people):
                raise TableError("people", "people sit at this table: only a table of agents can be paced")
            self.speed = speed
            return [self.dealer.event("seat", "")]

        await self.do(change)

    def step(self, player: Player) -> None:
        """Let a table that is paused go one move further."""
        self._own(player)
        if not self.speed.paused:
            raise TableError("not_paused", "this table is not paused: pause it first")
        self.steps = 1
        self.changed.set()

    async def close(self, player: Player) -> None:
        """Close the table for good."""

        def change() -> list[Event]:
            self._own(player)
            if any(other not in (None, player.id) for other in self.people):
                raise TableError("people", "others sit at this table: leave it to them")
            return self.shut()

        await self.do(change)

    def shut(self) -> list[Event]:
        """Close the table for good. A hand in play is ended as when nobody acts in time, and kept like any other."""
        events = []
        if self.state.turn >= 0:
            events.append(self.dealer.event("expired", "The table is closed: whoever has to act checks or folds"))
        while self.state.turn >= 0:
            events += self.dealer.move(self.state.expire)
        self.closed = True
        return events

    def _own(self, player: Player) -> None:
        if self.owner != player.id:
            raise TableError("not_owner", "this is for who has set up the table")

    def _own_seat(self, player: Player) -> int:
        seat = self.seat_of(player.id)
        if seat < 0:
            raise TableError("not_seated", "you do not sit at this table: take a seat first")
        return seat

    def _sit(self, player: Player, seat: int) -> list[Event]:
        if self.seat_of(player.id) >= 0:
            raise TableError("seated", f"you sit at this table already, in seat {self.seat_of(player.id)}")
        if self.open_cards:
            raise TableError("open_cards", "cards lie open at this table: it is for watching")
        self.state.sit(seat, self._free_name(player.name), stack=self._stack_of(player.id))
        self.people[seat] = player.id
        self.expired.pop(seat, None)
        self.clock.fill(seat)
        self.speed = self.pace.speed
        return [self.dealer.seat_event(seat, "sits down")]

    def _add_agent(self, agent: str) -> None:
        """Give the first free seat to an agent."""
        name = next((name for name in AGENT_NAMES if self._is_free(name)), agent)
        self.state.sit(self.state.seats.index(None), self._free_name(name), agent=agent)

    def _free_name(self, name: str) -> str:
        """The name, or one like it that nobody at the table could be taken for."""
        others = (f"{name} {number}" for number in range(2, len(self.state.seats) + 3))
        return next(free for free in (name, *others) if self._is_free(free))

    def _is_free(self, name: str) -> bool:
        return not any(who is not None and alike(who.name, name) for who in self.state.seats)

    def _leave(self, seat: int) -> list[Event]:
        event = self.dealer.seat_event(seat, "leaves")
        self.state.leave(seat)
        return [event]

    def _let_go(self) -> None:
        """Those whose seats are empty now have gone; with how many chips is not forgotten at once."""
        now = time()
        for seat, stack in self.state.left_with.items():
            if (player := self.people[seat]) is not None:
                self._left.pop(player, None)
                self._left[player] = (stack, now)
        self.state.left_with.clear()
        self.people = [player if self.state.seats[seat] else None for seat, player in enumerate(self.people)]
        soon = [(player, gone) for player, gone in self._left.items() if now - gone[1] < RETURN_SECONDS]
        self._left = dict(soon[-MOST_LEFT:])

    def _stack_of(self, player: str) -> int | None:
        """What somebody who comes back soon has to bring: neither may winnings be taken off the table, nor a short
        stack be filled up by getting up and sitting down again. None for new chips."""
        stack, when = self._left.pop(player, (0, 0.0))
        return stack if time() - when < RETURN_SECONDS else None

    # Changes

    async def do(self, change: Callable[[], list[Event]]) -> None:
        """Make a change whole, even if whoever asked for it goes away meanwhile."""
        await asyncio.shield(asyncio.ensure_future(self._commit(change)))

    async def _commit(self, change: Callable[[], list[Event]]) -> None:
        async with self._lock:
            if self.closed:
                raise TableError("closed", "this table is closed")
            try:
                events = change()
                self._let_go()
                stored = self._to_keep(self.audience.seq + len(events))
                ended = self.dealer.ended(stored.saved, self.people)
                await asyncio.wrap_future(self._store.keep_table(stored, ended, closed=self.closed))
            except FeltError:
                if self.closed or self._to_keep(self.audience.seq) != self._kept:
                    self._take_back()  # what is refused before anything has changed costs no more than to see that
                raise
            except BaseException:
                self._take_back()
                raise
            self._kept = stored
            self._tell(events)

    @property
    def changing(self) -> bool:
        """Whether a change is being made that may yet be taken back."""
        return self._lock.locked()

    async def settle_changes(self) -> None:
        """Wait until no change is being made: then the table is as stored."""
        async with self._lock:
            return

    def _take_back(self) -> None:
        """Be as kept."""
        self.closed = False
        self._restore(self._kept)

    async def recover(self) -> None:
        """Be as kept, after something that nobody had thought of."""
        async with self._lock:
            self._restore(self._kept)
            self.restart_clock()

    def _to_keep(self, seq: int) -> StoredTable:
        last = {str(seat): words for seat, words in self.scene.last.items()}
        fields = {
            **self._kept.room,
            "seq": seq,
            "people": list(self.people),
            "left": {player: list(gone) for player, gone in self._left.items()},
            "speed": None if self.speed == self.pace.speed else asdict(self.speed),
            "banks": list(self.clock.banks),
            "scene": {**vars(self.scene), "last": last},
        }
        return StoredTable(self.id, self.state.saved(), fields)

    def _tell(self, events: list[Event]) -> None:
        self._told = self._picture()
        for seq, event in enumerate(events, start=self.audience.seq + 1):
            self.audience.tell(replace(self._told, seq=seq, event=event))
        self.changed.set()

    def _picture(self) -> TableMessage:
        """The table as everybody sees it now."""
        turn = self.state.turn
        self.keep_time()
        known = {*filter(None, (self.owner, *self.people))}
        strangers = any(viewer not in known for viewer in (*self.audience.viewers, *self.asking))
        states = {viewer: told_to(self, viewer) for viewer in (*known, *[NOBODY] * strangers)}
        bank = self.clock.banks[turn] if turn >= 0 and self.people[turn] else None
        event = {"kind": "snapshot", "seat": -1, "text": ""}
        return TableMessage(self.audience.seq, event, states, self.clock.deadline, bank)

    def keep_time(self) -> None:
        """Start the clock for a new decision."""
        turn = (self.state.hands, self.state.step) if self.state.turn >= 0 else None
        self.clock.follow(turn, self.now())

    def restart_clock(self) -> None:
        """Give the decision its whole time again: nobody could decide while the table stood still."""
        self.clock.follow(None, self.now())
        self.keep_time()

    def now_told(self) -> TableMessage:
        """The table for who has not been told of it: as it is, but without a change that is not kept yet."""
        if not self._lock.locked():
            self._told = self._picture()
        return replace(self._told, seq=self.audience.seq)

    def told_since(self, seq: int | None, viewer: str) -> list[TableMessage]:
        """What was told after an event, or how the table is now, for somebody who has been met."""
        missed = self.audience.since(seq)
        known = missed is not None and all(event.shows(viewer) for event in missed)
        return missed if missed is not None and known else [self.now_told()]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def fresh(
    state: TableState,
    *,
    private: bool = False,
    owner: str | None = None,
    open_cards: bool = False,
    speed: Speed | None = None,
) -> StoredTable:
    """A new table as it is kept before anybody sits there."""
    room = {
        "seq": 0,
        "people": [None] * state.settings.seats,
        "left": {},
        "banks": [state.settings.time_bank] * state.settings.seats,
        "private": private,
        "invite": secrets.token_urlsafe(12),
        "owner": owner,
        "open_cards": open_cards,
        "speed": None if speed is None else asdict(speed),
        "scene": asdict(Scene()),
    }
    return StoredTable(secrets.token_urlsafe(9), state.saved(), room)
