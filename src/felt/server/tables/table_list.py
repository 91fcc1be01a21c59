"""The list of tables: in pages, and written anew only where a table has changed, however many there are."""

import asyncio
import logging
from collections.abc import Iterator
from typing import NamedTuple

from felt.errors import FeltError
from felt.server.tables.registry import Tables
from felt.server.tables.table import Table
from felt.server.tables.viewer_state import info
from felt.server.tables.watching import NOBODY, compact

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

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._public: list[Table] = []
        self._ordered: tuple[int, float] = -1, 0.0
        """The state of the tables that the order is for, and when it was made."""
        self._lines: dict[str, _Line] = {}
        """What strangers are told of a table, after which of its events."""

    def page(self, viewer: str, *, offset: int, limit: int) -> Page:
        """The tables that are open to a viewer, from the one at `offset` on."""
        own = [table for table in self._tables.all() if viewer in (table.owner, *table.people)] if viewer else []
        mine = {table.id for table in own}
        own.reverse()
        strangers = [table for table in self._in_order() if not table.closed and table.id not in mine]
        page = (own + strangers)[offset : offset + limit]
        more = len(own) + len(strangers) > offset + limit
        return Page(f"[{','.join(self._written(page, viewer, mine))}]", offset + limit if more else None)

    def _in_order(self) -> list[Table]:
        now = asyncio.get_running_loop().time()
        version, made = self._ordered
        if version != self._tables.version or now > made + ORDERED_SECONDS:
            tables = [table for table in reversed(self._tables.all()) if not table.private]
            self._public = sorted(tables, key=lambda table: not any(table.people))
            self._ordered = self._tables.version, now
            there = {table.id for table in tables}
            self._lines = {table_id: line for table_id, line in self._lines.items() if table_id in there}
        return self._public

    def _written(self, page: list[Table], viewer: str, mine: set[str]) -> Iterator[str]:
        for table in page:
            try:
                yield compact(info(table, viewer)) if table.id in mine else self._line(table)
            except FeltError as error:  # one table that is broken is no reason to show none
                log.error("table %s: %s", table.id, error)

    def _line(self, table: Table) -> str:
        line, seq = self._lines.get(table.id), table.audience.seq
        if line is None or line.seq != seq:
            line = _Line(seq, compact(info(table, NOBODY)))
            if not table.changing:  # else it may be taken back
                self._lines[table.id] = line
        return line.text
