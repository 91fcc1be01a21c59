"""How the value tables of hand ranking are made: from the lists of classes, and nothing else.

Suits matter for flushes only, so a kind of hand is a table over the ranks of the cards (with repetition)
and, where flushes count, one over the set of ranks of the suited cards. A hand of more than five cards is
worth the best of what is left when any one card is taken away.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from felt.cards.kinds import KINDS, Category, example, hand_class

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
            values.update(_listed(f"{family}-{size}"))
    level = _listed(family)
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
        found = hand_class(value, family)
        if found is not None and found.category in (Category.FLUSH, Category.STRAIGHT_FLUSH):
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


def _listed(kind: str) -> dict[Ranks, int]:
    """The values of a kind's unsuited classes by their ranks."""
    values: dict[Ranks, int] = {}
    for value in range(1, KINDS[kind].classes + 1):
        found = hand_class(value, kind)
        if found is not None and found.category not in (Category.FLUSH, Category.STRAIGHT_FLUSH):
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
