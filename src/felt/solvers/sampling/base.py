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
from felt.games.tree import SIZES, Sizes
from felt.solvers.algorithm import Algorithm
from felt.solvers.memory import MEMORY
from felt.solvers.public import PublicTree, betting_of
from felt.solvers.solver import State
from felt.solvers.tree import Floats, GameTree
from felt.solvers.walks import walks_of

STREAM = 0x77616C6B  # "walk": keeps these dice apart from those of other rooms

CHUNK = 1024
"""Deals that are made together."""


class SamplingSolver:
    """A solver like `felt.solvers.solver.Solver` whose iterations look at a few histories only.

    The same seed gives the same strategy, whatever the number of iterations that are asked for at a time. Of rules, a
    game is refused that would take more than `memory` bytes.
    """

    algorithm: ClassVar[Algorithm]
    explore: ClassVar[float] = -1.0
    """How often a player who learns does anything at all; below 0 all their actions are tried."""

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
        self.walks = walks_of(game)
        self.tree = game
        self.infosets = game.infosets
        self.iterations = 0
        """How many have been done: in each, every player learns once."""
        self.looked_at = 0
        """How many nodes the walks came to so far."""
        self.sizes = sizes
        self._cards = np.random.default_rng([STREAM, seed])
        self._dice = np.array([block_seed(seed, 0, STREAM)], dtype=np.uint64)
        size, places = self.infosets.sequences + self.infosets.players, len(self.walks.player)
        self.state = State(np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(0))
        self.state.strategy[: self.infosets.sequences] = self.infosets.uniform()
        self._values = np.zeros(size)
        self._room = np.zeros(places, dtype=np.int32), np.zeros(places, dtype=np.int32), np.zeros(places)

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where chance stands: iterations go on from here, in a solver that is given it."""
        return {"cards": dict(self._cards.bit_generator.state), "dice": int(self._dice[0])}

    @dice_state.setter
    def dice_state(self, state: dict[str, Any]) -> None:
        self._cards.bit_generator.state = state["cards"]
        self._dice[0] = state["dice"]

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of what is walked over."""
        arrays: list[Any] = [*self.state, self._values, *self._room, self.infosets.first, self.infosets.parent]
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
        from felt.solvers.walk_kernels import walk

        learned = (self.infosets.first, self.infosets.parent), tuple(self.state), self._values, np.ones(3)
        cards, known = self.walks.deal(count, self._cards)
        with wrapping():
            self.looked_at += walk(
                self.walks.nodes, cards, known, self.walks.payments, learned, self._room, self._dice, seats,
                self.explore,
            )  # fmt: skip

    def average(self) -> Floats:
        """The strategy that the iterations so far have led to: chances by sequence."""
        return self.infosets.normalised(self.state.averages[: self.infosets.sequences])

    def current(self) -> Floats:
        """The strategy of the next iteration."""
        return self.state.strategy[: self.infosets.sequences].copy()
