"""CFR with sampled deals (Zinkevich and others 2007): the betting of a game is kept, and its cards are dealt.

An iteration is one deal, at which all players learn. Nothing is kept for a deal, so games can be solved whose
histories nobody could list: what takes memory is what players learn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.algorithm import algorithm
from felt.solvers.betting import betting_tree
from felt.solvers.build_plain import PlainGame, pay_spot
from felt.solvers.dealt import plain_deals, suits_matter
from felt.solvers.public import public_tree
from felt.solvers.solver import State
from felt.solvers.tree import Floats

CHUNK = 256
"""Deals that are paid for together."""


class SampledSolver:
    """A solver like `felt.solvers.solver.Solver` for games whose betting does not depend on cards.

    Its average strategy is by the same information sets as that of the whole tree.

    >>> from felt.games import load
    >>> solver = SampledSolver(load("kuhn", cards=13, players=8))
    >>> solver.run(10)
    >>> solver.infosets.count, solver.bytes < 2_000_000
    (13312, True)
    """

    def __init__(
        self,
        rules: GameRules,
        stacks: int | None = None,
        *,
        players: int | None = None,
        sizes: Sizes = SIZES,
        seed: int = 0,
    ) -> None:
        if not plain_deals(rules):
            raise FeltError(f"{rules.name}: deals can be sampled only where cards are not open and not exchanged")
        hand = Hand.new(rules, stacks, players=players)
        self.tree = public_tree(PlainGame(hand, betting_tree(hand, sizes=sizes), suits_matter(rules)))
        self.infosets = self.tree.infosets
        self.algorithm = algorithm("cfr")
        self.iterations = 0
        """How many hands were dealt."""
        self._dice = np.random.default_rng(seed)
        size, places = self.infosets.sequences + hand.players, len(self.tree.player)
        self.state = State(np.zeros(size), np.zeros(size), np.zeros(size), np.ones(size), np.zeros(0))
        self.state.strategy[: self.infosets.sequences] = self.infosets.uniform()
        self._values = np.zeros(size)
        self._room = np.zeros(places, dtype=np.int64), np.zeros(places), np.zeros(places)

    @property
    def bytes(self) -> int:
        """Memory of what is learned and of the betting, without what is needed for a moment."""
        tree = self.tree
        arrays: list[NDArray[Any]] = [tree.player, tree.street, tree.first, tree.children, tree.base, tree.ends]
        arrays += [*tree.codes, *self.state, self._values, *self._room]
        return sum(array.nbytes for array in [*arrays, self.infosets.first, self.infosets.parent])

    def run(self, iterations: int) -> None:
        """Deal so many more hands."""
        from felt.solvers.public_kernels import sweep_deals

        tree, row = self.tree, np.ones(3)
        spots = tree.player, tree.street, tree.first, tree.children, tree.base
        layout = self.infosets.first, self.infosets.parent
        for begin in range(0, iterations, CHUNK):
            cards = self._deal(min(CHUNK, iterations - begin))
            sweep_deals(
                spots, tree.known(cards), tree.ends, self._payoffs(cards), layout, tuple(self.state), self._room,
                self._values, row, self.algorithm.floor,
            )  # fmt: skip
            self.iterations += len(cards)

    def average(self) -> Floats:
        """The strategy that the deals so far have led to: chances by sequence."""
        return self.infosets.normalised(self.state.averages[: self.infosets.sequences])

    def _deal(self, count: int) -> NDArray[np.uint8]:
        """Cards of `count` deals: hole cards by seat, then the board."""
        game = self.tree.game
        deck = np.tile(np.array(game.rules.deck.cards, dtype=np.uint8), (count, 1))
        return np.ascontiguousarray(self._dice.permuted(deck, axis=1)[:, : sum(map(sum, game.groups))])

    def _payoffs(self, cards: NDArray[np.uint8]) -> Floats:
        """What every end of the betting pays, by deal."""
        ends = np.flatnonzero(self.tree.ends >= 0)
        return np.stack([pay_spot(self.tree.game, int(spot), cards) for spot in ends], axis=1)
