"""What players did and won, hand by hand, as it is read for statistics."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import select

from felt.store.database.db import Store
from felt.store.database.models import HandRow, HandSeatRow

AT_ONCE = 1000


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
