"""Public trees of games of two: from rules, or from a state of a hand with ranges."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import COMBO_CARDS
from felt.cards.isomorphism import COMBO_PERMUTATIONS
from felt.cards.ranges.range import Range
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, plain_deals, suits_matter
from felt.solvers.memory import MEMORY
from felt.solvers.public_tree.deals import PublicDeals, coded
from felt.solvers.public_tree.terminals import vector_terminals
from felt.solvers.public_tree.tree import KINDS, VectorSize, VectorTree
from felt.solvers.trees.betting import PlainGame, betting_tree, counts_by_street
from felt.solvers.trees.build import plain_game
from felt.solvers.trees.build_plain import levels_of
from felt.solvers.trees.dealt import dealing_bytes
from felt.solvers.trees.orbits import ALL, NONE, Renamings, fixing
from felt.solvers.trees.renaming import renamings
from felt.solvers.trees.tree import CHANCE, first_children, format_bytes

Floats = NDArray[np.float64]


class PublicOptions(TypedDict, total=False):
    """What can be said of a public tree beside its game and stacks."""

    sizes: Sizes
    """The bet menu."""
    ranges: Sequence[Range] | None
    """What both seats may hold, in a state of a hand."""
    isomorphic: bool
    """Whether boards that differ only by the names of suits are one, where that is exact."""
    memory: float


def vector_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    kind: str = "float64",
    **options: Unpack[PublicOptions],
) -> VectorTree:
    """The public tree of a game of two from the first deal, or of what may follow a state of a hand.

    From a state, the board and the moves are as they are, and what both hold is dealt anew, by `ranges` (of the two
    seats) if they are given. Boards that differ only by the names of suits are one where that is exact, unless
    `isomorphic` is false. A tree that would take more than `memory` bytes with regrets of `kind` is refused.

    >>> from felt.games import load
    >>> tree = vector_tree(load("leduc"))
    >>> len(tree), tree.rows, len(tree.hands)
    (241, 224, 3)
    """
    table, memory = vector_table(game, stacks, **options), options.get("memory", MEMORY)
    size = size_of_table(table, kind)
    if size.peak > memory:
        raise FeltError(
            f"the public tree of {table.game.rules.name} has {size.nodes:,} nodes for {size.hands:,} hands and needs "
            f"about {format_bytes(size.peak)}, more than the {format_bytes(memory)} allowed: give smaller stacks, "
            "fewer sizes of raises, a later street, or more memory"
        )
    tree = _built(table, options.get("ranges"), from_hand=isinstance(game, Hand))
    return replace(tree, sizes=options.get("sizes", SIZES))


def size_of_vector(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    kind: str = "float64",
    **options: Unpack[PublicOptions],
) -> VectorSize:
    """How large a public tree will be, without building it.

    >>> from felt.games import load
    >>> print(size_of_vector(load("leduc")))
    241 nodes and 224 actions for 3 hands, about 28.2 kB in float64
    """
    return size_of_table(vector_table(game, stacks, **options), kind)


def size_of_table(table: PublicDeals, kind: str) -> VectorSize:
    """How large the tree of a table will be."""
    if kind not in KINDS:
        raise FeltError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
    hands, boards = table.counts()
    bet_nodes = table.game.nodes
    nodes = 1 + sum(a * b for a, b in zip(counts_by_street(bet_nodes, len(boards)), boards, strict=True))
    rows = sum(boards[node.street] * len(node.actions) for node in bet_nodes if node.player >= 0)
    depth, widths = [0] * len(bet_nodes), [0] * len(bet_nodes)
    for node, level in zip(bet_nodes, depth, strict=True):  # parents stand before their children
        widths[level] += boards[node.street]
        for child in node.children:
            depth[child] = level + 1
    dealing = dealing_bytes(table.cards, table.groups, suits=table.game.suits, renamings=table.game.renamings)
    return VectorSize(nodes, hands, sum(boards), rows, max(widths), table.simple, kind, len(bet_nodes), dealing)


def vector_table(
    game: GameRules | Hand, stacks: Sequence[int] | int | None = None, *, sizes: Sizes = SIZES,
    ranges: Sequence[Range] | None = None, isomorphic: bool = True, memory: float = MEMORY,
) -> PublicDeals:  # fmt: skip
    """What a public tree is built from."""
    rules = game.rules if isinstance(game, Hand) else game
    if not plain_deals(rules) or rules.rounds[0].down == 0:
        raise FeltError(f"{rules.name}: a public tree is of games whose cards are not open and not exchanged")
    if isinstance(game, GameRules):
        if ranges is not None:
            raise FeltError("ranges are of players in a state of a hand: give a hand and not its rules")
        plain = plain_game(rules, stacks, players=2, sizes=sizes, isomorphic=isomorphic, memory=memory)
        return PublicDeals(plain)
    if stacks is not None:
        raise FeltError("a hand has its stacks: leave them out")
    if game.players != 2 or game.over:
        raise FeltError(f"{rules.name}: a public tree is of two players in a hand that goes on")
    if ranges is not None and (len(ranges) != 2 or rules.rounds[0].down != 2):
        raise FeltError(f"{len(ranges)} ranges: give one of pairs of hole cards for each of the two seats")
    suits = suits_matter(rules) or ranges is not None
    known = _symmetries(game, ranges or ()) if isomorphic and suits else NONE
    chosen = None
    if ranges is not None:
        some = np.flatnonzero(ranges[0].weights + ranges[1].weights)
        chosen = coded(COMBO_CARDS[some])
    return PublicDeals(
        PlainGame(game, betting_tree(game, sizes=sizes, memory=memory), suits, known), game.board, chosen
    )


def _symmetries(hand: Hand, ranges: Sequence[Range]) -> Renamings:
    """The renamings that leave the board and the ranges as they are."""
    at, groups = 0, []
    for part in hand.rules.rounds:
        groups.append(hand.board[at : at + part.board])
        at += part.board
    symmetries = fixing(renamings(hand.rules), groups)
    for weights in (range_.weights for range_ in ranges):
        moves = [COMBO_PERMUTATIONS[(ALL == renaming).all(axis=1).argmax()] for renaming in symmetries]
        symmetries = symmetries[[i for i, move in enumerate(moves) if np.array_equal(weights[move], weights)]]
    return symmetries


def _built(table: PublicDeals, ranges: Sequence[Range] | None, *, from_hand: bool) -> VectorTree:
    nodes = table.game.nodes
    levels = levels_of(nodes, table.deals)
    bet_node, deal, parent = (np.concatenate([level[i] for level in levels]) for i in range(3))
    player = np.array([CHANCE, *(node.player for node in nodes)], dtype=np.int8)[bet_node + 1]
    street = np.array([0, *(node.street for node in nodes)])[bet_node + 1]
    first_child, count = first_children(parent)
    rows = np.where(player >= 0, count, 0)
    board = table.first[street] + deal
    start = _start(table, ranges)
    total = float(start[0] @ table.against(start[1]))
    if not total > 0:
        raise FeltError("these ranges and this board leave no two hands that can be dealt: give wider ranges")
    return VectorTree(
        game=table.game,
        table=table,
        player=player,
        parent=parent.astype(np.int32),
        first_child=first_child,
        children=count,
        row=np.where(player >= 0, np.cumsum(rows) - rows, -1).astype(np.int32),
        bet_node=bet_node.astype(np.int32),
        board=board.astype(np.int32),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        start=start,
        norm=1 / total,
        terminals=vector_terminals(table, bet_node, 1 / total),
        from_hand=from_hand,
    )


def _start(table: PublicDeals, ranges: Sequence[Range] | None) -> Floats:
    """How likely each hand is to begin with, by seat."""
    if ranges is None:
        return np.ones((2, len(table.hands)))
    low, high = table.hands.astype(np.int64).T
    return np.array([range_.weights[high * (high - 1) // 2 + low] for range_ in ranges])
