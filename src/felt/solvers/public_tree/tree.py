"""The public tree of a game of two: places in the betting and boards, and at each a vector of all hands.

For games whose betting does not depend on cards, from the first deal or from a state of a hand. Nodes are in level
order, as in `felt.solvers.trees.tree`; an action of a node is a row, and what is learned there has a column for each
hand.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.trees.tree import SIZES, Sizes
from felt.solvers.memory import BASE, NODE, PLACE
from felt.solvers.public_tree.deals import PublicDeals
from felt.solvers.public_tree.infosets import VectorInfosets, vector_infosets
from felt.solvers.public_tree.terminals import VectorTerminals
from felt.solvers.trees.betting import OfPlainGame, PlainGame
from felt.solvers.trees.origin import Origin
from felt.solvers.trees.tree import Infosets, format_bytes

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

KINDS = {"float64": np.float64, "float32": np.float32, "int16": np.int16}
"""What a regret may be kept in; 16 bits with one scale for each node."""


BYTES_PER_NODE, BYTES_PER_HAND = 33, 30
"""Of small arrays of a tree and its solver, about."""

BYTES_MEASURED = 120
"""By row and hand, while a strategy is measured or saved."""


@dataclass(frozen=True)
class VectorSize:
    """How large a public tree and its solver will be."""

    nodes: int
    hands: int
    boards: int
    rows: int
    """Actions of all nodes."""
    widest: int
    """Nodes of the largest level."""
    simple: bool
    kind: str = "float64"
    places: int = 0
    """Of the betting."""
    dealing: float = 0.0
    """Memory while the boards are listed."""

    @property
    def peak(self) -> float:
        """The most memory at a time: building the tree, solving with any algorithm, measuring and saving."""
        number = 8 if self.kind == "float64" else 4
        learned = self.rows * self.hands * (2 * np.dtype(KINDS[self.kind]).itemsize + number + BYTES_MEASURED)
        vectors = (self.nodes + 2 * self.widest + 7) * self.hands * (number + 8)
        boards = self.boards * self.hands * (70 if self.simple else 26 * self.hands + 70)
        small = BASE + self.places * PLACE + self.nodes * NODE
        return small + learned + vectors + boards + self.dealing

    @property
    def bytes(self) -> int:
        """Memory that the tree and a solver keep whose algorithm has regrets and averages; what building and measuring
        take in passing is in `peak`."""
        learned = 2 * self.rows * self.hands * np.dtype(KINDS[self.kind]).itemsize
        vectors = (self.nodes + 2 * self.widest + 7) * self.hands * (8 if self.kind == "float64" else 4)
        pairs = 9 * self.hands if not self.simple else 5
        return learned + vectors + self.hands * (self.boards * pairs + BYTES_PER_HAND) + self.nodes * BYTES_PER_NODE

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} nodes and {self.rows:,} actions for {self.hands:,} hands, "
            f"about {format_bytes(self.bytes)} in {self.kind}"
        )


@dataclass(frozen=True, eq=False)
class VectorTree(OfPlainGame):
    """A public tree. ``tree.levels[d] … tree.levels[d + 1] - 1`` are the nodes of level d."""

    game: PlainGame
    """The betting, and what makes deals the same."""
    table: PublicDeals
    player: NDArray[np.int8]
    """Who acts; `CHANCE` where the board grows, `TERMINAL` where the hand is over."""
    parent: Ints
    first_child: Ints
    children: Ints
    row: Ints
    """The first of a node's actions among those of all nodes; -1 where nobody decides."""
    bet_node: Ints
    """The place in the betting; -1 at the root, where a first board may fall."""
    board: Ints
    """The board, of those of all rounds one after the other."""
    levels: Ints
    start: Floats
    """``[players, hands]``: how likely each hand is to begin with, before cards in two places are ruled out."""
    norm: float
    """What makes the chances of all pairs of hands add up to 1."""
    terminals: VectorTerminals
    from_hand: bool
    sizes: Sizes = SIZES
    """The menu of raises."""

    lists_deals: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.player)

    @property
    def origin(self) -> Origin:
        """What it was built from, for a file."""
        if self.from_hand:
            raise FeltError(
                "what follows a state of a hand is kept in a file only of a whole tree: use form='ends' for it"
            )
        return Origin(self.sizes)

    @property
    def players(self) -> int:
        """How many play."""
        return 2

    @property
    def isomorphic(self) -> bool:
        """Whether information sets that differ by the names of suits are one."""
        return not self.from_hand and len(self.game.renamings) > 1

    @property
    def hands(self) -> NDArray[np.uint8]:
        """``[hands, cards]``: what a player may hold, as cards, or as ranks where suits never matter."""
        return self.table.hands

    @cached_property
    def rows(self) -> int:
        """How many actions all nodes have."""
        return int(self.children[self.row >= 0].sum())

    @cached_property
    def node_of_row(self) -> Ints:
        """The node of each row."""
        nodes = np.flatnonzero(self.row >= 0)
        return np.repeat(nodes, self.children[nodes]).astype(np.int32)

    @cached_property
    def sets(self) -> VectorInfosets:
        """The information sets as the history tree numbers them, and where each stands in ``[rows, hands]``."""
        return vector_infosets(self.table, self.bet_node, self.board, self.row, from_hand=self.from_hand)

    @property
    def infosets(self) -> Infosets:
        """What players can tell apart, as `felt.solvers.trees.build.build_tree` numbers it."""
        return self.sets.infosets

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """For the kernels."""
        nodes = self.player, self.first_child, self.children, self.row, self.board
        first, renaming = self.table.images
        return nodes, self.levels, self.table.alive, self.start, first, renaming, self.table.moves
