"""CFR with sampled deals (Zinkevich and others 2007): the betting of a game is kept, and its cards are dealt.

An iteration is one deal, at which all players learn. Nothing is kept for a deal, so games can be solved whose
histories nobody could list: what takes memory is what players learn.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.algorithm import Algorithm
from felt.solvers.build_plain import pay_spot
from felt.solvers.memory import MEMORY
from felt.solvers.public import betting_of
from felt.solvers.solver import State
from felt.solvers.tree import Floats

ALGORITHM = Algorithm("sampled", "CFR with sampled deals", lambda t: (1.0, 1.0, 1.0))

CHUNK = 256
"""Deals that are paid for together, at most."""

PAID_BYTES = 4_000_000
"""Memory for what the ends of the betting pay in deals that are paid for together."""


class SampledSolver:
    """A solver like `felt.solvers.solver.Solver` for games whose betting does not depend on cards.

    Its average strategy is by the same information sets as that of the whole tree. A game is refused that would take
    more than `memory` bytes.

    >>> from felt.games import load
    >>> solver = SampledSolver(load("kuhn", cards=13, players=8))
    >>> solver.run(10)
    >>> solver.infosets.count, solver.bytes < 2_000_000
    (13312, True)
    """

    def __init__(
        self,
        rules: GameRules,
        stacks: Sequence[int] | int | None = None,
        *,
        players: int | None = None,
        sizes: Sizes = SIZES,
        seed: int = 0,
        memory: float = MEMORY,
    ) -> None:
        self.tree = betting_of(rules, stacks, players=players, sizes=sizes, memory=memory)
        self.infosets = self.tree.infosets
        self.algorithm = ALGORITHM
        self.iterations = 0
        """How many hands were dealt."""
        self.sizes = sizes
        self._dice = np.random.default_rng(seed)
        size, places = self.infosets.sequences + self.infosets.players, len(self.tree.player)
        self.state = State(np.zeros(size), np.zeros(size), np.zeros(size), np.ones(size), np.zeros(0))
        self.state.strategy[: self.infosets.sequences] = self.infosets.uniform()
        self._values = np.zeros(size)
        self._room = np.zeros(places, dtype=np.int64), np.zeros(places), np.zeros(places)

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where chance stands: deals go on from here, in a solver that is given it."""
        found: dict[str, Any] = dict(self._dice.bit_generator.state)
        return found

    @dice_state.setter
    def dice_state(self, state: dict[str, Any]) -> None:
        self._dice.bit_generator.state = state

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of the betting, without what is needed for a moment."""
        tree = self.tree
        arrays: list[NDArray[Any]] = [tree.player, tree.street, tree.first, tree.children, tree.base, tree.ends]
        arrays += [*tree.codes, *tree.numbers, *self.state, self._values, *self._room]
        return sum(array.nbytes for array in [*arrays, self.infosets.first, self.infosets.parent])

    def run(self, iterations: int) -> None:
        """Deal so many more hands."""
        from felt.solvers.public_kernels import sweep_deals

        tree, row = self.tree, np.ones(3)
        spots = tree.player, tree.street, tree.first, tree.children, tree.base
        layout = self.infosets.first, self.infosets.parent
        each = 8 * self.infosets.players * max(int(np.count_nonzero(tree.ends >= 0)), 1)
        chunk = min(max(PAID_BYTES // each, 1), CHUNK)
        for begin in range(0, iterations, chunk):
            cards = tree.deal(min(chunk, iterations - begin), self._dice)
            sweep_deals(
                spots, tree.known(cards), tree.ends, self._payoffs(cards), layout, tuple(self.state), self._room,
                self._values, row, self.algorithm.floor,
            )  # fmt: skip
            self.iterations += len(cards)

    def average(self) -> Floats:
        """The strategy that the deals so far have led to: chances by sequence."""
        return self.infosets.normalised(self.state.averages[: self.infosets.sequences])

    def current(self) -> Floats:
        """The strategy of the next deal."""
        return self.state.strategy[: self.infosets.sequences].copy()

    def _payoffs(self, cards: NDArray[np.uint8]) -> Floats:
        """What every end of the betting pays, by deal."""
        ends = np.flatnonzero(self.tree.ends >= 0)
        return np.stack([pay_spot(self.tree.game, int(spot), cards) for spot in ends], axis=1)
