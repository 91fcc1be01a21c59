"""Codes of moves, phases and events: the one table that the engine, views, keys, formats and logs read.

Kernels and loops over many hands compare with the whole numbers (`FOLD`, `BET` …); everything else uses the enums.
"""

from enum import IntEnum, StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray


class Move(IntEnum):
    """What a player does. Raises carry the total for the street, exchanges a set of the player's cards."""

    FOLD = 0
    CALL = 1
    """Check, call or post the bring-in."""
    RAISE = 2
    EXCHANGE = 3


class Phase(IntEnum):
    """What the hand waits for."""

    ROLL = 0
    """Everybody chooses which of their cards to turn up; they are turned when all have chosen."""
    PASS = 1
    DISCARD = 2
    DRAW = 3
    BET = 4
    SHOWDOWN = 5
    OVER = 6


class EventKind(StrEnum):
    """What can happen in a hand, apart from posting antes and blinds, which stand in the record itself."""

    DOWN = "down"
    """Cards dealt to a seat face down."""
    UP = "up"
    """Cards dealt to a seat face up."""
    BOARD = "board"
    FOLD = "fold"
    CALL = "call"
    """A check or a call, or posting the bring-in."""
    RAISE = "raise"
    """A bet, raise or completion; `amount` is the seat's total for the street."""
    DRAW = "draw"
    """Cards thrown away to be replaced (none for standing pat); the new ones follow as DOWN."""
    DISCARD = "discard"
    PASS = "pass"
    ROLL = "roll"
    """Cards that a seat chooses to turn up; others see them in what follows, when all have chosen."""
    ROLLED = "rolled"
    """Cards of a seat that were face down and are up from now on."""
    SHOW = "show"
    MUCK = "muck"


FOLD, CALL, RAISE, EXCHANGE = map(int, Move)
ROLL, PASS, DISCARD, DRAW, BET, SHOWDOWN, OVER = map(int, Phase)

MOVES_BY_NAME = {move.name.lower(): move for move in Move}
"""Moves as protocols and requests name them: fold, call, raise, exchange."""

DEALS = (EventKind.DOWN, EventKind.UP, EventKind.BOARD)
SHOWS = (EventKind.SHOW, EventKind.MUCK)
EVENT_OF_MOVE = {Move.FOLD: EventKind.FOLD, Move.CALL: EventKind.CALL, Move.RAISE: EventKind.RAISE}
"""The event of each move of the betting."""
MOVE_OF_EVENT = {event: move for move, event in EVENT_OF_MOVE.items()}
EXCHANGE_OF_PHASE = {
    Phase.ROLL: EventKind.ROLL,
    Phase.PASS: EventKind.PASS,
    Phase.DISCARD: EventKind.DISCARD,
    Phase.DRAW: EventKind.DRAW,
}
"""What an exchange of cards is in each phase that has one."""
EXCHANGES = tuple(EXCHANGE_OF_PHASE.values())

LETTERS = {
    EventKind.FOLD: "f",
    EventKind.CALL: "c",
    EventKind.RAISE: "r",
    EventKind.DRAW: "d",
    EventKind.DISCARD: "t",
    EventKind.PASS: "p",
    EventKind.ROLL: "u",
}
"""How moves are written in the names of information sets, and those of the betting in ACPC's protocol."""
MOVE_LETTERS = {move: LETTERS[event] for move, event in EVENT_OF_MOVE.items()}

MOVE_BITS = 2
MOVE_MASK = (1 << MOVE_BITS) - 1

Codes = TypeVar("Codes", int, NDArray[np.int64])


def encode_move(move: Codes, amount: Codes) -> Codes:
    """A move and its amount as one number, for logs and for tables in lockstep; or arrays of them.

    >>> encode_move(Move.RAISE, 6), decode_move(26)
    (26, (2, 6))
    """
    return amount << MOVE_BITS | move


def decode_move(code: Codes) -> tuple[Codes, Codes]:
    """The move and its amount (of an exchange, the set of places as bits)."""
    return code & MOVE_MASK, code >> MOVE_BITS
