"""What a seat may see of a hand: the only thing that leaves the engine towards a player.

A view is built from what is public and from the cards of one seat, never by taking things out of the whole state.
Other players' cards that are face down are counts; at the showdown those appear that have to be shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games.history import UNKNOWN, Event, EventKind
from felt.games.record import Phase

if TYPE_CHECKING:
    from felt.games.actions import Legal
    from felt.games.hand import Hand

NOBODY = -1
"""The seat of a spectator."""

_HIDDEN = (EventKind.DOWN, EventKind.DRAW, EventKind.DISCARD, EventKind.PASS)


@dataclass(frozen=True)
class Pot:
    """The main pot or a side pot."""

    chips: int
    seats: tuple[int, ...]
    """Who may win it."""


@dataclass(frozen=True)
class SeatView:
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


@dataclass(frozen=True)
class View:
    """A hand through the eyes of one seat.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> seen = hand.view(0)
    >>> len(seen.seats[0].cards), len(seen.seats[1].cards), seen.seats[1].down
    (2, 0, 2)
    >>> seen.legal is None, hand.view(1).legal.call
    (True, 1)
    """

    game: str
    seat: int
    """Whose view this is; -1 for a spectator's."""
    button: int
    street: int
    round: str
    """Name of the round."""
    phase: Phase
    turn: int
    """The seat to act; -1 when the hand is over."""
    legal: "Legal | None"
    """What the viewer may do; None while it is not their turn."""
    board: tuple[int, ...]
    pot: int
    pots: tuple[Pot, ...]
    """The pot in parts, the main pot first; one part while nobody is all in. None once it is paid out."""
    seats: tuple[SeatView, ...]
    shown: tuple[int, ...]
    """Who has shown their cards at the showdown, in that order."""
    mucked: tuple[int, ...]
    """Who came to the showdown, lost and did not have to show."""
    deck_left: int
    """Cards left in the deck."""
    history: tuple[Event, ...]
    """What has happened; cards that the viewer does not know are -1."""
    payoffs: tuple[int, ...] | None
    """Chips won or lost by seat; None before the end."""
    rake: int

    @property
    def own(self) -> tuple[int, ...]:
        """The viewer's cards; none for a spectator."""
        return self.seats[self.seat].cards if self.seat >= 0 else ()

    @property
    def over(self) -> bool:
        """Whether the hand has been paid out."""
        return self.phase == Phase.OVER

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
            "legal": _legal_dict(self.legal) if self.legal else None,
            "board": format_cards(self.board),
            "pot": self.pot,
            "pots": [{"chips": pot.chips, "seats": list(pot.seats)} for pot in self.pots],
            "seats": [_seat_dict(seat) for seat in self.seats],
            "shown": list(self.shown),
            "mucked": list(self.mucked),
            "deck_left": self.deck_left,
            "history": [_event_dict(event) for event in self.history],
            "payoffs": None if self.payoffs is None else list(self.payoffs),
            "rake": self.rake,
        }


def view(hand: "Hand", seat: int) -> View:
    """All that a seat may see; `NOBODY` (-1) for what everybody sees."""
    if not NOBODY <= seat < hand.players:
        raise FeltError(f"seat {seat}: seats are 0 to {hand.players - 1}, or -1 for a spectator")
    shown, mucked = showdown(hand)
    return View(
        game=hand.rules.name,
        seat=seat,
        button=hand.button,
        street=hand.street,
        round=hand.rules.rounds[hand.street].name,
        phase=hand.phase,
        turn=hand.turn,
        legal=hand.legal() if hand.turn == seat >= 0 else None,
        board=hand.board,
        pot=hand.pot,
        pots=tuple(side_pots(hand)),
        seats=tuple(_seats(hand, seat, shown)),
        shown=shown,
        mucked=mucked,
        deck_left=hand.deck_left,
        history=tuple(_history(hand, seat, shown, mucked)),
        payoffs=hand.payoffs if hand.over else None,
        rake=hand.rake,
    )


def showdown(hand: "Hand") -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who shows their cards, in order, and who mucks them.

    With a player all in everybody shows (TDA 16). Else the last to bet, or the first to act, shows first and the
    others in turn (TDA 17), unless they can see that they have lost.
    """
    if not hand.over or not hand.showdown:
        return (), ()
    first = hand.first_to_show
    order = sorted(hand.showdown, key=lambda seat: (seat - first) % hand.players)
    if any(_all_in(hand, seat) for seat in order):
        return tuple(order), ()
    shown: list[int] = []
    mucked: list[int] = []
    for seat in order:
        loses = shown and hand.winnings([*shown, seat])[seat] == 0
        (mucked if loses else shown).append(seat)
    return tuple(shown), tuple(mucked)


def side_pots(hand: "Hand") -> Iterator[Pot]:
    """The pot in the parts that all-in players make of it, the main pot first.

    A part with one seat is a bet that nobody has called yet.
    """
    if hand.over:
        return
    put, live = hand.put, [seat for seat, folded in enumerate(hand.folded) if not folded]
    levels = {put[seat] for seat in live if _all_in(hand, seat)} | {max(put)}
    chips, below = hand.pot - sum(put), 0
    for level in sorted(levels):
        chips += sum(min(amount, level) - min(amount, below) for amount in put)
        below = level
        seats = tuple(seat for seat in live if put[seat] >= level or not _all_in(hand, seat))
        if chips and seats:
            yield Pot(chips, seats)
            chips = 0


def _all_in(hand: "Hand", seat: int) -> bool:
    """Whether a player has put in all that they may, now or when the hand ended."""
    stakes, cap = hand.stakes, hand.rules.cap
    whole = min(stakes.stacks[seat], cap or stakes.stacks[seat])
    dead = min(stakes.antes[seat], whole) if stakes.dead_antes else 0
    return hand.put[seat] + dead >= whole


def _seats(hand: "Hand", viewer: int, shown: tuple[int, ...]) -> Iterator[SeatView]:
    stacks, bets, put, folded, won = hand.stacks, hand.bets, hand.put, hand.folded, hand.won
    for seat in range(hand.players):
        up = hand.up_cards(seat)
        held = hand.cards(seat)
        yield SeatView(
            seat=seat,
            stack=stacks[seat],
            bet=bets[seat],
            put=put[seat],
            folded=folded[seat],
            all_in=not folded[seat] and _all_in(hand, seat),
            cards=held if seat == viewer or seat in shown else up,
            up=up,
            down=len(held) - len(up),
            won=won[seat],
        )


def _history(hand: "Hand", viewer: int, shown: tuple[int, ...], mucked: tuple[int, ...]) -> Iterator[Event]:
    for event in hand.events:
        if event.kind in _HIDDEN and event.seat != viewer:
            yield event._replace(cards=(UNKNOWN,) * len(event.cards))
        else:
            yield event
    for seat in shown:
        yield Event(EventKind.SHOW, seat, cards=hand.cards(seat))
    for seat in mucked:
        yield Event(EventKind.MUCK, seat)


def _legal_dict(legal: "Legal") -> dict[str, Any]:
    exchange = None
    if legal.exchange:
        what, least, most = legal.exchange
        exchange = {"what": what, "least": least, "most": most}
    raise_to = {"least": legal.raise_to[0], "most": legal.raise_to[1]} if legal.raise_to else None
    return {"fold": legal.fold, "call": legal.call, "raise_to": raise_to, "exchange": exchange}


def _seat_dict(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "stack": seat.stack,
        "bet": seat.bet,
        "put": seat.put,
        "folded": seat.folded,
        "all_in": seat.all_in,
        "cards": format_cards(seat.cards),
        "up": format_cards(seat.up),
        "down": seat.down,
        "won": seat.won,
    }


def _event_dict(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": str(event.kind)}
    if event.seat >= 0:
        told["seat"] = event.seat
    if event.kind == EventKind.RAISE:
        told["amount"] = event.amount
    if UNKNOWN in event.cards:
        told["count"] = len(event.cards)
    elif event.cards or event.kind in (EventKind.DRAW, EventKind.DISCARD, EventKind.PASS):
        told["cards"] = format_cards(event.cards)
        told["count"] = len(event.cards)
    return told
