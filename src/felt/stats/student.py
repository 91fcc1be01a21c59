"""Quantiles of Student's t distribution: how wide an interval from few units must be."""

import math
from functools import cache
from statistics import NormalDist

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
