"""The service's database: players, tables, hands and strategies, in SQLite or PostgreSQL.

One process at a time plays the tables of a database, and one thread in it writes (`felt.store.writer`). Hands that are
over are synced before their future is done; a step of a hand only has to survive the process.
"""

from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from felt.store.engine import Database
from felt.store.kept import KeptAction, KeptHand, KeptSeat, KeptTable, Player, StoreError
from felt.store.models import ActionRow, HandRow, HandSeatRow, TableRow
from felt.store.players import Players
from felt.store.strategies import Strategies
from felt.store.upgrade import upgrade
from felt.store.writer import Change, Writer, insert_new

__all__ = ["KeptAction", "KeptHand", "KeptSeat", "KeptTable", "Player", "Store", "StoreError"]

_STEP = (
    update(TableRow)
    .where(TableRow.id == bindparam("table"))
    .values(saved=bindparam("saved"), room=bindparam("room"), closed=bindparam("closed"))
)


class Store:
    """All that the service keeps, in a folder or at a database URL, which one process at a time may use."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        database = Database(folder, url)
        with ExitStack() as undo:
            undo.callback(database.close)
            self._lock = database.lock()
            undo.callback(self._lock.close)
            try:
                connection = undo.enter_context(database.engine.connect())
                self._lock.hold(connection)
                connection.commit()
                upgrade(database)
            except SQLAlchemyError as error:
                raise database.refused(error) from None
            undo.pop_all()
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
        """Make a change; the future is done when it is kept."""
        return self._writer.submit(change, synced=synced)

    def reading(self) -> Session:
        """A session for those who only read; they close it."""
        return Session(self._database.engine)

    def open_tables(self) -> list[KeptTable]:
        """The tables that were not closed, oldest first."""
        with self.reading() as session:
            rows = session.scalars(select(TableRow).where(TableRow.closed.is_(False)).order_by(TableRow.created))
            return [KeptTable(row.id, row.saved, row.room) for row in rows]

    def keep_table(self, table: KeptTable, ended: KeptHand | None = None, *, closed: bool = False) -> "Future[None]":
        """Keep a table after a step, with the hand that ended by it; a hand is kept once, however often it is told."""

        def change(session: Session) -> None:
            values = {"saved": table.saved, "room": table.room, "closed": closed}
            connection = session.connection()  # a table is written at every step: without the objects in between
            if not connection.execute(_STEP, {**values, "table": table.id}).rowcount:
                connection.execute(insert(TableRow), {**values, "id": table.id})
            if ended is not None:
                _keep_hand(session, table.id, ended)

        return self.submit(change, synced=ended is not None)

    def hands_of(self, table: str) -> list[KeptHand]:
        """The hands of a table that are over, in their order."""
        with self.reading() as session:
            rows = session.scalars(select(HandRow).where(HandRow.table_id == table).order_by(HandRow.number))
            return [_hand(session, row) for row in rows]


def _keep_hand(session: Session, table: str, hand: KeptHand) -> None:
    values = {**hand._asdict(), "table_id": table}
    del values["seats"], values["actions"]
    added = insert_new(session, HandRow, values, HandRow.id)
    if added is None:
        return
    if hand.seats:
        session.execute(insert(HandSeatRow), [{**seat._asdict(), "hand": added} for seat in hand.seats])
    if hand.actions:
        moves = [{**move._asdict(), "hand": added, "number": number} for number, move in enumerate(hand.actions)]
        session.execute(insert(ActionRow), moves)


def _hand(session: Session, row: HandRow) -> KeptHand:
    seats = session.scalars(select(HandSeatRow).where(HandSeatRow.hand == row.id).order_by(HandSeatRow.seat))
    made = session.scalars(select(ActionRow).where(ActionRow.hand == row.id).order_by(ActionRow.number))
    actions = [KeptAction(one.seat, one.street, one.move, one.amount, one.cards) for one in made]
    found = [KeptSeat(seat.seat, seat.player, seat.name, seat.agent, seat.payoff, seat.counts) for seat in seats]
    return KeptHand(row.number, row.game, row.phh, row.saved, row.result, row.deal, found, actions)
