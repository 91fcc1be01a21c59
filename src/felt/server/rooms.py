"""All rooms of a service: made, found, brought back after a restart, and closed."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

from felt.errors import FeltError
from felt.games.fair import fair_deal
from felt.server.brains import Brains, check_agent
from felt.server.dealer import Shuffle
from felt.server.host import Host
from felt.server.live_table import LiveTable, TableError, TableSettings
from felt.server.pace import Pace, Speed
from felt.server.room import Room, fresh
from felt.store.db import KeptTable, Player, Store

log = logging.getLogger(__name__)

MOST_ROOMS = 2000
MOST_SEATS_EACH = 10
"""Tables at which one player may sit at a time."""


class Rooms:
    """The rooms, each with the task that plays it."""

    def __init__(self, store: Store, *, pace: Pace, brains: Brains | None = None, shuffle: Shuffle = fair_deal) -> None:
        self._store, self._pace, self._shuffle = store, pace, shuffle
        self._brains = brains or Brains()
        self._rooms: dict[str, Room] = {}
        self._hosts: dict[str, Host] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Bring back every table as it was."""
        for kept in await asyncio.to_thread(self._store.open_tables):
            try:
                self._begin(self._room(kept))
            except (FeltError, KeyError, TypeError, ValueError) as error:
                log.error("table %s cannot be brought back: %s", kept.id, error)

    async def stop(self) -> None:
        """Stop playing; what has been told is kept."""
        tasks = list(self._tasks.values())
        for host in self._hosts.values():
            host.stopped = True
        for room in self._rooms.values():
            room.audience.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._brains.close()

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
    ) -> tuple[Room, int]:
        """A new table with agents, and the player who made it in the first seat, if they want one."""
        rules = settings.rules(0)
        for agent in set(agents):
            await asyncio.to_thread(check_agent, agent, rules, settings.seats, self._brains.shelf)
        if len(self._rooms) >= MOST_ROOMS:
            raise TableError("too_many_tables", "there are too many tables: join one of them")
        if sit and sum(1 for _ in self.of(player)) >= MOST_SEATS_EACH:
            raise TableError("too_many_tables", f"you sit at {MOST_SEATS_EACH} tables: leave one first")
        if len(agents) + sit > settings.seats:
            raise TableError("seats", f"{len(agents) + sit} players for {settings.seats} seats: there are too many")
        if (open_cards or speed) and (sit or len(agents) < settings.seats):
            raise TableError("people", "open cards and a pace are for tables of agents only: fill every seat with one")
        table = LiveTable(settings)
        room = self._room(fresh(table, private=private, owner=player.id, open_cards=open_cards, speed=speed))
        if sit:
            await room.sit(player, 0, room.invite)

        def fill() -> list[dict[str, object]]:
            for agent in agents:
                room.add_agent(agent)
            return []

        await room.do(fill)
        self._begin(room)
        room.seen(player.id)
        return room, 0 if sit else -1

    def _room(self, kept: KeptTable) -> Room:
        return Room(kept, store=self._store, pace=self._pace, shuffle=self._shuffle)

    def _begin(self, room: Room) -> None:
        self._rooms[room.id] = room
        host = self._hosts[room.id] = Host(room, self._brains)
        self._tasks[room.id] = asyncio.create_task(self._play(room, host), name=f"table {room.id}")

    async def _play(self, room: Room, host: Host) -> None:
        try:
            await host.run()
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("table %s stands still", room.id)
            return
        if host.stopped:
            return
        room.audience.close()
        with suppress(KeyError):
            del self._rooms[room.id], self._hosts[room.id], self._tasks[room.id]
        for seat in range(room.table.settings.seats):
            self._brains.forget((room.id, seat))
