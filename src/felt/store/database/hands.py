"""Hands that are over, found again: whose they were, at which table, in what order."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from felt.store.db import KeptHand, KeptSeat, Store
from felt.store.models import HandRow, HandSeatRow, TableRow

_ID = re.compile(r"([A-Za-z0-9_-]{1,60})-([0-9]{1,9})")


class PastHand(NamedTuple):
    """A hand that is over, and where it was played."""

    table: str
    private: bool
    """Whether only those who were dealt in may look at it; or, if only agents were, who has set up the table."""
    finished: datetime
    """In UTC."""
    hand: KeptHand
    serial: int
    """No other hand of any table has this number."""
    owner: str | None = None
    """Who has set up the table."""

    @property
    def id(self) -> str:
        """What the hand is called outside."""
        return f"{self.table}-{self.hand.number}"

    def seat_of(self, player: str | None) -> int:
        """The seat of a player in this hand; -1 for who was not dealt in."""
        return next((one.seat for one in self.hand.seats if player is not None and one.player == player), -1)

    def visible_to(self, player: str | None) -> bool:
        """Whether a player (None: somebody without a name) may look at the hand at all."""
        if not self.private or self.seat_of(player) >= 0:
            return True
        return player is not None and player == self.owner and all(one.agent is not None for one in self.hand.seats)

    def may_see_all(self, player: str | None) -> bool:
        """Whether nobody's cards in it are another person's."""
        return all(one.agent is not None or one.player == player for one in self.hand.seats)

    @property
    def names(self) -> tuple[str, ...]:
        """Who was dealt in, in the order of the seats."""
        return tuple(one.name for one in self.hand.seats)


def split_id(text: str) -> tuple[str, int] | None:
    """The table and the number in the id of a hand; None for what is none.

    >>> split_id("ab-c_D-12"), split_id("ab"), split_id("ab-0x1")
    (('ab-c_D', 12), None, None)
    """
    found = _ID.fullmatch(text)
    return (found[1], int(found[2])) if found else None


def one_hand(store: Store, table: str, number: int) -> PastHand | None:
    """A hand by its table and number; None where there is none that is over."""
    asked = _hands().where(HandRow.table_id == table, HandRow.number == number)
    with store.reading() as session:
        found = _told(session, asked)
    return found[0] if found else None


def hands_before(
    store: Store,
    player: str | None,
    *,
    table: str | None = None,
    game: str | None = None,
    before: str | datetime | None = None,
    limit: int = 50,
) -> list[PastHand]:
    """Hands newest first: those in which a player was dealt; of one table also those of everybody, if it is public,
    and those of agents alone, if the player has set it up.

    `before` is a time, or the id of a hand.
    """
    asked = _hands()
    with store.reading() as session:
        everybody = table is not None and _public(session, table)
        if not everybody:
            if player is None:
                return []
            theirs: ColumnElement[bool] = HandRow.id.in_(select(HandSeatRow.hand).where(HandSeatRow.player == player))
            if table is not None and _owner(session, table) == player:
                theirs |= (
                    ~select(HandSeatRow).where(HandSeatRow.hand == HandRow.id, HandSeatRow.agent.is_(None)).exists()
                )
            asked = asked.where(theirs)
        if table is not None:
            asked = asked.where(HandRow.table_id == table)
        if game is not None:
            asked = asked.where(HandRow.game == game)
        if isinstance(before, datetime):
            asked = asked.where(HandRow.finished < before)
        elif before is not None:
            at = split_id(before) or ("", 0)
            row = select(HandRow.id).where(HandRow.table_id == at[0], HandRow.number == at[1]).scalar_subquery()
            asked = asked.where(HandRow.id < row)
        return _told(session, asked.order_by(HandRow.id.desc()).limit(limit))


def _public(session: Session, table: str) -> bool:
    room = _room(session, table)
    return room is not None and not room["private"]


def _owner(session: Session, table: str) -> str | None:
    room = _room(session, table)
    return None if room is None else room.get("owner")


def _room(session: Session, table: str) -> dict[str, Any] | None:
    return session.scalar(select(TableRow.room).where(TableRow.id == table))


def _hands() -> Any:
    """All hands, each with what the room of its table knows. (SQLAlchemy 2.0 and 2.1 spell its type differently.)"""
    return select(HandRow, TableRow.room).join(TableRow, TableRow.id == HandRow.table_id)


def _told(session: Session, asked: Any) -> list[PastHand]:
    rows = session.execute(asked).all()
    seats = _seats(session, [row.id for row, _ in rows])
    return [
        PastHand(
            row.table_id,
            bool(room["private"]),
            row.finished,
            _kept(row, seats.get(row.id, [])),
            row.id,
            room.get("owner"),
        )
        for row, room in rows
    ]


def _seats(session: Session, hands: Sequence[int]) -> dict[int, list[HandSeatRow]]:
    found: dict[int, list[HandSeatRow]] = {}
    for part in _parts(hands):
        asked = select(HandSeatRow).where(HandSeatRow.hand.in_(part)).order_by(HandSeatRow.hand, HandSeatRow.seat)
        for seat in session.scalars(asked):
            found.setdefault(seat.hand, []).append(seat)
    return found


def _kept(row: HandRow, seats: Sequence[HandSeatRow]) -> KeptHand:
    found = [KeptSeat(one.seat, one.player, one.name, one.agent, one.payoff, one.counts) for one in seats]
    return KeptHand(row.number, row.game, row.saved, row.result, row.deal, found)


def _parts(items: Sequence[int], size: int = 500) -> Iterable[Sequence[int]]:
    """Databases take only so many values at a time."""
    return (items[at : at + size] for at in range(0, len(items), size))
