"""All that is kept of the hands of a table, as it was handed to the store."""

from sqlalchemy import select

from felt.store.database.db import Store
from felt.store.database.models import ActionRow, HandRow, HandSeatRow
from felt.store.database.values import StoredAction, StoredHand, StoredSeat


def hands_of(store: Store, table: str) -> list[StoredHand]:
    """The hands of a table that are over, in their order."""
    with store.reading() as session:
        found = []
        for row in session.scalars(select(HandRow).where(HandRow.table_id == table).order_by(HandRow.number)):
            seats = session.scalars(select(HandSeatRow).where(HandSeatRow.hand == row.id).order_by(HandSeatRow.seat))
            moves = session.scalars(select(ActionRow).where(ActionRow.hand == row.id).order_by(ActionRow.number))
            kept = [StoredSeat(one.seat, one.player, one.name, one.agent, one.payoff, one.counts) for one in seats]
            actions = [StoredAction(one.seat, one.street, one.move, one.amount, one.cards) for one in moves]
            found.append(StoredHand(row.number, row.game, row.saved, row.result, row.deal, kept, actions))
        return found
