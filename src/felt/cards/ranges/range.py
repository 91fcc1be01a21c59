"""A range: how likely a player is to hold each of the 1,326 pairs of hole cards.

`Range` is a value. It never changes, two ranges with the same weights are equal, and every operation
gives a new one. The text that players paste is read in `felt.cards.ranges.notation`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from felt.cards.card import format_cards, is_joker, parse_cards
from felt.cards.combos import CLASS_COUNT, CLASS_SIZES, COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.ranges.chart import range_svg
from felt.cards.ranges.notation import parse_weights
from felt.cards.ranges.notation_writer import class_extremes, format_weights
from felt.cards.ranking.hashing import CARD_MASKS
from felt.cards.starting import DEFAULT_RANKING, top_classes
from felt.errors import RangeError

_DECIMALS: Final = 15
"""Differences are rounded to so many places, so that 1 − 0.9 is 0.1 and not 0.09999999999999998."""


class Range:
    """Weights from 0 (never) to 1 (always) for the 1,326 combos, in the order of `felt.cards.combos`.

    >>> opening = Range.parse("TT+, AQs+, AKo:0.5")
    >>> opening.combos
    44.0
    >>> str(opening - Range.parse("QQ"))
    'KK+,JJ-TT,AQs+,AKo:0.5'
    """

    __slots__ = ("_weights",)

    def __init__(self, weights: ArrayLike) -> None:
        """A range from 1,326 weights, which are copied."""
        array = np.array(weights, dtype=np.float64) + 0.0  # + 0.0 turns -0.0 into 0.0, for equal hashes
        if array.shape != (COMBO_COUNT,):
            raise RangeError(f"a range has 1,326 weights, one for each combo; these have the shape {array.shape}")
        wrong = np.flatnonzero(~((array >= 0) & (array <= 1)))
        if wrong.size:
            combo = int(wrong[0])
            raise RangeError(f"the weight {array[combo]:g} of {combo_text(combo)} is not between 0 and 1")
        array.flags.writeable = False
        self._weights = array

    @staticmethod
    def parse(text: str, ranking: str = DEFAULT_RANKING) -> "Range":
        """The range that `text` describes, in any notation of docs/study/ranges.md.

        `ranking` decides what "the top 20 %" are, unless the text says it (``20% by chen``). Text that
        cannot be read and a range without hands raise RangeError.

        >>> Range.parse("99-22, A5s-A2s:0.5, KQ").combos
        72.0
        """
        return _parse(text, ranking)

    @classmethod
    def from_hands(cls, hands: Mapping[str, float] | Iterable[str | Iterable[int]]) -> "Range":
        """A range from hands, each in any notation or as two card numbers; a mapping gives weights.

        >>> str(Range.from_hands({"AA": 1, "AKs": 0.25}))
        'AA,AKs:0.25'
        """
        weighted = hands.items() if isinstance(hands, Mapping) else ((hand, 1.0) for hand in hands)
        weights = np.zeros(COMBO_COUNT)
        for hand, weight in weighted:
            part = parse_weights(hand if isinstance(hand, str) else format_cards(hand))
            weights = np.where(part > 0, part * weight, weights)
        return cls(weights)

    @classmethod
    def from_classes(cls, weights: ArrayLike) -> "Range":
        """A range from 169 weights, one for each starting-hand class in the order of the grid."""
        array = np.asarray(weights, dtype=np.float64).reshape(-1)
        if array.shape != (CLASS_COUNT,):
            raise RangeError(f"there are 169 starting-hand classes; here are {array.size} weights")
        return cls(array[COMBO_CLASS])

    @classmethod
    def top(cls, percent: float, ranking: str = DEFAULT_RANKING) -> "Range":
        """The best `percent` of all combos; the class on the border gets the fraction that fits.

        >>> str(Range.top(1.0))
        'KK+,QQ:0.21'
        """
        return cls.from_classes(top_classes(percent, ranking))

    @classmethod
    def full(cls) -> "Range":
        """Every combo with weight 1: a random hand."""
        return cls(np.ones(COMBO_COUNT))

    @classmethod
    def empty(cls) -> "Range":
        """No combo at all."""
        return cls(np.zeros(COMBO_COUNT))

    @property
    def weights(self) -> NDArray[np.float64]:
        """``float64[1326]``, read-only."""
        return self._weights

    @property
    def combos(self) -> float:
        """Sum of the weights: 6 for AA, 3 for AA at half weight, 1326 for a random hand."""
        return float(self._weights.sum())

    @property
    def share(self) -> float:
        """`combos` as a share (0–1) of all 1,326."""
        return self.combos / COMBO_COUNT

    def weight(self, hand: str) -> float:
        """Mean weight of the combos of a hand or of any range text.

        >>> Range.parse("AKs").weight("AK")
        0.25
        """
        weights = self._weights[parse_weights(hand) > 0]
        return float(np.clip(weights.mean(), weights.min(), weights.max()))

    def class_weights(self) -> NDArray[np.float64]:
        """``float64[169]``: the mean weight of each starting-hand class."""
        means = np.bincount(COMBO_CLASS, weights=self._weights, minlength=CLASS_COUNT) / CLASS_SIZES
        return np.clip(means, *class_extremes(self._weights))  # a mean of equal weights is that weight, to the last bit

    def grid(self) -> NDArray[np.float64]:
        """``float64[13, 13]``: class weights as on a chart, aces first, suited hands above the diagonal."""
        return self.class_weights().reshape(13, 13)

    def to_svg(self, *, title: str | None = None) -> str:
        """The 13 × 13 chart as an SVG picture, see `felt.cards.ranges.chart.range_svg`."""
        return range_svg(self, title=title)

    def without(self, cards: str | Iterable[int]) -> "Range":
        """The range when these cards are known to be elsewhere; it may be empty afterwards.

        >>> Range.parse("AA, AK").without("As Kd").combos
        12.0
        """
        known = {card for card in parse_cards(cards, unique=False) if not is_joker(card)}
        gone = np.uint64(sum(CARD_MASKS[card] for card in known))
        return Range(np.where(COMBO_MASKS & gone, 0.0, self._weights))

    def scaled(self, factor: float) -> "Range":
        """Every weight times `factor`; weights above 1 are an error."""
        if not factor >= 0:
            raise RangeError(f"cannot scale a range by {factor:g}: the factor must not be negative")
        return Range(self._weights * factor)

    def __or__(self, other: "Range") -> "Range":
        """Either range: the larger weight of each combo."""
        return Range(np.maximum(self._weights, other._weights))

    def __and__(self, other: "Range") -> "Range":
        """Both ranges: the smaller weight of each combo."""
        return Range(np.minimum(self._weights, other._weights))

    def __sub__(self, other: "Range") -> "Range":
        """What is left after taking away the other's weights, at least 0 for each combo."""
        return Range(np.maximum(np.round(self._weights - other._weights, _DECIMALS), 0.0))

    def __invert__(self) -> "Range":
        """The complement: 1 minus each weight."""
        return Range(np.round(1.0 - self._weights, _DECIMALS))

    __mul__ = __rmul__ = scaled

    def __contains__(self, hand: str) -> bool:
        """Whether every combo of a hand (or of any range text) is in the range, at whatever weight.

        >>> "AsKs" in Range.parse("AKs"), "AK" in Range.parse("AKs")
        (True, False)
        """
        return bool((self._weights[parse_weights(hand) > 0] > 0).all())

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Combos with a weight above 0, as text and weight, from ``AsAh`` down to ``2d2c``."""
        for combo in np.flatnonzero(self._weights)[::-1]:
            yield combo_text(int(combo)), float(self._weights[combo])

    def __len__(self) -> int:
        """Number of combos with a weight above 0."""
        return int(np.count_nonzero(self._weights))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self._weights, other._weights)

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __reduce__(self) -> tuple[type["Range"], tuple[NDArray[np.float64]]]:
        return Range, (self._weights,)

    def __str__(self) -> str:
        """Canonical text: ``Range.parse(str(r)) == r`` for every range that is not empty."""
        return format_weights(self._weights)

    def __repr__(self) -> str:
        return f"Range.parse({str(self)!r})" if len(self) else "Range.empty()"


def format_range(hands: Range, style: str = "felt") -> str:
    """The text of a range as a program spells it: felt, pio, gto+, equilab or texassolver.

    >>> format_range(Range.parse("JJ+, AKs:0.5"), "gto+")
    'AA-JJ,[50.0]AKs[/50.0]'
    """
    return format_weights(hands.weights, style=style)


@lru_cache(maxsize=256)
def _parse(text: str, ranking: str) -> Range:
    """Loops ask for the same few ranges over and over; a range cannot change, so it can be shared."""
    return Range(parse_weights(text, ranking=ranking))


def combo_text(combo: int) -> str:
    """The two cards of a combo, the higher first.

    >>> combo_text(1325)
    'AsAh'
    """
    return format_cards(COMBO_CARDS[combo][::-1])
