"""Win rates, each with its 95 % interval.

A rate is measured in mbb/hand, thousandths of a big blind per hand. Its unit is the *set*: hands that belong together
(the same deal in several seatings) are summed first, since only the sums of different sets are independent.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError, counted
from felt.stats.means import t_quantile

FRACTION_BITS = 32
"""Sums are kept as whole numbers of 2 ** -32 chips: exact for whole chips, and the same in every order for all."""

LIMB = 21
"""Three pieces of so many bits make up an int64; the product of two, summed over a block, fits into another."""
BLOCK = 1 << 20

NEARLY_EVEN = 10.0
"""A rate so many times smaller than its half-width says nothing of how long the rest would take."""


@dataclass(frozen=True)
class Rate:
    """What one player won per hand, and how far that may be from what they win in the long run."""

    mbb: float
    """Thousandths of a big blind per hand; nan before the first hand."""
    half: float | None
    """Half of the width of the 95 % interval; None with fewer than two units, which show no spread."""
    units: int
    hands: int

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""
        return None if self.half is None else self.mbb - self.half

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""
        return None if self.half is None else self.mbb + self.half

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Both ends of the interval."""
        return None if self.half is None else (self.mbb - self.half, self.mbb + self.half)

    @property
    def settled(self) -> bool:
        """Whether the interval leaves no doubt about who is ahead."""
        return self.half is not None and abs(self.mbb) > self.half

    def __str__(self) -> str:
        return _mbb(self.mbb, signed=True) + ("" if self.half is None else f" ± {_mbb(self.half)}") + " mbb/hand"


def rate(totals: NDArray[Any], hands_per_unit: int, big_blind: int) -> Rate:
    """The rate of one player from the chips that they won in each set.

    The interval is Student's t on the sets: the mean plus or minus t times the standard error.

    >>> str(rate(np.array([300, 100, 200, 200]), hands_per_unit=2, big_blind=100))
    '+1,000 ± 650 mbb/hand'
    >>> rate(np.full(1000, -150), hands_per_unit=2, big_blind=100)  # always the same: no doubt at all
    Rate(mbb=-750.0, half=0.0, units=1000, hands=2000)
    """
    return Tally(hands_per_unit, big_blind).add(totals).rate()


@dataclass
class Tally:
    """A rate that grows: sets are added in chunks, in any order, and the result is the same to the last bit.

    Whole chips are summed exactly. Fractions of chips (adjusted results) are first rounded to 2 ** -32 of a chip, set
    by set, and summed exactly then. Tallies of the same game add up: ``one + other``.

    >>> tally = Tally(hands_per_unit=2, big_blind=100)
    >>> tally.add(np.array([300, 100])).add(np.array([200.5])).rate().mbb
    1000.8333333333334
    """

    hands_per_unit: int
    big_blind: int
    units: int = 0
    total: int = 0
    """Of all sets, in 2 ** -32 chips."""
    squares: int = 0
    """Sum of the squares of the sets, in 2 ** -64 squared chips."""

    def __post_init__(self) -> None:
        if self.hands_per_unit < 1 or self.big_blind < 1:
            raise FeltError(
                f"{counted(self.hands_per_unit, 'hand')} in a set and a big blind of {self.big_blind}: "
                "a rate needs at least one of each"
            )

    def add(self, totals: NDArray[Any]) -> "Tally":
        """Take in the chips that the player won in each of some sets; returns the tally itself."""
        values = np.asarray(totals).reshape(-1)
        bits = 0
        if values.dtype.kind == "f":
            bits = FRACTION_BITS
            if not (np.abs(values) < 2.0 ** (63 - bits)).all():
                odd = float(values[~(np.abs(values) < 2.0 ** (63 - bits))][0])
                raise FeltError(f"won {odd} chips in a set: a rate needs numbers under {2 ** (63 - bits):,}")
            values = np.rint(values.astype(np.float64) * 2.0**bits)
        elif values.dtype.kind not in "iu" and len(values):
            raise FeltError(f"chips won are {values.dtype}: a rate needs numbers")
        integers = values.astype(np.int64)
        for begin in range(0, len(integers), BLOCK):
            total, squares = _sums(integers[begin : begin + BLOCK])
            self.total += total << (FRACTION_BITS - bits)
            self.squares += squares << 2 * (FRACTION_BITS - bits)
        self.units += len(integers)
        return self

    def __add__(self, other: "Tally") -> "Tally":
        if (self.hands_per_unit, self.big_blind) != (other.hands_per_unit, other.big_blind):
            raise FeltError(f"{self} and {other} have other sets or stakes: they do not add up")
        units, total, squares = self.units + other.units, self.total + other.total, self.squares + other.squares
        return Tally(self.hands_per_unit, self.big_blind, units, total, squares)

    def rate(self) -> Rate:
        """The rate so far."""
        hands = self.units * self.hands_per_unit
        if not hands:
            return Rate(math.nan, None, 0, 0)
        per_hand = self.hands_per_unit * self.big_blind
        mbb = 1000 * self.total / (self.units * per_hand << FRACTION_BITS)
        half = None
        if self.units > 1:
            scatter = self.units * self.squares - self.total**2  # exact: nothing is lost where sets differ little
            variance = scatter / (self.units * self.units * (self.units - 1) << 2 * FRACTION_BITS)
            half = 1000 * t_quantile(self.units - 1) * math.sqrt(variance) / per_hand
        return Rate(mbb, half, self.units, hands)


def _sums(integers: NDArray[np.int64]) -> tuple[int, int]:
    """Sum and sum of squares, exact for every int64: in pieces of 21 bits, of which no sum can overflow."""
    low = integers & ((1 << LIMB) - 1)
    mid = (integers >> LIMB) & ((1 << LIMB) - 1)
    high = integers >> 2 * LIMB
    total = int(low.sum()) + (int(mid.sum()) << LIMB) + (int(high.sum()) << 2 * LIMB)
    squares = (
        int(low @ low)
        + (int(low @ mid) << LIMB + 1)
        + (int(mid @ mid) + 2 * int(low @ high) << 2 * LIMB)
        + (int(mid @ high) << 3 * LIMB + 1)
        + (int(high @ high) << 4 * LIMB)
    )
    return total, squares


def sentence(rate: Rate, name: str, other: str | None = None) -> str:
    """How settled a result is, and about how many more hands would settle it, in plain words.

    >>> print(sentence(Rate(45.0, 12.0, 5_000, 10_000), "chen", "call"))
    Settled: chen wins 45.0 ± 12.0 mbb/hand against call (95 % interval, 10,000 hands).
    >>> print(sentence(Rate(-10.0, 34.0, 5_000, 10_000), "chen", "call"))
    Not settled: chen is behind call by 10.0 ± 34.0 mbb/hand after 10,000 hands;
    at this rate about 110,000 more hands would settle it.
    >>> print(sentence(Rate(0.4, 34.0, 5_000, 10_000), "chen"))
    Not settled: chen is within 34.0 mbb/hand of even after 10,000 hands;
    to see a difference of 10 mbb/hand takes about 120,000 hands in all.
    """
    hands = counted(rate.hands, "hand")
    against = f" against {other}" if other else ""
    if rate.half is None:
        sets = "no set" if not rate.units else "one set"
        return f"Not settled: {name}{against} has {sets} so far ({hands}); an interval needs two."
    if rate.half == 0 and rate.mbb == 0:
        return f"Settled: {name} comes out exactly even{against} in every set ({hands})."
    width = f"{_mbb(abs(rate.mbb))} ± {_mbb(rate.half)} mbb/hand"
    if rate.settled:
        return f"Settled: {name} {'wins' if rate.mbb > 0 else 'loses'} {width}{against} (95 % interval, {hands})."
    if abs(rate.mbb) * NEARLY_EVEN < rate.half:
        small = _round_below(rate.half / 2)
        needed = friendly(hands_for(rate, small))
        return (
            f"Not settled: {name}{against} is within {_mbb(rate.half)} mbb/hand of even after {hands}; "
            f"to see a difference of {small:g} mbb/hand takes about {needed} hands in all."
        )
    where = "ahead" if rate.mbb > 0 else "behind"
    of = "" if other is None else f" of {other}" if rate.mbb > 0 else f" {other}"
    more = max(hands_for(rate, abs(rate.mbb)) - rate.hands, 1)
    return (
        f"Not settled: {name} is {where}{of} by {width} after {hands}; "
        f"at this rate about {friendly(more)} more {'hand' if more == 1 else 'hands'} would settle it."
    )


def hands_for(rate: Rate, half: float) -> int:
    """About how many hands in all narrow the interval to this half-width: widths shrink with the root of the hands.

    >>> hands_for(Rate(5.0, 40.0, 5_000, 10_000), half=20.0)
    40000
    """
    if rate.half is None or half <= 0:
        raise FeltError(f"a half-width of {half} from {counted(rate.units, 'set')}: needs two sets and a width above 0")
    return math.ceil(rate.hands * (rate.half / half) ** 2)


def friendly(number: int) -> str:
    """A number as one would say it: two digits count.

    >>> friendly(84), friendly(123_456), friendly(1_234_567)
    ('84', '120,000', '1.2 million')
    """
    if number >= 100:
        unit = 10 ** (len(str(number)) - 2)
        number = (number + unit // 2) // unit * unit
    for size, word in ((10**9, "billion"), (10**6, "million")):
        if number >= size:
            return f"{number / size:,g} {word}"
    return f"{number:,}"


def _round_below(number: float) -> float:
    """The largest of … 0.1, 0.2, 0.5, 1, 2, 5, 10 … that is not above a number."""
    power: float = 10.0 ** math.floor(math.log10(number))
    return max(step * power for step in (1, 2, 5) if step * power <= number or step == 1)


def _mbb(number: float, *, signed: bool = False) -> str:
    """With one place under 100, whole above."""
    return f"{number:{'+' if signed else ''},.{1 if abs(number) < 100 else 0}f}"
