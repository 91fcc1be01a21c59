"""CFR where players forget: games whose abstraction leaves out what a player knew or did before.

An information set then has histories that a player comes to by different moves of their own. Values and regrets are
added up over them as ever, and each takes part in the average by how likely the player lets it come about (Lanctot
and others 2012). Nothing is guaranteed, and best answers in such a game are hard to find; what a strategy is worth is
measured in the whole game (`felt.solvers.translation`). Sweeps are level by level, in NumPy.
"""

import numpy as np

from felt.solvers.algorithm import Algorithm, algorithm
from felt.solvers.solver import State
from felt.solvers.tree import TERMINAL, Floats, GameTree, Ints


class ForgetfulSolver:
    """A solver like `felt.solvers.solver.Solver`, for any tree; slower, and right where players forget.

    >>> from felt.games import load
    >>> from felt.solvers.abstraction import Abstraction
    >>> from felt.solvers.build import build_tree
    >>> tree = build_tree(load("leduc"), abstraction=Abstraction(history="street", forget=True))
    >>> solver = ForgetfulSolver(tree, "cfr+")
    >>> solver.run(10)
    >>> tree.infosets.count
    72
    """

    form = "forgetful"

    def __init__(self, tree: GameTree, method: str | Algorithm = "dcfr") -> None:
        self.tree = tree
        self.algorithm = algorithm(method)
        self.iterations = 0
        """How many have been done."""
        infosets = tree.infosets
        size = infosets.sequences + infosets.players
        predicted = size if self.algorithm.predictive else 0
        self.state = State(*(np.zeros(count) for count in (size, size, size, size, predicted)))
        self.state.strategy[: infosets.sequences] = infosets.uniform()
        self._levels = [slice(int(a), int(b)) for a, b in zip(tree.levels, [*tree.levels[1:], len(tree)], strict=True)
                        if a < b and a > 0]  # fmt: skip
        self._acting = tree.player[tree.parent]
        self._chooses = [np.flatnonzero((self._acting == seat) & (tree.sequence >= 0)) for seat in range(tree.players)]

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        for above, below, fading in self.algorithm.schedule(self.iterations, iterations):
            for player in range(self.tree.players):
                self._update(player, above, below, fading)
            self.iterations += 1

    def average(self) -> Floats:
        """The strategy that the algorithm has arrived at: chances by sequence."""
        infosets = self.tree.infosets
        return infosets.normalised(self.state.averages[: infosets.sequences])

    def _update(self, player: int, above: float, below: float, fading: float) -> None:
        """As `felt.solvers.update_kernels.update`."""
        infosets, (regrets, averages, strategy, _, predicted) = self.tree.infosets, self.state
        values, reached = self._look(player)
        begin, end = infosets.first[infosets.of_player[player : player + 2]]
        if begin == end:
            return
        mine = slice(int(begin), int(end))
        first: Ints = infosets.first[infosets.of_player[player] : infosets.of_player[player + 1]] - begin
        sizes = np.diff([*first, end - begin])
        worth = np.add.reduceat(strategy[mine] * values[mine], first)
        now = values[mine] - np.repeat(worth, sizes)
        old = regrets[mine]
        new = old * np.where(old > 0, above, below) + now
        regrets[mine] = np.maximum(new, 0) if self.algorithm.floor else new
        averages[mine] = averages[mine] * fading + reached[mine]
        hoped = regrets[mine].copy()
        if len(predicted):
            predicted[mine] = now
            hoped += now
        hoped = np.maximum(hoped, 0)
        totals = np.repeat(np.add.reduceat(hoped, first), sizes)
        strategy[mine] = np.where(totals > 0, hoped / np.where(totals > 0, totals, 1), 1 / np.repeat(sizes, sizes))

    def _look(self, player: int) -> tuple[Floats, Floats]:
        """The counterfactual values of a player's sequences, and how likely they let them come about."""
        tree, acting = self.tree, self._acting
        chances = np.where(tree.sequence >= 0, self.state.strategy[tree.sequence], tree.chance)
        own, others, worth = np.ones(len(tree)), np.ones(len(tree)), np.zeros(len(tree))
        for level in self._levels:
            parent, mine = tree.parent[level], acting[level] == player
            own[level] = own[parent] * np.where(mine, chances[level], 1)
            others[level] = others[parent] * np.where(mine, 1, chances[level])
        worth[tree.player == TERMINAL] = tree.payoffs[:, player]
        for level in reversed(self._levels):
            parent = tree.parent[level]
            worth[: level.start] += np.bincount(parent, chances[level] * worth[level], minlength=level.start)
        chosen, size = self._chooses[player], len(self.state.regrets)
        sequence = tree.sequence[chosen]
        values: Floats = np.bincount(sequence, others[chosen] * worth[chosen], minlength=size).astype(np.float64)
        return values, np.bincount(sequence, own[chosen], minlength=size).astype(np.float64)
