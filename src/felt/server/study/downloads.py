"""Hands that are over in formats that other programs read, with the cards that one viewer may see."""

from collections.abc import Iterator
from dataclasses import replace

from felt.games.history import HandRecord
from felt.games.moves import SHOWS
from felt.interop.histories import HistoryError, button_last
from felt.interop.phh.writer import phhs_pieces, write_phh
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.server.study.replays import Replay
from felt.server.tables.settings import TableError
from felt.store.database.hands import FinishedHand


def record_of(past: FinishedHand, replay: Replay, *, everything: bool) -> HandRecord:
    """The hand as a record; cards that the viewer did not see are unknown in it."""
    hand, table = replay.hand, replay.table
    seen = hand.view(replay.own)
    events = (*hand.events, *(event for event in seen.history if event.kind in SHOWS))
    record = replace(
        hand.record(),
        events=events if everything else seen.history,
        names=replay.names,
        hand_id=past.id,
        rake=hand.rake,
    )
    turn, when = record.button + 1, past.finished
    chairs = [seat + 1 for seat in (*table.dealt[turn:], *table.dealt[:turn])]
    meta = {
        "table": past.table,
        "seats": str(chairs),
        "seat_count": str(table.settings.seats),
        "time": f"{when:%H:%M:%S}",
        "time_zone": "UTC",
        "day": str(when.day),
        "month": str(when.month),
        "year": str(when.year),
    }
    return replace(button_last(record), meta=meta)


def as_phh(past: FinishedHand, replay: Replay, *, everything: bool) -> str:
    """The hand as PHH."""
    try:
        return write_phh(record_of(past, replay, everything=everything))
    except HistoryError as error:
        raise TableError("no_format", str(error)) from None


def as_pokerstars(past: FinishedHand, replay: Replay, *, everything: bool) -> str:
    """The hand as PokerStars text, which has numbers for hands, unique in a room, and one hero: the viewer."""
    record = replace(record_of(past, replay, everything=everything), hand_id=str(past.serial))
    hero = replay.names[replay.own] if replay.own >= 0 else ""
    try:
        return write_pokerstars([record], hero=hero)
    except HistoryError as error:
        raise TableError("no_format", str(error)) from None


def as_phhs(hands: Iterator[tuple[FinishedHand, Replay, bool]]) -> str:
    """Many hands in one file of PHH; those of games that it cannot say are left out."""
    records = []
    for past, replay, everything in hands:
        record = record_of(past, replay, everything=everything)
        try:
            write_phh(record)
        except HistoryError:
            continue
        records.append(record)
    return "".join(phhs_pieces(records))
