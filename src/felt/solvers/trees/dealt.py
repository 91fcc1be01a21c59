"""All ways in which cards may fall, as classes with exact chances.

Where suits never matter, cards of one rank are one class; where they are mere names, deals that a renaming makes of
each other are one, and the smallest is kept: cards of a group in order, the groups one after the other. Deals are a
tree by round: each deal of a round goes on as some deals of the next, which stand together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE, JOKERS
from felt.cards.isomorphism import CARD_PERMUTATIONS
from felt.games.history import UNKNOWN
from felt.games.moves import EventKind
from felt.games.rules import GameRules
from felt.games.trees.tree import suits_matter
from felt.games.views.keys import view_information
from felt.games.views.view import View

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
    """The smallest deal that a renaming makes of each row, and which renaming that is; `sizes` are of the groups.

    It begins with the smallest of every earlier round, so deals can be grown round by round.
    """
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
    """How many deals of each round renamings cannot make of each other: the mean of those that each leaves as it is
    (Burnside's lemma)."""
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
                    after[rest] = after.get(rest, 0) + ways * prod(map(comb, left, taken))
            states = after
        by_round.append(sum(states.values()))
    return by_round


def _sums(size: int, left: tuple[int, ...]) -> list[tuple[int, ...]]:
    """How many cycles of each length, of those that are left, have `size` cards together."""
    sums: list[tuple[int, ...]] = [()]
    for length, most in enumerate(left, 1):
        sums = [(*counts, count) for counts in sums for count in range(min(most, size // length) + 1)]
    return [counts for counts in sums if sum(count * length for length, count in enumerate(counts, 1)) == size]


Ints = NDArray[np.int64]

_Dealt = tuple[NDArray[np.int16], Ints, NDArray[np.float64]]
"""Deals: the classes of their cards, the deals of the round before, and in how many ways each comes about."""

DEAL, DEAL_BY_CARD = 110, 14
"""Bytes of a deal, and of each card in it, while deals are listed."""


@dataclass(frozen=True, eq=False)
class Deals:
    """The deals of one round, each with all cards that lie by then."""

    classes: NDArray[np.int16]  # [deals, cards]: hole cards by seat, then the board; ranks, or cards where suits matter
    chance: NDArray[np.float64]  # given the deal of the round before
    parent: Ints  # the deal of the round before
    first: Ints  # [deals of the round before + 1]: where the deals that go on from each of them begin

    @cached_property
    def _codes(self) -> tuple[Ints, Ints]:
        """The classes that there are, and the deals as numbers with one digit for each card, in order."""
        values = np.flatnonzero(np.bincount(self.classes.ravel()))
        return values, encode(np.searchsorted(values, self.classes), len(values))

    def find(self, rows: NDArray[Any]) -> Ints:
        """Which deal each row of classes is."""
        values, codes = self._codes
        return np.searchsorted(codes, encode(np.searchsorted(values, rows), len(values)))


def encode(digits: NDArray[Any], radix: int, before: Ints | int = 0) -> Ints:
    """Rows of digits as numbers, which are in the same order; `before` are the digits to the left."""
    code = np.zeros(len(digits), dtype=np.int64) + before
    for column in digits.T:
        code = code * radix + column
    return code


def all_deals(
    cards: Sequence[int], groups: Sequence[Sequence[int]], *, suits: bool, renamings: Renamings = NONE
) -> list[Deals]:
    """Every deal of each round; `groups` are the numbers of cards dealt together, by round.

    >>> [len(deals.chance) for deals in all_deals(range(0, 12, 2), [[1, 1], [1]], suits=False)]
    [9, 24]
    """
    classes, counts = np.unique([card if suits else card >> 2 for card in cards], return_counts=True)
    held = np.zeros((1, 0), dtype=np.int16)
    by_round, dealt = list[Deals](), list[int]()
    for sizes in groups:
        before, parent, ways = len(held), np.arange(len(held)), np.ones(len(held))
        for size in sizes:
            held, parent, ways = _deal_group((held, parent, ways), size, classes, counts)
            dealt.append(size)
            if len(renamings) > 1:
                held, parent, ways = _orbits((held, parent, ways), dealt, renamings)
        total = np.bincount(parent, ways, minlength=before)
        first = np.searchsorted(parent, np.arange(before + 1))
        by_round.append(Deals(held, ways / total[parent], parent, first))
    return by_round


def _orbits(dealt: _Dealt, sizes: Sequence[int], renamings: Renamings) -> _Dealt:
    """Of deals that renamings make of each other, the smallest, for all of them; they go on from the same deal."""
    held, parent, ways = dealt
    least = smallest(held, sizes, renamings)[0]
    text = np.ascontiguousarray(least).view(f"S{least.shape[1]}").ravel()
    _, at, orbit = np.unique(text, return_index=True, return_inverse=True)
    together: NDArray[np.float64] = np.bincount(orbit, weights=ways, minlength=len(at)).astype(np.float64)
    return least[at].astype(np.int16), parent[at], together


def count_deals(
    cards: Sequence[int], groups: Sequence[Sequence[int]], *, suits: bool, renamings: Renamings = NONE
) -> list[int]:
    """How many deals each round has, counted without making them."""
    if len(renamings) > 1:
        return count_orbits(cards, groups, renamings)
    classes, counts = np.unique([card if suits else card >> 2 for card in cards], return_counts=True)
    ways, left, by_round = 1, len(classes), list[int]()
    states: dict[tuple[int, ...], int] = {tuple(counts.tolist()): 1}
    for sizes in groups:
        for size in sizes:
            if (counts == 1).all():
                ways, left = ways * comb(left, size), left - size
            else:
                states = _taken(states, size)
                ways = sum(states.values())
        by_round.append(ways)
    return by_round


def dealing_bytes(
    cards: Sequence[int], groups: Sequence[Sequence[int]], *, suits: bool, renamings: Renamings = NONE
) -> float:
    """The most memory that `all_deals` takes at a time: a group is dealt whole before deals that are one are put
    together."""
    flat = [[size] for sizes in groups for size in sizes]
    counts = count_deals(cards, flat, suits=suits, renamings=renamings)
    held_bytes, most, held, before, left = 0.0, 0.0, 0, 1, len(cards)
    for (size,), count in zip(flat, counts, strict=True):
        held += size
        rows = before * comb(left, size) if len(renamings) > 1 else count
        most = max(most, held_bytes + rows * (DEAL + DEAL_BY_CARD * held))
        held_bytes, before, left = held_bytes + count * (24 + 2 * held), count, left - size
    return most


def _taken(states: dict[tuple[int, ...], int], size: int) -> dict[tuple[int, ...], int]:
    """How many deals leave which cards, when one more group is dealt."""
    after: dict[tuple[int, ...], int] = {}

    def take(left: tuple[int, ...], at: int, more: int, ways: int) -> None:
        if more == 0:
            after[left] = after.get(left, 0) + ways
        elif at < len(left):
            for count in range(min(left[at], more) + 1):
                take((*left[:at], left[at] - count, *left[at + 1 :]), at + 1, more - count, ways)

    for left, ways in states.items():
        take(left, 0, size, ways)
    return after


def _deal_group(dealt: _Dealt, size: int, classes: Ints, counts: Ints) -> _Dealt:
    """Deal one group to every deal so far: card by card, none lower than the one before it."""
    held, parent, ways = dealt
    run = np.zeros(len(held))
    for place in range(size):
        parts = []
        for kind, count in zip(classes, counts, strict=True):
            left = count - (held == kind).sum(axis=1)
            rows = np.flatnonzero((left > 0) & ((held[:, -1] <= kind) if place else True))
            again = run[rows] * (held[rows, -1] == kind) + 1 if place else np.ones(len(rows))
            parts.append((rows, np.full(len(rows), kind), left[rows] / again, again))
        rows, kinds, factor, run = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(rows, kind="stable")
        rows, run = rows[order], run[order]
        held = np.column_stack([held[rows], kinds[order]]).astype(np.int16)
        parent, ways = parent[rows], ways[rows] * factor[order]
    return held, parent, ways


@lru_cache(maxsize=64)
def renamings(rules: GameRules) -> Renamings:
    """The renamings of suits that leave a game as it is: up to 24, and one alone where suits have meanings.

    >>> from felt.games import load
    >>> len(renamings(load("nlhe"))), len(renamings(load("leduc")))
    (24, 1)
    """
    formulas = (text for score in rules.showdown.scoring for text in (score.subrank, *score.conditions))
    if not suits_matter(rules) or rules.has_draws or any("suit" in text for text in formulas):
        return NONE  # by rank alone; or nobody can say what a formula makes of a suit
    return fixing(ALL, [rules.deck.cards, rules.showdown.wild])


def seen_information(view: View, *, suits: bool, isomorphic: bool) -> str:
    """What a seat knows (`games.views.keys.view_information`) by the names that suits have in an isomorphic tree."""
    known = renamings(view.rules)
    if not isomorphic or len(known) == 1:
        return view_information(view, suits=suits)
    shown = (event for event in view.history if event.kind in (EventKind.DOWN, EventKind.BOARD))
    groups = [event.cards for event in shown if UNKNOWN not in event.cards]
    row = np.array([[card for group in groups for card in sorted(group)]], dtype=np.uint8)
    _, renaming = smallest(row, [len(group) for group in groups], known)
    return view_information(view, suits=suits, names=known[renaming[0]].tolist())
