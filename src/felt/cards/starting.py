"""Starting hands before the flop: Chen points, Sklansky–Malmuth groups, rankings and "top x %".

The 169 classes are put in order by one of four rankings:

- ``equity``: the chance to win against one random hand, all cards dealt (exact);
- ``multiway``: the same against three random hands (sampled), which lifts suited and connected cards;
- ``chen``: Chen's points, ties broken by equity;
- ``sklansky``: the groups of Sklansky and Malmuth, ties broken by equity.

Percentages are of the 1,326 combos, so a pair counts 6, a suited hand 4 and an offsuit hand 12.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.card import parse_cards
from felt.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_COUNT, class_index, parse_class
from felt.errors import CardError, RangeError

RANKINGS = ("equity", "multiway", "chen", "sklansky")
"""The names that `ranking=` takes, and that range text takes after ``by``."""

DEFAULT_RANKING = "equity"

WEIGHT_DECIMALS = 12
"""The fraction on the border is rounded to so many places: 0.63 is nicer to read than 0.6300000000000002."""

UNGROUPED = 9
"""The group of every hand that Sklansky and Malmuth leave out of their eight."""

_GROUPS = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 ATs KJs QJs JTs AQo",
    "88 KTs QTs J9s T9s 98s AJo KQo",
    "77 66 A9s A8s A7s A6s A5s A4s A3s A2s Q9s T8s 97s 87s 76s KJo QJo JTo",
    "55 J8s 86s 75s 65s 54s ATo KTo QTo",
    "44 33 22 K9s K8s K7s K6s K5s K4s K3s K2s Q8s T7s 64s 53s 43s J9o T9o 98o",
    "J7s 96s 85s 74s 42s 32s A9o K9o Q9o J8o T8o 87o 76o 65o 54o",
)

_GROUP_OF = {parse_class(name): number for number, names in enumerate(_GROUPS, start=1) for name in names.split()}

_HIGH_CARD_POINTS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0)  # 2 to ace
_GAP_POINTS = (0, -1, -2, -4, -5)  # cards missing between the two: none, one, two, three, more
_QUEEN = 10


def starting_class(hand: str | Iterable[int]) -> int:
    """Class number (0–168) of a starting hand: a name like ``AKs``, or two cards like ``AsKs``.

    >>> starting_class("As Kd") == starting_class("AKo") == 13
    True
    """
    if isinstance(hand, str):
        name = hand.strip().replace("10", "T")
        if len(name) <= 3:
            return parse_class(name)
    cards = parse_cards(hand)
    if len(cards) != 2 or max(cards) > 51:
        raise CardError(f"{hand!r} is not a starting hand: write two cards like 'AsKd', or a class like 'AKs'")
    return class_index(cards[0], cards[1])


def chen(hand: str | Iterable[int]) -> int:
    """Points of a starting hand by Bill Chen's formula, −1 (72o and its like) to 20 (aces).

    The high card scores (ace 10, king 8, queen 7, jack 6, others half their rank); a pair counts it
    twice and at least 5. Otherwise: 2 for suited cards; minus 1, 2, 4, 5 for one, two, three, more
    cards missing between them (the ace is high only); plus 1 if at most one is missing and both are
    below the queen. Half points are rounded up at the end.

    >>> chen("AA"), chen("AKs"), chen("T9s"), chen("72o")
    (20, 12, 8, -1)
    """
    row, col = divmod(starting_class(hand), 13)
    high, low = 12 - min(row, col), 12 - max(row, col)
    points = _HIGH_CARD_POINTS[high]
    if high == low:
        return ceil(max(2 * points, 5))
    missing = high - low - 1
    points += _GAP_POINTS[min(missing, 4)]
    if row < col:
        points += 2
    if missing <= 1 and high < _QUEEN:
        points += 1
    return ceil(points)


def sklansky_group(hand: str | Iterable[int]) -> int:
    """Sklansky–Malmuth group of a starting hand, 1 (best) to 8; 9 is every hand that they leave out.

    >>> sklansky_group("JJ"), sklansky_group("AKo"), sklansky_group("A2s"), sklansky_group("72o")
    (1, 2, 5, 9)
    """
    return _GROUP_OF.get(starting_class(hand), UNGROUPED)


def group_hands(group: int) -> tuple[str, ...]:
    """The classes of one Sklansky–Malmuth group (1–8), or of the rest (9), best equity first.

    >>> group_hands(1)
    ('AA', 'KK', 'QQ', 'JJ', 'AKs')
    """
    if not 1 <= group <= UNGROUPED:
        raise RangeError(f"there is no Sklansky-Malmuth group {group}: groups are 1 to 8, and 9 for the rest")
    ordered = (CLASS_NAMES[index] for index in ranked_classes("sklansky"))
    return tuple(name for name in ordered if sklansky_group(name) == group)


def preflop_equity(hand: str | Iterable[int], opponents: int = 1) -> float:
    """Chance to win (ties shared) against 1–9 random hands, all five board cards dealt.

    Exact against one; against more it is sampled, two million deals for each class, which leaves a
    standard error of 0.0003.

    >>> round(preflop_equity("AA"), 4)
    0.852
    """
    if not 1 <= opponents <= 9:
        raise RangeError(f"{opponents} opponents: preflop equities are kept for 1 to 9 random hands")
    return float(_tables.load("starting_equity")[starting_class(hand), opponents - 1])


@lru_cache(maxsize=len(RANKINGS))
def ranked_classes(ranking: str = DEFAULT_RANKING) -> NDArray[np.int64]:
    """``int64[169]``: the classes from best to worst under a ranking (see `RANKINGS`).

    >>> [CLASS_NAMES[index] for index in ranked_classes("chen")[:5]]
    ['AA', 'KK', 'QQ', 'JJ', 'AKs']
    """
    if ranking not in RANKINGS:
        raise RangeError(f"there is no ranking {ranking!r}: choose one of {', '.join(RANKINGS)}")
    equities = _tables.load("starting_equity")
    by_equity = -equities[:, 0]
    if ranking == "chen":
        first = np.array([-chen(name) for name in CLASS_NAMES])
    elif ranking == "sklansky":
        first = np.array([sklansky_group(name) for name in CLASS_NAMES])
    else:
        first = by_equity if ranking == "equity" else -equities[:, 2]
    order = np.lexsort((np.arange(CLASS_COUNT), by_equity, first))
    order.flags.writeable = False
    return order


def percentile(hand: str | Iterable[int], ranking: str = DEFAULT_RANKING) -> float:
    """How far down a ranking a hand stands: it is in the top so many per cent of the 1,326 combos.

    The smallest `percent` for which `top_classes` has the whole class in it: 0.45 for aces, 100 for
    the worst hand.

    >>> round(percentile("AA"), 2), round(percentile("KK"), 2)
    (0.45, 0.9)
    """
    order = ranked_classes(ranking)
    place = int(np.flatnonzero(order == starting_class(hand))[0])
    return 100 * int(CLASS_SIZES[order[: place + 1]].sum()) / COMBO_COUNT


def top_classes(percent: float, ranking: str = DEFAULT_RANKING) -> NDArray[np.float64]:
    """``float64[169]``: the weight of each class in the best `percent` of combos.

    The class that crosses the limit gets the fraction that is left, so the weights times the class
    sizes add up to `percent` of 1,326.

    >>> weights = top_classes(1)
    >>> {CLASS_NAMES[i]: round(float(weights[i]), 3) for i in weights.nonzero()[0]}
    {'AA': 1.0, 'KK': 1.0, 'QQ': 0.21}
    """
    if not 0 <= percent <= 100:
        raise RangeError(f"{percent:g} % is no share of hands: write a number from 0 to 100")
    order = ranked_classes(ranking)
    sizes = CLASS_SIZES[order]
    before = np.cumsum(sizes) - sizes
    weights = np.empty(CLASS_COUNT)
    weights[order] = np.clip((percent * COMBO_COUNT / 100 - before) / sizes, 0.0, 1.0)
    return np.round(weights, WEIGHT_DECIMALS)
