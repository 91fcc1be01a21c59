"""The public tree of a game of two: places in the betting and boards, and at each a vector of all hands.

For games whose betting does not depend on cards, from the first deal or from a state of a hand. Nodes are in level
order, as in `felt.solvers.trees.tree`; an action of a node is a row, and what is learned there has a column for each
hand.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.trees.tree import SIZES, Sizes
from felt.solvers.memory import BASE, NODE, PLACE
from felt.solvers.public_tree.deals import PublicDeals, VectorInfosets, vector_infosets
from felt.solvers.trees.betting import OfPlainGame, PlainGame
from felt.solvers.trees.build import Origin, cards_of
from felt.solvers.trees.tree import TERMINAL, Array, Floats, Infosets, Ints, LevelOrder, format_bytes

OUTCOMES = 12
"""Loses, ties, wins; times the same for a second kind of hand, or nobody has one."""

IMPOSSIBLE = 255

NO_CARD = 54
"""Stands for the second card of a hand of one."""


class VectorTerminals(NamedTuple):
    """What `felt.solvers.public_tree.kernels` works with, in this order."""

    end: NDArray[np.int32]  # [nodes]: which of the ends a node is; -1 where the hand goes on
    shown: NDArray[np.uint8]  # [ends]: whether hands are shown
    pays: NDArray[np.float64]  # [ends, players, outcomes]: chips won, times the chance of the board
    cards: NDArray[np.uint8]  # [hands, 2], for hands of one or two cards
    alive: NDArray[np.uint8]  # [boards, hands]: whether a hand is possible beside a board
    final: int  # the first board of the last round
    order: NDArray[np.int16]  # [last boards, hands]: the possible hands from the weakest to the strongest
    tiers: NDArray[np.int16]  # [last boards, hands]: how strong each of these is, equal ones having the same number
    counts: NDArray[np.int32]  # [last boards]: how many are possible
    ways: NDArray[np.float64]  # [boards, hands, hands]: the chances of pairs; empty where hands are taken in order
    outcomes: NDArray[np.uint8]  # [last boards, hands, hands]: how the first hand compares with the second

    @property
    def bytes(self) -> int:
        """Memory that the arrays take."""
        return sum(part.nbytes for part in self if isinstance(part, np.ndarray))


def vector_terminals(table: PublicDeals, bet_node: Array, norm: float) -> VectorTerminals:
    """The ends of a tree whose nodes are at these places of the betting; `norm` makes chances of pairs add up to 1.

    The engine ranks every hand on every board once, and pays one deal of every outcome.
    """
    nodes = table.game.nodes
    numbers = [i for i, node in enumerate(nodes) if node.player == TERMINAL]
    end = np.full(len(nodes) + 1, -1, dtype=np.int32)
    end[numbers] = np.arange(len(numbers))
    hands = [nodes[i].hand for i in numbers]
    shown = np.array([hand is not None and bool(hand.showdown) for hand in hands], dtype=np.uint8)
    final, boards = int(table.first[-2]), int(table.first[-1] - table.first[-2])
    ranks = ranked(table) if shown.any() else np.zeros((1, boards, len(table.hands)), dtype=np.int64)
    weights = np.full(len(table.groups), norm) * (table.weights if table.simple else 1.0)
    pays = np.zeros((len(numbers), 2, OUTCOMES))
    order: Array = np.zeros((0, 0))
    tiers, none = order, np.zeros((0, 0, 0))
    outcomes: Array = none
    if table.simple:
        order = np.argsort(np.where(table.alive[final:], ranks[0], np.iinfo(np.int64).max), axis=1, kind="stable")
        sorted_ranks = np.take_along_axis(ranks[0], order, axis=1)
        tiers = np.cumsum(np.diff(sorted_ranks, axis=1, prepend=0) != 0, axis=1)
    else:
        outcomes = np.array([_outcomes(ranks[:, board]) for board in range(boards)], dtype=np.uint8)
    examples = _examples(table, ranks, outcomes) if shown.any() else {}
    deals = _deals(table, list(examples.values()))
    for i, (number, hand) in enumerate(zip(numbers, hands, strict=True)):
        weight = weights[nodes[number].street]
        if shown[i]:
            pays[i][:, list(examples)] = table.game.pay(number, deals).T * weight
        else:
            pays[i] = np.array(hand.payoffs)[:, None] * weight if hand is not None else 0
    pairs = np.full((len(table.hands), 2), NO_CARD, dtype=np.uint8)
    pairs[:, : table.hole] = table.hands[:, :2] if table.simple else 0
    return VectorTerminals(
        end=end[bet_node],
        shown=shown,
        pays=pays,
        cards=pairs,
        alive=table.alive,
        final=final,
        order=order.astype(np.int16),
        tiers=tiers.astype(np.int16),
        counts=table.alive[final:].sum(axis=1).astype(np.int32),
        ways=none if table.simple else table.ways,
        outcomes=outcomes.astype(np.uint8),
    )


def ranked(table: PublicDeals) -> NDArray[np.int64]:
    """``[kinds, last boards, hands]``: what the engine says that each hand is worth; 0 where it is impossible."""
    from felt.solvers.public_tree.kernels import strengths

    compiled, shown = compile_rules(table.game.rules), table.game.rules.showdown
    boards, final = table.deals[-1].classes, int(table.first[-2])
    ranks = np.zeros((len(shown.kinds), len(boards), len(table.hands)), dtype=np.int64)
    picked, room = np.zeros(16, dtype=np.uint8), np.zeros(len(table.hands), dtype=np.int64)
    for number, board in enumerate(boards):
        possible = np.flatnonzero(table.alive[final + number])
        rows = _laid(table, np.hstack([table.hands[possible], np.tile(board, (len(possible), 1))]), 1)
        for kind in range(len(shown.kinds)):
            method, out = int(compiled.game[f.METHOD, kind]), room[: len(possible)]
            kinds = shown.size, shown.hole_exactly, method, compiled.tables[kind], compiled.extra
            strengths(rows, table.hole, *kinds, picked, out)
            ranks[kind, number, possible] = out
    return ranks


def _laid(table: PublicDeals, rows: Array, hands: int) -> NDArray[np.uint8]:
    """Rows of hands and what comes to the board as cards, with the board that lies already between them."""
    cards, held = cards_of(rows, table.game, table.cards), table.hole * hands
    lying = np.tile(np.array(table.board, dtype=np.uint8), (len(rows), 1))
    return np.ascontiguousarray(np.hstack([cards[:, :held], lying, cards[:, held:]]))


def _outcomes(ranks: Array) -> Array:
    """How each hand compares with each other, by the worth of all kinds."""
    outcomes: Array = np.sign(ranks[0][:, None] - ranks[0][None]) + 1
    if len(ranks) > 1:
        second = np.sign(ranks[1][:, None] - ranks[1][None]) + 1
        outcomes = outcomes + 3 * np.where(np.maximum(ranks[1][:, None], ranks[1][None]) > 0, second, 3)
    return outcomes


def _examples(table: PublicDeals, ranks: Array, outcomes: Array) -> dict[int, tuple[int, int, int]]:
    """One deal of each outcome that there is: the first board and the first two hands; their cards are laid out later.

    Where pairs are not listed, boards are looked at until every outcome has been seen.
    """
    final, hands, examples = int(table.first[-2]), table.hands, dict[int, tuple[int, int, int]]()
    apart = (hands[:, None, :, None] != hands[None, :, None, :]).all(axis=(2, 3)) if table.simple else None
    for board in range(ranks.shape[1]):
        if apart is not None:
            lives = table.alive[final + board].astype(bool)
            possible, codes = apart & lives[:, None] & lives[None], _outcomes(ranks[:, board])
        else:
            possible, codes = table.ways[final + board] > 0, outcomes[board]
        seen, places = np.unique(np.where(possible, codes, IMPOSSIBLE), return_index=True)
        for code, place in zip(seen.tolist(), places.tolist(), strict=True):
            if code != IMPOSSIBLE:
                examples.setdefault(code, (board, *divmod(place, len(hands))))
        if table.simple and len(examples) == 3:
            break
    return examples


def _deals(table: PublicDeals, examples: list[tuple[int, int, int]]) -> NDArray[np.uint8]:
    """The cards of these deals: hole cards of both, then the whole board."""
    boards = table.deals[-1].classes
    rows = [np.concatenate([table.hands[a], table.hands[b], boards[board]]) for board, a, b in examples]
    width = table.hole * 2 + boards.shape[1]
    return _laid(table, np.array(rows, dtype=np.int64).reshape(-1, width), 2)


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
class VectorTree(LevelOrder, OfPlainGame):
    """A public tree. ``tree.levels[d] … tree.levels[d + 1] - 1`` are the nodes of level d."""

    game: PlainGame
    """The betting, and what makes deals the same."""
    table: PublicDeals
    player: NDArray[np.int8]
    """Who acts; `CHANCE` where the board grows, `TERMINAL` where the hand is over."""
    parent: Ints
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
    def row(self) -> Ints:
        """The first of a node's actions among those of all nodes; -1 where nobody decides."""
        rows = np.where(self.player >= 0, self.children, 0)
        return np.where(self.player >= 0, np.cumsum(rows) - rows, -1).astype(np.int32)

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
        return self.sets.numbering.infosets

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """For the kernels."""
        nodes = self.player, self.first_child, self.children, self.row, self.board
        first, renaming = self.table.images
        return nodes, self.levels, self.table.alive, self.start, first, renaming, self.table.moves
