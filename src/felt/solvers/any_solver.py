"""What all solvers have in common."""

from typing import Any, Protocol

from felt.solvers.algorithm import Algorithm
from felt.solvers.tree import Floats


class AnySolver(Protocol):
    """An algorithm at work on a game."""

    @property
    def iterations(self) -> int:
        """How many have been done."""

    @property
    def algorithm(self) -> Algorithm:
        """What it does."""

    @property
    def tree(self) -> Any:
        """What it works on: a `GameTree`, or a `PublicTree` where histories are not listed."""

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""

    def average(self) -> Floats:
        """The strategy that it has arrived at: chances by sequence."""

    def current(self) -> Floats:
        """The strategy of the next iteration."""
