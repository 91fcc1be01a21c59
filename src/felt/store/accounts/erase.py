"""Takes somebody whose account was deleted out of what is kept: hands of their own go, in hands of others they lose
their name.

A player may have thousands of hands, so this is done page by page, beside the tables that are played. A service that is
stopped meanwhile goes on when it is started again.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import String, cast, or_, select, update
from sqlalchemy.orm import Session

from felt.store.database.db import Store
from felt.store.database.models import HandRow, HandSeatRow, PlayerRow, TableRow
from felt.store.database.quotas import drop_hands
from felt.store.database.values import Player

PAGE = 100
"""Hands that are changed at a time; tables wait as long."""


def erase(store: Store, player: Player, stopped: Callable[[], bool] = lambda: False) -> None:
    """Take a player's old names, and the hands that no other person was in, out of the store; `player` has the new one.

    Takes a while, so it is nothing for the event loop. `stopped` is asked between pages.
    """
    for table in _tables(store, player.id):
        store.submit(partial(_clear_table, player=player, table=table), synced=False).result()
        last = 0
        while hands := _hands_after(store, table, last):
            if stopped():
                return
            store.submit(partial(_clear_hands, player=player, hands=hands), synced=False).result()
            last = hands[-1]
    done = update(PlayerRow).where(PlayerRow.id == player.id).values(erasing=False)
    store.submit(lambda session: session.execute(done), synced=True).result()


def replace_name(text: str, names: Iterable[str], old: str, new: str) -> str:
    """A text about some players in which one of them is called otherwise.

    >>> replace_name("Ada L wins 3 from Ada", ["Ada", "Ada L"], "Ada", "Bo")
    'Ada L wins 3 from Bo'
    """
    longest_first = sorted({old, *names}, key=len, reverse=True)
    any_name = "|".join(re.escape(name) for name in longest_first)
    return re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", lambda match: new if match[0] == old else match[0], text)


def _tables(store: Store, player: str) -> Sequence[str]:
    """Where a player was dealt in, sits, or which they have set up."""
    dealt = select(HandRow.table_id).join(HandSeatRow, HandSeatRow.hand == HandRow.id)
    named = cast(TableRow.room, String).contains(f'"{player}"', autoescape=True)
    query = select(TableRow.id).where(or_(TableRow.id.in_(dealt.where(HandSeatRow.player == player)), named))
    with store.reading() as session:
        return session.scalars(query).all()


def _hands_after(store: Store, table: str, last: int) -> Sequence[int]:
    query = select(HandRow.id).where(HandRow.table_id == table, HandRow.id > last).order_by(HandRow.id).limit(PAGE)
    with store.reading() as session:
        return session.scalars(query).all()


def _clear_table(session: Session, *, player: Player, table: str) -> None:
    """Of a table that is closed, what was last seen there; at an open one the name has been changed in play."""
    row = session.get(TableRow, table)
    if row is None or not row.closed:
        return
    saved: dict[str, Any] = dict(row.saved)
    room: dict[str, Any] = dict(row.room)
    saved["seats"] = [
        {**seat, "name": player.name} if seat and who == player.id else seat
        for seat, who in zip(saved["seats"], room["people"], strict=True)
    ]
    row.saved, row.room = saved, {**room, "scene": {"log": [], "last": {}, "result": None}}


def _clear_hands(session: Session, *, player: Player, hands: Sequence[int]) -> None:
    seats: dict[int, list[HandSeatRow]] = {hand: [] for hand in hands}
    for seat in session.scalars(select(HandSeatRow).where(HandSeatRow.hand.in_(hands))):
        seats[seat.hand].append(seat)
    query = select(HandRow, TableRow.room).join(TableRow, TableRow.id == HandRow.table_id)
    alone = []
    for hand, room in session.execute(query.where(HandRow.id.in_(hands))):
        dealt = seats[hand.id]
        people = {seat.player for seat in dealt if seat.agent is None}
        if people == {player.id} or (not people and room.get("owner") == player.id):
            alone.append(hand.id)
        else:
            _rename(hand, dealt, player)
    session.flush()
    drop_hands(session, alone)


def _rename(hand: HandRow, dealt: Sequence[HandSeatRow], player: Player) -> None:
    saved: dict[str, Any] = dict(hand.saved)
    at_table: list[dict[str, Any] | None] = [None] * len(saved["seats"])  # who only sat there is nobody's business
    names = [seat.name for seat in dealt]
    for seat in dealt:
        at_table[seat.seat] = saved["seats"][seat.seat]
        if seat.player == player.id and seat.name != player.name:
            hand.result = {**hand.result, "text": replace_name(str(hand.result["text"]), names, seat.name, player.name)}
            at_table[seat.seat] = {**saved["seats"][seat.seat], "name": player.name}
            seat.name = player.name
    if at_table != saved["seats"]:
        hand.saved = {**saved, "seats": at_table}
