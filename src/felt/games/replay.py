"""Plays a recorded hand through the engine."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games.actions import IllegalAction
from felt.games.amounts import chip_note
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import DEALS, EXCHANGES, MOVE_OF_EVENT, EventKind, Move, encode_move


class ReplayError(FeltError):
    """A record that the rules do not allow, or that contradicts itself."""


def replay(record: HandRecord) -> Hand:
    """The hand of a record, played again move by move.

    Cards that nobody saw are taken from those that were not seen; a player who showed at the end is given what was
    shown. `Hand.stacks` of the result can be compared with ``record.finishing``.

    Two things that rooms do have no move in the engine: a fold of a player who is all in is passed over
    (`folded_all_in` says whose), and a raise that nobody has the chips to call is made as a call.
    """
    return replay_moves(record).hand


class Replayed(NamedTuple):
    """A replay for those who count."""

    dealt: Hand
    """The hand before its first move."""
    hand: Hand
    """The hand at its end."""
    moves: list[int]
    """The moves as `felt.games.views.facts.trace` takes them."""
    raises: dict[int, int]
    """Places in `moves` of calls that were raises in the record, each with the total that it was to."""


def replay_moves(record: HandRecord) -> Replayed:
    """`replay`, for those who count."""
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
    dealt, codes, raises = hand.copy(), list[int](), dict[int, int]()
    for number, event in enumerate(record.events):
        if event.kind not in MOVE_OF_EVENT and event.kind not in EXCHANGES:
            continue
        amount = event.amount
        if event.kind in EXCHANGES:
            amount = slots.places(hand, number, event.seat)
        played = _play(hand, event, number, slots)
        if played is None:
            continue
        if event.kind == EventKind.RAISE and played == EventKind.CALL:
            raises[len(codes)], amount = amount, 0
        codes.append(encode_move(MOVE_OF_EVENT.get(played, Move.EXCHANGE), amount))
    return Replayed(dealt, hand, codes, raises)


def folded_all_in(record: HandRecord, hand: Hand) -> set[int]:
    """Who folded in the record and is in to the end for the engine, which asks nobody who is all in.

    Rooms fold the hand of a player who is away, be it all in from a blind.
    """
    return {event.seat for event in record.events if event.kind == EventKind.FOLD and not hand.folded[event.seat]}


def _play(hand: Hand, event: Event, number: int, slots: "_Slots") -> EventKind | None:
    """Make the move of an event; returns which it is in the engine, None where it has none."""
    seat = event.seat
    if event.kind == EventKind.FOLD and hand.turn != seat and not hand.folded[seat] and hand.all_in(seat):
        return None
    where = f"event {number + 1} ({event.kind} of seat {event.seat})"
    if hand.over:
        raise ReplayError(f"{where}: the hand is over already")
    if hand.turn != event.seat:
        legal = hand.legal().describe(hand.rules.unit)
        raise ReplayError(f"{where}: it is the turn of seat {hand.turn}, legal: {legal}")
    try:
        if event.kind == EventKind.FOLD:
            hand.fold()
        elif event.kind == EventKind.CALL:
            hand.call()
        elif event.kind == EventKind.RAISE:
            if _is_beyond_all(hand, event):
                hand.call()
                return EventKind.CALL
            hand.raise_to(event.amount)
        else:
            hand.exchange(slots.chosen(hand, number, event.seat))
    except IllegalAction as error:  # whoever has the file counts in its unit, and knows of no chips
        raise ReplayError(f"{where}: {str(error).removesuffix(chip_note(hand.rules.unit))}") from None
    return event.kind


def _is_beyond_all(hand: Hand, event: Event) -> bool:
    """Whether a raise is one that nobody else has the chips to call, over a bet that is to be called."""
    numbers, (_, to_call, raise_to, _) = hand.arrays[0], hand.legal()
    totals = [int(numbers[f.BETS + seat] + numbers[f.STACKS + seat]) for seat in range(hand.players)]
    high = hand.bets[event.seat] + (to_call or 0)
    if raise_to is not None or not to_call or not high < event.amount <= totals[event.seat]:
        return False
    return all(totals[seat] <= high or gone for seat, gone in enumerate(hand.folded) if seat != event.seat)


@dataclass
class _Slots:
    """Every card that was dealt, in order, known or not; and what each seat holds of them."""

    cards: list[int] = field(default_factory=list)
    held: dict[int, list[int]] = field(default_factory=dict)
    thrown_slots: dict[int, list[int]] = field(default_factory=dict)
    thrown_places: dict[int, list[int]] = field(default_factory=dict)
    """Where the cards of an exchange were in the hand."""
    thrown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    mucked: dict[int, int] = field(default_factory=dict)
    """Cards that went to the muck, each with how many had been dealt by then: a reshuffle may bring them again."""
    reshuffled: bool = False
    folded: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    """Who has passed cards on in this round of passing."""
    pass_rounds: int = 0
    up: set[int] = field(default_factory=set)
    """Cards that players have turned up."""

    @classmethod
    def of(cls, record: HandRecord) -> "_Slots":
        self, began = cls(), None
        for number, event in enumerate(record.events):
            if event.kind not in (*DEALS, *EXCHANGES):
                began = None
            if event.kind in DEALS:
                for card in event.cards:
                    if event.seat >= 0 and event.kind != EventKind.BOARD:
                        self.held.setdefault(event.seat, []).append(len(self.cards))
                    self.cards.append(card)
            elif event.kind in EXCHANGES:
                began = len(self.cards) if began is None else began  # all throw away before the first new card is dealt
                self._throw(number, event, record, began)
            elif event.kind in (EventKind.SHOW, EventKind.ROLLED):
                self._show(event)
            elif event.kind == EventKind.FOLD:
                self.folded.add(event.seat)
                self._muck(self.held.get(event.seat, ()), len(self.cards))
        return self

    def _muck(self, slots: Iterable[int], dealt: int) -> None:
        for slot in slots:
            self.mucked.setdefault(slot, dealt)

    def chosen(self, hand: Hand, number: int, seat: int) -> tuple[int, ...]:
        """The cards of an exchange as the engine dealt them: after a reshuffle it has others in their places."""
        if not self.reshuffled:
            return self.thrown[number]
        held = hand.cards(seat)
        return tuple(held[place] for place in self.thrown_places[number] if place < len(held))

    def places(self, hand: Hand, number: int, seat: int) -> int:
        """The places of the cards of an exchange, as bits."""
        held = hand.cards(seat)
        return sum(1 << held.index(card) for card in self.chosen(hand, number, seat) if card in held)

    def _throw(self, number: int, event: Event, record: HandRecord, began: int) -> None:
        own = self.held.setdefault(event.seat, [])
        gone: list[int] = []
        rolled = event.kind == EventKind.ROLL
        for card in event.cards:
            free = (slot for slot in own if slot not in gone and not (rolled and slot in self.up))
            held = next((slot for slot in free if self.cards[slot] == card), None)
            if held is None:
                raise ReplayError(
                    f"event {number + 1}: seat {event.seat} gives away {format_cards([card])!r}, not held"
                )
            gone.append(held)
        self.thrown_slots[number] = gone
        self.thrown_places[number] = [own.index(slot) for slot in gone]
        if rolled:
            self.up.update(gone)
            return
        self.held[event.seat] = [slot for slot in own if slot not in gone]
        self.up.difference_update(gone)  # what is passed on is covered again
        if event.kind != EventKind.PASS:
            self._muck(gone, began)
        else:
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
        """Cards that are shown, at the end or turned up, become those that were dealt unseen."""
        own = self.held.get(event.seat, [])
        known = {self.cards[slot] for slot in own}
        if event.kind == EventKind.ROLLED:
            own = [slot for slot in own if slot in self.up]
        new = [card for card in event.cards if card != UNKNOWN and card not in known]
        for slot in own:
            if self.cards[slot] == UNKNOWN and new:
                self.cards[slot] = new.pop(0)

    def deck(self, record: HandRecord) -> tuple[int, ...]:
        """The deck that deals these cards: unseen ones in the places of unknown ones, and behind.

        Cards from a reshuffle on are dealt by the engine, which makes one by itself when its deck is used up.
        """
        deck = record.rules.deck
        count = min(self._before_reshuffle(record), len(deck))
        self.reshuffled = count < len(self.cards)
        first = self.cards[:count]
        known = {card for card in first if card != UNKNOWN}
        rest = [card for card in deck if card not in known]
        dealt = [card if card != UNKNOWN else rest.pop(0) for card in first] + self.cards[count:]
        for number, gone in self.thrown_slots.items():
            self.thrown[number] = tuple(dealt[slot] for slot in gone)
        return (*dealt[:count], *rest)

    def _before_reshuffle(self, record: HandRecord) -> int:
        """How many cards were dealt before one came again that had been thrown away; all, where none did.

        Dealers who burn a card before each draw run out before they have dealt the whole deck, and some shuffle when
        it is too short for a draw of everybody.
        """
        rules, seen = record.rules, dict[int, int]()
        spare = len(rules.rounds) + record.players * max(part.draw_most for part in rules.rounds)
        for slot, card in enumerate(self.cards[: len(rules.deck)]):
            if card == UNKNOWN:
                continue
            if card not in rules.deck:
                raise ReplayError(f"card {format_cards([card])} is dealt and is not in the deck of {rules.name}")
            if card in seen:
                if slot + spare >= len(rules.deck) and self.mucked.get(seen[card], slot + 1) <= slot:
                    return slot
                raise ReplayError(f"card {format_cards([card])} is dealt twice")
            seen[card] = slot
        return len(self.cards)
