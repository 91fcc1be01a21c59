"""Hands and boards that differ only in the names of the suits are one and the same.

There are 24 ways to rename the suits. `BoardClasses` numbers the situations of two hole cards with a flop
(1,286,792 of them) or with four board cards (13,960,050) that remain different: boards first, by the 1,755
or 16,432 boards that are their own smallest renaming, then the hole cards beside each. (The 55,190,538 of
the literature also tell apart which of the four cards came last; no measure of strength can.)
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import COMBO_CARDS, COMBO_CLASS, COMBO_COUNT
from felt.cards.ranking.hashing import CARD_MASKS

SUIT_PERMUTATIONS: NDArray[np.uint8] = np.array(list(permutations(range(4))), dtype=np.uint8)
"""``uint8[24, 4]``: suit s becomes ``SUIT_PERMUTATIONS[p, s]``; the first changes nothing."""

_CARDS = np.arange(52)
CARD_PERMUTATIONS: NDArray[np.uint8] = (_CARDS & ~3 | SUIT_PERMUTATIONS[:, _CARDS & 3]).astype(np.uint8)
"""``uint8[24, 52]``: what each renaming makes of each card."""


def _permute_combos() -> NDArray[np.int16]:
    pairs = np.sort(CARD_PERMUTATIONS[:, COMBO_CARDS].astype(np.int16), axis=2)
    low, high = pairs[..., 0], pairs[..., 1]
    return (high * (high - 1) // 2 + low).astype(np.int16)


COMBO_PERMUTATIONS: NDArray[np.int16] = _permute_combos()
"""``int16[24, 1326]``: what each renaming makes of each combo."""


def _representatives() -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    first = np.array([np.flatnonzero(COMBO_CLASS == c)[0] for c in range(169)], dtype=np.int16)
    moved = COMBO_PERMUTATIONS == first[COMBO_CLASS]
    return first, moved.argmax(axis=0).astype(np.uint8)


CLASS_REPRESENTATIVE, COMBO_TO_REPRESENTATIVE = _representatives()
"""The first combo of each class, and for each combo a renaming that takes it there."""


def symmetries(*invariants: NDArray[np.generic]) -> NDArray[np.uint8]:
    """The renamings (rows of `SUIT_PERMUTATIONS`) that leave arrays over cards or combos as they are.

    An invariant is indexed by the 52 cards (a set of cards as booleans) or by the 1,326 combos (a range).

    >>> len(symmetries(np.zeros(52)))
    24
    """
    unchanged = [
        p
        for p in range(24)
        if all(
            np.array_equal(a[CARD_PERMUTATIONS[p] if len(a) == 52 else COMBO_PERMUTATIONS[p]], a) for a in invariants
        )
    ]
    return SUIT_PERMUTATIONS[unchanged]


BLOCKED = 65535
"""In place of a class, where hole cards and board share a card."""


@dataclass(frozen=True)
class BoardClasses:
    """The classes of hole cards with a board of three or four cards."""

    size: int
    board_id: NDArray[np.uint16]
    """By `board_number`: which canonical board it is."""
    renaming: NDArray[np.uint8]
    """By `board_number`: the renaming that makes it canonical."""
    boards: NDArray[np.uint8]
    """Cards of each canonical board."""
    base: NDArray[np.int64]
    """Number of the first class beside each canonical board, and the number of all classes last."""
    local: NDArray[np.uint16]
    """``[canonical board, combo]``: class of the combo beside the board; `BLOCKED` where they share a card."""

    @property
    def count(self) -> int:
        """How many classes there are."""
        return int(self.base[-1])

    def index(self, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The class of two hole cards with a board."""
        number = board_number(board)
        canonical, p = int(self.board_id[number]), int(self.renaming[number])
        low, high = sorted(int(CARD_PERMUTATIONS[p, card]) for card in hole)
        return int(self.base[canonical]) + int(self.local[canonical, high * (high - 1) // 2 + low])


def board_number(board: tuple[int, ...]) -> int:
    """Position of a set of cards among all sets of its size (the combinatorial number system).

    >>> board_number((2, 1, 0)), board_number((49, 50, 51))
    (0, 22099)
    """
    return sum(comb(card, i + 1) for i, card in enumerate(sorted(board)))


@cache
def board_classes(size: int) -> BoardClasses:
    """The classes with a flop (`size` 3) or a turn board (4); made on first use.

    >>> board_classes(3).count
    1286792
    """
    from felt.cards.iso_kernels import number_combos, smallest_renamings

    smallest = np.empty(comb(52, size), dtype=np.uint64)
    renaming = np.empty(len(smallest), dtype=np.uint8)
    smallest_renamings(size, SUIT_PERMUTATIONS, smallest, renaming)
    masks, board_id = np.unique(smallest, return_inverse=True)
    base = np.empty(len(masks) + 1, dtype=np.int64)
    local = np.empty((len(masks), COMBO_COUNT), dtype=np.uint16)
    number_combos(masks, SUIT_PERMUTATIONS, COMBO_PERMUTATIONS, COMBO_CARDS, base, local)
    bits = np.array(CARD_MASKS, dtype=np.uint64)
    boards = np.nonzero(masks[:, None] & bits)[1].reshape(-1, size).astype(np.uint8)
    return BoardClasses(size, board_id.astype(np.uint16), renaming, boards, base, local)
