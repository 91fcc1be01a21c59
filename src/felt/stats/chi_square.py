"""The chi-square distribution: how likely a sum of squared surprises is by chance."""

import math

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
