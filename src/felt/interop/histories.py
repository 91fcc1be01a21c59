"""What reading a file of hands gives: the hands that could be read, and a line for each that could not.

Money becomes whole chips: decimals are scaled exactly, and the scale is remembered. A source that writes ``$0.05`` has
chips of one cent, and ``unit`` says so (0.01). No amount ever passes through a float.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeVar

from felt.cards.card import format_card
from felt.errors import FeltError
from felt.games.amounts import in_unit
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import DEALS, EventKind
from felt.games.rules import MAX_CHIPS, GameRules

T = TypeVar("T")


class HistoryError(FeltError):
    """A hand or a file that cannot be read or written; the message says where and why."""


class Problem(NamedTuple):
    """A hand that was not read."""

    line: int
    """Where it begins or breaks, counted from 1; 0 where the source has no lines to speak of."""
    hand: str
    """What the source calls it; empty where not even that could be read."""
    why: str


class BrokenLineError(HistoryError):
    """A hand that breaks at a certain line of its file."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


@dataclass(frozen=True)
class Histories:
    """The hands of one source. A broken hand costs nobody the others."""

    hands: tuple[HandRecord, ...]
    problems: tuple[Problem, ...] = ()
    lines: tuple[int, ...] = ()
    """Where each hand begins, counted from 1; empty where the source has no lines to speak of."""
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    """What each player won over all hands together, where the source says so (ACPC logs)."""


def read_each(
    hands: Iterable[tuple[int, str, Callable[[], HandRecord]]], no_hand: str, broken: Iterable[Problem] = ()
) -> Histories:
    """Read hands one by one, each told as the line where it begins, its name and how to read it; list those that break.

    `no_hand` is the message for a source without any; `broken` are those that broke before.
    """
    records: list[HandRecord] = []
    lines: list[int] = []
    problems = list(broken)
    for line, name, read in hands:
        try:
            records.append(read())
            lines.append(line)
        except FeltError as error:
            problems.append(Problem(error.number if isinstance(error, BrokenLineError) else line, name, str(error)))
    if not records and not problems:
        raise HistoryError(no_hand)
    return Histories(tuple(records), tuple(problems), tuple(lines))


def check_cards(record: HandRecord) -> None:
    """Refuse a hand with a card twice, or with more cards than its game deals.

    Draws may reshuffle the discards, so there a card can come again. A board card in stud is the last street of a
    full table, for which there are not enough cards.
    """
    rules = record.rules
    board = sum(len(event.cards) for event in record.events if event.kind == EventKind.BOARD)
    if board > max(rules.board_cards, 1 if any(part.up for part in rules.rounds) else 0):
        raise HistoryError(f"{board} cards on the board: {rules.title} deals {rules.board_cards}")
    if rules.has_draws:
        return
    held = Counter(event.seat for event in record.events if event.kind in DEALS for _ in event.cards)
    most = max((count for seat, count in held.items() if seat >= 0), default=0)
    if most > rules.hole_cards:
        raise HistoryError(f"{most} cards are dealt to one player: {rules.title} deals {rules.hole_cards}")
    dealt = [card for event in record.events if event.kind in DEALS for card in event.cards if card != UNKNOWN]
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
    deal: list[tuple[int, int, bool, int]] = []
    place = itemgetter(0, 1, 2)
    counts: dict[int, int] = {}
    for event in (*events, Event(EventKind.BOARD)):
        if event.kind in (EventKind.DOWN, EventKind.UP):
            for card in event.cards:
                count = counts[event.seat] = counts.get(event.seat, 0) + 1
                number = rounds[count - 1] if count <= len(rounds) else len(rules.rounds)
                deal.append((number, event.seat, event.kind == EventKind.UP, card))
            continue
        for (_, seat, up), cards in groupby(sorted(deal, key=place), key=place):
            ordered.append(Event(EventKind.UP if up else EventKind.DOWN, seat, cards=tuple(card for *_, card in cards)))
        ordered.append(event)
        deal = []
    return tuple(_after_their_draws(ordered[:-1]))


def _after_their_draws(events: Iterable[Event]) -> Iterator[Event]:
    """New cards directly after the draw that they replace, where a source tells all draws of a round first."""
    for dealt, draws, new in exchanges(events):
        yield from dealt
        for draw in draws:
            yield draw
            yield from (event for event in new if event.seat == draw.seat)
        drawn = {draw.seat for draw in draws}
        yield from (event for event in new if event.seat not in drawn)


def exchanges(events: Iterable[Event]) -> Iterator[tuple[list[Event], list[Event], list[Event]]]:
    """The events in pieces: what comes before a round's draws, the draws, and the new cards told among them."""
    before: list[Event] = []
    draws: list[Event] = []
    new: list[Event] = []
    for event in events:
        again = event.kind == EventKind.DRAW and any(draw.seat == event.seat for draw in draws)
        if draws and (again or event.kind not in (EventKind.DRAW, EventKind.DOWN)):
            yield before, draws, new
            before, draws, new = [], [], []
        if event.kind == EventKind.DRAW:
            draws.append(event)
        elif draws:
            new.append(event)
        else:
            before.append(event)
    yield before, draws, new


def button_last(record: HandRecord) -> HandRecord:
    """The record with its seats numbered from the left of the button, as all formats have them."""
    turn = (record.button + 1) % record.players
    if not turn:
        return record

    def moved(seat: int) -> int:
        return (seat - turn) % record.players

    def turned(values: tuple[T, ...]) -> tuple[T, ...]:
        return values[turn:] + values[:turn]

    events = (e._replace(seat=moved(e.seat)) if e.seat >= 0 else e for e in record.events)
    return replace(
        record,
        stacks=turned(record.stacks),
        antes=turned(record.antes),
        posts=turned(record.posts),
        events=tuple(events),
        sitting_out=tuple(sorted(map(moved, record.sitting_out))),
        cash_outs=turned(record.cash_outs),
        button=record.players - 1,
        names=turned(record.names),
        finishing=turned(record.finishing) if record.finishing is not None else None,
    )


def quoted(text: object) -> str:
    """Input for an error message: in quotes, on one line, and not endless."""
    shown = str(text)
    return repr(shown if len(shown) <= 60 else shown[:59] + "…")


def quoted_path(path: object) -> str:
    """A path for an error message: of a long one the end, which says which file it is."""
    shown = str(path)
    return repr(shown if len(shown) <= 160 else "…" + shown[-159:])


_SIGN, _DIGITS = r"[^\d\s.,()\[\]-]{0,4}", r"\d[\d,]*(?:\.\d+)?|\.\d+"
AMOUNT, CHIPS = f"{_SIGN}({_DIGITS})", f"{_SIGN}(?P<chips>{_DIGITS})"
"""Patterns for an amount in English text: a sign of a currency, then digits with commas and a point."""
ALL_IN = r"(?P<all_in>.*all[ -]in)?"

MOST_DECIMALS = 6
_NUMBER = re.compile(r"\d{1,15}(\.\d{1,15})?|\.\d{1,15}")


def parse_amount(text: str) -> Decimal:
    """The number in text such as ``1,020.50``.

    >>> parse_amount("1,020.50")
    Decimal('1020.50')
    """
    digits = text.replace(",", "")
    if not _NUMBER.fullmatch(digits):
        raise HistoryError(f"{quoted(text)} is not an amount: write it like 12 or 1,020.50")
    return Decimal(digits)


def decimals(amounts: Iterable[Decimal]) -> int:
    """How many digits after the point the finest of these amounts has."""
    exponents = [amount.as_tuple().exponent for amount in amounts]
    return max((-e for e in exponents if isinstance(e, int) and e < 0), default=0)


def to_chips(amount: Decimal, places: int) -> int:
    """The amount in chips of which ``10 ** places`` make one unit of the source."""
    if places > MOST_DECIMALS:
        raise HistoryError(f"the amount {quoted(amount)} or another has {places} decimals: {MOST_DECIMALS} can be kept")
    if not amount.is_finite() or amount.adjusted() > 12 or abs(chips := amount.scaleb(places)) > MAX_CHIPS:
        most = in_unit(MAX_CHIPS, unit_of(places))
        raise HistoryError(f"the amount {quoted(amount)} is out of reach: write one up to {most}")
    if chips != chips.to_integral_value():
        raise HistoryError(f"the amount {quoted(amount)} is too fine: others have {places} digits after the point")
    return int(chips)


def unit_of(places: int) -> float:
    """What one chip is in the source: 0.01 for two digits after the point."""
    return float(Decimal(1).scaleb(-places))


def places_of(unit: float) -> int | None:
    """Digits after the point that amounts in this unit have; None where the unit is no power of ten.

    >>> places_of(0.01), places_of(1.0), places_of(0.5)
    (2, 0, None)
    """
    return next((p for p in range(MOST_DECIMALS + 1) if unit_of(p) == unit), None)


def in_units(chips: int, unit: float) -> str:
    """Chips as the source writes them, with every digit that the unit has.

    >>> in_units(125, 0.01), in_units(125, 1.0)
    ('1.25', '125')
    """
    places = places_of(unit)
    return str(chips) if places is None else str(Decimal(chips).scaleb(-places))


def in_money(chips: int, unit: float) -> str:
    """Chips as a poker room writes them: cents only where there are any.

    >>> in_money(125, 0.01), in_money(400, 0.01)
    ('1.25', '4')
    """
    places = places_of(unit)
    if places is None:
        return in_unit(chips, unit, grouped=False)
    units, rest = divmod(chips, 10**places)
    return f"{units}.{rest:0{places}}" if rest else str(units)
