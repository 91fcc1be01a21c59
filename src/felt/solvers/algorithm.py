"""What makes one member of the CFR family differ from another: how fast it forgets, and what it does with regrets."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError

Weights = tuple[float, float, float]


@dataclass(frozen=True)
class Algorithm:
    """A member of the family."""

    name: str
    title: str
    weights: Callable[[int], Weights]
    """For iteration t = 1, 2, …: by what regrets above 0, regrets below 0 and the sum of strategies are multiplied
    before this iteration is added."""
    floor: bool = False
    """Whether regrets below 0 are forgotten at once."""
    predictive: bool = False
    """Whether the last regrets are expected to come again."""

    def schedule(self, done: int, count: int) -> NDArray[np.float64]:
        """The weights of the `count` iterations after the first `done`."""
        return np.array([self.weights(t) for t in range(done + 1, done + count + 1)], dtype=np.float64).reshape(-1, 3)


ALGORITHMS = {
    "cfr": "felt.solvers.cfr",
    "cfr+": "felt.solvers.cfr_plus",
    "linear": "felt.solvers.linear",
    "dcfr": "felt.solvers.dcfr",
    "predictive": "felt.solvers.predictive",
}
"""Modules by the name of their algorithm."""


def algorithm(name: "str | Algorithm") -> Algorithm:
    """An algorithm by its name.

    >>> algorithm("dcfr").title
    'discounted CFR'
    """
    if isinstance(name, Algorithm):
        return name
    check_name(name, ALGORITHMS)
    found: Algorithm = import_module(ALGORITHMS[name]).ALGORITHM
    return found


def check_name(name: str, known: Iterable[str]) -> None:
    """Refuse the name of an algorithm that is none of these, and say which one may have been meant."""
    names = list(known)
    if name not in names:
        close = get_close_matches(name.lower(), names, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise FeltError(f"there is no algorithm {name!r}: {hint}There are {', '.join(names)}")


def faded(t: int, power: float) -> float:
    """What is left at iteration t of a sum whose terms are weighted by the `power` of their iteration."""
    return float(((t - 1) / t) ** power)
