"""Public trees of games of two: from rules, or from a state of a hand with ranges."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from numbers import Integral
from typing import TypedDict, Unpack

import numpy as np

from felt.cards.card import format_cards
from felt.cards.combos import COMBO_CARDS
from felt.cards.isomorphism import COMBO_PERMUTATIONS
from felt.cards.ranges.range import Range
from felt.errors import FeltError
from felt.games.catalogue import load
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, plain_deals, suits_matter
from felt.solvers.memory import MEMORY
from felt.solvers.public_tree.deals import PublicDeals, coded
from felt.solvers.public_tree.tree import KINDS, VectorSize, VectorTree, vector_terminals
from felt.solvers.trees.betting import PlainGame, betting_tree
from felt.solvers.trees.build import levels_of, plain_game
from felt.solvers.trees.dealt import ALL, NONE, Renamings, dealing_bytes, fixing, renamings
from felt.solvers.trees.tree import CHANCE, format_bytes


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
    return _built(table, options.get("ranges"), options.get("sizes", SIZES), from_hand=isinstance(game, Hand))


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
    nodes = 1 + sum(boards[node.street] for node in bet_nodes)
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
        return PublicDeals(plain_game(rules, stacks, players=2, sizes=sizes, isomorphic=isomorphic, memory=memory))
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
        chosen = coded(COMBO_CARDS[np.flatnonzero(ranges[0].weights + ranges[1].weights)])
    plain = PlainGame(game, betting_tree(game, sizes=sizes, memory=memory), suits, known)
    return PublicDeals(plain, game.board, chosen)


def _symmetries(hand: Hand, ranges: Sequence[Range]) -> Renamings:
    """The renamings that leave the board and the ranges as they are."""
    cuts = accumulate((part.board for part in hand.rules.rounds), initial=0)
    symmetries = fixing(renamings(hand.rules), [hand.board[begin:end] for begin, end in pairwise(cuts)])
    for range_ in ranges:
        moves = [COMBO_PERMUTATIONS[(ALL == renaming).all(axis=1).argmax()] for renaming in symmetries]
        symmetries = symmetries[[np.array_equal(range_.weights[move], range_.weights) for move in moves]]
    return symmetries


def _built(table: PublicDeals, ranges: Sequence[Range] | None, sizes: Sizes, *, from_hand: bool) -> VectorTree:
    nodes = table.game.nodes
    levels = levels_of(nodes, table.deals)
    bet_node, deal, parent = (np.concatenate([level[i] for level in levels]) for i in range(3))
    player = np.array([CHANCE, *(node.player for node in nodes)], dtype=np.int8)[bet_node + 1]
    street = np.array([0, *(node.street for node in nodes)])[bet_node + 1]
    board = table.first[street] + deal
    start = np.ones((2, len(table.hands)))  # how likely each hand is to begin with, by seat
    if ranges is not None:
        low, high = table.hands.astype(np.int64).T
        start = np.array([range_.weights[high * (high - 1) // 2 + low] for range_ in ranges])
    total = float(start[0] @ table.against(start[1]))
    if not total > 0:
        raise FeltError("these ranges and this board leave no two hands that can be dealt: give wider ranges")
    return VectorTree(
        game=table.game,
        table=table,
        player=player,
        parent=parent.astype(np.int32),
        bet_node=bet_node.astype(np.int32),
        board=board.astype(np.int32),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        start=start,
        norm=1 / total,
        terminals=vector_terminals(table, bet_node, 1 / total),
        from_hand=from_hand,
        sizes=sizes,
    )


def spot(board: str | Iterable[int], *, pot: int, stacks: Sequence[int] | int, game: str | GameRules = "nlhe") -> Hand:
    """A hand of two where this board lies, so much is in the pot and so much in front of each: seat 0 acts first.

    Later streets go by the rules: who acts first before the flop has the button, and acts last from the flop on. The
    pot was put in as antes, half by each, and all have checked so far; what is won or lost counts from before that.
    What players hold is of no account: it is dealt anew by whoever solves the spot.

    >>> hand = spot("QsJh2h7c3d", pot=50, stacks=200)
    >>> hand.pot, hand.stacks, hand.street, str(hand.legal())
    (50, (200, 200), 3, 'fold, check, raise to 2–200')
    """
    rules = load(game) if isinstance(game, str) else game
    if not plain_deals(rules):
        raise FeltError(f"{rules.name}: spots are of games whose cards are not open and not exchanged")
    behind = tuple(stacks) if isinstance(stacks, Iterable) else (stacks, stacks)
    if len(behind) != 2 or not all(isinstance(chips, Integral) and chips > 0 for chips in behind):
        raise FeltError(f"stacks of {stacks}: give whole chips above 0 for two players")
    if not isinstance(pot, Integral) or pot < 2:
        raise FeltError(f"a pot of {pot}: give 2 whole chips or more")
    cards = rules.deck.parse(board)
    street = _street(rules, cards)
    rest = [card for card in rules.deck.cards if card not in cards]
    held = rules.rounds[0].down * 2
    antes = int(pot - pot // 2), int(pot // 2)
    for button in (1, 0):  # whichever lets seat 0 act first here
        hand = Hand.new(
            rules, [int(chips) + ante for chips, ante in zip(behind, antes, strict=True)], antes=antes, posts=(0, 0),
            deck=(*rest[:held], *cards, *rest[held:]), button=button,
        )  # fmt: skip
        while hand.street < street:
            hand.call()
        if hand.turn == 0:
            break
    return hand


def _street(rules: GameRules, cards: Sequence[int]) -> int:
    """The round in which a board of so many cards lies, and in which something can be bet."""
    lying = list(accumulate(part.board for part in rules.rounds))
    for street, (count, part) in enumerate(zip(lying, rules.rounds, strict=True)):
        if count == len(cards) and part.betting:
            return street
    counts = ", ".join(str(count) for count, part in zip(lying, rules.rounds, strict=True) if part.betting)
    raise FeltError(f"the board {format_cards(cards)!r}: in {rules.name} give {counts} cards")
