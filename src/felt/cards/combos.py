"""The 1,326 pairs of hole cards and the 169 classes that they fall into.

A *combo* is a pair of cards, numbered ``b * (b - 1) / 2 + a`` for cards ``a < b``. A *class* is what
players call a starting hand (``AA``, ``AKs``, ``72o``), numbered row by row through the 13 × 13 grid:
aces first, suited hands above the diagonal.
"""

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS
from felt.cards.ranking.hashing import CARD_MASKS
from felt.errors import CardError

COMBO_COUNT = 1326
CLASS_COUNT = 169


def combo_index(first: int, second: int) -> int:
    """Number of the combo made of two different cards, in either order.

    >>> combo_index(51, 50)
    1325
    """
    low, high = (first, second) if first < second else (second, first)
    return high * (high - 1) // 2 + low


COMBO_CARDS: NDArray[np.int8] = np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.int8)
"""``int8[1326, 2]``: the two cards of each combo, the lower first."""

_MASKS = np.array(CARD_MASKS, dtype=np.uint64)
COMBO_MASKS: NDArray[np.uint64] = _MASKS[COMBO_CARDS[:, 0]] | _MASKS[COMBO_CARDS[:, 1]]
"""``uint64[1326]``: each combo as a set of cards, a union of `felt.cards.ranking.hashing.CARD_MASKS`."""


def class_index(first: int, second: int) -> int:
    """Number (0–168) of the starting-hand class of two different cards."""
    low, high = sorted((first >> 2, second >> 2))
    row, col = 12 - high, 12 - low
    return row * 13 + col if first & 3 == second & 3 else col * 13 + row


COMBO_CLASS: NDArray[np.uint8] = np.array([class_index(a, b) for a, b in COMBO_CARDS.tolist()], dtype=np.uint8)
"""``uint8[1326]``: the class of each combo."""


def class_name(index: int) -> str:
    """The name of a class: 0 is ``AA``, 1 ``AKs``, 13 ``AKo``.

    >>> class_name(13)
    'AKo'
    """
    row, col = divmod(index, 13)
    if row == col:
        return RANKS[12 - row] * 2
    return RANKS[12 - min(row, col)] + RANKS[12 - max(row, col)] + ("s" if row < col else "o")


CLASS_NAMES: tuple[str, ...] = tuple(class_name(i) for i in range(CLASS_COUNT))

_CLASS_OF = {name: i for i, name in enumerate(CLASS_NAMES)}


def parse_class(text: str) -> int:
    """The class that a name such as ``AKs``, ``72o`` or ``TT`` stands for."""
    index = _CLASS_OF.get(text[:2].upper() + text[2:].lower())
    if index is None:
        raise CardError(f"{text!r} is not a starting hand: write a pair 'TT', suited 'AKs' or offsuit '72o'")
    return index


CLASS_SIZES: NDArray[np.int64] = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT)
"""Combos in each class: 6 for a pair, 4 suited, 12 offsuit."""
