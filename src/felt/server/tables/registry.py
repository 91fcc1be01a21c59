"""All rooms of a service: made, found, brought back after a restart, and closed."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

from felt.agents.naming import said_by
from felt.errors import FeltError
from felt.games.fair import fair_deal
from felt.server.brains import Brains
from felt.server.dealer import Event, Shuffle
from felt.server.faults import is_machine_fault
from felt.server.host import Host
from felt.server.live_table import LiveTable
from felt.server.new_table import fresh
from felt.server.pace import Pace, Speed
from felt.server.room import Room
from felt.server.table_settings import TableError, TableSettings
from felt.store.db import KeptTable, Player, Store

log = logging.getLogger(__name__)

MOST_ROOMS = 2000
MOST_SEATS_EACH = 10
"""Tables at which one player may sit at a time."""
MOST_OWNED = 20
"""Open tables that one player may have set up, a guest or an account."""
MOST_AT_ADDRESS = 200
"""The same for all players at one address."""
MOST_FAILURES = 3
"""How often a table is brought back in the same hand before it is given up."""
AFTER_FAILURE = 1.0
"""Seconds until a table is brought back."""
LONGEST_PAUSE = 8.0
"""The same while the machine has no files, memory, threads or disk for it."""


class Rooms:
    """The rooms, each with the task that plays it."""

    def __init__(self, store: Store, *, pace: Pace, brains: Brains | None = None, shuffle: Shuffle = fair_deal) -> None:
        self._store, self._pace, self._shuffle = store, pace, shuffle
        self._brains = brains or Brains()
        self._rooms: dict[str, Room] = {}
        self._hosts: dict[str, Host] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._addresses: dict[str, str] = {}
        """Where the tables were set up that were since the service began: addresses are not kept on disk."""
        self.version = 0
        """Counts tables that are made and closed."""
        self._making = asyncio.Lock()
        """Tables are made one after the other, so that each is counted."""

    async def start(self) -> None:
        """Bring back every table as it was."""
        for kept in await asyncio.to_thread(self._store.open_tables):
            try:
                self._begin(self._room(self._store.opened(kept)))
            except (FeltError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
                log.error("table %s cannot be brought back (%s): %s", kept.id, type(error).__name__, said_by(error))

    async def stop(self) -> None:
        """Stop playing; what has been told is kept."""
        tasks = list(self._tasks.values())
        for host in self._hosts.values():
            host.stopped = True
        self.hang_up()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._brains.close)

    def hang_up(self) -> None:
        """Let everybody go who follows a table or waits for its next event."""
        for room in self._rooms.values():
            room.audience.close()

    def get(self, table: str) -> Room:
        """A room by the id of its table."""
        room = self._rooms.get(table)
        if room is None or room.closed:
            raise TableError("no_table", "there is no such table; it may have been closed")
        return room

    def all(self) -> list[Room]:
        """Every room that is open."""
        return [room for room in self._rooms.values() if not room.closed]

    def of(self, player: Player) -> Iterator[tuple[Room, int]]:
        """Where a player sits."""
        for room in self.all():
            if (seat := room.seat_of(player.id)) >= 0:
                yield room, seat

    def dismiss(self, player: Player) -> None:
        """Close the player's connections to tables: whom they belong to has changed."""
        for room in self.all():
            room.audience.dismiss(player.id)

    async def get_up(self, player: Player) -> None:
        """Let a player leave all tables."""
        for room, _ in list(self.of(player)):
            with suppress(TableError):
                await room.leave(player)

    async def let_go(self, player: Player, name: str) -> None:
        """A player is gone for good: what they have set up for themselves is closed, and at other tables they get up,
        from hands in play under another name."""
        for room in self.all():
            with suppress(TableError):
                if room.owner == player.id and not any(other not in (None, player.id) for other in room.people):
                    await room.close(player)
                elif room.seat_of(player.id) >= 0:
                    await room.rename(player, name)
                    await room.leave(player)

    async def create(
        self,
        settings: TableSettings,
        player: Player,
        *,
        agents: Sequence[str],
        sit: bool = True,
        private: bool = False,
        open_cards: bool = False,
        speed: Speed | None = None,
        address: str = "",
    ) -> tuple[Room, int]:
        """A new table with agents, and the player who made it in the first seat, if they want one.

        `address` is where they are, if that is to be counted.
        """
        if len(agents) + sit > settings.seats:
            raise TableError("seats", f"{len(agents) + sit} players for {settings.seats} seats: there are too many")
        if (open_cards or speed) and (sit or len(agents) < settings.seats):
            raise TableError("people", "open cards and a pace are for tables of agents only: fill every seat with one")
        rules = settings.rules(0)
        for agent in set(agents):
            await self._brains.check(agent, rules, settings.seats, whose=player.id)
        table = LiveTable(settings)
        async with self._making:
            tables = self.all()
            if len(tables) >= MOST_ROOMS:
                raise TableError("too_many_tables", "there are too many tables: join one of them")
            if sum(room.owner == player.id for room in tables) >= MOST_OWNED:
                raise TableError("too_many_tables", f"you have set up {MOST_OWNED} tables: close one first")
            if address and sum(self._addresses.get(room.id) == address for room in tables) >= MOST_AT_ADDRESS:
                words = f"{MOST_AT_ADDRESS} tables were set up from your address: close one of them first, or join one"
                raise TableError("too_many_tables", words)
            if sit:
                self._check_seats(player)
            room = self._room(fresh(table, private=private, owner=player.id, open_cards=open_cards, speed=speed))
            await room.settle(player if sit else None, agents)
            self._begin(room)
            if address:
                self._addresses[room.id] = address
        room.seen(player.id)
        return room, 0 if sit else -1

    async def sit(self, room: Room, player: Player, seat: int, invite: str | None = None) -> None:
        """Let a player take a seat, unless they have enough."""
        await room.sit(player, seat, invite, check=lambda: self._check_seats(player))

    def _check_seats(self, player: Player) -> None:
        if sum(1 for _ in self.of(player)) >= MOST_SEATS_EACH:
            raise TableError("too_many_tables", f"you sit at {MOST_SEATS_EACH} tables: leave one first")

    def _room(self, kept: KeptTable) -> Room:
        return Room(kept, store=self._store, pace=self._pace, shuffle=self._shuffle)

    def _begin(self, room: Room) -> None:
        self._rooms[room.id] = room
        self.version += 1
        host = self._hosts[room.id] = Host(room, self._brains)
        self._tasks[room.id] = asyncio.create_task(self._play(room, host), name=f"table {room.id}")

    async def _play(self, room: Room, host: Host) -> None:
        failures, hand, broken, pause = 0, -1, False, AFTER_FAILURE
        while not (room.closed or host.stopped):
            try:
                if broken:
                    await room.recover()
                    broken = False
                await host.run()
            except Exception as error:
                broken = True
                if is_machine_fault(error):  # it passes: the table waits as long as it takes
                    log.warning("table %s waits: %s: %s", room.id, type(error).__name__, said_by(error))
                    pause = min(2 * pause, LONGEST_PAUSE) if hand == room.table.hands else AFTER_FAILURE
                    failures, hand = 0, room.table.hands
                    await asyncio.sleep(pause)
                    continue
                failures, hand = (failures + 1 if hand == room.table.hands else 1), room.table.hands
                log.exception("table %s stands still", room.id)
                if failures >= MOST_FAILURES:
                    await self._give_up(room)
                else:
                    await asyncio.sleep(AFTER_FAILURE)
        if host.stopped:
            return
        room.audience.close()
        self.version += 1
        self._addresses.pop(room.id, None)
        with suppress(KeyError):
            del self._rooms[room.id], self._hosts[room.id], self._tasks[room.id]
        for seat in range(room.table.settings.seats):
            self._brains.forget((room.id, seat))

    async def _give_up(self, room: Room) -> None:
        """Close a table that cannot be played on."""

        def close() -> list[Event]:
            room.closed = True
            return []

        log.error("table %s is closed: it cannot be played on", room.id)
        try:
            await room.recover()
            try:
                await room.do(room.shut)
            except Exception:  # the hand itself may be what cannot be played on
                log.exception("table %s: its hand cannot be ended", room.id)
                await room.recover()
                await room.do(close)
        except Exception:
            log.exception("table %s: that it is closed cannot be kept", room.id)
            room.closed = True
