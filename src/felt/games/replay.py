"""Plays a recorded hand through the engine."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games.actions import IllegalAction
from felt.games.hand import Hand
from felt.games.history import UNKNOWN, Event, EventKind, HandRecord
from felt.games.record import Move

_DEALS = (EventKind.DOWN, EventKind.UP, EventKind.BOARD)
_EXCHANGES = (EventKind.DRAW, EventKind.DISCARD, EventKind.PASS)
_CODES = {EventKind.FOLD: Move.FOLD, EventKind.CALL: Move.CALL, EventKind.RAISE: Move.RAISE}


class ReplayError(FeltError):
    """A record that the rules do not allow, or that contradicts itself."""


def replay(record: HandRecord) -> Hand:
    """The hand of a record, played again move by move.

    Cards that nobody saw are taken from those that were not seen; a player who showed at the end is given what was
    shown. `Hand.stacks` of the result can be compared with ``record.finishing``.
    """
    hand, slots = _deal(record)
    for number, event in _moves(record):
        _play(hand, event, number, slots)
    return hand


def replay_moves(record: HandRecord) -> tuple[Hand, Hand, list[int]]:
    """`replay`, for those who count: the hand as it was dealt, as it ended, and the moves as `trace` takes them."""
    hand, slots = _deal(record)
    dealt, codes = hand.copy(), list[int]()
    for number, event in _moves(record):
        amount = event.amount
        if event.kind in _EXCHANGES:
            held = hand.cards(event.seat)
            amount = sum(1 << held.index(card) for card in slots.thrown[number] if card in held)
        _play(hand, event, number, slots)
        codes.append(amount * 4 + _CODES.get(event.kind, Move.EXCHANGE))
    return dealt, hand, codes


def _deal(record: HandRecord) -> "tuple[Hand, _Slots]":
    """The hand before its first move, and where its cards come from."""
    slots = _Slots.of(record)
    hand = Hand.new(
        record.rules,
        record.stacks,
        deck=slots.deck(record),
        button=record.button,
        antes=record.antes,
        posts=record.posts,
        dead_antes=record.dead_antes,
    )
    return hand, slots


def _moves(record: HandRecord) -> Iterator[tuple[int, Event]]:
    """What players did, each with its number among the events."""
    moves = (*_CODES, *_EXCHANGES)
    return ((number, event) for number, event in enumerate(record.events) if event.kind in moves)


def _play(hand: Hand, event: Event, number: int, slots: "_Slots") -> None:
    where = f"event {number + 1} ({event.kind} of seat {event.seat})"
    if hand.over:
        raise ReplayError(f"{where}: the hand is over already")
    if hand.turn != event.seat:
        raise ReplayError(f"{where}: it is the turn of seat {hand.turn}, legal: {hand.legal()}")
    try:
        if event.kind == EventKind.FOLD:
            hand.fold()
        elif event.kind == EventKind.CALL:
            hand.call()
        elif event.kind == EventKind.RAISE:
            hand.raise_to(event.amount)
        else:
            hand.exchange(slots.thrown[number])
    except IllegalAction as error:
        raise ReplayError(f"{where}: {error}") from None


@dataclass
class _Slots:
    """Every card that was dealt, in order, known or not; and what each seat holds of them."""

    cards: list[int] = field(default_factory=list)
    held: dict[int, list[int]] = field(default_factory=dict)
    thrown_slots: dict[int, list[int]] = field(default_factory=dict)
    thrown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    """Who has passed cards on in this round of passing."""
    pass_rounds: int = 0

    @classmethod
    def of(cls, record: HandRecord) -> "_Slots":
        self = cls()
        for number, event in enumerate(record.events):
            if event.kind in _DEALS:
                for card in event.cards:
                    if event.seat >= 0 and event.kind != EventKind.BOARD:
                        self.held.setdefault(event.seat, []).append(len(self.cards))
                    self.cards.append(card)
            elif event.kind in _EXCHANGES:
                self._throw(number, event, record)
            elif event.kind == EventKind.SHOW:
                self._show(event)
            elif event.kind == EventKind.FOLD:
                self.folded.add(event.seat)
        return self

    def _throw(self, number: int, event: Event, record: HandRecord) -> None:
        own = self.held.setdefault(event.seat, [])
        gone: list[int] = []
        for card in event.cards:
            found = next((slot for slot in own if slot not in gone and self.cards[slot] == card), None)
            if found is None:
                raise ReplayError(
                    f"event {number + 1}: seat {event.seat} gives away {format_cards([card])!r}, not held"
                )
            gone.append(found)
        self.thrown_slots[number] = gone
        self.held[event.seat] = [slot for slot in own if slot not in gone]
        if event.kind == EventKind.PASS:
            step = 1 if self._passed_left(event.seat, record) else -1
            to = (event.seat + step) % record.players
            while to in self.folded:
                to = (to + step) % record.players
            self.held.setdefault(to, []).extend(gone)

    def _passed_left(self, seat: int, record: HandRecord) -> bool:
        """The direction of this pass; who passes for the second time does so in the next round of passing."""
        if seat in self.passed:
            self.passed.clear()
            self.pass_rounds += 1
        self.passed.add(seat)
        directions = [part.pass_left for part in record.rules.rounds if part.passes] or [True]
        return directions[min(self.pass_rounds, len(directions) - 1)]

    def _show(self, event: Event) -> None:
        """Cards shown at the end become those that were dealt unseen."""
        own = self.held.get(event.seat, [])
        known = {self.cards[slot] for slot in own}
        new = [card for card in event.cards if card != UNKNOWN and card not in known]
        for slot in own:
            if self.cards[slot] == UNKNOWN and new:
                self.cards[slot] = new.pop(0)

    def deck(self, record: HandRecord) -> tuple[int, ...]:
        """The deck that deals these cards: unseen ones in the places of unknown ones, and behind.

        Cards beyond the last of the deck came from a reshuffle, which the engine makes again by itself.
        """
        whole = record.rules.deck
        first = self.cards[: len(whole)]
        known = [card for card in first if card != UNKNOWN]
        for i, card in enumerate(known):
            if card not in whole or card in known[:i]:
                where = "twice" if card in whole else f"and is not in the deck of {record.rules.name}"
                raise ReplayError(f"card {format_cards([card])} is dealt {where}")
        rest = [card for card in whole if card not in set(known)]
        dealt = [card if card != UNKNOWN else rest.pop(0) for card in first] + self.cards[len(whole) :]
        for number, gone in self.thrown_slots.items():
            self.thrown[number] = tuple(dealt[slot] for slot in gone)
        return (*dealt[: len(whole)], *rest)
