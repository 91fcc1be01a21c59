"""The members of the CFR family: how fast each forgets, and what it does with regrets."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from felt.errors import FeltError

Weights = tuple[float, float, float]


@dataclass(frozen=True)
class Algorithm:
    """A member of the family."""

    name: str
    title: str
    weights: Callable[[int], Weights] = lambda t: (1.0, 1.0, 1.0)
    """For iteration t = 1, 2, …: by what regrets above 0, regrets below 0 and the sum of strategies are multiplied
    before this iteration is added."""
    floor: bool = False
    """Whether regrets below 0 are forgotten at once."""
    predictive: bool = False
    """Whether the last regrets are expected to come again."""

    def schedule(self, done: int, count: int) -> Any:
        """The weights of the `count` iterations after the first `done`."""
        return np.array([self.weights(t) for t in range(done + 1, done + count + 1)], dtype=np.float64).reshape(-1, 3)

    def grow_regrets(self, regrets: Any, instant: Any, weights: Weights) -> Any:
        """Regrets after one more iteration, which adds `instant`: `felt.solvers.cfr.update_kernels` in NumPy."""
        above, below, _ = weights
        grown = regrets * np.where(regrets > 0, above, below) + instant
        return np.maximum(grown, 0) if self.floor else grown


def faded(t: int, power: float) -> float:
    """What is left at iteration t of a sum whose terms are weighted by the `power` of their iteration."""
    return float(((t - 1) / t) ** power)


def discounted(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Algorithm:
    """Discounted CFR with its three parameters, by default those that its authors recommend.

    Regrets fade, those below 0 faster, and early strategies hardly count (Brown & Sandholm 2019).
    """

    def weights(t: int) -> Weights:
        above, below = (t - 1) ** alpha, (t - 1) ** beta
        return above / (above + 1), below / (below + 1), faded(t, gamma)

    return Algorithm("dcfr", "discounted CFR", weights)


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        # As it was first published (Zinkevich and others 2007).
        Algorithm("cfr", "CFR"),
        # Regrets below 0 are forgotten, and strategies count by their number (Tammelin 2014).
        Algorithm("cfr+", "CFR+", lambda t: (1.0, 1.0, faded(t, 1)), floor=True),
        # Regrets and strategies count in proportion to the number of their iteration (Brown & Sandholm 2019).
        Algorithm("linear", "linear CFR", lambda t: (faded(t, 1), faded(t, 1), faded(t, 1))),
        discounted(),
        # CFR+ that expects the last regrets to come again (Farina, Kroer & Sandholm 2021).
        Algorithm("predictive", "predictive CFR+", lambda t: (1.0, 1.0, faded(t, 2)), floor=True, predictive=True),
    )
}
"""Algorithms that sweep over all deals, by name."""

SAMPLING = {
    name: Algorithm(name, title)
    for name, title in (
        ("sampled", "CFR with sampled deals"),
        ("external", "external sampling"),
        ("outcome", "outcome sampling"),
        ("public-chance", "public chance sampling"),
    )
}
"""Algorithms that draw some of what may happen, by name."""


def find_algorithm(name: "str | Algorithm") -> Algorithm:
    """An algorithm by its name.

    >>> find_algorithm("dcfr").title
    'discounted CFR'
    """
    if isinstance(name, Algorithm):
        return name
    check_name(name, ALGORITHMS)
    return ALGORITHMS[name]


def check_name(name: str, known: Iterable[str]) -> None:
    """Refuse the name of an algorithm that is none of these, and say which one may have been meant."""
    names = list(known)
    if name not in names:
        close = get_close_matches(name.lower(), names, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise FeltError(f"there is no algorithm {name!r}: {hint}There are {', '.join(names)}")
