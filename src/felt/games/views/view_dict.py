"""Views as plain values, for JSON; cards as text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from felt.cards.card import CARD_NAMES
from felt.games.actions import Legal
from felt.games.engine import fields as f
from felt.games.history import UNKNOWN, Event
from felt.games.moves import EXCHANGES, EventKind, Phase

if TYPE_CHECKING:
    from felt.games.views.view import View


def view_dict(view: "View") -> dict[str, Any]:
    """A view as plain values.

    It is told at every decision of programs outside and at every step of a table in the browser, so it reads the
    numbers of the record at once; `View` has them one by one.
    """
    n, history = view.numbers(), view.history
    players, phase, live = n[f.PLAYERS], Phase(n[f.PHASE]), n[f.LIVE]
    put = n[f.PUT : f.PUT + players].tolist()
    stacks, aside, bets, won = (n[at : at + players].tolist() for at in (f.STACKS, f.ASIDE, f.BETS, f.WON))
    folded = [not live >> seat & 1 for seat in range(players)]
    all_in = [not out and view.all_in(seat) for seat, out in enumerate(folded)]
    over = phase == Phase.OVER
    pot = 0 if over else n[f.DEAD] + sum(put)
    if any(all_in) or over:
        pots = [{"chips": part.chips, "seats": list(part.seats)} for part in view.pots]
    else:  # one part, for all who are in
        pots = [{"chips": pot, "seats": [seat for seat, out in enumerate(folded) if not out]}] if pot else []
    seats = []
    for seat in range(players):
        up, held = view.up_cards(seat), view.cards(seat)
        seats.append(
            {
                "seat": seat,
                "stack": stacks[seat] + aside[seat],
                "bet": bets[seat],
                "put": put[seat],
                "folded": folded[seat],
                "all_in": all_in[seat],
                "cards": _text(up if UNKNOWN in held else held),
                "up": _text(up),
                "down": len(held) - len(up),
                "won": won[seat],
            }
        )
    return {
        "game": view.game,
        "seat": view.seat,
        "button": n[f.BUTTON],
        "street": n[f.STREET],
        "round": view.rules.rounds[n[f.STREET]].name,
        "phase": phase.name.lower(),
        "turn": view.turn,
        "legal": legal_dict(view.legal) if view.legal else None,
        "board": _text(view.board),
        "pot": pot,
        "pots": pots,
        "seats": seats,
        "shown": list(view.shown),
        "mucked": list(view.mucked),
        "deck_left": n[f.DECK_COUNT] - n[f.DECK_AT],
        "history": [event_dict(event) for event in history],
        "payoffs": list(view.payoffs or ()) if over else None,
        "rake": n[f.RAKE],
    }


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
