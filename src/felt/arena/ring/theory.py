"""The gambler's ruin, as theory has it: a walk with a drift and a spread per step, from a bankroll down to nothing.

Wealth is taken for a Brownian motion with the same drift and variance per hand, which is exact for fair walks
between two players and close where a hand moves a small part of the bankroll (Feller 1968, chapter 14; the law of the
first passage is the inverse Gaussian).

Between two barriers there are two series for the same chance. Soon, the sum over the barriers' reflections has few
terms; late, the sum over sines has. Each is used where its terms are no larger than what they add up to: elsewhere
they cancel, and leave nothing but rounding.
"""

from math import erfc, exp, expm1, inf, pi, sin, sqrt

LATE = 0.3
"""The variance so far, in squares of the way between the barriers, from which on sines are summed."""
NOTHING = 1e-18
"""A term, or a slope over the whole way, that makes no difference."""
STRAIGHT = 1e-12
"""A spread so far, as a part of the bankroll, that makes the walk a line."""
STEEP = 25.0
"""Where the normal distribution is as small as its expansion is exact."""


def ruin_at_last(bankroll: float, drift: float, variance: float, total: float = inf) -> float:
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
    slope = 2 * abs(drift) / variance
    down = exp(-slope * bankroll) if drift > 0 else 1.0
    if total == inf:
        return down
    if slope * total < NOTHING:
        return 1 - bankroll / total
    return down * expm1(-slope * (total - bankroll)) / expm1(-slope * total)


def ruin_by(hands: float, bankroll: float, drift: float, variance: float, total: float = inf) -> float:
    """The chance to be ruined within so many hands. Without any variance it is certain from one hand on.

    >>> round(ruin_by(100, 10, 0.0, 1.0), 4)  # twice the chance to be below nothing then
    0.3173
    >>> round(ruin_by(100, 10, 0.0, 1.0, total=20), 4), round(ruin_by(1e6, 10, 0.0, 1.0, total=20), 4)
    (0.3146, 0.5)
    >>> ruin_by(19, 10, -0.5, 0.0), ruin_by(20, 10, -0.5, 0.0)
    (0.0, 1.0)
    """
    if hands <= 0 or bankroll >= total:
        return 0.0
    width = sqrt(max(0.0, variance) * hands)
    if width <= STRAIGHT * bankroll:
        return float(-drift * hands >= bankroll)
    late = total < inf and variance * hands > LATE * total * total
    chance_of_ruin = _by_sines if late else _by_reflections
    return min(1.0, max(0.0, chance_of_ruin(hands, bankroll, drift, variance, total)))


def _by_reflections(hands: float, bankroll: float, drift: float, variance: float, total: float) -> float:
    """With one barrier, the inverse Gaussian; with two, that for each image of the start in both of them.

    Exponents are put together before anything is raised to them: none is above 0.
    """
    width, far = sqrt(variance * hands), abs(drift) * hands

    def passed(way: float) -> float:
        """The part of an image at so long a way, weighted as the drift has it."""
        before, after = (way - far) / width, (way + far) / width
        back = way - bankroll if drift < 0 else way + bankroll
        weight = exp(-abs(drift) * back / variance)
        return weight * (_below(-before) + exp(-before * before / 2) * _tail(after))

    chance, turn = passed(bankroll), 0.0
    while total < inf:
        turn += 2 * total
        less, more = passed(turn - bankroll), passed(turn + bankroll)
        chance += more - less
        if less < NOTHING:
            break
    return chance


def _by_sines(hands: float, bankroll: float, drift: float, variance: float, total: float) -> float:
    """What is certain in the end, less what is still to come."""
    to_come, n = 0.0, 0
    while True:
        n += 1
        rate = drift * drift / (2 * variance) + (n * pi / total) ** 2 * variance / 2
        size = n * exp(-rate * hands - drift * bankroll / variance) / rate
        to_come += size * sin(n * pi * bankroll / total)
        if size * variance < NOTHING * total * total:
            return ruin_at_last(bankroll, drift, variance, total) - pi * variance / total**2 * to_come


def _below(z: float) -> float:
    """The normal distribution."""
    return erfc(-z / sqrt(2)) / 2


def _tail(z: float) -> float:
    """What the normal distribution has above `z`, which is not below 0, as a multiple of exp(-z²/2)."""
    if z < STEEP:
        return _below(-z) * exp(z * z / 2)
    square = 1 / (z * z)
    return (1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)))) / (z * sqrt(2 * pi))
