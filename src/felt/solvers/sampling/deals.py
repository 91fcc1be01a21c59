"""CFR with sampled deals (Zinkevich and others 2007): the betting of a game is kept, and its cards are dealt.

An iteration is one deal, at which all players learn. Nothing is kept for a deal, so games can be solved whose
histories nobody could list: what takes memory is what players learn.
"""

from typing import Any

import numpy as np

from felt.solvers.sampling.base import SamplingSolver

CHUNK = 256
"""Deals that are paid for together, at most."""

PAID_BYTES = 4_000_000
"""Memory for what the ends of the betting pay in deals that are paid for together."""


class SampledSolver(SamplingSolver):
    """A solver like `felt.solvers.cfr.solver.Solver` for games whose betting does not depend on cards.

    Its average strategy is by the same information sets as that of the whole tree. A game is refused that would take
    more than `memory` bytes.

    >>> from felt.games import load
    >>> solver = SampledSolver(load("kuhn", cards=13, players=8))
    >>> solver.run(10)
    >>> solver.infosets.count, solver.bytes < 2_000_000
    (13312, True)
    """

    method = "sampled"
    reach = 1.0

    def _prepare(self, seed: int) -> None:
        self._dice = np.random.default_rng(seed)
        self._room = tuple(np.zeros(len(self.tree.player), dtype=kind) for kind in (np.int64, np.float64, np.float64))

    @property
    def dice_state(self) -> dict[str, Any]:
        """Where the dice for cards stand."""
        return dict(self._dice.bit_generator.state)

    @dice_state.setter
    def dice_state(self, state: dict[str, Any]) -> None:
        self._dice.bit_generator.state = state

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of the betting, without what is needed for a moment."""
        tree = self.tree
        arrays: list[Any] = [*tree.places, *tree.codes, *tree.numbers, *self.state, self._values, *self._room]
        return sum(array.nbytes for array in [*arrays, *self.layout])

    def run(self, iterations: int) -> None:
        """Deal so many more hands."""
        from felt.solvers.sampling.walk_kernels import sweep_deals

        tree, row = self.tree, np.ones(3)
        *nodes, terminals = tree.places
        ends = np.flatnonzero(terminals >= 0).tolist()
        each = 8 * self.infosets.players * max(len(ends), 1)
        chunk = min(max(PAID_BYTES // each, 1), CHUNK)
        for begin in range(0, iterations, chunk):
            cards = tree.deal(min(chunk, iterations - begin), self._dice)
            paid = np.stack([tree.game.pay(node, cards) for node in ends], axis=1)
            sweep_deals(
                tuple(nodes), tree.known(cards), terminals, paid, self.layout, tuple(self.state),
                self._room, self._values, row, self.algorithm.floor,
            )  # fmt: skip
            self.iterations += len(cards)
