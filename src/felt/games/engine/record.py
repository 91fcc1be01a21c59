"""The record of a hand in play: 508 bytes of numbers that are the whole state.

A thousand tables are an array of a thousand such records. Copying a hand is copying bytes.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from felt.games import fields

VERSION = 1
"""Raised when the layout of the record or the meaning of a field changes."""

HAND = np.dtype(
    [
        *((name, "<i4", (10,)) for name in fields.CHIP_FIELDS),
        *((name, "<i4") for name in fields.SCALAR_FIELDS),
        *((name, "u1", (size,)) for name, size in fields.BYTE_FIELDS),
    ]
)


_CUT = 4 * fields.NUMBERS


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


class Move(IntEnum):
    """What a player does. Raises carry the total for the street, exchanges a set of the player's cards."""

    FOLD = 0
    CALL = 1
    """Check, call or post the bring-in."""
    RAISE = 2
    EXCHANGE = 3


class Method(IntEnum):
    """How the kernels rank a kind of hand."""

    PLAIN = 0
    """Through the hash of ranks; a flush is the best a hand can be, or counts for nothing."""
    LOW_27 = 1
    BADUGI = 2
    FORMULAS = 3
    WILD = 4


class FirstCode(IntEnum):
    """`First` as numbers."""

    AFTER_BUTTON = 0
    AFTER_BLINDS = 1
    LOWEST_UP = 2
    HIGHEST_UP = 3
    BEST_UP = 4
    BEST_LOW_UP = 5


class StructureCode(IntEnum):
    """`Structure` as numbers; a round without betting has none."""

    NONE = 0
    NO_LIMIT = 1
    LIMIT = 2
    POT_LIMIT = 3
    SPREAD = 4


def kernel_arrays(record: NDArray[np.uint8]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The bytes of one record as the kernels see it, numbers and bytes: the same memory."""
    return record[:_CUT].view(np.int32), record[_CUT:]
