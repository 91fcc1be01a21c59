"""How good a strategy is: what it is worth, what the best answers to it win, and so how far it is from equilibrium."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from felt.errors import FeltError
from felt.solvers.trees.tree import Floats, GameTree

EXACT = 1e-6
"""By how much the chances of an information set may miss 1."""


@dataclass(frozen=True)
class Evaluation:
    """A strategy of all players, measured exactly."""

    values: tuple[float, ...]
    """Chips that each player wins on average when all play it."""
    best: tuple[float, ...]
    """Chips that each player would win with the best answer to the others."""
    answers: Floats
    """These best answers: by sequence, 1 for the action taken."""

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player would gain by leaving the strategy alone; all 0 in an equilibrium."""
        return tuple(max(best - value, 0.0) for best, value in zip(self.best, self.values, strict=True))

    @property
    def exploitability(self) -> float:
        """The gains on average over the players, in chips a hand.

        For two players it is what a strategy loses, on average over both seats, to somebody who knows it.
        """
        return sum(self.gains) / len(self.gains)


def evaluate(tree: GameTree, strategy: ArrayLike) -> Evaluation:
    """Measure a strategy: chances by sequence (`felt.solvers.trees.tree.Infosets`).

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> tree = build_tree(load("kuhn"))
    >>> round(evaluate(tree, tree.infosets.uniform()).exploitability, 6)
    0.458333
    """
    from felt.solvers.cfr.sweep_kernels import back_up_best, clear, gather
    from felt.solvers.cfr.update_kernels import update_reach

    infosets = tree.infosets
    chances = np.array(strategy, dtype=np.float64)
    _check(tree, chances)
    size = infosets.sequences + infosets.players
    reach, values, answers = np.ones(size), np.zeros(size), np.zeros(size)
    for _, begin, end in infosets.by_player():
        update_reach(infosets.first, infosets.parent, begin, end, chances, reach)
    values_won, best, ends = [], [], tree.sequence_form
    for player, begin, end in infosets.by_player():
        clear(infosets.first, begin, end, player, values)
        gather(ends.sequences, ends.gains, player, reach, values)
        mine = slice(infosets.first[begin], infosets.first[end])
        empty = infosets.sequences + player
        values_won.append(float(values[mine] @ reach[mine] + values[empty]))
        back_up_best(infosets.first, infosets.parent, begin, end, values, answers)
        best.append(float(values[empty]))
    return Evaluation(tuple(values_won), tuple(best), answers[: infosets.sequences])


def _check(tree: GameTree, chances: Floats) -> None:
    infosets = tree.infosets
    if chances.shape != (infosets.sequences,):
        raise FeltError(f"a strategy of {chances.size:,} chances for a game with {infosets.sequences:,} sequences")
    if infosets.count == 0:
        return
    totals = np.add.reduceat(chances, infosets.first[:-1])
    wrong = np.flatnonzero((np.abs(totals - 1) > EXACT) | ~np.isfinite(totals))
    if len(wrong) or (chances < 0).any():
        where = infosets.labels[int(wrong[0])] if len(wrong) else "one"
        raise FeltError(f"the chances at {where!r} are not above 0 with a sum of 1: give those of a strategy")
