"""The record of a hand in play: 652 bytes of numbers that are the whole state.

A thousand tables are an array of a thousand such records. Copying a hand is copying bytes.

The record has room that no game uses yet (`fields` calls it reserved): for a second pack of cards, whose cards will be
numbered from 64 on; for second boards, and for boards that are run twice. Kinds of hand with different numbers of hole
cards, as in Drawmaha, need no room in it: the game has that number by kind (`HOLE_EXACTLY`).
"""

import numpy as np
from numpy.typing import NDArray

from felt.games.engine import fields

VERSION = 2
"""Raised when the layout of the record or the meaning of a field changes."""

HAND = np.dtype(
    [
        *((name, "<i4", (fields.SEATS,)) for name in fields.CHIP_FIELDS),
        *((name, "<i4") for name in fields.SCALAR_FIELDS),
        *((name, "u1", (size,)) for name, size in fields.BYTE_FIELDS),
    ]
)

_RESERVED = ("runs", "other_boards", "other_counts")
HAND_1 = np.dtype(
    [
        (name, "u1", (54,)) if name in ("deck", "muck") else (name, HAND[name])
        for name in HAND.names or ()
        if name not in _RESERVED
    ]
)
"""The record of version 1 (508 bytes): one pack of cards, one board."""

SIZES = {1: HAND_1.itemsize, VERSION: HAND.itemsize}
"""Bytes of the record in each version that can be read."""

_CUT = 4 * fields.NUMBERS


def read_record(record: bytes, version: int) -> NDArray[np.uint8]:
    """The bytes of a record of this or an earlier version as those of this one."""
    if version == VERSION:
        return np.frombuffer(record, dtype=np.uint8).copy()
    old, new = np.frombuffer(record, dtype=HAND_1)[0], np.zeros((), dtype=HAND)
    for name in HAND_1.names or ():
        if name in ("deck", "muck"):
            new[name][: len(old[name])] = old[name]
        else:
            new[name] = old[name]
    new["version"] = VERSION
    return np.frombuffer(new.tobytes(), dtype=np.uint8).copy()


def kernel_arrays(record: NDArray[np.uint8]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The bytes of one record as the kernels see it, numbers and bytes: the same memory."""
    return record[:_CUT].view(np.int32), record[_CUT:]
