"""The same algorithms by plain recursion over every history: for reading, and to check the compiled sweeps by.

Players are updated in turn. To look at one history is to look at what comes after it; what is learned at an
information set is added up over its histories, and taken in when all have been seen (Zinkevich and others 2007).
"""

import numpy as np
from numpy.typing import NDArray

from felt.solvers.algorithm import Algorithm, algorithm
from felt.solvers.tree import CHANCE, TERMINAL, Floats, GameTree


class Vanilla:
    """A solver like `felt.solvers.solver.Solver`, some thousand times slower."""

    def __init__(self, tree: GameTree, method: str | Algorithm = "cfr") -> None:
        self.tree = tree
        self.algorithm = algorithm(method)
        self.iterations = 0
        sequences = tree.infosets.sequences
        self.regrets = np.zeros(sequences)
        self.averages = np.zeros(sequences)
        self.strategy = tree.infosets.uniform()
        self._end = {int(node): row for row, node in enumerate(tree.terminals)}

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.tree.players):
                self._update(player)

    def average(self) -> Floats:
        """The strategy that the algorithm has arrived at."""
        return self.tree.infosets.normalised(self.averages)

    def _update(self, player: int) -> None:
        above, below, fading = self.algorithm.weights(self.iterations)
        now, reached = np.zeros_like(self.regrets), np.zeros_like(self.regrets)
        self._look(0, player, 1.0, 1.0, now, reached)
        infosets = self.tree.infosets
        begin, end = infosets.first[infosets.of_player[player : player + 2]]
        mine = slice(begin, end)
        regrets = self.regrets[mine]
        regrets = regrets * np.where(regrets > 0, above, below) + now[mine]
        self.regrets[mine] = np.maximum(regrets, 0) if self.algorithm.floor else regrets
        self.averages[mine] = self.averages[mine] * fading + reached[mine]
        hoped = self.regrets + (now if self.algorithm.predictive else 0)
        self.strategy[mine] = infosets.normalised(hoped)[mine]

    def _look(
        self, node: int, player: int, own: float, others: float, now: NDArray[np.float64], reached: NDArray[np.float64]
    ) -> float:
        """The value of a history to the player; `own` and `others` are how likely each side lets it come about."""
        tree = self.tree
        acting = tree.player[node]
        if acting == TERMINAL:
            return float(tree.payoffs[self._end[node], player])
        begin = int(tree.first_child[node])
        below = range(begin, begin + int(tree.children[node]))
        if acting == CHANCE:
            return sum(
                float(tree.chance[child]) * self._look(child, player, own, others * tree.chance[child], now, reached)
                for child in below
            )
        chances = [float(self.strategy[tree.sequence[child]]) for child in below]
        if acting != player:
            return sum(
                chance * self._look(child, player, own, others * chance, now, reached)
                for child, chance in zip(below, chances, strict=True)
            )
        values = [
            self._look(child, player, own * chance, others, now, reached)
            for child, chance in zip(below, chances, strict=True)
        ]
        value = sum(chance * one for chance, one in zip(chances, values, strict=True))
        for child, chance, one in zip(below, chances, values, strict=True):
            now[tree.sequence[child]] += others * (one - value)
            reached[tree.sequence[child]] = own * chance
        return value
