"""A table as one viewer may see it, as plain values.

It is built from what is public about the table and from `LiveTable.view` of the viewer's seat: no other card can get
into it. Seats are those of the table throughout.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from felt.cards.card import format_cards
from felt.games.made import made_hand
from felt.games.tree import menu_amounts
from felt.games.view import SeatView, View
from felt.games.view_dict import legal_dict
from felt.server.live_table import LiveTable

PRESETS = (("½ pot", 0.5), ("⅔ pot", 2 / 3), ("pot", 1.0))


@dataclass
class Scene:
    """What everybody may know of a table beside the table itself."""

    log: list[str] = field(default_factory=list)
    """What has happened in this hand, in words."""
    last: dict[int, str] = field(default_factory=dict)
    """What each seat did last in this hand."""
    result: dict[str, Any] | None = None
    """Of the hand that is over, until the next begins."""


def state(
    table: LiveTable, seat: int, scene: Scene, *, connected: Mapping[int, bool], face_up: Container[int] = ()
) -> dict[str, Any]:
    """What the viewer in a seat (-1: nobody's) is told; the room adds what is its own.

    `face_up`: players of the hand, by its own seats, whose cards lie open: everybody's where only agents play, and in a
    replay of those who showed them in the end.
    """
    hand = table.hand
    told: dict[str, Any] = {
        "you": seat,
        "hand": table.hands,
        "step": table.step,
        "playing": hand is not None and not hand.over,
        "button": table.button,
        "round": None,
        "street": 0,
        "board": [],
        "pot": 0,
        "pots": [],
        "seats": [_seat(table, at, scene, connected.get(at, False)) for at in range(table.settings.seats)],
        "turn": table.turn,
        "legal": None,
        "presets": [],
        "hold": None,
        "result": scene.result,
        "level": table.level,
        "hands_left": table.hands_left,
        "winner": table.winner,
        "deal": None if table.deal is None else {"commitment": table.deal.commitment},
        "log": list(scene.log),
    }
    if hand is not None:
        _add_hand(told, table, table.view(seat))
        for own, at in enumerate(table.dealt):
            if own in face_up:
                told["seats"][at].update(cards=cards_told(hand.cards(own)), hidden=0)
    return told


def _seat(table: LiveTable, at: int, scene: Scene, connected: bool) -> dict[str, Any] | None:
    who = table.seats[at]
    if who is None:
        return None
    return {
        "seat": at,
        "name": who.name,
        "agent": who.agent,
        "stack": who.stack,
        "bet": 0,
        "folded": False,
        "all_in": False,
        "in_hand": False,
        "away": who.away,
        "leaving": who.leaving,
        "cards": [],
        "hidden": 0,
        "up": [],
        "last": scene.last.get(at),
        "won": 0,
        "connected": who.agent is not None or connected,
    }


def _add_hand(told: dict[str, Any], table: LiveTable, seen: View) -> None:
    for at, one in zip(table.dealt, seen.seats, strict=True):
        who = table.seats[at]
        if who is not None:
            told["seats"][at].update(_in_hand(one, bought=table.settings.buy_in if who.rebuys else 0))
    told.update(
        round=seen.round,
        street=seen.street,
        board=cards_told(seen.board),
        pot=seen.pot if not seen.over else sum(seen.won),
        pots=[{"chips": pot.chips, "seats": [table.dealt[at] for at in pot.seats]} for pot in seen.pots],
        legal=None if seen.legal is None else legal_dict(seen.legal),
        presets=presets(seen),
        hold=made_hand(seen) or None if seen.own else None,
    )


def _in_hand(one: SeatView, *, bought: int) -> dict[str, Any]:
    return {
        "stack": one.stack + bought,
        "bet": one.bet,
        "folded": one.folded,
        "all_in": one.all_in,
        "in_hand": True,
        "cards": cards_told(one.cards),
        "hidden": one.down if one.cards == one.up else 0,
        "up": cards_told(one.up),
        "won": one.won,
    }


def cards_told(cards: tuple[int, ...]) -> list[str]:
    """Cards as texts, one each.

    >>> cards_told((51, 0))
    ['As', '2c']
    """
    return [format_cards([card]) for card in cards]


def presets(seen: View) -> list[dict[str, Any]]:
    """Usual amounts of a raise, those that are allowed as they are called."""
    legal = seen.legal
    if legal is None or legal.raise_to is None or legal.raise_to[0] == legal.raise_to[1]:
        return []
    (least, most), call = legal.raise_to, legal.call or 0
    me = seen.seats[seen.seat]
    high, pot = me.bet + call, seen.pot + call
    found = []
    for label, size in PRESETS:
        (amount,) = menu_amounts([size], least, most, high=high, pot=pot)
        if amount == high + round(size * pot):
            found.append({"label": label, "amount": amount})
    if most == me.bet + me.stack:
        found.append({"label": "all-in", "amount": most})
    return found
