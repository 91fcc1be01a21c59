"""What a seat may see of a hand: the only thing that leaves the engine towards a player.

A view is built from what is public and from the cards of one seat, never by taking things out of the whole state.
Other players' cards that are face down are counts; at the showdown those appear that have to be shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import CARD_NAMES
from felt.errors import FeltError
from felt.games.actions import Legal
from felt.games.engine import fields as f
from felt.games.engine.record import HAND, kernel_arrays
from felt.games.history import UNKNOWN, Event
from felt.games.moves import EXCHANGES, EventKind, Phase
from felt.games.rules import GameRules
from felt.games.views.public import Pot, PublicState, side_pots, with_deals

if TYPE_CHECKING:
    from felt.games.actions import Legal
    from felt.games.engine.stakes import Stakes
    from felt.games.hand import Hand

NOBODY = -1
"""The seat of a spectator."""

Public = tuple[
    bytes, bytes | None, tuple[tuple[int, ...], ...], Sequence[Event], Sequence[tuple[int, int, int]], int, int
]
"""What a view is made of: the numbers of the record; how many cards each player holds (None where all hold what was
dealt); those face up; events and the deals to be told between them, and how many of both there were by then."""

HIDDEN = 255
"""A card that the viewer does not see, in `View.record`."""

_HIDDEN = (EventKind.DOWN, *EXCHANGES)


class SeatView(NamedTuple):
    """One player as the viewer sees them."""

    seat: int
    stack: int
    bet: int
    """Chips bet on this street."""
    put: int
    """Chips put in since the deal, dead antes apart."""
    folded: bool
    all_in: bool
    cards: tuple[int, ...]
    """The cards that the viewer knows: their own, those shown down, else those face up."""
    up: tuple[int, ...]
    """The cards face up."""
    down: int
    """How many cards are face down, known or not."""
    won: int
    """Chips taken from the pot, once the hand is over."""


class View(PublicState):
    """A hand through the eyes of one seat, as it was when it was looked at.

    It holds what is public and one seat's cards, and works the rest out when it is asked.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> seen = hand.view(0)
    >>> len(seen.seats[0].cards), len(seen.seats[1].cards), seen.seats[1].down
    (2, 0, 2)
    >>> seen.legal is None, hand.view(1).legal.call
    (True, 1)
    """

    __slots__ = (
        "_history",
        "_numbers",
        "_public",
        "_seats",
        "board",
        "legal",
        "mucked",
        "names",
        "own",
        "rules",
        "seat",
        "shown",
        "shown_cards",
        "stakes",
        "turn",
    )

    _numbers: memoryview
    rules: GameRules
    seat: int
    """Whose view this is; -1 for a spectator's."""
    names: tuple[str, ...]
    """Who sits where: by seat, the same name for the same player in every hand. Empty at an anonymous table."""
    stakes: "Stakes"
    """Stacks, antes and blinds before the first card."""
    turn: int
    """The seat to act; -1 when the hand is over."""
    legal: "Legal | None"
    """What the viewer may do; None while it is not their turn."""
    own: tuple[int, ...]
    """The viewer's cards; none for a spectator."""
    board: tuple[int, ...]
    shown: tuple[int, ...]
    """Who has shown their cards at the showdown, in that order."""
    mucked: tuple[int, ...]
    """Who came to the showdown, lost and did not have to show."""
    shown_cards: tuple[tuple[int, ...], ...]
    """What those in `shown` hold."""

    def __init__(self, hand: "Hand", seat: int) -> None:
        self.rules = hand.rules
        self.seat = seat
        self.names = hand.names
        self.stakes = hand.stakes
        self.turn = turn = hand.turn
        self.legal = hand.legal() if turn == seat >= 0 else None
        self.own = hand.cards(seat) if seat >= 0 else ()
        self.board = hand.board
        self._public = hand.public(seat)
        self._seats: tuple[SeatView, ...] | None = None
        self._history: tuple[Event, ...] | None = None
        self.shown = self.mucked = self.shown_cards = ()
        if turn < 0:
            self.shown, self.mucked = showdown(hand)
            self.shown_cards = tuple(map(hand.cards, self.shown))

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.name

    @property
    def round(self) -> str:
        """Name of the round."""
        return self.rules.rounds[self.street].name

    @property
    def opponents(self) -> int:
        """How many others have not folded."""
        live = self._ints[f.LIVE]
        return (live & ~(1 << self.seat)).bit_count() if self.seat >= 0 else live.bit_count()

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pot in parts, the main pot first; one part while nobody is all in. None once it is paid out."""
        return tuple(side_pots(self))

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """Chips won or lost by seat; None before the end."""
        return tuple(map(sub, self.stacks, self.stakes.stacks)) if self.over else None

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players, as the viewer sees them."""
        if self._seats is None:
            self._seats = tuple(_seats(self))
        return self._seats

    @property
    def history(self) -> tuple[Event, ...]:
        """What has happened; cards that the viewer does not know are -1."""
        if self._history is None:
            _, _, _, events, untold, count, deals = self._public
            self._history = (*with_deals(self, events[:count], untold[:deals]), *_shown(self))
        return self._history

    def cards(self, seat: int) -> tuple[int, ...]:
        """A player's cards, those that the viewer does not know as -1."""
        if seat == self.seat:
            return self.own
        if seat in self.shown:
            return self.shown_cards[self.shown.index(seat)]
        counts = self._public[1]
        if counts is not None:
            return (UNKNOWN,) * counts[seat]
        return (UNKNOWN,) * sum(part.down for part in self.rules.rounds[: self.street + 1])

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """The cards of a player that lie face up."""
        up = self._public[2]
        return up[seat] if up else ()

    def choosable(self) -> tuple[int, ...]:
        """The viewer's cards of which some are to be exchanged; of those to be turned up, the ones face down."""
        return self.own[: len(self.own) - len(self.up_cards(self.seat))] if self.phase == Phase.ROLL else self.own

    @property
    def _ints(self) -> memoryview:
        try:
            return self._numbers
        except AttributeError:  # made when it is first needed, which it often is not
            self._numbers = memoryview(self._public[0]).cast("i")
            return self._numbers

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For pickles: a memory view is made again."""
        return None, {name: getattr(self, name) for name in self.__slots__ if name != "_numbers"}

    def numbers(self) -> memoryview:
        """The chips and counters of the record, by the offsets of `games.engine.fields`; all of them are public."""
        return self._ints

    def moves(self) -> tuple[list[Event], list[tuple[int, int, int]]]:
        """What has happened as a `Hand` keeps it: events, and the deals that are still to be told between them."""
        _, _, _, events, untold, count, deals = self._public
        return list(events[:count]), list(untold[:deals])

    def record(self) -> NDArray[np.uint8]:
        """The record of the hand as far as the viewer sees it: every other card is `HIDDEN`.

        Of others' cards those face down come first; which of them somebody has chosen to pass or turn up is left out.
        """
        record = np.zeros(HAND.itemsize, dtype=np.uint8)
        numbers = np.frombuffer(self._public[0], dtype=np.uint8)
        record[: len(numbers)] = numbers
        h, k = kernel_arrays(record)
        for seat in range(self.players):
            up, held, begin = self.up_cards(seat), self.cards(seat), f.CARDS + f.CARDS_EACH * seat
            if UNKNOWN in held:
                held = (HIDDEN,) * (len(held) - len(up)) + up
            k[f.COUNT + seat] = len(held)
            k[begin : begin + len(held)] = held
            k[f.UP + seat] = sum(1 << place for place, card in enumerate(held) if card in up)
        k[f.BOARD : f.BOARD + len(self.board)] = self.board
        k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]] = HIDDEN
        k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]] = HIDDEN
        return record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.rules == other.rules and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]  # equal views may be views of different hands

    def __repr__(self) -> str:
        return f"<view of seat {self.seat}: {self.game}, {self.round}, pot {self.pot}, legal: {self.legal}>"

    def as_dict(self) -> dict[str, Any]:
        """The view as plain values, for JSON; cards as text."""
        return {
            "game": self.game,
            "seat": self.seat,
            "button": self.button,
            "street": self.street,
            "round": self.round,
            "phase": self.phase.name.lower(),
            "turn": self.turn,
            "legal": legal_dict(self.legal) if self.legal else None,
            "board": _text(self.board),
            "pot": self.pot,
            "pots": [{"chips": part.chips, "seats": list(part.seats)} for part in self.pots],
            "seats": [seat._asdict() | {"cards": _text(seat.cards), "up": _text(seat.up)} for seat in self.seats],
            "shown": list(self.shown),
            "mucked": list(self.mucked),
            "deck_left": self.deck_left,
            "history": [event_dict(event) for event in self.history],
            "payoffs": list(self.payoffs or ()) if self.over else None,
            "rake": self.rake,
        }


def showdown(hand: "Hand") -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who shows their cards, in order, and who mucks them.

    With a player all in everybody shows (TDA 16). Else the last to bet, or the first to act, shows first and the
    others in turn (TDA 17), unless they can see that they have lost.
    """
    if not hand.over or not hand.showdown:
        return (), ()
    first = hand.first_to_show
    order = sorted(hand.showdown, key=lambda seat: (seat - first) % hand.players)
    if any(hand.all_in(seat) for seat in order):
        return tuple(order), ()
    shown: list[int] = []
    mucked: list[int] = []
    for seat in order:
        loses = shown and hand.winnings([*shown, seat])[seat] == 0
        (mucked if loses else shown).append(seat)
    return tuple(shown), tuple(mucked)


def _seats(seen: View) -> Iterator[SeatView]:
    chips = zip(seen.stacks, seen.bets, seen.put, seen.folded, seen.won, strict=True)
    for seat, (stack, bet, put, folded, won) in enumerate(chips):
        up, held, all_in = seen.up_cards(seat), seen.cards(seat), not folded and seen.all_in(seat)
        known = up if UNKNOWN in held else held
        yield SeatView(seat, stack, bet, put, folded, all_in, known, up, len(held) - len(up), won)


def _shown(seen: View) -> Iterator[Event]:
    for seat, cards in zip(seen.shown, seen.shown_cards, strict=True):
        yield Event(EventKind.SHOW, seat, cards=cards)
    for seat in seen.mucked:
        yield Event(EventKind.MUCK, seat)


def seen_by(viewer: int, events: Iterable[Event]) -> tuple[Event, ...]:
    """Events without the cards that a seat does not get to see."""
    return tuple(
        event._replace(cards=(UNKNOWN,) * len(event.cards)) if event.kind in _HIDDEN and event.seat != viewer else event
        for event in events
    )


def made_hand(seen: View, seat: int = -1) -> str:
    """What the cards of a seat (by default the viewer's) make so far; empty where there is no name for it.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("kuhn"), [2, 2], seed=1)
    >>> made_hand(hand.view(0))
    'high card, king'
    """
    from felt.cards.ranking.evaluator import rank, rank_omaha
    from felt.cards.ranking.kinds import scale
    from felt.cards.ranking.names import describe
    from felt.cards.ranking.wild import describe_wild, rank_wild

    shown, own = seen.rules.showdown, seen.seats[seat].cards if seat >= 0 else seen.own
    cards = (*own, *seen.board)
    names = []
    try:
        for kind in shown.kinds if not shown.scoring else ():
            if shown.wild:
                natural = [card for card in shown.wild if card < 52]
                names.append(describe_wild(rank_wild(cards, natural, bug=shown.bug)))
            elif shown.hole_exactly:
                names.append(describe(rank_omaha(own, seen.board, kind), kind))
            else:
                names.append(describe(rank(cards, kind), scale(kind, len(cards)).name))
    except FeltError:  # too few cards yet, or more than can be named
        return ""
    return "; ".join(names)


def legal_dict(legal: Legal) -> dict[str, Any]:
    """What may be done, by name."""
    exchange = None
    if legal.exchange:
        verb, least, most = legal.exchange
        exchange = {"what": verb, "least": least, "most": most}
    raise_to = {"least": legal.raise_to[0], "most": legal.raise_to[1]} if legal.raise_to else None
    return {"fold": legal.fold, "call": legal.call, "raise_to": raise_to, "exchange": exchange}


def _text(cards: Sequence[int]) -> str:
    """As `format_cards` has it, of cards that need no check."""
    return "".join([CARD_NAMES[card] for card in cards])


def event_dict(event: Event) -> dict[str, Any]:
    """Something that happened, by name."""
    fields: dict[str, Any] = {"kind": event.kind.value}
    if event.seat >= 0:
        fields["seat"] = event.seat
    if event.kind == EventKind.RAISE:
        fields["amount"] = event.amount
    if UNKNOWN in event.cards:
        fields["count"] = len(event.cards)
    elif event.cards or event.kind in EXCHANGES:
        fields["cards"] = _text(event.cards)
        fields["count"] = len(event.cards)
    return fields
