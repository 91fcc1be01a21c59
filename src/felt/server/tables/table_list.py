"""The list of tables: in pages, and written anew only where a table has changed, however many there are."""

import asyncio
import logging
from collections.abc import Iterator
from typing import NamedTuple

from felt.errors import FeltError
from felt.server.room import Room
from felt.server.room_told import info
from felt.server.rooms import Rooms
from felt.server.watching import NOBODY, compact

log = logging.getLogger(__name__)
ORDERED_SECONDS = 1.0
"""How long the order of the tables is kept; new tables are seen at once, and what is told of each is always new."""


class Page(NamedTuple):
    """Some tables as JSON, and where the next ones begin."""

    text: str
    next: int | None


class _Line(NamedTuple):
    seq: int
    text: str


class TableList:
    """All tables for whoever asks: first their own, then public ones with people, then the others, newest first."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._public: list[Room] = []
        self._ordered: tuple[int, float] = -1, 0.0
        """The state of the rooms that the order is for, and when it was made."""
        self._lines: dict[str, _Line] = {}
        """What strangers are told of a table, after which of its events."""

    def page(self, viewer: str, *, offset: int, limit: int) -> Page:
        """The tables that are open to a viewer, from the one at `offset` on."""
        own = [room for room in self._rooms.all() if viewer in (room.owner, *room.people)] if viewer else []
        mine = {room.id for room in own}
        own.reverse()
        strangers = [room for room in self._in_order() if not room.closed and room.id not in mine]
        page = (own + strangers)[offset : offset + limit]
        more = len(own) + len(strangers) > offset + limit
        return Page(f"[{','.join(self._written(page, viewer, mine))}]", offset + limit if more else None)

    def _in_order(self) -> list[Room]:
        now = asyncio.get_running_loop().time()
        version, made = self._ordered
        if version != self._rooms.version or now > made + ORDERED_SECONDS:
            rooms = [room for room in reversed(self._rooms.all()) if not room.private]
            self._public = sorted(rooms, key=lambda room: not any(room.people))
            self._ordered = self._rooms.version, now
            there = {room.id for room in rooms}
            self._lines = {table: line for table, line in self._lines.items() if table in there}
        return self._public

    def _written(self, page: list[Room], viewer: str, mine: set[str]) -> Iterator[str]:
        for room in page:
            try:
                yield compact(info(room, viewer)) if room.id in mine else self._line(room)
            except FeltError as error:  # one table that is broken is no reason to show none
                log.error("table %s: %s", room.id, error)

    def _line(self, room: Room) -> str:
        line, seq = self._lines.get(room.id), room.audience.seq
        if line is None or line.seq != seq:
            line = _Line(seq, compact(info(room, NOBODY)))
            if not room.changing:  # else it may be taken back
                self._lines[room.id] = line
        return line.text
