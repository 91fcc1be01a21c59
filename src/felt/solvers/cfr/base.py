"""What all solvers have in common: regrets and averages by sequence, and how a file saves and restores them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import DTypeLike

from felt.errors import FeltError
from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.cfr.algorithm import Algorithm
from felt.solvers.trees.tree import Array, Floats, GameTree, Infosets


class AnySolver(Protocol):
    """An algorithm at work on a game."""

    @property
    def iterations(self) -> int:
        """How many have been done."""

    @property
    def algorithm(self) -> Algorithm:
        """What it does."""

    @property
    def form(self) -> str:
        """How it holds the game, as a strategy's file names it (`felt.solvers.registry`); empty if no file has it."""

    @property
    def tree(self) -> Any:
        """What it works on: a tree of histories, of public actions, or of the betting alone."""

    @property
    def sweep_nodes(self) -> int:
        """Nodes that every iteration looks at, as far as that makes iterations long; else 0."""

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""

    def average(self) -> Floats:
        """The strategy that it has arrived at: chances by sequence."""

    def current(self) -> Floats:
        """The strategy of the next iteration."""

    def measure(self) -> Evaluation:
        """How good the average strategy is, where the tree says that."""


class SavedSolver(AnySolver, Protocol):
    """A solver that a strategy's file keeps, to go on from there."""

    kind: str | None
    dice_state: dict[str, Any] | None

    def saved_arrays(self) -> dict[str, Array]:
        """What a file keeps of it."""

    def restore(self, arrays: Mapping[str, Array], iterations: int) -> None:
        """Go on from what a file has kept."""


class State(NamedTuple):
    """What a solver has learned, by sequence; in this order for the kernels."""

    regrets: Array
    averages: Array  # the strategies of all iterations, each weighted by how likely the player comes there
    strategy: Array  # what is played in the next iteration
    reach: Array  # how likely it is, as far as it is up to the player, that they play a sequence
    predicted: Array  # the regrets that are expected; empty for algorithms that expect nothing


SAVED = ("regrets", "averages", "strategy", "predicted")
"""What a solver goes on from; reach follows from the strategy."""


def saved_state(state: State) -> dict[str, Array]:
    """The arrays of a state that a file keeps."""
    return {name: array for name, array in state._asdict().items() if name in SAVED and len(array)}


class TabularSolver:
    """A solver that keeps its `State` in arrays by sequence: all but that of the public tree."""

    form: str = ""
    kind: str | None = None
    """The numbers of a public tree's solver; others have those of their arrays."""
    dice_state: dict[str, Any] | None = None
    """Where chance stands: iterations go on from here, in a solver that gets it. None: nothing is left to it."""
    sweep_nodes = 0
    """Iterations are short, or of a length that nobody knows."""

    def __init__(self, tree: Any, algorithm: Algorithm, number: DTypeLike = np.float64, reach: float = 0.0) -> None:
        self.tree = tree
        self.algorithm = algorithm
        self.infosets: Infosets = tree.infosets
        self.iterations = 0
        """How many have been done."""
        size = self.infosets.sequences + self.infosets.players
        sizes = (size, size, size, size, size if algorithm.predictive else 0)
        self.state = State(*(np.zeros(count, dtype=number) for count in sizes))
        self.state.strategy[: self.infosets.sequences] = self.infosets.uniform()
        self.state.reach[:] = reach
        self._values = np.zeros(size, dtype=number)

    @property
    def layout(self) -> tuple[Array, Array]:
        """Where the sequences of each information set begin, and the sequence before it: for the kernels."""
        return self.infosets.first, self.infosets.parent

    def average(self) -> Floats:
        """The strategy that the iterations so far have led to: chances by sequence."""
        return self.infosets.normalised(self.state.averages[: self.infosets.sequences])

    def current(self) -> Floats:
        """The strategy of the next iteration."""
        return self.state.strategy[: self.infosets.sequences].astype(np.float64)

    def measure(self) -> Evaluation:
        """How good the average strategy is."""
        if not isinstance(self.tree, GameTree) or self.tree.forgets:
            raise FeltError(f"{self.algorithm.title} has no whole tree here: say how its strategy is measured")
        return evaluate(self.tree, self.average())

    def saved_arrays(self) -> dict[str, Array]:
        """What a file keeps, to go on with the very same numbers."""
        return saved_state(self.state)

    def restore(self, arrays: Mapping[str, Array], iterations: int) -> None:
        """Go on from what a file has kept."""
        for name in SAVED:
            if name in arrays:
                getattr(self.state, name)[:] = arrays[name]
        self.iterations = iterations
