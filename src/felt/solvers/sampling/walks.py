"""What walks that sample go over: the whole tree of a game, or its betting with cards dealt for each walk."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.engine.compiled import compile_rules
from felt.games.engine.exact_payoffs import lost_before, room_to_settle
from felt.games.rules import GameRules
from felt.solvers.sampling.betting import PublicTree
from felt.solvers.trees.tree import Floats, GameTree, Infosets, Ints

Cards = NDArray[np.uint8]
Known = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Walks:
    """Places as arrays, parents before their children, and how the ends are paid."""

    tree: GameTree | PublicTree
    player: Ints
    street: Ints
    first: Ints
    """``[places + 1]``: where the children of each begin."""
    children: Ints
    base: Ints
    """The information set of a place, or the first of those of all cards."""
    terminals: Ints
    """Which of the ends a place is; -1 if it is none."""
    chance: Floats
    """Of a place below chance."""
    payments: tuple[Any, ...]
    """For `felt.solvers.sampling.walk_kernels.pay`."""

    @property
    def infosets(self) -> Infosets:
        """What players can tell apart."""
        return self.tree.infosets

    @property
    def nodes(self) -> tuple[Any, ...]:
        """The arrays in the order that the kernels want."""
        return self.player, self.street, self.first, self.children, self.base, self.terminals, self.chance

    @property
    def bytes(self) -> int:
        """Memory of these arrays."""
        return sum(array.nbytes for array in self.nodes)

    def deal(self, count: int, dice: np.random.Generator) -> tuple[Cards, Known]:
        """Cards of `count` deals and what everybody knows of them; nothing where chance is in the tree."""
        if isinstance(self.tree, PublicTree):
            cards = self.tree.deal(count, dice)
            return cards, self.tree.known(cards)
        return np.zeros((count, 0), dtype=np.uint8), np.zeros((count, 1, self.tree.players), dtype=np.int32)


def walks_of(tree: GameTree | PublicTree) -> Walks:
    """The arrays of either kind of tree."""
    return _of_public(tree) if isinstance(tree, PublicTree) else _of_tree(tree)


def _of_tree(tree: GameTree) -> Walks:
    over = tree.children == 0
    return Walks(
        tree=tree,
        player=tree.player.astype(np.int32),
        street=np.zeros(len(tree), dtype=np.int32),
        first=np.cumsum([0, *tree.children]).astype(np.int32),
        children=np.arange(1, len(tree), dtype=np.int32),
        base=tree.infoset,
        terminals=np.where(over, np.cumsum(over) - 1, -1).astype(np.int32),
        chance=tree.chance,
        payments=_payments(
            tree.payoffs, np.zeros(len(tree.payoffs), dtype=np.int8), _engine(tree.rules, 0, [], [], [])
        ),
    )


def _of_public(tree: PublicTree) -> Walks:
    hands = [
        node.hand for node, terminal in zip(tree.game.nodes, tree.terminals, strict=True) if terminal >= 0 and node.hand
    ]
    records = [hand.arrays for hand in hands]
    before = [lost_before(hand) for hand in hands]
    shown = np.array([bool(hand.showdown) for hand in hands], dtype=np.int8)
    engine = _engine(
        tree.game.rules, tree.game.rules.rounds[0].down, [h for h, _ in records], [k for _, k in records], before
    )
    return Walks(
        tree=tree,
        player=tree.player.astype(np.int32),
        street=tree.street.astype(np.int32),
        first=tree.first.astype(np.int32),
        children=tree.children.astype(np.int32),
        base=tree.base.astype(np.int32),
        terminals=tree.terminals.astype(np.int32),
        chance=np.ones(len(tree.player)),
        payments=_payments(np.array([hand.payoffs for hand in hands], dtype=np.float64), shown, engine),
    )


def _payments(payoffs: Floats, shown: NDArray[np.int8], engine: tuple[Any, ...]) -> tuple[Any, ...]:
    return np.ascontiguousarray(payoffs), shown, engine, np.empty((1, payoffs.shape[1]))


def _engine(
    rules: GameRules, hole: int, numbers: list[NDArray[np.int32]], cards: list[Cards], before: list[NDArray[Any]]
) -> tuple[Any, ...]:
    """What settles a hand whose cards are shown: the record at each end, and the rules."""
    compiled = compile_rules(rules)
    return (
        np.array(numbers or np.zeros((0, 1)), dtype=np.int32),
        np.array(cards or np.zeros((0, 1)), dtype=np.uint8),
        np.array(before or np.zeros((0, 1)), dtype=np.int64),
        hole, compiled.game, compiled.tables, compiled.extra, *room_to_settle(),
    )  # fmt: skip
