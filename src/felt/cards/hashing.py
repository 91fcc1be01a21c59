"""How a set of cards becomes an index: one addition a card, two look-ups at the end.

Each card adds a 64-bit key. The low half is a number for its rank, chosen (greedily, the smallest that
works) so that hands of equal size and different ranks have different sums; the high half counts suits, four
bits each, starting at three so that the fifth card of a suit sets the top bit of its counter. The sums are
sparse, so rows of 1,024 are pushed together until they share one array (Tarjan & Yao 1979, row displacement):
``slot = sum + offset[sum >> 10]``. The rows of hands of different sizes stand behind each other; a hand of
`n` cards starts from ``START[n]`` instead of zero.
"""

from collections.abc import Mapping
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
MAX_CARDS = 7
ROW_BITS = 10
SUIT_BITS = 32
"""Where the suit counters begin in a key."""


def _largest_sum(size: int) -> int:
    return sum(([RANK_KEYS[12]] * 4 + [RANK_KEYS[11]] * 3)[:size])


def _starts() -> tuple[int, ...]:
    bias = 0x3333 << SUIT_BITS
    starts, row = [bias], 0
    for size in range(MAX_CARDS, 0, -1):
        starts.insert(1, (row << ROW_BITS) + bias)
        row += (_largest_sum(size) >> ROW_BITS) + 1
    return (*starts, row << ROW_BITS)


*_START, _END = _starts()
START: tuple[int, ...] = tuple(_START)
"""The key that a hand of so many cards starts from."""

CARD_KEYS: tuple[int, ...] = tuple(RANK_KEYS[card >> 2] + (1 << (SUIT_BITS + 4 * (card & 3))) for card in range(52))
"""What each card adds to a key."""

CARD_MASKS: tuple[int, ...] = tuple(1 << (16 * (card & 3) + (card >> 2)) for card in range(52))
"""Each card as a bit: sixteen bits a suit, thirteen of them used."""

FLUSH_BITS = 0x8888 << SUIT_BITS
"""The bits of a key of which one is set when five cards or more share a suit."""


def rank_sums(size: int) -> dict[tuple[int, ...], int]:
    """The low half of the key of every hand of `size` cards, by its ranks in ascending order."""
    start = START[size] & 0xFFFFFFFF
    return {
        ranks: start + sum(RANK_KEYS[rank] for rank in ranks)
        for ranks in combinations_with_replacement(range(13), size)
        if all(ranks[i] != ranks[i + 4] for i in range(size - 4))
    }


def displace_rows() -> tuple[NDArray[np.uint32], int]:
    """Offsets that push all rows into one array without collision, and the length of that array.

    Rows are placed where they first fit, the fullest first, hands of seven cards before all others:
    those are asked for most, and so stay close together. Offsets wrap around at 32 bits. Sums that no hand
    has (a card given twice makes such) also lead to a slot inside the array, whatever it holds.
    """
    offsets = (-(np.arange(_END >> ROW_BITS) << ROW_BITS)).astype(np.uint32)  # empty rows lie over the first slots
    used = np.zeros(1 << 18, dtype=np.bool_)
    last = 0
    for size in range(MAX_CARDS, 0, -1):
        sums = np.array(sorted(rank_sums(size).values()))
        rows = np.split(sums, np.flatnonzero(np.diff(sums >> ROW_BITS)) + 1)
        for row in sorted(rows, key=len, reverse=True):
            number = int(row[0]) >> ROW_BITS
            columns = row - (number << ROW_BITS)
            place = _first_fit(columns, used)
            used[columns + place] = True
            last = max(last, place)
            offsets[number] = (place - (number << ROW_BITS)) & 0xFFFFFFFF
    return offsets, last + (1 << ROW_BITS)


def _first_fit(columns: NDArray[np.int64], used: NDArray[np.bool_]) -> int:
    """The first place where all of these columns are free."""
    lowest = 0
    window = 1 << 14
    while lowest + window < len(used):
        fits = np.ones(window, dtype=np.bool_)
        for column in columns + lowest:
            fits &= ~used[column : column + window]
            if not fits.any():
                break
        found = np.flatnonzero(fits)
        if len(found):
            return lowest + int(found[0])
        lowest += window
    raise AssertionError("the array is too short for the rows")


def value_table(values: Mapping[tuple[int, ...], int], offsets: NDArray[np.uint32], slots: int) -> NDArray[np.uint16]:
    """Values by slot, from values by ranks in ascending order; slots without a hand hold 0."""
    table = np.zeros(slots, dtype=np.uint16)
    for size in range(1, MAX_CARDS + 1):
        for ranks, key in rank_sums(size).items():
            if ranks in values:
                table[(key + int(offsets[key >> ROW_BITS])) & 0xFFFFFFFF] = values[ranks]
    return table
