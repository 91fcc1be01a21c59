"""What players would gain by leaving a strategy alone, from sampled deals: for games that are too large to list.

The gain of a player is what their best answer wins above what the strategy wins. Nobody can find the best answer from
some deals, but it lies between two things that can be measured (Mak, Morton & Wood 1999):

- Any answer wins at most as much as the best one. One is learned from half of the deals: the best against these. On
  the other half, which it has never seen, its gain is measured. That is right on average for this answer, and so on
  average *no more* than the gain of the best.
- In hindsight one always does better. The best answer to a batch of deals, measured on these very deals, gains on
  average *at least* as much as the best answer to all deals.

So the interval goes from the lower limit of the one to the upper limit of the other, each with half of the error. It
is not an interval around a point: with few deals it is wide on both sides, and `learned` lies nearer to its lower end.
The betting of every deal is looked at whole, so that only cards are left to chance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from felt.errors import FeltError
from felt.solvers.memory import MEMORY, check_memory
from felt.solvers.sampling.betting import PublicTree, Walks, walks_of
from felt.solvers.trees.tree import Floats
from felt.stats.means import t_quantile

STREAM = 0x6761696E  # "gain": keeps these deals apart from those of other rooms

BATCHES = 10
"""Batches of deals that answers are fitted to."""

PORTION = 256
"""Deals that are made together."""

BYTES_A_DEAL = 64
"""Of what a deal brought each player, and of copies while it is averaged."""


@dataclass(frozen=True)
class SampledGains:
    """Estimates of what each player would gain by leaving a strategy alone, in chips a hand."""

    values: tuple[float, ...]
    """What each player wins when all play it, on average over all deals looked at."""
    learned: tuple[float, ...]
    """What each player gains with the answer that was learned: right on average for that answer, and a lower bound of
    the gain of the best."""
    low: tuple[float, ...]
    """The gains of best answers are at least this, each with 97.5 %."""
    high: tuple[float, ...]
    """The gains of best answers are at most this, each with 97.5 %."""
    deals: int
    """How many deals were looked at, half of them to learn."""

    def __str__(self) -> str:
        return "; ".join(f"{low:.4g} to {high:.4g}" for low, high in zip(self.low, self.high, strict=True))


def sampled_gains(
    tree: PublicTree, strategy: ArrayLike, *, deals: int = 20_000, seed: int = 0, memory: float = MEMORY
) -> SampledGains:
    """Estimate the gains of all players from so many deals; the strategy is chances by sequence.

    What each deal brought is kept until all are looked at; more deals than fit into `memory` bytes are refused.

    >>> from felt.games import load
    >>> from felt.solvers.sampling.betting import betting_of
    >>> tree = betting_of(load("leduc"))
    >>> found = sampled_gains(tree, tree.infosets.uniform(), deals=2000)
    >>> exact = 2.165625, 2.581597
    >>> [low < gain < high for low, gain, high in zip(found.low, exact, found.high)]
    [True, True]
    """
    chances, infosets = np.asarray(strategy, dtype=np.float64), tree.infosets
    if chances.shape != (infosets.sequences,):
        raise FeltError(f"a strategy of {chances.size:,} chances for a game with {infosets.sequences:,} sequences")
    if deals < 4 * BATCHES:
        raise FeltError(f"{deals} deals: give {4 * BATCHES} or more")
    room = len(tree.player) * infosets.players * 20 + len(chances) * 100
    check_memory(
        f"looking at {deals:,} deals of {tree.game.rules.name}", room + deals * infosets.players * BYTES_A_DEAL, memory,
        "give fewer deals",
    )  # fmt: skip
    look = _Look(walks_of(tree), np.append(chances, np.ones(infosets.players)), seed)
    batch = deals // 2 // BATCHES
    before, hindsight, wins = np.zeros_like(look.values), [], []
    for _ in range(BATCHES):
        look.values[:] = 0
        wins.append(look.at(batch, look.strategy)[:, :, 0])
        before += look.values
        hindsight.append(look.best(look.values)[0] / batch - wins[-1].mean(axis=0))
    answers = look.best(before)[1]
    fresh = look.at(deals - batch * BATCHES, answers)
    gained = fresh[:, :, 1] - fresh[:, :, 0]
    most = np.array(hindsight)
    low = gained.mean(axis=0) - t_quantile(len(gained) - 1) * gained.std(axis=0, ddof=1) / np.sqrt(len(gained))
    high = most.mean(axis=0) + t_quantile(BATCHES - 1) * most.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    values = np.concatenate([*wins, fresh[:, :, 0]]).mean(axis=0)
    figures = np.array([values, gained.mean(axis=0), np.maximum(low, 0), np.maximum(high, 0)])
    won, learned, least, highest = map(tuple, figures.tolist())
    return SampledGains(won, learned, least, highest, deals=len(gained) + batch * BATCHES)


class _Look:
    """Deals looked at one after the other."""

    def __init__(self, walks: Walks, strategy: Floats, seed: int) -> None:
        self.walks, self.strategy = walks, strategy
        self.values = np.zeros(len(strategy))
        """Of sequences, added up over the deals."""
        self._dice = np.random.default_rng([STREAM, seed])
        shape = len(walks), walks.infosets.players
        self._room = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.int32)

    def at(self, count: int, answers: Floats) -> Floats:
        """``[deals, players, 2]``: what everybody wins in so many new deals with the strategy, and with answers."""
        from felt.solvers.sampling.walk_kernels import look_at_deals

        won = np.empty((count, self.walks.infosets.players, 2))
        for begin in range(0, count, PORTION):
            some = won[begin : begin + PORTION]
            cards, known = self.walks.deal(len(some), self._dice)
            look_at_deals(
                self.walks.nodes, cards, known, self.walks.payments, self.walks.infosets.first, self.strategy, answers,
                self._room, self.values, some,
            )  # fmt: skip
        return won

    def best(self, values: Floats) -> tuple[Floats, Floats]:
        """What the best answers win in all deals that `values` are of, and these answers.

        Where none of the deals ever led, the answer is the strategy itself.
        """
        from felt.solvers.cfr.sweep_kernels import back_up_best

        infosets, values, answers = self.walks.infosets, values.copy(), np.ones(len(values))
        for _, begin, end in infosets.by_player():
            back_up_best(infosets.first, infosets.parent, begin, end, values, answers)
        unseen = np.add.reduceat(np.abs(values[: infosets.sequences]), infosets.first[:-1])[infosets.of_sequence] == 0
        answers[: infosets.sequences][unseen] = self.strategy[: infosets.sequences][unseen]
        return values[infosets.sequences :], answers
