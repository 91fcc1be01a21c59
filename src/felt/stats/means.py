"""Means of independent figures, each with its 95 % interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
    variance = math.fsum((one - value) ** 2 for one in figures) / (count - 1)
    return Mean(value, t_quantile(count - 1) * math.sqrt(variance / count), count)
