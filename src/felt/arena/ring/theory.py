"""The gambler's ruin, as theory has it: a walk with a drift and a spread per step, from a bankroll down to nothing.

Wealth is taken for a Brownian motion with the same drift and variance per hand, which is exact for fair walks
between two players and close where a hand moves a small part of the bankroll (Feller 1968, chapter 14; the law of the
first passage is the inverse Gaussian).
"""

from math import erfc, exp, pi, sin, sqrt

TERMS = 400
"""Of the series for two barriers; each is much smaller than the one before once some time has passed."""
SMALL = 1e-9
"""A drift over the whole way, in units of the spread, that makes no difference."""


def ruin_at_last(bankroll: float, drift: float, variance: float, total: float = float("inf")) -> float:
    """The chance to be ruined sooner or later; with a `total` the walk also ends when all of it is won.

    >>> ruin_at_last(10, 0.0, 4.0, total=40)
    0.75
    >>> round(ruin_at_last(10, 0.2, 4.0), 4)  # exp(-2 * 0.2 * 10 / 4)
    0.3679
    """
    if bankroll >= total:
        return 0.0
    if variance <= 0:
        return float(drift < 0)
    slope = 2 * drift / variance
    if total == float("inf"):
        return 1.0 if slope <= 0 else exp(-slope * bankroll)
    if abs(slope * total) < SMALL:
        return 1 - bankroll / total
    if slope > 0:
        down, far = exp(-slope * bankroll), exp(-slope * total)
        return (down - far) / (1 - far)
    up, far = exp(slope * (total - bankroll)), exp(slope * total)  # the same seen from the other end
    return (1 - up) / (1 - far)


def ruin_by(hands: float, bankroll: float, drift: float, variance: float, total: float = float("inf")) -> float:
    """The chance to be ruined within so many hands.

    >>> round(ruin_by(100, 10, 0.0, 1.0), 4)  # twice the chance to be below nothing then
    0.3173
    >>> round(ruin_by(100, 10, 0.0, 1.0, total=20), 4), round(ruin_by(1e6, 10, 0.0, 1.0, total=20), 4)
    (0.3146, 0.5)
    """
    if hands <= 0 or variance <= 0:
        return 0.0
    if total == float("inf") or bankroll >= total:
        return _one_barrier(hands, bankroll, drift, variance) if bankroll < total else 0.0
    spread = variance * hands / total**2
    if spread < 1e-4:  # too soon for the other end to matter
        return _one_barrier(hands, bankroll, drift, variance)
    rest = 0.0
    for n in range(1, TERMS + 1):
        rate = drift**2 / (2 * variance) + (n * pi / total) ** 2 * variance / 2
        if rate * hands > 700:
            break
        rest += n * sin(n * pi * bankroll / total) * exp(-rate * hands - drift * bankroll / variance) / rate
    late = pi * variance / total**2 * rest
    return min(1.0, max(0.0, ruin_at_last(bankroll, drift, variance, total) - late))


def _one_barrier(hands: float, bankroll: float, drift: float, variance: float) -> float:
    """The distribution of the inverse Gaussian: down by then, or down before and up again."""
    width = sqrt(variance * hands)
    below = _below((-bankroll - drift * hands) / width)
    back = _below((-bankroll + drift * hands) / width)
    exponent = -2 * drift * bankroll / variance
    return min(1.0, below + (exp(min(exponent, 700)) * back if back > 0 else 0.0))


def _below(z: float) -> float:
    """The normal distribution."""
    return erfc(-z / sqrt(2)) / 2
