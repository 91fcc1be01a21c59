"""Class against class before the flop: how often two starting hands meet, and who wins.

Both come from the counted matchups of `felt.odds.equity.exact`, so they are exact: every pair of combos that shares
no card, every board. By symmetry of suits a strategy for the 169 classes loses nothing to one for the 1,326 combos.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import CLASS_COUNT, CLASS_SIZES, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.isomorphism import CLASS_REPRESENTATIVE
from felt.odds.equity.exact import BOARDS, matchup_counts

Floats = NDArray[np.float64]


class ClassTable(NamedTuple):
    """What two players can hold, by class."""

    chance: Floats
    """``[169, 169]``: how likely the two are dealt these classes; sums to 1."""
    equity: Floats
    """``[169, 169]``: share of the pot that the first wins against the second, all cards dealt."""
    prior: Floats
    """``[169]``: how likely one player is dealt each class."""
    tie: Floats
    """``[169, 169]``: how often the two split the pot."""


@cache
def class_table() -> ClassTable:
    """The table, made in a few milliseconds when it is first asked for.

    >>> table = class_table()
    >>> round(float(table.equity[0, 14]), 4)  # AA against KK
    0.8195
    """
    rows = CLASS_REPRESENTATIVE.astype(np.intp)
    wins, ties = matchup_counts(rows, np.arange(COMBO_COUNT))
    apart = (COMBO_MASKS[rows][:, None] & COMBO_MASKS) == 0
    pairs, points, split = np.zeros((3, CLASS_COUNT, CLASS_COUNT))
    for row in range(CLASS_COUNT):
        pairs[row] = np.bincount(COMBO_CLASS, weights=apart[row], minlength=CLASS_COUNT)
        points[row] = np.bincount(COMBO_CLASS, weights=2.0 * wins[row] + ties[row], minlength=CLASS_COUNT)
        split[row] = np.bincount(COMBO_CLASS, weights=ties[row], minlength=CLASS_COUNT)
    chance, boards = pairs * CLASS_SIZES[:, None], BOARDS * pairs
    made = ClassTable(chance / chance.sum(), points / (2 * boards), CLASS_SIZES / COMBO_COUNT, split / boards)
    for array in made:
        array.flags.writeable = False
    return made
