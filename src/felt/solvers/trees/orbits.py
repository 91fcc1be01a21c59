"""Deals that renamings of suits make of each other, as one.

Of such deals the smallest is kept: cards of a group in order, the groups one after the other. The smallest deal begins
with the smallest of every earlier round, so deals can be grown round by round. How many there are is known without
listing them (Burnside's lemma).
"""

from collections.abc import Iterable, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE, JOKERS
from felt.cards.isomorphism import CARD_PERMUTATIONS

Renamings = NDArray[np.uint8]
"""``[renamings, 54]``: what each makes of each card, jokers staying as they are; the first changes nothing."""

_JOKERS = np.tile(np.arange(DECK_SIZE, DECK_SIZE + JOKERS, dtype=np.uint8), (len(CARD_PERMUTATIONS), 1))
ALL: Renamings = np.hstack([CARD_PERMUTATIONS, _JOKERS])
NONE: Renamings = ALL[:1]
"""Suits keep their names."""


def fixing(renamings: Renamings, groups: Iterable[Sequence[int]]) -> Renamings:
    """Those renamings that leave each of these sets of cards as it is."""
    for group in groups:
        cards = np.array(sorted(group), dtype=np.uint8)
        renamings = renamings[(np.sort(renamings[:, cards], axis=1) == cards).all(axis=1)]
    return renamings


def smallest(rows: NDArray[Any], sizes: Sequence[int], known: Renamings) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """The smallest deal that a renaming makes of each row, and which renaming that is; `sizes` are of the groups."""
    best = np.ascontiguousarray(rows, dtype=np.uint8)
    renaming_of = np.zeros(len(best), dtype=np.intp)
    if best.shape[1] == 0:
        return best, renaming_of
    cuts, text = np.cumsum(sizes)[:-1], f"S{best.shape[1]}"
    for number, renaming in enumerate(known[1:], 1):
        parts = np.split(renaming[rows], cuts, axis=1)
        other = np.ascontiguousarray(np.hstack([np.sort(part, axis=1) for part in parts]))
        less = other.view(text).ravel() < best.view(text).ravel()  # text of one length compares card by card
        best = np.where(less[:, None], other, best)
        renaming_of[less] = number
    return best, renaming_of


def count_orbits(cards: Iterable[int], groups: Sequence[Sequence[int]], known: Renamings) -> list[int]:
    """How many deals of each round renamings cannot make of each other: the mean of those that each leaves as it is."""
    deck, by_round = list(cards), [0] * len(groups)
    for renaming in known:
        for street, count in enumerate(_unchanged(_cycles(deck, renaming), groups)):
            by_round[street] += count
    return [count // len(known) for count in by_round]


def _cycles(deck: list[int], renaming: NDArray[np.uint8]) -> tuple[int, ...]:
    """How many cycles of one, two, three and four cards a renaming has."""
    counts, seen = [0, 0, 0, 0], set[int]()
    for card in deck:
        length = 0
        while card not in seen:
            seen.add(card)
            card, length = int(renaming[card]), length + 1
        if length:
            counts[length - 1] += 1
    return tuple(counts)


def _unchanged(cycles: tuple[int, ...], groups: Sequence[Sequence[int]]) -> list[int]:
    """How many deals of each round have nothing but whole cycles in every group."""
    states, by_round = {cycles: 1}, []
    for sizes in groups:
        for size in sizes:
            after: dict[tuple[int, ...], int] = {}
            for left, ways in states.items():
                for taken in _sums(size, left):
                    rest = tuple(a - b for a, b in zip(left, taken, strict=True))
                    chosen = ways
                    for a, b in zip(left, taken, strict=True):
                        chosen *= comb(a, b)
                    after[rest] = after.get(rest, 0) + chosen
            states = after
        by_round.append(sum(states.values()))
    return by_round


def _sums(size: int, left: tuple[int, ...]) -> list[tuple[int, ...]]:
    """How many cycles of each length, of those that are left, have `size` cards together."""
    sums: list[tuple[int, ...]] = [()]
    for length, most in enumerate(left, 1):
        sums = [(*counts, count) for counts in sums for count in range(min(most, size // length) + 1)]
    return [counts for counts in sums if sum(count * length for length, count in enumerate(counts, 1)) == size]
