"""CFR where players forget: games whose abstraction leaves out what a player knew or did before.

An information set then has histories that a player comes to by different moves of their own. Values and regrets are
added up over them as ever, and each takes part in the average by how likely the player lets it come about (Lanctot
and others 2012). Nothing is guaranteed, and best answers in such a game are hard to find; what a strategy is worth is
measured in the whole game (`felt.solvers.whole_game`). Sweeps are level by level, in NumPy.
"""

import numpy as np

from felt.solvers.cfr.algorithm import Algorithm, Weights, find_algorithm
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.trees.tree import TERMINAL, Floats, GameTree, Ints


class ForgetfulSolver(TabularSolver):
    """A solver like `felt.solvers.cfr.solver.Solver`, for any tree; slower, and right where players forget.

    >>> from felt.games import load
    >>> from felt.abstraction.abstraction import Abstraction
    >>> from felt.solvers.trees.build import build_tree
    >>> tree = build_tree(load("leduc"), abstraction=Abstraction(history="street", forget=True))
    >>> solver = ForgetfulSolver(tree, "cfr+")
    >>> solver.run(10)
    >>> tree.infosets.count
    72
    """

    form = "forgetful"
    tree: GameTree

    def __init__(self, tree: GameTree, method: str | Algorithm = "dcfr") -> None:
        super().__init__(tree, find_algorithm(method))
        self._levels = [slice(int(a), int(b)) for a, b in zip(tree.levels, [*tree.levels[1:], len(tree)], strict=True)
                        if a < b and a > 0]  # fmt: skip
        self._acting = tree.player[tree.parent]
        self._chooses = [np.flatnonzero((self._acting == seat) & (tree.sequence >= 0)) for seat in range(tree.players)]

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        for weights in self.algorithm.schedule(self.iterations, iterations):
            for player in range(self.tree.players):
                self._update(player, weights)
            self.iterations += 1

    def _update(self, player: int, weights: Weights) -> None:
        """As `felt.solvers.cfr.update_kernels.update`."""
        infosets, (regrets, averages, strategy, _, predicted) = self.tree.infosets, self.state
        values, reach = self._look(player)
        begin, end = infosets.first[infosets.of_player[player : player + 2]]
        if begin == end:
            return
        mine = slice(int(begin), int(end))
        first: Ints = infosets.first[infosets.of_player[player] : infosets.of_player[player + 1]] - begin
        sizes = np.diff([*first, end - begin])
        expected = np.add.reduceat(strategy[mine] * values[mine], first)
        instant = values[mine] - np.repeat(expected, sizes)
        regrets[mine] = self.algorithm.grow_regrets(regrets[mine], instant, weights)
        averages[mine] = averages[mine] * weights[2] + reach[mine]
        matched = regrets[mine].copy()
        if len(predicted):
            predicted[mine] = instant
            matched += instant
        matched = np.maximum(matched, 0)
        totals = np.repeat(np.add.reduceat(matched, first), sizes)
        strategy[mine] = np.where(totals > 0, matched / np.where(totals > 0, totals, 1), 1 / np.repeat(sizes, sizes))

    def _look(self, player: int) -> tuple[Floats, Floats]:
        """The counterfactual values of a player's sequences, and how likely they let them come about."""
        tree, acting = self.tree, self._acting
        chances = np.where(tree.sequence >= 0, self.state.strategy[tree.sequence], tree.chance)
        own_reach, reach, node_values = np.ones(len(tree)), np.ones(len(tree)), np.zeros(len(tree))
        for level in self._levels:
            parent, mine = tree.parent[level], acting[level] == player
            own_reach[level] = own_reach[parent] * np.where(mine, chances[level], 1)
            reach[level] = reach[parent] * np.where(mine, 1, chances[level])
        node_values[tree.player == TERMINAL] = tree.payoffs[:, player]
        for level in reversed(self._levels):
            parent = tree.parent[level]
            below = chances[level] * node_values[level]
            node_values[: level.start] += np.bincount(parent, below, minlength=level.start)
        chosen, size = self._chooses[player], len(self.state.regrets)
        weights = reach[chosen] * node_values[chosen], own_reach[chosen]
        values, reached = (np.bincount(tree.sequence[chosen], weight, minlength=size) for weight in weights)
        return values.astype(np.float64), reached.astype(np.float64)
