"""What a hand came to: as its source says, or as the engine finds it, and whether the two agree.

A record says less than the engine wants to know. Nobody saw some cards, a hand was given up unseen, a raise was told as
what the other player had left. The engine deals every card and knows no such raise, so what is missing is filled in
here, for the replay only: the record stays as it was read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import SHOWS, EventKind
from felt.games.replay import ReplayError, folded_all_in, replay
from felt.interop.histories import Histories, HistoryError, in_money
from felt.interop.rooms.ledger import Ledger

FINEST_PART = 60
"""The smallest fractions that shares of a pot come in: 60 parts divide by up to six players."""


class Played(NamedTuple):
    """Where the engine ends, by seat."""

    stacks: tuple[int, ...]
    won: tuple[int, ...]
    """Chips from the pot, uncalled bets included."""
    turn: int
    """The seat that has to act where the record breaks off; -1 at the end of a hand."""


def play(record: HandRecord) -> Played:
    """Play a hand; those who gave their cards up unseen take no part in the showdown.

    Raises the `ReplayError` of the record as it stands, if filling it in does not help.
    """
    hand, record = _replayed(record)
    gone = given_up(record, hand)
    live = {seat for seat, folded in enumerate(hand.folded) if not folded}
    while not hand.over and len(live - gone) < 2:  # an engine that waits for draws does not know that
        if hand.legal().exchange is not None:
            hand.exchange(())
        else:
            hand.call()
    if not hand.over:
        return Played(hand.stacks, hand.won, hand.turn)
    won = _settled(record, hand, gone) if hand.showdown else hand.won
    stacks = zip(hand.stacks, hand.won, won, strict=True)
    return Played(tuple(stack - before + after for stack, before, after in stacks), won, -1)


def _settled(record: HandRecord, hand: Hand, gone: set[int]) -> tuple[int, ...]:
    """The pot among those who did not give up, with the cards that they showed.

    After a reshuffle the engine deals cards of its own, and of a hand that is given up it would keep an uncalled bet.
    """
    left = [seat for seat in hand.showdown if seat not in gone]
    shown = {event.seat: event.cards for event in record.events if event.kind == EventKind.SHOW}
    other = {
        seat: cards
        for seat, cards in shown.items()
        if len(cards) == len(hand.cards(seat)) and UNKNOWN not in cards and set(cards) != set(hand.cards(seat))
    }
    if not left or (len(left) == len(hand.showdown) and not other):
        return hand.won
    twin = hand.copy()
    numbers, cards = twin.arrays
    for seat, known in other.items():
        begin = f.CARDS + f.CARDS_EACH * seat
        cards[begin : begin + len(known)] = known
    first, second = sorted(range(hand.players), key=lambda seat: -hand.put[seat])[:2]
    over = hand.put[first] - hand.put[second] if first in gone else 0
    numbers[f.PUT + first] -= over
    won = list(twin.winnings(left))
    won[first] += over
    return tuple(won)


def with_showdown(record: HandRecord) -> HandRecord:
    """The record with the hands that are shown at its end, where it came to a showdown and tells of none.

    The engine's own records are such. Readers of PHH take who does not show for one who mucks.
    """
    if any(event.kind in SHOWS for event in record.events):
        return record
    try:
        hand, _ = _replayed(record)
    except FeltError:
        return record
    unseen = {event.seat for event in record.events for card in event.cards if card == UNKNOWN}
    left = set(hand.showdown) - folded_all_in(record, hand)
    shown = sorted(left - unseen) if len(left) > 1 else ()
    shows = (Event(EventKind.SHOW, seat, cards=hand.cards(seat)) for seat in shown)
    return replace(record, events=(*record.events, *shows))


def playable(record: HandRecord) -> HandRecord:
    """The record with what the engine has to know filled in; as it is where that does not help."""
    try:
        return _replayed(record)[1]
    except FeltError:
        return record


def _replayed(record: HandRecord) -> tuple[Hand, HandRecord]:
    """The hand, and the record as it had to be filled in."""
    first: ReplayError | None = None
    for filled in _ways_to_fill(record):
        try:
            return replay(filled), filled
        except ReplayError as error:
            first = first or error
        widened = _with_whole_raises(filled)
        if widened is not None:
            with suppress(ReplayError):
                return replay(widened), widened
    raise first or ReplayError("there is no way to play this hand")


def given_up(record: HandRecord, hand: Hand) -> set[int]:
    """Who mucked: said so last, or held cards that nobody saw to a showdown and won nothing there.

    So did a player who was folded while all in. Where nobody showed, the winners are who the record says.
    """
    last = {event.seat: event.kind for event in record.events if event.kind in SHOWS}
    mucked = {seat for seat, kind in last.items() if kind == EventKind.MUCK} | folded_all_in(record, hand)
    if record.finishing is None or not hand.over:
        return mucked
    shown = {event.seat for event in record.events if event.kind == EventKind.SHOW and UNKNOWN not in event.cards}
    unseen = {event.seat for event in record.events if event.kind == EventKind.DOWN and UNKNOWN in event.cards} - shown
    behind = [stack - won for stack, won in zip(hand.stacks, hand.won, strict=True)]
    poor = {seat for seat in range(record.players) if record.finishing[seat] <= behind[seat]}
    gone = mucked | (unseen & poor)
    return gone & poor if gone >= set(hand.showdown) else gone


# Cards that nobody saw


def _ways_to_fill(record: HandRecord) -> Iterator[HandRecord]:
    """The record; with unseen cards that lie face up high or low, since they say whose turn it is; with other suits.

    Of equal hands face up the engine has the one with the higher suit begin (TDA RP-10-D), where other houses go by
    the seat. Suits can be exchanged for one another without changing what hands are worth.
    """
    record = _with_known_draws(record)
    yield record
    if not any(event.kind == EventKind.UP for event in record.events):
        return
    if any(event.kind == EventKind.UP and UNKNOWN in event.cards for event in record.events):
        for opening_high in (True, False):
            for later_high in (False, True):
                yield _filled(record, opening_high=opening_high, later_high=later_high)
    for suits in permutations(range(4)):
        events = (
            event._replace(cards=tuple(c if c == UNKNOWN else c & ~3 | suits[c & 3] for c in event.cards))
            for event in record.events
        )
        yield replace(record, events=tuple(events))


def _filled(record: HandRecord, *, opening_high: bool, later_high: bool) -> HandRecord:
    seen = {card for event in record.events for card in event.cards}
    unseen = [card for card in sorted(record.rules.deck) if card not in seen]
    opened: set[int] = set()
    events = []
    for event in record.events:
        if event.kind == EventKind.UP:
            high = later_high if event.seat in opened else opening_high
            opened.add(event.seat)
            cards = tuple(unseen.pop(-1 if high else 0) if card == UNKNOWN and unseen else card for card in event.cards)
            event = event._replace(cards=cards)
        events.append(event)
    return replace(record, events=tuple(events))


def _with_known_draws(record: HandRecord) -> HandRecord:
    """Where cards were thrown away unseen from a hand that was seen, say which: any will do."""
    held: dict[int, list[int]] = {}
    events = []
    for event in record.events:
        own = held.setdefault(event.seat, [])
        if event.kind in (EventKind.DOWN, EventKind.UP):
            own.extend(event.cards)
        elif event.kind == EventKind.DRAW:
            event = event._replace(cards=_thrown(event.cards, own))
        events.append(event)
    return replace(record, events=tuple(events)) if tuple(events) != record.events else record


def _thrown(cards: Sequence[int], held: list[int]) -> tuple[int, ...]:
    """The cards of a draw, taken out of the hand."""
    thrown = []
    for card in sorted(cards, reverse=True):  # known ones first
        if card not in held and card == UNKNOWN and held:
            card = held[-1]
        if card in held:
            held.remove(card)
        thrown.append(card)
    return tuple(thrown) if sorted(thrown) != sorted(cards) else tuple(cards)


# Raises to what the other player has left


def _with_whole_raises(record: HandRecord) -> HandRecord | None:
    """The record with raises that cover everybody made as large as the rules want them; None if nothing changes.

    PHH and some rooms tell a raise as the chips that can be called. What is over goes back, so the end is the same.
    """
    events = list(record.events)
    ledger = Ledger.of(record)
    for number, event in enumerate(record.events):
        others = [ledger.bets[seat] + ledger.playable(seat) for seat in ledger.live if seat != event.seat]
        if event.kind == EventKind.RAISE and event.amount >= max(others, default=0):
            try:
                legal = replay(replace(record, events=tuple(events[:number]))).legal()
            except ReplayError:  # it breaks before, and no raise from here on can mend that
                return None
            if legal.raise_to is not None and event.amount < legal.raise_to[0]:
                events[number] = event._replace(amount=legal.raise_to[0])
        ledger.apply(events[number])
    return replace(record, events=tuple(events)) if tuple(events) != record.events else None


class Outcome(NamedTuple):
    """How the engine got on with a hand."""

    why: str
    """What is wrong; empty if nothing is."""
    payoffs: tuple[int, ...] = ()
    """Chips won or lost by seat, where the hand could be played to its end."""


def payoffs_of(record: HandRecord) -> tuple[int, ...]:
    """Chips that every seat won or lost, by the record if it says so, else by the engine."""
    finishing = record.finishing
    if finishing is None:
        played = play(record)
        if played.turn >= 0:
            raise HistoryError(f"hand {record.hand_id or '(without number)'} breaks off: seat {played.turn} has to act")
        finishing = played.stacks
    return tuple(after - before for after, before in zip(finishing, record.stacks, strict=True))


def check(record: HandRecord) -> Outcome:
    """Play a hand through the engine and compare where it ends with its finishing stacks.

    The engine pays out whole pots. Where the source says what the house took, that must be missing from the winners'
    stacks, and nothing else may be. A hand without finishing stacks is right if it can be played to its end.
    """
    try:
        played = play(record)
    except FeltError as error:
        return Outcome(str(error))
    if played.turn >= 0:
        return Outcome(f"the hand breaks off: seat {played.turn} has to act")
    payoffs = tuple(after - before for after, before in zip(played.stacks, record.stacks, strict=True))
    return Outcome(_difference(record, played), payoffs)


def _difference(record: HandRecord, played: Played) -> str:
    if record.finishing is None:
        return ""
    over = [made - recorded for made, recorded in zip(played.stacks, record.finishing, strict=True)]
    winners_pay = all(chips >= 0 and (not chips or won) for chips, won in zip(over, played.won, strict=True))
    if winners_pay and sum(over) == record.rake:
        return ""
    ends = (played.stacks, record.finishing)
    made, recorded = (", ".join(in_money(chips, record.unit) for chips in stacks) for stacks in ends)
    rake = f" after a rake of {in_money(record.rake, record.unit)}" if record.rake else ""
    return f"the engine ends with stacks of {made}, the record with {recorded}{rake}"


def scores_of(hands: Iterable[tuple[HandRecord, Sequence[int]]]) -> Mapping[str, Fraction]:
    """What every player won over hands with these payoffs in chips, in the units of the source."""
    totals: dict[str, Fraction] = {}
    for record, payoffs in hands:
        unit = Fraction(record.unit).limit_denominator(FINEST_PART)
        for name, chips in zip(record.names, payoffs, strict=True):
            totals[name] = totals.get(name, Fraction(0)) + chips * unit
    return totals


def check_scores(histories: Histories, payoffs: Sequence[Sequence[int]]) -> str:
    """Whether these payoffs of all hands of a source come to the scores that it ends with; empty if they do."""
    made = scores_of(zip(histories.hands, payoffs, strict=True))
    if made == dict(histories.scores):
        return ""
    sides = (histories.scores, made)
    score, come = (", ".join(f"{name} {float(won):g}" for name, won in side.items()) for side in sides)
    return f"the hands come to {come}, the score is {score}"
