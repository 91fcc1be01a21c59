"""All tables of a service: made, found, listed, brought back after a restart, and closed."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

from felt.errors import FeltError, error_text
from felt.games.fair import fair_deal
from felt.server.agents.asking import AgentThreads
from felt.server.net.faults import is_machine_fault
from felt.server.tables.dealer import Event, Shuffle
from felt.server.tables.runner import TableRunner
from felt.server.tables.settings import Pace, Speed, TableError, TableSettings
from felt.server.tables.state import TableState
from felt.server.tables.table import Table, fresh
from felt.server.tables.viewer_state import info
from felt.server.tables.watching import NOBODY, compact
from felt.store.database.db import Player, Store, StoredTable

log = logging.getLogger(__name__)

MOST_TABLES = 2000
MOST_SEATS_EACH = 10  # tables at which one player may sit at a time
MOST_OWNED = 20  # open tables that one player may have set up, a guest or an account
MOST_AT_ADDRESS = 200  # the same for all players at one address
MOST_FAILURES = 3  # how often a table is brought back in the same hand before it is given up
AFTER_FAILURE = 1.0  # seconds until a table is brought back
LONGEST_PAUSE = 8.0  # the same while the machine has no files, memory, threads or disk for it
ORDERED_SECONDS = 1.0
"""How long the order of the tables is kept; new tables are seen at once, and what is told of each is always new."""


class Tables:
    """The tables, each with the task that plays it."""

    def __init__(
        self, store: Store, *, pace: Pace, brains: AgentThreads | None = None, shuffle: Shuffle = fair_deal
    ) -> None:
        self._store, self._pace, self._shuffle = store, pace, shuffle
        self._brains = brains or AgentThreads()
        self._tables: dict[str, Table] = {}
        self._playing: dict[str, tuple[TableRunner, asyncio.Task[None]]] = {}
        self._addresses: dict[str, str] = {}
        """Where the tables were set up that were since the service began: addresses are not kept on disk."""
        self.version = 0  # counts tables that are made and closed
        self._making = asyncio.Lock()  # tables are made one after the other, so that each is counted

    async def start(self) -> None:
        """Bring back every table as it was."""
        for stored in await asyncio.to_thread(self._store.open_tables):
            try:
                self._begin(self._open(self._store.opened(stored)))
            except (FeltError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
                reason = type(error).__name__, error_text(error)
                log.error("table %s cannot be brought back (%s): %s", stored.id, *reason)

    async def stop(self) -> None:
        """Stop playing; what has been told is kept."""
        for runner, _ in self._playing.values():
            runner.stopped = True
        self.hang_up()
        tasks = [task for _, task in self._playing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._brains.close)

    def hang_up(self) -> None:
        """Let everybody go who follows a table or waits for its next event."""
        for table in self._tables.values():
            table.audience.close()

    def get(self, table_id: str) -> Table:
        table = self._tables.get(table_id)
        if table is None or table.closed:
            raise TableError("no_table", "there is no such table; it may have been closed")
        return table

    def all(self) -> list[Table]:
        return [table for table in self._tables.values() if not table.closed]

    def of(self, player: Player) -> Iterator[tuple[Table, int]]:
        for table in self.all():
            if (seat := table.seat_of(player.id)) >= 0:
                yield table, seat

    def dismiss(self, player: Player) -> None:
        """Close the player's connections to tables: whom they belong to has changed."""
        for table in self.all():
            table.audience.dismiss(player.id)

    async def get_up(self, player: Player) -> None:
        for table, _ in list(self.of(player)):
            with suppress(TableError):
                await table.leave(player)

    async def let_go(self, player: Player, name: str) -> None:
        """A player is gone for good: what they have set up for themselves is closed, and at other tables they get up,
        from hands in play under another name."""
        for table in self.all():
            with suppress(TableError):
                if table.owner == player.id and not any(other not in (None, player.id) for other in table.people):
                    await table.close(player)
                elif table.seat_of(player.id) >= 0:
                    await table.rename(player, name)
                    await table.leave(player)

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
    ) -> tuple[Table, int]:
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
        state = TableState(settings)
        async with self._making:
            tables = self.all()
            if len(tables) >= MOST_TABLES:
                raise TableError("too_many_tables", "there are too many tables: join one of them")
            if sum(table.owner == player.id for table in tables) >= MOST_OWNED:
                raise TableError("too_many_tables", f"you have set up {MOST_OWNED} tables: close one first")
            if address and sum(self._addresses.get(table.id) == address for table in tables) >= MOST_AT_ADDRESS:
                words = f"{MOST_AT_ADDRESS} tables were set up from your address: close one of them first, or join one"
                raise TableError("too_many_tables", words)
            if sit:
                self._check_seats(player)
            table = self._open(fresh(state, private=private, owner=player.id, open_cards=open_cards, speed=speed))
            await table.settle(player if sit else None, agents)
            self._begin(table)
            if address:
                self._addresses[table.id] = address
        table.seen(player.id)
        return table, 0 if sit else -1

    async def sit(self, table: Table, player: Player, seat: int, invite: str | None = None) -> None:
        """Let a player take a seat, unless they have enough."""
        await table.sit(player, seat, invite, check=lambda: self._check_seats(player))

    def _check_seats(self, player: Player) -> None:
        if sum(1 for _ in self.of(player)) >= MOST_SEATS_EACH:
            raise TableError("too_many_tables", f"you sit at {MOST_SEATS_EACH} tables: leave one first")

    def _open(self, stored: StoredTable) -> Table:
        return Table(stored, store=self._store, pace=self._pace, shuffle=self._shuffle)

    def _begin(self, table: Table) -> None:
        self._tables[table.id] = table
        self.version += 1
        runner = TableRunner(table, self._brains)
        self._playing[table.id] = runner, asyncio.create_task(self._play(table, runner), name=f"table {table.id}")

    async def _play(self, table: Table, runner: TableRunner) -> None:
        failures, hand, broken, pause = 0, -1, False, AFTER_FAILURE
        while not (table.closed or runner.stopped):
            try:
                if broken:
                    await table.recover()
                    broken = False
                await runner.run()
            except Exception as error:
                broken = True
                if is_machine_fault(error):  # it passes: the table waits as long as it takes
                    log.warning("table %s waits: %s: %s", table.id, type(error).__name__, error_text(error))
                    pause = min(2 * pause, LONGEST_PAUSE) if hand == table.state.hands else AFTER_FAILURE
                    failures, hand = 0, table.state.hands
                    await asyncio.sleep(pause)
                    continue
                failures, hand = (failures + 1 if hand == table.state.hands else 1), table.state.hands
                log.exception("table %s stands still", table.id)
                if failures >= MOST_FAILURES:
                    await self._give_up(table)
                else:
                    await asyncio.sleep(AFTER_FAILURE)
        if runner.stopped:
            return
        table.audience.close()
        self.version += 1
        self._addresses.pop(table.id, None)
        with suppress(KeyError):
            del self._tables[table.id], self._playing[table.id]
        for seat in range(table.state.settings.seats):
            self._brains.forget((table.id, seat))

    async def _give_up(self, table: Table) -> None:
        def close() -> list[Event]:
            table.closed = True
            return []

        log.error("table %s is closed: it cannot be played on", table.id)
        try:
            await table.recover()
            try:
                await table.do(table.shut)
            except Exception:  # the hand itself may be what cannot be played on
                log.exception("table %s: its hand cannot be ended", table.id)
                await table.recover()
                await table.do(close)
        except Exception:
            log.exception("table %s: that it is closed cannot be kept", table.id)
            table.closed = True


class TableList:
    """All tables for whoever asks: first their own, then public ones with people, then the others, newest first.

    It comes in pages, and is written anew only where a table has changed, however many there are.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._public: list[Table] = []
        self._ordered: tuple[int, float] = -1, 0.0
        """The state of the tables that the order is for, and when it was made."""
        self._lines: dict[str, tuple[int, str]] = {}  # what strangers are told of a table, after which of its events

    def page(self, viewer: str, *, offset: int, limit: int) -> tuple[str, int | None]:
        """The tables that are open to a viewer, from the one at `offset` on, as JSON; and where the next ones begin."""
        own = [table for table in self._tables.all() if viewer in (table.owner, *table.people)] if viewer else []
        mine = {table.id for table in own}
        own.reverse()
        strangers = [table for table in self._in_order() if not table.closed and table.id not in mine]
        page = (own + strangers)[offset : offset + limit]
        more = len(own) + len(strangers) > offset + limit
        return f"[{','.join(self._written(page, viewer, mine))}]", offset + limit if more else None

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
        seq, text = self._lines.get(table.id, (-1, ""))
        if seq != table.audience.seq:
            text = compact(info(table, NOBODY))
            if not table.changing:  # else it may be taken back
                self._lines[table.id] = table.audience.seq, text
        return text
