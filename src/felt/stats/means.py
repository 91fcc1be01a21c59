"""Means and shares, each with its 95 % interval, and the distributions that say how wide it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import Any

SMALL = 100
"""Up to here the distribution is summed term by term; above, a series about the normal one is right to 1e-9."""


@cache
def t_quantile(df: int, confidence: float = 0.95) -> float:
    """The t that a Student variable with `df` degrees of freedom stays within, either way, with this probability.

    >>> round(t_quantile(1), 4), round(t_quantile(10), 4), round(t_quantile(10**6), 4)
    (12.7062, 2.2281, 1.96)
    """
    if df < 1 or not 0 <= confidence < 1:
        raise ValueError(f"t_quantile({df}, {confidence}): needs df >= 1 and a confidence from 0 to under 1")
    if df > SMALL:
        return _expansion(df, NormalDist().inv_cdf((1 + confidence) / 2))
    low, high = 0.0, math.pi / 2
    while (angle := (low + high) / 2) not in (low, high):
        low, high = (angle, high) if t_within(angle, df) < confidence else (low, angle)
    return math.tan(angle) * math.sqrt(df)


def t_within(angle: float, df: int) -> float:
    """P(\\|T\\| <= tan(angle) * sqrt(df)): Abramowitz & Stegun 26.7.3 and 26.7.4, a finite sum."""
    squared = math.cos(angle) ** 2
    odd = df % 2
    term = math.sin(angle) * (math.cos(angle) if odd else 1.0)
    total = 0.0
    for k in range(2 + odd, df + 1, 2):
        total += term
        term *= squared * (k - 1) / k
    return (angle + total) * 2 / math.pi if odd else total


def _expansion(df: int, x: float) -> float:
    """Abramowitz & Stegun 26.7.5: the quantile as a series in 1/df about that of the normal distribution."""
    g1 = (x**3 + x) / 4
    g2 = (5 * x**5 + 16 * x**3 + 3 * x) / 96
    g3 = (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384
    g4 = (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160
    return x + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df


@dataclass(frozen=True)
class Mean:
    """A mean, and how far it may be from what it would be in the long run."""

    value: float
    half: float | None
    """Half of the width of the interval, by Student's t; None with fewer than two figures, which show no spread."""
    units: int

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Both ends of the interval."""
        return None if self.half is None else (self.value - self.half, self.value + self.half)

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {"mean": self.value, "ci95": None if self.ci95 is None else list(self.ci95)}

    def __str__(self) -> str:
        return f"{self.value:,.3f}" + ("" if self.half is None else f" ± {self.half:,.3f}")


def mean(figures: Sequence[float]) -> Mean:
    """The mean of figures that have nothing to do with each other. Sums are exact: their order does not matter.

    >>> str(mean([1.0, 2.0, 3.0, 4.0]))
    '2.500 ± 2.054'
    """
    count = len(figures)
    if not count:
        return Mean(math.nan, None, 0)
    value = math.fsum(figures) / count
    if count < 2:
        return Mean(value, None, count)
    variance = math.fsum((figure - value) ** 2 for figure in figures) / (count - 1)
    return Mean(value, t_quantile(count - 1) * math.sqrt(variance / count), count)


def ratio(above: Sequence[float], below: Sequence[float]) -> Mean:
    """One sum as a multiple of another, of pairs that have nothing to do with each other, like what was won in how many
    hands: long ones count for more (Cochran 1977, chapter 6).

    >>> str(ratio([10.0, 30.0, 20.0, 50.0], [100.0, 200.0, 300.0, 400.0]))
    '0.110 ± 0.060'
    """
    total = math.fsum(below)
    if not total:
        return Mean(math.nan, None, len(below))
    value = math.fsum(above) / total
    if len(below) < 2:
        return Mean(value, None, len(below))
    off = mean([figure - value * other for figure, other in zip(above, below, strict=True)])
    return Mean(value, None if off.half is None else off.half * off.units / total, off.units)


Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Counted:
    """How often something was done, and how often it could have been.

    >>> counted = Counted(30, 120)
    >>> counted.share, [round(end, 3) for end in counted.ci95]
    (0.25, [0.181, 0.334])
    """

    num: int
    den: int
    ratio: bool = False
    """Whether `num` is no part of `den`, as raises to calls."""

    @property
    def share(self) -> float | None:
        """The quotient; None without a chance."""
        return self.num / self.den if self.den else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Wilson's interval for the share of chances taken; None for a ratio, or without a chance.

        It treats chances as independent of each other.
        """
        if self.ratio or not self.den:
            return None
        return wilson(self.num, self.den)

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(self.num + other.num, self.den + other.den, self.ratio or other.ratio)

    def __str__(self) -> str:
        shown = "–" if self.share is None else f"{self.share:.2f}" if self.ratio else f"{self.share:.1%}"
        return f"{shown} ({self.num:,}/{self.den:,})"


def wilson(num: float, den: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share: `num` of `den` independent chances.

    >>> [round(end, 3) for end in wilson(30, 120)]
    [0.181, 0.334]
    """
    share = num / den
    middle, widened = share + Z * Z / (2 * den), 1 + Z * Z / den
    half = Z * sqrt(share * (1 - share) / den + Z * Z / (4 * den * den))
    low = (middle - half) / widened if num else 0.0  # exactly, where rounding might cross the edge
    high = (middle + half) / widened if num < den else 1.0
    return low, high


ENOUGH = 1e-15
MOST_TERMS = 100_000


def chi_square_above(x: float, df: int) -> float:
    """The chance that a chi-square variable with `df` degrees of freedom is `x` or more.

    The regularised incomplete gamma function Q(df/2, x/2): Abramowitz & Stegun 6.5.29 below the mean, and the continued
    fraction 6.5.31 above it.

    >>> round(chi_square_above(3.841, 1), 4), round(chi_square_above(18.307, 10), 4)
    (0.05, 0.05)
    """
    if df < 1 or math.isnan(x):
        raise ValueError(f"chi_square_above({x}, {df}): needs df >= 1 and a number")
    if x <= 0:
        return 1.0
    a, half = df / 2, x / 2
    front = math.exp(a * math.log(half) - half - math.lgamma(a))
    if half < a + 1:
        return max(0.0, 1.0 - front * _series(a, half))
    return front * _fraction(a, half)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for n in range(1, MOST_TERMS):
        term *= x / (a + n)
        total += term
        if term < ENOUGH * total:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Lentz's way to work a continued fraction out from the front."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for n in range(1, MOST_TERMS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= c * d
        if abs(c * d - 1) < ENOUGH:
            break
    return fraction
