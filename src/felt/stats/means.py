"""Means of independent figures, each with its 95 % interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from felt.stats.student import t_quantile


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
