"""A share as two whole numbers, and how sure it is."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

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
