"""The same algorithms by plain recursion over every history: for reading, and to check the compiled sweeps by.

Players are updated in turn. To look at one history is to look at what comes after it; what is learned at an
information set is added up over its histories, and taken in when all have been seen (Zinkevich and others 2007).
"""

import numpy as np

from felt.solvers.cfr.algorithm import Algorithm, find_algorithm
from felt.solvers.trees.tree import CHANCE, TERMINAL, Floats, GameTree


class Vanilla:
    """A solver like `felt.solvers.cfr.solver.Solver`, some thousand times slower."""

    def __init__(self, tree: GameTree, method: str | Algorithm = "cfr") -> None:
        self.tree = tree
        self.algorithm = find_algorithm(method)
        self.iterations = 0
        self.regrets, self.averages = np.zeros((2, tree.infosets.sequences))
        self.strategy = tree.infosets.uniform()
        self._end = {int(node): row for row, node in enumerate(tree.terminals)}

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.tree.players):
                self._update(player)

    def average(self) -> Floats:
        return self.tree.infosets.normalised(self.averages)

    def _update(self, player: int) -> None:
        weights = self.algorithm.weights(self.iterations)
        instant, reach = np.zeros_like(self.regrets), np.zeros_like(self.regrets)
        self._look(0, player, 1.0, 1.0, instant, reach)
        infosets = self.tree.infosets
        mine = slice(*infosets.first[infosets.of_player[player : player + 2]])
        self.regrets[mine] = self.algorithm.grow_regrets(self.regrets[mine], instant[mine], weights)
        self.averages[mine] = self.averages[mine] * weights[2] + reach[mine]
        matched = self.regrets + (instant if self.algorithm.predictive else 0)
        self.strategy[mine] = infosets.normalised(matched)[mine]

    def _look(
        self, node: int, player: int, own_reach: float, reach: float, instant: Floats, reached_by: Floats
    ) -> float:
        """The value of a history to the player; `own_reach` and `reach` are how likely the player and all others
        let it come about."""
        tree = self.tree
        acting = tree.player[node]
        if acting == TERMINAL:
            return float(tree.payoffs[self._end[node], player])
        begin = int(tree.first_child[node])
        below = range(begin, begin + int(tree.children[node]))
        if acting == CHANCE:
            return sum(
                float(tree.chance[child])
                * self._look(child, player, own_reach, reach * tree.chance[child], instant, reached_by)
                for child in below
            )
        chances = [float(self.strategy[tree.sequence[child]]) for child in below]
        if acting != player:
            return sum(
                chance * self._look(child, player, own_reach, reach * chance, instant, reached_by)
                for child, chance in zip(below, chances, strict=True)
            )
        values = [
            self._look(child, player, own_reach * chance, reach, instant, reached_by)
            for child, chance in zip(below, chances, strict=True)
        ]
        value = sum(chance * child_value for chance, child_value in zip(chances, values, strict=True))
        for child, chance, child_value in zip(below, chances, values, strict=True):
            instant[tree.sequence[child]] += reach * (child_value - value)
            reached_by[tree.sequence[child]] = own_reach * chance
        return value
