"""Views as plain values, for JSON; cards as text."""

from typing import TYPE_CHECKING, Any

from felt.cards.card import format_cards
from felt.games.actions import Legal
from felt.games.history import UNKNOWN, Event, EventKind

if TYPE_CHECKING:
    from felt.games.view import SeatView, View


def view_dict(view: "View") -> dict[str, Any]:
    """A view as plain values."""
    return {
        "game": view.game,
        "seat": view.seat,
        "button": view.button,
        "street": view.street,
        "round": view.round,
        "phase": view.phase.name.lower(),
        "turn": view.turn,
        "legal": legal_dict(view.legal) if view.legal else None,
        "board": format_cards(view.board),
        "pot": view.pot,
        "pots": [{"chips": pot.chips, "seats": list(pot.seats)} for pot in view.pots],
        "seats": [_seat_dict(seat) for seat in view.seats],
        "shown": list(view.shown),
        "mucked": list(view.mucked),
        "deck_left": view.deck_left,
        "history": [event_dict(event) for event in view.history],
        "payoffs": None if view.payoffs is None else list(view.payoffs),
        "rake": view.rake,
    }


def legal_dict(legal: Legal) -> dict[str, Any]:
    """What may be done, by name."""
    exchange = None
    if legal.exchange:
        what, least, most = legal.exchange
        exchange = {"what": what, "least": least, "most": most}
    raise_to = {"least": legal.raise_to[0], "most": legal.raise_to[1]} if legal.raise_to else None
    return {"fold": legal.fold, "call": legal.call, "raise_to": raise_to, "exchange": exchange}


def _seat_dict(seat: "SeatView") -> dict[str, Any]:
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


def event_dict(event: Event) -> dict[str, Any]:
    """Something that happened, by name."""
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
