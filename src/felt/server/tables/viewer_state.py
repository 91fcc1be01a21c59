"""A table as one viewer may see it, as plain values; and the line that a list of tables has.

It is built from what is public about the table and from `TableState.view` of the viewer's seat: no other card can get
into it. Seats are those of the table throughout.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from felt.cards.card import format_cards
from felt.games.trees.tree import menu_amounts
from felt.games.views.view import SeatView, View, legal_dict, made_hand
from felt.server.tables.state import TableState
from felt.server.tables.watching import compact

if TYPE_CHECKING:
    from felt.server.tables.table import Table
from collections.abc import Iterator, Sequence

from felt.games import Action, Legal, Move
from felt.games.amounts import in_unit

SINGULAR = ("pair of", "straight", "flush", "full house", "royal flush", "wheel")  # a pair, a flush, but two pair
PRESETS = (("½ pot", 0.5), ("⅔ pot", 2 / 3), ("pot", 1.0))


@dataclass
class Scene:
    """What everybody may know of a table beside the table itself."""

    log: list[str] = field(default_factory=list)  # what has happened in this hand, in words
    last: dict[int, str] = field(default_factory=dict)  # what each seat did last in this hand
    result: dict[str, Any] | None = None  # of the hand that is over, until the next begins


def viewer_state(
    state: TableState, seat: int, scene: Scene, *, connected: Mapping[int, bool], face_up: Container[int] = ()
) -> dict[str, Any]:
    """What the viewer in a seat (-1: nobody's) is told; the table adds what is its own.

    `face_up`: players of the hand, by its own seats, whose cards lie open: everybody's where only agents play, and in a
    replay of those who showed them in the end.
    """
    hand, seen = state.hand, None if state.hand is None else state.view(seat)
    in_hand = {} if seen is None else dict(zip(state.dealt, seen.seats, strict=True))
    values: dict[str, Any] = {
        "you": seat,
        "hand": state.hands,
        "step": state.step,
        "playing": hand is not None and not hand.over,
        "button": state.button,
        "round": None,
        "street": 0,
        "board": [],
        "pot": 0,
        "pots": [],
        "seats": [
            _seat(state, at, scene, connected.get(at, False), in_hand.get(at)) for at in range(state.settings.seats)
        ],
        "turn": state.turn,
        "legal": None,
        "presets": [],
        "hold": None,
        "result": scene.result,
        "level": state.level,
        "hands_left": state.hands_left,
        "winner": state.winner,
        "deal": None if state.deal is None else {"commitment": state.deal.commitment},
        "log": list(scene.log),
    }
    if hand is not None and seen is not None:
        values.update(
            round=seen.round,
            street=seen.street,
            board=cards_told(seen.board),
            pot=seen.pot if not seen.over else sum(seen.won),
            pots=[{"chips": pot.chips, "seats": [state.dealt[at] for at in pot.seats]} for pot in seen.pots],
            legal=None if seen.legal is None else legal_dict(seen.legal),
            presets=presets(seen),
            hold=made_hand(seen) or None if seen.own else None,
        )
        for own, at in enumerate(state.dealt):
            if own in face_up:
                values["seats"][at].update(cards=cards_told(hand.cards(own)), hidden=0)
    return values


def _seat(state: TableState, at: int, scene: Scene, connected: bool, seat: SeatView | None) -> dict[str, Any] | None:
    """Somebody at the table; `seat` is how they are seen in the hand, None for who is not in it."""
    who = state.seats[at]
    if who is None:
        return None
    bought = state.settings.buy_in if seat is not None and who.rebuys else 0
    shown = seat or SeatView(at, who.stack, 0, 0, folded=False, all_in=False, cards=(), up=(), down=0, won=0)
    return {
        "seat": at,
        "name": who.name,
        "agent": who.agent,
        "stack": shown.stack + bought,
        "bet": shown.bet,
        "folded": shown.folded,
        "all_in": shown.all_in,
        "in_hand": seat is not None,
        "away": who.away,
        "leaving": who.leaving,
        "cards": cards_told(shown.cards),
        "hidden": shown.down if shown.cards == shown.up else 0,
        "up": cards_told(shown.up),
        "last": scene.last.get(at),
        "won": shown.won,
        "connected": who.agent is not None or connected,
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
    pots = []
    for label, size in PRESETS:
        (amount,) = menu_amounts([size], least, most, high=high, pot=pot)
        if amount == high + round(size * pot):
            pots.append({"label": label, "amount": amount})
    if most == me.bet + me.stack:
        pots.append({"label": "all-in", "amount": most})
    return pots


def told_to(table: "Table", viewer: str) -> str:
    """The table as a viewer sees it now, as JSON without what changes by the second."""
    seat = table.seat_of(viewer or None)
    connected = {at: table.connected(player) for at, player in enumerate(table.people)}
    face_up = range(len(table.state.dealt)) if table.open_cards else ()
    values = viewer_state(table.state, seat, table.scene, connected=connected, face_up=face_up)
    hand_id = f"{table.id}-{table.state.hands}" if table.state.hands else None
    return compact({"table": info(table, viewer), "hand_id": hand_id, **values})


def info(table: "Table", viewer: str) -> dict[str, Any]:
    """What a list of tables says of this one."""
    state, rules = table.state, table.state.rules
    taken = [who for who in state.seats if who is not None]
    return {
        "id": table.id,
        "game": state.settings.game,
        "title": rules.title or rules.name,
        "seats": state.settings.seats,
        "taken": len(taken),
        "people": [who.name for who in taken if who.agent is None],
        "agents": [who.agent for who in taken if who.agent is not None],
        "tournament": state.settings.tournament,
        "hands_per_level": state.settings.hands_per_level,
        "time_limit": state.settings.time_limit,
        "time_bank": state.settings.time_bank,
        "parameters": dict(state.settings.parameters),
        "stack": state.settings.buy_in,
        "blinds": list(rules.blinds),
        "big_blind": rules.big_blind,
        "hands": state.hands,
        "private": table.private,
        "invite": table.invite if viewer and viewer in (table.owner, *table.people) else None,
        "open_cards": table.open_cards,
        "owner": bool(viewer) and viewer == table.owner,
        "pace": dict(vars(table.speed)),
    }


def move_words(action: Action, legal: Legal, *, opened: bool, all_in: bool, unit: float = 1.0) -> str:
    """A move as one says it of somebody: `legal` and `opened` (whether there was a bet) are from before it.

    `unit` is what one chip is in the amounts of the game.

    >>> move_words(Action(Move.RAISE, 12), Legal(True, 4, (8, 200)), opened=True, all_in=False)
    'raises to 12'
    """
    return _move(action, legal, opened, unit) + (" and is all in" if all_in else "")


def _move(action: Action, legal: Legal, opened: bool, unit: float) -> str:
    if action.move == Move.FOLD:
        return "folds"
    if action.move == Move.RAISE:
        total = in_unit(action.amount, unit, grouped=False)
        return f"raises to {total}" if opened else f"bets {total}"
    if action.move == Move.CALL:
        if not legal.call:
            return "checks"
        chips = in_unit(legal.call, unit, grouped=False)
        return f"calls {chips}" if legal.fold else f"brings it in for {chips}"
    kind = legal.exchange[0] if legal.exchange else "exchange"
    if kind == "draw" and not action.cards:
        return "stands pat"
    verb = "passes" if kind == "pass" else f"{kind}s"
    return f"{verb} {len(action.cards)} card{'s' * (len(action.cards) != 1)}"


def showdown_lines(seen: View, names: Sequence[str]) -> Iterator[str]:
    """Who shows what, in their order."""
    for seat, cards in zip(seen.shown, seen.shown_cards, strict=True):
        made = made_hand(seen, seat)
        yield f"{names[seat]} shows {format_cards(cards)}" + (f", {made}" if made else "")
    for seat in seen.mucked:
        yield f"{names[seat]} mucks"


def result_text(seen: View, names: Sequence[str]) -> str:
    """Who wins how much, and with what, of a hand that is over; bets that nobody called are not won.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> hand.fold()
    >>> result_text(hand.view(-1), ["Ada", "Bo"])
    'Ada wins 2'
    """
    won = list(seen.won)
    most, second = sorted(seen.put, reverse=True)[:2]
    if most > second:
        won[seen.put.index(most)] -= most - second
    parts = []
    for seat, chips in enumerate(won):
        if chips > 0:
            made = made_hand(seen, seat) if seat in seen.shown else ""
            article = "a " if made.startswith(SINGULAR) else ""
            parts.append(f"{names[seat]} wins {chips}" + (f" with {article}{made}" if made else ""))
    return "; ".join(parts) or "nobody wins anything"
