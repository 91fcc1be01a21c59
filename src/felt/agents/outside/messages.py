"""What Felt and a program outside say to each other: one JSON object a line (docs/agents/outside-agents.md)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import felt
from felt.agents.api import EVENTS, AgentFault
from felt.agents.outside.lines import shown_line
from felt.cards.card import CARD_NAMES, format_cards
from felt.errors import short_repr
from felt.games.actions import Action
from felt.games.engine.stakes import Stakes
from felt.games.history import Event
from felt.games.moves import MOVES_BY_NAME, Move
from felt.games.rules import GameRules
from felt.games.views.view import View, event_dict

PROTOCOLS = (1, 2)
"""The versions that there are. Since 2, views have the names of the players."""
NAMED = 2
DICE_BITS = 53
"""Of the number that goes with every question: as large as JavaScript keeps whole."""

_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
_MOST_CHIPS = 2**31
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())[
    "scan_once"
]  # twice as quick as `json.loads`, which looks for spaces first


@dataclass(frozen=True)
class Greeting:
    """What a program says of itself."""

    name: str
    protocol: int = 1
    """The version that it speaks."""
    remembers: bool = True
    """Whether it keeps something from hand to hand, so that it has to see them in order."""
    events: tuple[str, ...] = ()
    """What it wants to be told of."""
    several: bool = True
    """Whether it may be asked again before it has answered."""
    games: tuple[str, ...] | None = None
    """The games that it plays; None for all."""

    @classmethod
    def read(cls, line: bytes) -> "Greeting":
        """The answer to `hello`."""
        reply = _object(line)
        protocol = reply.get("protocol")
        if reply.get("type") != "hello" or type(protocol) is not int:
            raise AgentFault("illegal", f'it said {shown_line(line)}, and not {{"type":"hello","protocol":2,…}}')
        if protocol not in PROTOCOLS:
            versions = " and ".join(map(str, PROTOCOLS))
            raise AgentFault("illegal", f"it speaks version {protocol} of the protocol: this Felt speaks {versions}")
        events, games = reply.get("events", []), reply.get("games")
        good = (
            isinstance(reply.get("name"), str)
            and all(isinstance(reply.get(key, True), bool) for key in ("remembers", "several"))
            and _texts(events)
            and (games is None or _texts(games))
        )
        if not good or not set(events) <= set(EVENTS):
            raise AgentFault(
                "illegal",
                f"it said {shown_line(line)}: a hello has a name, remembers and several as true or false, events out "
                f"of {', '.join(EVENTS)}, and games as a list of names",
            )
        return cls(
            reply["name"][:100],
            protocol,
            reply.get("remembers", True),
            tuple(name for name in EVENTS if name in events),
            reply.get("several", True),
            None if games is None else tuple(games),
        )


def line_of(message: dict[str, Any]) -> bytes:
    """A message as it is sent: without spaces, since small programs look for ``"pot":``."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def hello() -> bytes:
    """The first line."""
    return line_of({"type": "hello", "protocol": PROTOCOLS[0], "protocols": PROTOCOLS, "felt": felt.__version__})


def game(rules: GameRules, stakes: Stakes) -> bytes:
    """The game that is played: told before the first hand, and when it changes."""
    return line_of(
        {
            "type": "game",
            "game": rules.name,
            "title": rules.title,
            "players": len(stakes.stacks),
            "stacks": list(stakes.stacks),
            "antes": list(stakes.antes),
            "blinds": list(stakes.posts),
            "big_blind": rules.big_blind,
            "rounds": [part.name for part in rules.rounds],
        }
    )


def event(name: str, view: View, *happened: Event, protocol: int = 1) -> bytes:
    """Something that happened."""
    message: dict[str, Any] = {"type": name}
    if happened:
        message["event"] = event_dict(happened[0])
    return line_of({**message, "view": _view(view, protocol)})


def match_over() -> bytes:
    """The last line."""
    return line_of({"type": "match_over"})


def question(number: int, dice: int, view: View, protocol: int = 1) -> bytes:
    """What is the move?"""
    seen = json.dumps(_view(view, protocol), separators=(",", ":"))
    return question_line(number, dice, view.seat, format_cards(view.own), seen)


def _view(view: View, protocol: int) -> dict[str, Any]:
    """A view in a version of the protocol."""
    seen = view.as_dict()
    return {**seen, "names": list(view.names)} if protocol >= NAMED else seen


def question_line(number: int, dice: int, seat: int, own: str, view: str) -> bytes:
    """A question, the view written already."""
    return f'{{"type":"act","id":{number},"dice":{dice},"seat":{seat},"own":"{own}","view":{view}}}\n'.encode()


def answer(line: bytes) -> dict[str, Any]:
    """An answer with the number of its question; the rest is looked at by `action`."""
    reply = _object(line)
    number = reply.get("id")
    if type(number) is not int:
        raise AgentFault("illegal", f"it said {shown_line(line)}, which does not say which question it answers (id)")
    return reply


def action(reply: dict[str, Any], seat: int) -> Action:
    """The move of an answer. Whether the rules allow it is not looked at."""
    claimed = reply.get("seat", seat)
    if claimed != seat:
        raise AgentFault("illegal", f"it answered for seat {claimed!r:.20}, and sits in seat {seat}")
    move = reply.get("move")
    kind = MOVES_BY_NAME.get(move) if isinstance(move, str) else None
    if kind is None:
        raise AgentFault("illegal", f"it answered {short_repr(reply)}: a move is {', '.join(MOVES_BY_NAME)}")
    if kind == Move.EXCHANGE:
        return Action(kind, cards=_cards(reply))
    amount = reply.get("amount", 0)
    if kind == Move.RAISE and (type(amount) is not int or not 0 < amount < _MOST_CHIPS):
        raise AgentFault("illegal", f"it answered {short_repr(reply)}: a raise has a whole amount, the total")
    return Action(kind, amount if kind == Move.RAISE else 0)


def _cards(reply: dict[str, Any]) -> tuple[int, ...]:
    text = reply.get("cards", "")
    names = [text[at : at + 2] for at in range(0, len(text), 2)] if isinstance(text, str) else [""]
    if not all(name in _CARDS for name in names):
        raise AgentFault("illegal", f'it answered {short_repr(reply)}: write cards like "AsTd"')
    return tuple(_CARDS[name] for name in names)


def _object(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode().strip()
        value, end = _scan(text, 0)
        value = value if end == len(text) else None
    except (ValueError, RecursionError, StopIteration):
        value = None
    if not isinstance(value, dict):
        raise AgentFault("illegal", f"it said {shown_line(line)}, which is no JSON object")
    return value


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
