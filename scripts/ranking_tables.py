"""How the value tables of hand ranking are made: from the lists of classes, and nothing else.

Suits matter for flushes only, so a kind of hand is a table over the ranks of the cards (with repetition)
and, where flushes count, one over the set of ranks of the suited cards. A hand of more than five cards is
worth the best of what is left when any one card is taken away.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from felt.cards.ranking.hashing import END, MAX_CARDS, RANK_KEYS, ROW_BITS, START
from felt.cards.ranking.kinds import KINDS, Category, example, hand_class

FAMILIES = ("high", "low-a5", "low-27", "low-8", "short", "short-trips")
"""The kinds that have a table over ranks."""

SUITED = ("high", "low-27", "short", "short-trips")
"""The kinds in which flushes count."""

Ranks = tuple[int, ...]


def rank_values(family: str) -> dict[Ranks, int]:
    """Value of every hand of up to seven cards by its ranks in ascending order, as if no five were suited.

    One to four cards have values on their own scales, where the family has such; ranks that cannot occur
    in the kind's deck, and hands too small for it, are left out.
    """
    values: dict[Ranks, int] = {}
    for size in range(1, 5):
        if f"{family}-{size}" in KINDS:
            values.update(_unsuited_values(f"{family}-{size}"))
    level = _unsuited_values(family)
    if KINDS[family].may_miss:
        level = {ranks: level.get(ranks, 0) for ranks in _multisets(5)}
    values.update(level)
    deck = sorted({rank for ranks in level for rank in ranks})
    for size in (6, 7):
        level = {ranks: max(level[ranks[:i] + ranks[i + 1 :]] for i in range(size)) for ranks in _multisets(size, deck)}
        values.update(level)
    return values


def flush_values(family: str) -> NDArray[np.uint16]:
    """``uint16[8192]``: value of the suited cards alone by their set of ranks; 0 for fewer than five.

    With more than five, the best five. In deuce-to-seven that is the least bad flush: a hand of more than five
    cards may have better without one, and the ranker has to look.
    """
    table = np.zeros(8192, dtype=np.uint16)
    for value in range(1, KINDS[family].classes + 1):
        hand = hand_class(value, family)
        if hand is not None and hand.category in (Category.FLUSH, Category.STRAIGHT_FLUSH):
            table[_mask(example(value, family))] = value
    for size in (6, 7):
        for ranks in combinations(range(13), size):
            mask = sum(1 << rank for rank in ranks)
            table[mask] = max(table[mask ^ 1 << rank] for rank in ranks)
    return table


def badugi_values() -> NDArray[np.uint16]:
    """``uint16[8192]``: value of one to four cards of different suits by their set of ranks, else 0."""
    table = np.zeros(8192, dtype=np.uint16)
    for value in range(1, KINDS["badugi"].classes + 1):
        table[_mask(example(value, "badugi"))] = value
    return table


def _unsuited_values(kind: str) -> dict[Ranks, int]:
    """The values of a kind's unsuited classes by their ranks."""
    values: dict[Ranks, int] = {}
    for value in range(1, KINDS[kind].classes + 1):
        hand = hand_class(value, kind)
        if hand is not None and hand.category not in (Category.FLUSH, Category.STRAIGHT_FLUSH):
            values[tuple(sorted(card // 4 for card in example(value, kind)))] = value
    return values


def _multisets(size: int, deck: Iterable[int] = range(13)) -> Iterator[Ranks]:
    """All ranks of hands of `size` cards: with repetition, none more than four times."""
    for ranks in combinations_with_replacement(deck, size):
        if all(ranks[i] != ranks[i + 4] for i in range(size - 4)):
            yield ranks


def _mask(cards: Ranks) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card // 4
    return mask


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
    offsets = (-(np.arange(END >> ROW_BITS) << ROW_BITS)).astype(np.uint32)  # empty rows lie over the first slots
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
        places = np.flatnonzero(fits)
        if len(places):
            return lowest + int(places[0])
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
