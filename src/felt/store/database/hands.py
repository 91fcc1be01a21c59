"""Looking up hands that are over: by player, by table, in order."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from felt.store.database.db import Store, StoredHand, StoredSeat
from felt.store.database.models import HandRow, HandSeatRow, TableRow

_ID = re.compile(r"([A-Za-z0-9_-]{1,60})-([0-9]{1,9})")
MOST_VALUES = 500
"""Hands that are named in one question: databases take only so many values at a time."""
AT_ONCE = 1000
"""Rows that are read at a time."""


class FinishedHand(NamedTuple):
    """A hand that is over, and where it was played."""

    table: str
    private: bool
    """Whether only those who were dealt in may look at it; or, if only agents were, who has set up the table."""
    finished: datetime
    """In UTC."""
    hand: StoredHand
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
        return next((seat.seat for seat in self.hand.seats if player is not None and seat.player == player), -1)

    def visible_to(self, player: str | None) -> bool:
        """Whether a player (None: somebody without a name) may look at the hand at all."""
        if not self.private or self.seat_of(player) >= 0:
            return True
        return player is not None and player == self.owner and all(seat.agent is not None for seat in self.hand.seats)

    def may_see_all(self, player: str | None) -> bool:
        """Whether nobody's cards in it are another person's."""
        return all(seat.agent is not None or seat.player == player for seat in self.hand.seats)

    @property
    def names(self) -> tuple[str, ...]:
        """Who was dealt in, in the order of the seats."""
        return tuple(seat.name for seat in self.hand.seats)


def split_id(text: str) -> tuple[str, int] | None:
    """The table and the number in the id of a hand; None for what is none.

    >>> split_id("ab-c_D-12"), split_id("ab"), split_id("ab-0x1")
    (('ab-c_D', 12), None, None)
    """
    match = _ID.fullmatch(text)
    return (match[1], int(match[2])) if match else None


def one_hand(store: Store, table: str, number: int) -> FinishedHand | None:
    """A hand by its table and number; None where there is none that is over."""
    query = _hands().where(HandRow.table_id == table, HandRow.number == number)
    with store.reading() as session:
        hands = _read_hands(session, query)
    return hands[0] if hands else None


def hands_before(
    store: Store,
    player: str | None,
    *,
    table: str | None = None,
    game: str | None = None,
    before: str | datetime | None = None,
    limit: int = 50,
) -> list[FinishedHand]:
    """Hands newest first: those in which a player was dealt; of one table also those of everybody, if it is public,
    and those of agents alone, if the player has set it up.

    `before` is a time, or the id of a hand.
    """
    query = _hands()
    with store.reading() as session:
        room = None if table is None else session.scalar(select(TableRow.room).where(TableRow.id == table))
        if room is None or room["private"]:
            if player is None:
                return []
            theirs: ColumnElement[bool] = HandRow.id.in_(select(HandSeatRow.hand).where(HandSeatRow.player == player))
            if room is not None and room.get("owner") == player:
                theirs |= (
                    ~select(HandSeatRow).where(HandSeatRow.hand == HandRow.id, HandSeatRow.agent.is_(None)).exists()
                )
            query = query.where(theirs)
        if table is not None:
            query = query.where(HandRow.table_id == table)
        if game is not None:
            query = query.where(HandRow.game == game)
        if isinstance(before, datetime):
            query = query.where(HandRow.finished < before)
        elif before is not None:
            at = split_id(before) or ("", 0)
            row = select(HandRow.id).where(HandRow.table_id == at[0], HandRow.number == at[1]).scalar_subquery()
            query = query.where(HandRow.id < row)
        return _read_hands(session, query.order_by(HandRow.id.desc()).limit(limit))


def _hands() -> Any:
    """All hands, each with what the room of its table knows. (SQLAlchemy 2.0 and 2.1 spell its type differently.)"""
    return select(HandRow, TableRow.room).join(TableRow, TableRow.id == HandRow.table_id)


def _read_hands(session: Session, query: Any) -> list[FinishedHand]:
    rows = session.execute(query).all()
    seats = _seats(session, [row.id for row, _ in rows])
    return [
        FinishedHand(
            row.table_id, bool(room["private"]), row.finished,
            StoredHand(row.number, row.game, row.saved, row.result, row.deal, seats[row.id]), row.id, room.get("owner"),
        )
        for row, room in rows
    ]  # fmt: skip


def _seats(session: Session, hands: Sequence[int]) -> dict[int, list[StoredSeat]]:
    seats: dict[int, list[StoredSeat]] = {hand: [] for hand in hands}
    columns = [getattr(HandSeatRow, name) for name in StoredSeat._fields]
    for at in range(0, len(hands), MOST_VALUES):
        query = select(HandSeatRow.hand, *columns).where(HandSeatRow.hand.in_(hands[at : at + MOST_VALUES]))
        for hand, *values in session.execute(query.order_by(HandSeatRow.hand, HandSeatRow.seat)):
            seats[hand].append(StoredSeat(*values))
    return seats


class SeatResult(NamedTuple):
    """Somebody's part in a hand."""

    hand: int
    """Rises from hand to hand, over all tables."""
    game: str
    player: str | None
    name: str
    agent: str | None
    payoff: int
    counts: dict[str, Any] | None


class Winning(NamedTuple):
    """What somebody won in a hand."""

    table: str
    number: int
    payoff: int
    big_blind: int | None


def results_after(store: Store, hand: int, *, table: str | None = None, player: str | None = None) -> list[SeatResult]:
    """Parts in the hands after one, of all seats of a table or of one player, in their order."""
    query = select(
        HandSeatRow.hand, HandRow.game, HandSeatRow.player, HandSeatRow.name, HandSeatRow.agent, HandSeatRow.payoff,
        HandSeatRow.counts,
    ).join(HandRow, HandRow.id == HandSeatRow.hand)  # fmt: skip
    # Said of both, so that only new hands are looked at whichever way the database goes about it.
    query = query.where(HandSeatRow.hand > hand, HandRow.id > hand).order_by(HandSeatRow.hand)
    if table is not None:
        query = query.where(HandRow.table_id == table)
    if player is not None:
        query = query.where(HandSeatRow.player == player)
    with store.reading() as session:
        return [SeatResult(*row) for row in session.execute(query)]


def winnings(store: Store, player: str, *, table: str | None = None, game: str | None = None) -> Iterator[Winning]:
    """What a player won, oldest hand first."""
    big_blind = HandSeatRow.counts["big_blind"].as_integer()
    query = select(HandRow.table_id, HandRow.number, HandSeatRow.payoff, big_blind).join(
        HandRow, HandRow.id == HandSeatRow.hand
    )
    query = query.where(HandSeatRow.player == player).order_by(HandSeatRow.hand)
    if table is not None:
        query = query.where(HandRow.table_id == table)
    if game is not None:
        query = query.where(HandRow.game == game)
    with store.reading() as session:
        for row in session.execute(query.execution_options(yield_per=AT_ONCE)):
            yield Winning(*row)
