"""What the sampling members of the CFR family share: an iteration is a walk for each player that leaves much to dice.

They learn by the same update as all others, from values that are right on average (Lanctot and others 2009). Where a
tree is given, they walk over its histories; where rules are given, over the betting, with cards dealt for each
iteration: games whose histories nobody could list.

The average needs care. A strategy counts by how often its player comes to a place, whatever others do. Between two it
is taken in at the places of the one who does not learn, who comes there as their own strategy and a fixed chance say.
Among more it is taken in along a way of its own, on which others do anything at all.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from felt._chance import block_seed
from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes
from felt.solvers.cfr.algorithm import SAMPLING
from felt.solvers.cfr.base import TabularSolver
from felt.solvers.memory import MEMORY
from felt.solvers.sampling.betting import PublicTree, betting_of, walks_of
from felt.solvers.trees.tree import GameTree

STREAM = 0x77616C6B  # "walk": keeps these dice apart from those of other rooms

CHUNK = 1024
"""Deals that are made together."""


class SamplingSolver(TabularSolver):
    """A solver like `felt.solvers.cfr.solver.Solver` whose iterations look at a few histories only.

    The same seed gives the same strategy, whatever the number of iterations that are asked for at a time. Of rules, a
    game is refused that would take more than `memory` bytes.
    """

    form = "sampling"
    method: ClassVar[str]
    """Which of `SAMPLING` it is."""
    reach: ClassVar[float] = 0.0
    """How likely players come to places that they have not decided about: 0 where walks take in the average."""

    def __init__(
        self,
        game: GameRules | GameTree | PublicTree,
        stacks: Sequence[int] | int | None = None,
        *,
        players: int | None = None,
        sizes: Sizes = SIZES,
        seed: int = 0,
        memory: float = MEMORY,
    ) -> None:
        if isinstance(game, GameRules):
            game = betting_of(game, stacks, players=players, sizes=sizes, memory=memory)
        elif stacks is not None or players is not None:
            raise FeltError("a tree has its stacks and players: leave them out")
        super().__init__(game, SAMPLING[self.method], reach=self.reach)
        self._prepare(seed)

    def _prepare(self, seed: int) -> None:
        """Seed the dice, and make room for an iteration."""
        raise NotImplementedError


class WalkingSolver(SamplingSolver):
    """External or outcome sampling, over a tree or over the betting of a game."""

    explore: ClassVar[float] = -1.0
    """How often a player who learns does anything at all; below 0 all their actions are tried."""

    def _prepare(self, seed: int) -> None:
        self.walks = walks_of(self.tree)
        self.looked_at = 0
        """How many nodes the walks came to so far."""
        self._cards = np.random.default_rng([STREAM, seed])
        self._dice = np.array([block_seed(seed, 0, STREAM)], dtype=np.uint64)
        self._room = tuple(np.zeros(len(self.walks), dtype=kind) for kind in (np.int32, np.int32, np.float64))

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where the dice for cards and for choices stand."""
        return {"cards": dict(self._cards.bit_generator.state), "dice": int(self._dice[0])}

    @dice_state.setter
    def dice_state(self, state: dict[str, Any]) -> None:
        self._cards.bit_generator.state = state["cards"]
        self._dice[0] = state["dice"]

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of what is walked over."""
        arrays: list[Any] = [*self.state, self._values, *self._room, *self.layout]
        return int(sum(array.nbytes for array in arrays)) + self.walks.bytes

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        seats = np.arange(self.infosets.players)
        for begin in range(0, iterations, CHUNK):
            self.learn(min(CHUNK, iterations - begin), seats)
        self.iterations += iterations

    def learn(self, count: int, seats: Any) -> None:
        """Walk `count` times for each of these seats, which learn; no more than `CHUNK`."""
        from felt._chance_kernels import wrapping
        from felt.solvers.sampling.walk_kernels import walk

        learned = self.layout, tuple(self.state), self._values, np.ones(3)
        cards, known = self.walks.deal(count, self._cards)
        with wrapping():
            self.looked_at += walk(
                self.walks.nodes, cards, known, self.walks.payments, learned, self._room, self._dice, seats,
                self.explore,
            )  # fmt: skip


class ExternalSampling(WalkingSolver):
    """External sampling (Lanctot and others 2009): all that one player may do, against one choice of everybody else's.

    What is not up to the player who learns, cards and others, is drawn as it would come; so an iteration costs about
    what the player's own part of the tree has, and the values need no weights.

    >>> from felt.games import load
    >>> solver = ExternalSampling(load("kuhn", cards=13, players=8), seed=1)
    >>> solver.run(100)
    >>> solver.infosets.count, solver.looked_at / 100 < 500
    (13312, True)
    """

    method = "external"


class OutcomeSampling(WalkingSolver):
    """Outcome sampling (Lanctot and others 2009): one hand is played, and each player learns from how it ended.

    An iteration costs next to nothing and says little: what happened is weighted by how unlikely it was, so that values
    are right on average, and vary much. So that nothing is unlikely beyond reason, the player who learns tries anything
    at all in six of ten decisions, as the authors have it.

    >>> from felt.games import load
    >>> solver = OutcomeSampling(load("kuhn"), seed=1)
    >>> solver.run(100)
    >>> solver.looked_at < 100 * 2 * 5
    True
    """

    method = "outcome"
    explore = 0.6
