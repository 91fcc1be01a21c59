"""What reading a file of hands gives: the hands that could be read, and a line for each that could not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from felt.cards.card import format_card
from felt.errors import FeltError
from felt.games.history import UNKNOWN, Event, EventKind, HandRecord
from felt.games.rules import GameRules

_DEALS = (EventKind.DOWN, EventKind.UP, EventKind.BOARD)


class HistoryError(FeltError):
    """A hand or a file that cannot be read or written; the message says where and why."""


class Problem(NamedTuple):
    """A hand that was not read."""

    line: int
    """Where it begins or breaks, counted from 1; 0 where the source has no lines to speak of."""
    hand: str
    """What the source calls it; empty where not even that could be read."""
    why: str


@dataclass(frozen=True)
class Histories:
    """The hands of one source. A broken hand costs nobody the others."""

    hands: tuple[HandRecord, ...]
    problems: tuple[Problem, ...] = ()
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    """What each player won over all hands together, where the source says so (ACPC logs)."""


def check_cards(record: HandRecord) -> None:
    """Refuse a hand in which a card turns up twice. Draws may reshuffle the discards, so there it can happen."""
    if record.rules.has_draws:
        return
    dealt = [card for event in record.events if event.kind in _DEALS for card in event.cards if card != UNKNOWN]
    for i, card in enumerate(dealt):
        if card in dealt[:i]:
            raise HistoryError(f"card {format_card(card)} is dealt twice")
        if card not in record.rules.deck:
            raise HistoryError(f"card {format_card(card)} is not in the deck of {record.rules.title}")


def in_dealing_order(events: Iterable[Event], rules: GameRules) -> tuple[Event, ...]:
    """The events with each round's cards in the order of the seats, a seat's together, as the engine deals them.

    Sources deal card by card or from another seat on; when all are in, several rounds stand in a row.
    """
    rounds = [number for number, part in enumerate(rules.rounds) for _ in range(part.down + part.up)]
    ordered: list[Event] = []
    deal: list[tuple[int, Event]] = []
    counts: dict[int, int] = {}
    for event in (*events, Event(EventKind.BOARD)):
        if event.kind in (EventKind.DOWN, EventKind.UP):
            for card in event.cards:
                count = counts[event.seat] = counts.get(event.seat, 0) + 1
                number = rounds[count - 1] if count <= len(rounds) else len(rules.rounds)
                deal.append((number, event._replace(cards=(card,))))
            continue
        ordered += _together(deal)
        ordered.append(event)
        deal = []
    return tuple(ordered[:-1])


def _together(deal: list[tuple[int, Event]]) -> Iterator[Event]:
    """Single cards of a deal as one event for each round, seat and side."""
    for (_, seat, up), cards in groupby(sorted(deal, key=_place_in_deal), key=_place_in_deal):
        kind = EventKind.UP if up else EventKind.DOWN
        yield Event(kind, seat, cards=tuple(event.cards[0] for _, event in cards))


def _place_in_deal(dealt: tuple[int, Event]) -> tuple[int, int, bool]:
    number, event = dealt
    return number, event.seat, event.kind == EventKind.UP


def quoted(text: object, most: int = 60) -> str:
    """Input for an error message: in quotes, on one line, and not endless."""
    shown = str(text)
    return repr(shown if len(shown) <= most else shown[: most - 1] + "…")
