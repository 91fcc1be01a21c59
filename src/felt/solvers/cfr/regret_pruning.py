"""Regret-based pruning (Brown & Sandholm 2015, 2017): leave out actions for as long as they cannot matter.

An action whose regret is far below 0 is not played, and will not be for a while: in one iteration its regret can grow
by so much and no more. Until then nobody needs to know what would come of it: its player does not play it, and so what
others do after it changes nothing. Every now and then there is a review, which asks what a best answer to all that the
other has played so far would have won with each action. If that is so much less than what the player did win that the
action cannot come back before the next review, everything after it is left out of the sweeps. If it might, the action
comes back with the regret against that best answer, as if the player had played it there all the time: no regret is
made up, and the bound on the sum of regrets is the same as without pruning.

As regrets grow with time and the steps between reviews are a fixed share of it, less and less is looked at. What that
saves is ends, which are the cheap part of our sweeps: time is saved only where there are many for each information set.
"""

from typing import Any

import numpy as np

from felt.errors import FeltError
from felt.solvers.cfr.algorithm import Algorithm
from felt.solvers.cfr.solver import Solver
from felt.solvers.trees.tree import Floats, GameTree, bound, luck

FIRST, SHARE = 16, 1 / 64
"""Iterations between reviews: at least so many, and about this share of those so far."""


class PrunedSolver(Solver):
    """A `felt.solvers.cfr.solver.Solver` for two players that looks at fewer ends; CFR or linear CFR.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> solver = PrunedSolver(build_tree(load("kuhn")))
    >>> solver.run(1000)
    >>> solver.looked_at < 0.8 * solver.looked_at_without
    True
    """

    def __init__(self, tree: GameTree, method: str | Algorithm = "linear") -> None:
        super().__init__(tree, method, form="ends")
        self.form = ""  # no file keeps what is left out
        weights = self.algorithm.weights(2)
        if tree.players != 2:
            raise FeltError(f"{tree.rules.name} with {tree.players} players: regrets prune games of two only")
        if self.algorithm.floor or self.algorithm.predictive or len(set(weights)) > 1:
            raise FeltError(f"{self.algorithm.name!r} forgets regrets: prune with cfr or linear")
        size = tree.infosets.sequences + 2
        self.looked_at = 0
        """How many ends the sweeps and the reviews looked at."""
        self.pruned = np.zeros(size, dtype=np.bool_)
        """The sequences that are left out, but not those after them."""
        self._dead, self._back = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        self._totals, self._seen = np.zeros(tree.infosets.count), np.zeros(size)
        self._most = _most_regret(tree)
        self._active: tuple[Any, ...] = tree.sequence_form.sequences, tree.sequence_form.gains
        self._next = FIRST

    @property
    def looked_at_without(self) -> int:
        """How many ends sweeps over all of them would have looked at."""
        return self.iterations * self.tree.players * len(self.tree.sequence_form.chances)

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        from felt.solvers.cfr.sweep_kernels import sweep_active

        last = self.iterations + iterations
        while self.iterations < last:
            portion = min(self._next, last) - self.iterations
            sweep_active(
                *self._active, self.infosets.of_player, self.layout, tuple(self.state), self._values,
                self.algorithm.schedule(self.iterations, portion), self._totals, self._seen,
            )  # fmt: skip
            self.iterations += portion
            self.looked_at += 2 * portion * self._active[0].shape[1]
            if self.iterations == self._next:
                self._review()

    def _review(self) -> None:
        from felt.solvers.cfr.sweep_kernels import back_up_best, clear, gather, review

        infosets, (played, gains) = self.infosets, (self.tree.sequence_form.sequences, self.tree.sequence_form.gains)
        ahead = max(FIRST, int(self.iterations * SHARE))
        fading = self.algorithm.schedule(self.iterations, ahead)[:, 2]
        scale, weight = float(fading.prod()), float(np.cumprod(fading[:0:-1]).sum() + 1)
        best, answers = np.zeros_like(self._seen), np.zeros_like(self._seen)
        for player, begin, end in infosets.by_player():
            clear(infosets.first, begin, end, player, best)
            gather(played, gains, player, self._seen, best)
            back_up_best(*self.layout, begin, end, best, answers)
            review(
                begin, end, self.layout, tuple(self.state), best, self._totals, self._most, scale, weight,
                self.pruned, self._dead, self._back,
            )  # fmt: skip
        alive = np.flatnonzero(~(self._dead[played[0]] | self._dead[played[1]]))
        self._active = played.take(alive, axis=1), gains.take(alive, axis=1)
        self.looked_at += 2 * played.shape[1]
        self._next = self.iterations + ahead


def _most_regret(tree: GameTree) -> Floats:
    """By how much the regret of each sequence can grow in one iteration, whatever is played."""
    most_regret, lucky = np.zeros(tree.infosets.sequences + tree.players), luck(tree)
    for player in range(tree.players):
        most, least = bound(tree, player, best=True), bound(tree, player, best=False)
        mine = np.flatnonzero(tree.player[tree.parent] == player)
        mine = mine[mine > 0]
        above = tree.parent[mine]
        np.add.at(most_regret, tree.sequence[mine], lucky[above] * (most[mine] - least[above]))
    return most_regret
