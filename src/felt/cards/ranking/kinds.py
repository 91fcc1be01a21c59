"""What each kind of hand is, and the list of its classes from worst to best.

A *class* is what the rules can tell apart: ``K♠K♦2♥2♣2♦`` and ``K♥K♣2♦2♣2♠`` are both "twos full of
kings". A rank value is the number of a class, counted from 1 for the worst, so higher is better for every
kind, lows included; 0 means that no hand qualifies. The lists are made here, once, from the rules; the
shipped tables and the names in words both come from them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, groupby
from typing import NamedTuple

from felt.errors import FeltError, counted

ACE = 12
NATURAL = tuple(range(13))
"""Ranks from worst to best where the ace is high."""

ACE_LOW = (ACE, *range(12))
"""Ranks from lowest to highest where the ace is low."""

SHORT = tuple(range(4, 13))
"""The ranks of the short deck, six to ace."""


class Category(StrEnum):
    """The families of classes, with the words that name them."""

    HIGH_CARD = "high card"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    TRIPS = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    QUADS = "four of a kind"
    STRAIGHT_FLUSH = "straight flush"
    LOW = "low"
    BADUGI = "badugi"


class HandClass(NamedTuple):
    """One class: its family and its ranks, the most important first.

    Of-a-kind hands name each rank once (kings full of twos is ``(11, 0)``), straights their top card
    only, all others every card.
    """

    category: Category
    ranks: tuple[int, ...]


SHAPES = {
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
    Category.PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.TRIPS: (3, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.QUADS: (4, 1),
}
"""How often the ranks of five cards stand. Fewer cards are called the same: they lack the last ones that stand once."""

Straights = dict[frozenset[int], int]


def _straights(order: Sequence[int], *, ace_below: bool) -> Straights:
    """Every five ranks that run on in `order`, with their top rank."""
    run = (order[-1], *order) if ace_below else tuple(order)
    return {frozenset(run[i : i + 5]): run[i + 4] for i in range(len(run) - 4)}


def _of_shape(shape: Sequence[int], order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Ranks for every hand of a shape, from worst to best: `order` says which rank beats which."""
    place = {rank: i for i, rank in enumerate(order)}
    sizes = [len(list(alike)) for _, alike in groupby(shape)]

    def choose(sizes: Sequence[int], left: frozenset[int]) -> Iterator[tuple[int, ...]]:
        if not sizes:
            yield ()
            return
        for ranks in combinations(sorted(left, key=place.__getitem__, reverse=True), sizes[0]):
            for rest in choose(sizes[1:], left.difference(ranks)):
                yield ranks + rest

    return iter(sorted(choose(sizes, frozenset(order)), key=lambda ranks: [place[r] for r in ranks]))


def _of_a_kind(size: int, order: Sequence[int]) -> list[HandClass]:
    """Classes of `size` cards where only equal ranks count."""
    shapes = []
    for category, full in SHAPES.items():
        shape = full[: len(full) - (5 - size)]
        if sum(shape) == size:
            shapes.append((shape, category))
    return [HandClass(category, ranks) for shape, category in sorted(shapes) for ranks in _of_shape(shape, order)]


def _five_card(order: Sequence[int], straights: Straights, families: Iterable[Category]) -> list[HandClass]:
    """Classes of five cards with straights and flushes, the families from worst to best."""
    plain = _of_a_kind(5, order)
    broken = [c.ranks for c in plain if c.category == Category.HIGH_CARD and frozenset(c.ranks) not in straights]
    tops = sorted(straights.values())
    members: dict[Category, list[tuple[int, ...]]] = {
        category: [c.ranks for c in plain if c.category == category] for category in SHAPES
    }
    members[Category.HIGH_CARD] = members[Category.FLUSH] = broken
    members[Category.STRAIGHT] = members[Category.STRAIGHT_FLUSH] = [(top,) for top in tops]
    return [HandClass(family, ranks) for family in families for ranks in members[family]]


_CLASSIC = tuple(Category)[: tuple(Category).index(Category.LOW)]


def _make(name: str) -> list[HandClass]:
    match name:
        case "high":
            return _five_card(NATURAL, _straights(NATURAL, ace_below=True), _CLASSIC)
        case "low-a5":
            return _of_a_kind(5, ACE_LOW)[::-1]
        case "low-27":
            return _five_card(NATURAL, _straights(NATURAL, ace_below=False), _CLASSIC)[::-1]
        case "low-8":
            return [HandClass(Category.LOW, ranks) for ranks in _of_shape((1,) * 5, ACE_LOW[:8])][::-1]
        case "badugi":
            lows = (ranks for cards in (1, 2, 3, 4) for ranks in [*_of_shape((1,) * cards, ACE_LOW)][::-1])
            return [HandClass(Category.BADUGI, ranks) for ranks in lows]
        case "short" | "short-trips":
            families = [*_CLASSIC[:5], Category.FULL_HOUSE, Category.FLUSH, *_CLASSIC[7:]]  # flushes are rarer there
            if name == "short-trips":
                families[3:5] = Category.STRAIGHT, Category.TRIPS
            return _five_card(SHORT, _straights(SHORT, ace_below=True), families)
        case "high-1" | "high-2" | "high-3" | "high-4":
            return _of_a_kind(int(name[-1]), NATURAL)
        case _:
            return _of_a_kind(int(name[-1]), ACE_LOW)[::-1]


@dataclass(frozen=True)
class Kind:
    """A kind of hand: the scale that its values live on, and how many cards it takes."""

    name: str
    title: str
    classes: int
    """Values run from 1 to this."""
    sizes: range
    """How many cards a hand may have; the best choice among them counts."""
    may_miss: bool = False
    """Whether a hand may fail to qualify, which is value 0."""
    lowest_card: int = 0
    """The deck of the kind starts here; the short deck leaves out twos to fives."""

    @property
    def family(self) -> str:
        """The kind whose tables hold the values: incomplete hands share those of complete ones."""
        return self.name[:-2] if len(self.sizes) == 1 else self.name


_FIVE_TO_SEVEN = range(5, 8)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("high", "high", 7462, _FIVE_TO_SEVEN),
        Kind("low-a5", "ace-to-five low", 6175, _FIVE_TO_SEVEN),
        Kind("low-27", "deuce-to-seven low", 7462, _FIVE_TO_SEVEN),
        Kind("low-8", "eight-or-better low", 56, _FIVE_TO_SEVEN, may_miss=True),
        Kind("badugi", "badugi", 1092, range(1, 8)),
        Kind("short", "short-deck high", 1404, _FIVE_TO_SEVEN, lowest_card=4 * SHORT[0]),
        Kind("short-trips", "short-deck high (trips beat a straight)", 1404, _FIVE_TO_SEVEN, lowest_card=4 * SHORT[0]),
        *(
            Kind(f"{family}-{size}", f"{title} of {counted(size, 'card')}", classes, range(size, size + 1))
            for family, title in (("high", "high"), ("low-a5", "ace-to-five low"))
            for size, classes in ((1, 13), (2, 91), (3, 455), (4, 1820))
        ),
    )
}
"""Every kind by name. The kinds that end in ``-1`` to ``-4`` are the scales of incomplete hands."""


def find_kind(name: str) -> Kind:
    """The kind of this name.

    >>> find_kind("badugi").classes
    1092
    """
    kind = KINDS.get(name)
    if kind is None:
        raise FeltError(f"{name!r} is not a kind of hand: choose one of {', '.join(KINDS)}")
    return kind


def scale(kind: str, cards: int) -> Kind:
    """The kind on whose scale a hand of so many cards is ranked.

    That is the kind itself, except that one to four cards have scales of their own: they know pairs
    but neither straights nor flushes, and do not compare with five cards.

    >>> scale("high", 7).name, scale("high", 3).name
    ('high', 'high-3')
    """
    hand_kind = find_kind(kind)
    if cards not in hand_kind.sizes:
        hand_kind = KINDS.get(f"{kind}-{cards}", hand_kind)
    if cards not in hand_kind.sizes:
        are = f"{counted(cards, 'card')} {'is' if cards == 1 else 'are'}"
        low, high = 1 if f"{kind}-1" in KINDS else KINDS[kind].sizes[0], KINDS[kind].sizes[-1]
        sizes = f"{low} to {high} cards" if low != high else counted(low, "card")
        raise FeltError(f"{are} no {hand_kind.title} hand ({kind!r}): give {sizes}")
    return hand_kind


@cache
def hand_classes(kind: str) -> tuple[HandClass, ...]:
    """Every class of a kind from worst to best: value v is the entry v - 1.

    >>> hand_classes("high")[-1]
    HandClass(category=<Category.STRAIGHT_FLUSH: 'straight flush'>, ranks=(12,))
    """
    return tuple(_make(find_kind(kind).name))


def hand_class(value: int, kind: str = "high") -> HandClass | None:
    """The class that a value stands for; None for the 0 of a hand that does not qualify.

    >>> hand_class(56, "low-8").ranks
    (3, 2, 1, 0, 12)
    """
    hand_kind = find_kind(kind)
    if value == 0 and hand_kind.may_miss:
        return None
    if not 1 <= value <= hand_kind.classes:
        raise FeltError(f"{value!r} is not a rank value of kind {kind!r}: values are 1 to {hand_kind.classes}")
    return hand_classes(kind)[value - 1]


def example(value: int, kind: str = "high") -> tuple[int, ...]:
    """Cards that have this value: one hand of the class, the most important cards first.

    >>> from felt.cards.card import format_cards
    >>> format_cards(example(7462)), format_cards(example(1, "badugi"))
    ('AsKsQsJsTs', 'Ks')
    """
    hand = hand_class(value, kind)
    if hand is None:
        raise FeltError(f"{value!r} is the value of every {kind!r} hand that does not qualify: ask for 1 or more")
    suited = hand.category in (Category.FLUSH, Category.STRAIGHT_FLUSH)
    return tuple(4 * rank + (3 if suited else 3 - i % 4) for i, rank in enumerate(_all_ranks(hand, kind)))


def _all_ranks(hand: HandClass, kind: str) -> list[int]:
    """The rank of every card of a class."""
    if hand.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        lowest = SHORT[0] if kind.startswith("short") else NATURAL[0]
        return [rank if rank >= lowest else ACE for rank in range(hand.ranks[0], hand.ranks[0] - 5, -1)]
    times = SHAPES.get(hand.category, (1,) * len(hand.ranks))  # of fewer than five cards the first
    return [rank for rank, count in zip(hand.ranks, times, strict=False) for _ in range(count)]
