"""The service's database: players, tables, hands and strategies, in SQLite or PostgreSQL.

One process at a time plays the tables of a database, and one thread in it writes (`felt.store.database.writer`). Hands
that are over are synced before their future is done; a step of a hand only has to survive the process.
"""

import logging
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from felt.store.accounts.players import Players
from felt.store.database.engine import Database
from felt.store.database.models import ActionRow, HandRow, HandSeatRow, TableRow, now
from felt.store.database.quotas import HandCounts, HandQuotas, drop_empty_tables
from felt.store.database.sealing import DeckSeal
from felt.store.database.strategies import Strategies
from felt.store.database.upgrade import upgrade
from felt.store.database.values import Player, StoredAction, StoredHand, StoredSeat, StoredTable, StoreError
from felt.store.database.writer import Change, Writer, insert_new

__all__ = ["Player", "Store", "StoreError", "StoredAction", "StoredHand", "StoredSeat", "StoredTable"]

log = logging.getLogger(__name__)
_STEP = (
    update(TableRow)
    .where(TableRow.id == bindparam("table"))
    .values(saved=bindparam("saved"), room=bindparam("room"), closed=bindparam("closed"))
)
_NEW, _SEATS, _ACTIONS = insert(TableRow), insert(HandSeatRow), insert(ActionRow)


class Store:
    """All that the service keeps, in a folder or at a database URL, which one process at a time may use."""

    def __init__(self, folder: Path, url: str | None = None, *, quotas: HandQuotas | None = None) -> None:
        database = Database(folder, url)
        with ExitStack() as undo:
            undo.callback(database.close)
            self._lock = database.lock()
            undo.callback(self._lock.close)
            self._seal = DeckSeal(folder)
            try:
                connection = undo.enter_context(database.engine.connect())
                self._lock.hold(connection)
                connection.commit()
                upgrade(database)
            except SQLAlchemyError as error:
                raise database.refused(error) from None
            undo.pop_all()
        self._counts = HandCounts(quotas or HandQuotas())
        self._database = database
        self._writer = Writer(database, connection, self._lock)
        self.players = Players(database.engine, self.submit)
        self.strategies = Strategies(database)

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        self._writer.close()
        self._database.close()
        self._lock.close()

    def submit(self, change: Change, *, synced: bool) -> "Future[None]":
        """Make a change; the future is done when it is committed."""
        return self._writer.submit(change, synced=synced)

    def reading(self) -> Session:
        """A session for those who only read; they close it."""
        return Session(self._database.engine)

    def open_tables(self) -> list[StoredTable]:
        """The tables that were not closed, oldest first; `opened` opens the decks of hands in play."""
        with self.reading() as session:
            ids = session.scalars(
                select(TableRow.id).where(TableRow.closed.is_(False)).order_by(TableRow.created)
            ).all()
        return [table for name in ids if (table := self._open_table(name)) is not None]

    def _open_table(self, name: str) -> StoredTable | None:
        """A table by its id; None, and a line in the log, for one that is damaged: the others shall go on."""
        try:
            with self.reading() as session:
                row = session.get_one(TableRow, name)
                return StoredTable(row.id, row.saved, row.room)
        except (StoreError, SQLAlchemyError) as error:
            log.error("table %s cannot be brought back: %s", name, self.reason(error))
            return None

    def check(self) -> None:
        """Refuse a database with damaged pages, as far as that can be seen in a moment."""
        try:
            self._database.check()
        except SQLAlchemyError as error:
            raise self._database.refused(error) from None

    def reason(self, error: Exception) -> str:
        """Why something could not be kept or looked up, in one line."""
        return str(self._database.refused(error) if isinstance(error, SQLAlchemyError) else error)

    def opened(self, table: StoredTable) -> StoredTable:
        """A table with its deck, if it is sealed; refused where that was done with another key."""
        return self._seal.open(table)

    def keep_table(
        self, table: StoredTable, ended: StoredHand | None = None, *, closed: bool = False
    ) -> "Future[None]":
        """Store a table after a step, with the hand that it ended; a hand is stored once, however often it is sent."""

        def change(session: Session) -> None:
            values = {"saved": self._seal.seal(table), "room": table.room, "closed": closed}
            connection = session.connection()  # a table is written at every step: without the objects in between
            if not connection.execute(_STEP, {**values, "table": table.id}).rowcount:
                connection.execute(_NEW, {**values, "id": table.id})
            if ended is not None:
                owner, watched = table.room.get("owner"), all(seat.agent is not None for seat in ended.seats)
                if _keep_hand(session, table.id, ended, owner=owner, watched=watched):
                    self._counts.add(session, owner, watched=watched)
            if closed:
                drop_empty_tables(session, TableRow.id == table.id)

        return self.submit(change, synced=ended is not None)


def _keep_hand(session: Session, table: str, hand: StoredHand, *, owner: str | None, watched: bool) -> bool:
    """Store a hand; whether it is a new one.

    A hand with this number may be there already: the same hand, sent again, or another one. The latter happens when a
    change was made but its answer got lost: the table went back and played on, and the hand that is sent last counts.
    """
    values = {**hand._asdict(), "table_id": table, "owner": owner, "watched": watched}
    del values["seats"], values["actions"]
    added = insert_new(session, HandRow, values, "id")
    is_new = added is not None
    if added is None:
        added, same = _stored_before(session, table, hand)
        if same:
            return False
        for part in (HandSeatRow, ActionRow):
            session.execute(delete(part).where(part.hand == added))
        session.execute(update(HandRow).where(HandRow.id == added).values(**values, finished=now()))
    connection = session.connection()
    if hand.seats:
        connection.execute(_SEATS, [{**seat._asdict(), "hand": added} for seat in hand.seats])
    if hand.actions:
        moves = [{**move._asdict(), "hand": added, "number": number} for number, move in enumerate(hand.actions)]
        connection.execute(_ACTIONS, moves)
    return is_new


def _stored_before(session: Session, table: str, hand: StoredHand) -> tuple[int, bool]:
    """The hand that is stored under this number, and whether it is the same one; who sits there may have changed."""
    query = select(HandRow.id, HandRow.deal, HandRow.result)
    row = session.execute(query.where(HandRow.table_id == table, HandRow.number == hand.number)).one()
    columns = ActionRow.seat, ActionRow.street, ActionRow.move, ActionRow.amount, ActionRow.cards
    moves = session.execute(select(*columns).where(ActionRow.hand == row.id).order_by(ActionRow.number)).all()
    same = [row.deal, row.result, *map(tuple, moves)] == [hand.deal, hand.result, *map(tuple, hand.actions)]
    return row.id, same
