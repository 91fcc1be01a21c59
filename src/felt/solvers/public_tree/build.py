"""Public trees of games of two: from rules, or from a state of a hand with ranges."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import COMBO_CARDS
from felt.cards.isomorphism import COMBO_PERMUTATIONS
from felt.cards.range import Range
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.betting import betting_tree, counts_by_street
from felt.solvers.build import plain_game
from felt.solvers.build_plain import PlainGame, levels_of
from felt.solvers.dealt import dealing_bytes, plain_deals, suits_matter
from felt.solvers.memory import MEMORY
from felt.solvers.orbits import ALL, NONE, Renamings, fixing
from felt.solvers.renaming import renamings
from felt.solvers.tree import CHANCE, told_bytes
from felt.solvers.vector_ends import vector_ends
from felt.solvers.vector_table import Table, coded
from felt.solvers.vector_tree import KINDS, VectorSize, VectorTree

Floats = NDArray[np.float64]


def vector_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    sizes: Sizes = SIZES,
    ranges: Sequence[Range] | None = None,
    isomorphic: bool = True,
    memory: float = MEMORY,
    kind: str = "float64",
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
    table = vector_table(game, stacks, sizes=sizes, ranges=ranges, isomorphic=isomorphic, memory=memory)
    size = size_of_table(table, kind)
    if size.peak > memory:
        raise FeltError(
            f"the public tree of {table.game.rules.name} has {size.nodes:,} nodes for {size.hands:,} hands and needs "
            f"about {told_bytes(size.peak)}, more than the {told_bytes(memory)} allowed: give smaller stacks, fewer "
            "sizes of raises, a later street, or more memory"
        )
    return replace(_built(table, ranges, from_hand=isinstance(game, Hand)), sizes=sizes)


def size_of_vector(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    sizes: Sizes = SIZES,
    ranges: Sequence[Range] | None = None,
    isomorphic: bool = True,
    kind: str = "float64",
) -> VectorSize:
    """How large a public tree will be, without building it.

    >>> from felt.games import load
    >>> print(size_of_vector(load("leduc")))
    241 nodes and 224 actions for 3 hands, about 28.2 kB in float64
    """
    return size_of_table(vector_table(game, stacks, sizes=sizes, ranges=ranges, isomorphic=isomorphic), kind)


def size_of_table(table: Table, kind: str) -> VectorSize:
    """How large the tree of a table will be."""
    if kind not in KINDS:
        raise FeltError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
    hands, boards = table.counts()
    spots = table.game.spots
    nodes = 1 + sum(a * b for a, b in zip(counts_by_street(spots, len(boards)), boards, strict=True))
    rows = sum(boards[spot.street] * len(spot.actions) for spot in spots if spot.player >= 0)
    depth, widths = [0] * len(spots), [0] * len(spots)
    for spot, level in zip(spots, depth, strict=True):  # parents stand before their children
        widths[level] += boards[spot.street]
        for child in spot.children:
            depth[child] = level + 1
    dealing = dealing_bytes(table.cards, table.groups, suits=table.game.suits, renamings=table.game.renamings)
    return VectorSize(nodes, hands, sum(boards), rows, max(widths), table.simple, kind, len(spots), dealing)


def vector_table(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    sizes: Sizes = SIZES,
    ranges: Sequence[Range] | None = None,
    isomorphic: bool = True,
    memory: float = MEMORY,
) -> Table:
    """What a public tree is built from."""
    rules = game.rules if isinstance(game, Hand) else game
    if not plain_deals(rules) or rules.rounds[0].down == 0:
        raise FeltError(f"{rules.name}: a public tree is of games whose cards are not open and not exchanged")
    if isinstance(game, GameRules):
        if ranges is not None:
            raise FeltError("ranges are of players in a state of a hand: give a hand and not its rules")
        plain = plain_game(rules, stacks, players=2, sizes=sizes, isomorphic=isomorphic, memory=memory)
        return Table(plain)
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
    return Table(PlainGame(game, betting_tree(game, sizes=sizes, memory=memory), suits, known), game.board, chosen)


def _symmetries(hand: Hand, ranges: Sequence[Range]) -> Renamings:
    """The renamings that leave the board and the ranges as they are."""
    at, groups = 0, []
    for part in hand.rules.rounds:
        groups.append(hand.board[at : at + part.board])
        at += part.board
    found = fixing(renamings(hand.rules), groups)
    for weights in (one.weights for one in ranges):
        moves = [COMBO_PERMUTATIONS[(ALL == one).all(axis=1).argmax()] for one in found]
        found = found[[i for i, move in enumerate(moves) if np.array_equal(weights[move], weights)]]
    return found


def _built(table: Table, ranges: Sequence[Range] | None, *, from_hand: bool) -> VectorTree:
    spots = table.game.spots
    levels = levels_of(spots, table.deals)
    spot, deal, parent = (np.concatenate([level[i] for level in levels]) for i in range(3))
    player = np.array([CHANCE, *(one.player for one in spots)], dtype=np.int8)[spot + 1]
    street = np.array([0, *(one.street for one in spots)])[spot + 1]
    count = np.bincount(parent[1:], minlength=len(parent)).astype(np.int32)
    rows = np.where(player >= 0, count, 0)
    board = table.first[street] + deal
    start = _start(table, ranges)
    total = float(start[0] @ table.against(start[1]))
    if not total > 0:
        raise FeltError("these ranges and this board leave no two hands that can be dealt: give wider ranges")
    return VectorTree(
        table=table,
        player=player,
        parent=parent.astype(np.int32),
        first_child=np.where(count > 0, 1 + np.cumsum(count) - count, -1).astype(np.int32),
        children=count,
        row=np.where(player >= 0, np.cumsum(rows) - rows, -1).astype(np.int32),
        spot=spot.astype(np.int32),
        board=board.astype(np.int32),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        start=start,
        norm=1 / total,
        ends=vector_ends(table, spot, 1 / total),
        from_hand=from_hand,
    )


def _start(table: Table, ranges: Sequence[Range] | None) -> Floats:
    """How likely each hand is to begin with, by seat."""
    if ranges is None:
        return np.ones((2, len(table.hands)))
    low, high = table.hands.astype(np.int64).T
    return np.array([one.weights[high * (high - 1) // 2 + low] for one in ranges])
