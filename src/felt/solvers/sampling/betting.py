"""The public tree of a game: its betting, with all hands that a player may hold at every place of it.

For games whose betting does not depend on cards. Information sets are numbered as in the whole tree: by player, by
place in the betting, and by what the player holds and sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine.compiled import compile_rules
from felt.games.engine.exact_payoffs import lost_before, room_to_settle
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, plain_deals
from felt.solvers.memory import BASE, DEALT, MEMORY, PLACE, WALKED_PLACE, check_memory, learned_bytes
from felt.solvers.trees.betting import OfPlainGame, PlainGame, children_of
from felt.solvers.trees.build import Origin, plain_game
from felt.solvers.trees.dealt import Deals, all_deals, count_deals, dealing_bytes, encode, smallest
from felt.solvers.trees.numbering import number_infosets
from felt.solvers.trees.tree import Array, GameTree, Infosets

Ints = NDArray[np.int64]

MOST_SETS = 50_000_000
"""Information sets that are numbered before a game is called too large."""


@dataclass(frozen=True, eq=False)
class PublicTree(OfPlainGame):
    """Places in the betting as arrays, parents before their children."""

    game: PlainGame
    player: Ints
    """Who acts, or `CHANCE`, `TERMINAL`."""
    street: Ints
    first: Ints
    """``[places + 1]``: where the children of each begin."""
    children: Ints
    base: Ints
    """The first information set of each place; the sets of all cards follow."""
    terminals: Ints
    """Which of the ends a place is; -1 if it is none."""
    infosets: Infosets
    kinds: NDArray[np.uint8]
    """The class of each card."""
    codes: list[Ints]
    """By round, up to the last in which somebody decides: what a player may hold and see, the classes of the cards as
    digits of a number, in order."""
    numbers: list[Ints]
    """By round: which of the sets of a place each code is; those that differ by the names of suits are the same."""
    sizes: Sizes = SIZES
    """The bet menu."""

    lists_deals: ClassVar[bool] = False

    @property
    def places(self) -> tuple[Ints, ...]:
        """The arrays of places, in the order that kernels want."""
        return self.player, self.street, self.first, self.children, self.base, self.terminals

    @property
    def isomorphic(self) -> bool:
        """Whether information sets that differ by the names of suits are one."""
        return len(self.game.renamings) > 1

    @property
    def origin(self) -> Origin:
        """What it was built from."""
        return Origin(self.sizes)

    def deal(self, count: int, dice: np.random.Generator) -> NDArray[np.uint8]:
        """Cards of `count` deals: hole cards by seat, then the board."""
        deck = np.tile(np.array(self.game.rules.deck.cards, dtype=np.uint8), (count, 1))
        return np.ascontiguousarray(dice.permuted(deck, axis=1)[:, : sum(map(sum, self.game.groups))])

    def known(self, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Which of the sets of a place each player is in: ``[deals, rounds, players]``, for deals by seat and board."""
        rounds, players = self.game.rules.rounds[: len(self.codes)], self.game.hand.players
        hole, numbers, classes = rounds[0].down, self.kinds[cards].astype(np.int64), int(self.kinds.max()) + 1
        known = np.zeros((len(cards), len(self.game.rules.rounds), players), dtype=np.int32)
        for seat in range(players):
            code, at = encode(np.sort(numbers[:, hole * seat : hole * (seat + 1)]), classes), hole * players
            for street, part in enumerate(rounds):
                code = encode(np.sort(numbers[:, at : at + part.board]), classes, code)
                at += part.board
                known[:, street, seat] = self.numbers[street][np.searchsorted(self.codes[street], code)]
        return known


def betting_of(
    rules: GameRules,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes = SIZES,
    memory: float = MEMORY,
) -> PublicTree:
    """The public tree of a game by its rules; refused where the betting depends on cards.

    So is a game for which the tree and a solver that walks over it would take more than `memory` bytes.
    """
    if not plain_deals(rules):
        raise FeltError(f"{rules.name}: deals can be sampled only where cards are not open and not exchanged")
    tree = public_tree(plain_game(rules, stacks, players=players, sizes=sizes, memory=memory), memory=memory)
    return replace(tree, sizes=sizes)


def size_of_public(game: PlainGame) -> float:
    """The most memory that a public tree and a solver that walks over it take at a time."""
    cards, seen = game.rules.deck.cards, game.decided
    seen_counts = count_deals(cards, seen, suits=game.suits, renamings=game.renamings)
    every = count_deals(cards, seen, suits=game.suits)
    deciding = [node for node in game.nodes if node.player >= 0]
    sets = sum(seen_counts[node.street] for node in deciding)
    sequences = sum(seen_counts[node.street] * len(node.actions) for node in deciding)
    dealing = dealing_bytes(cards, seen, suits=game.suits) + 16 * sum(every)
    return BASE + DEALT + len(game.nodes) * (PLACE + WALKED_PLACE) + learned_bytes(sets, sequences) + dealing


def public_tree(game: PlainGame, *, memory: float = MEMORY) -> PublicTree:
    """Number the information sets of a game without listing its histories."""
    rules, nodes = game.rules, game.nodes
    ranks = [card if game.suits else card >> 2 for card in rules.deck.cards]
    values = sorted(set(ranks))
    kinds = np.zeros(256, dtype=np.uint8)
    kinds[list(rules.deck.cards)] = np.searchsorted(values, ranks)
    check_memory(
        f"the public tree of {rules.name}, with all that players learn,", size_of_public(game), memory,
        "use a smaller deck, smaller stacks, fewer sizes of raises",
    )  # fmt: skip
    deals = count_deals(rules.deck.cards, game.decided, suits=game.suits)
    sets = sum(deals[node.street] for node in nodes if node.player >= 0)
    if sets > MOST_SETS:
        raise FeltError(
            f"{rules.name} has {sets:,} information sets, more than {MOST_SETS:,}: use a smaller deck, smaller stacks "
            "or fewer sizes of raises"
        )
    numbering = number_infosets(game, game.list_seen())
    children, first = children_of(nodes)
    player, street = np.array([(node.player, node.street) for node in nodes], dtype=np.int64).T.copy()
    over = np.diff(first) == 0
    ends = np.where(over, np.cumsum(over) - 1, -1)
    codes, numbers = _codes(game, numbering.deals, values)
    places = player, street, first.astype(np.int64), children, numbering.base, ends
    return PublicTree(game, *places, numbering.infosets, kinds, codes, numbers)


def _codes(game: PlainGame, deals: list[Deals], values: list[int]) -> tuple[list[Ints], list[Ints]]:
    """By round: the codes of all that a player may hold and see, in order, and which deal each of them is.

    Of those that differ only by the names of suits all are the one that is kept.
    """
    alike = len(game.renamings) > 1
    every = all_deals(game.rules.deck.cards, game.decided, suits=game.suits) if alike else deals
    codes = [encode(np.searchsorted(values, dealt.classes), len(values)) for dealt in every]
    if not alike:
        return codes, [np.arange(len(dealt.chance)) for dealt in deals]
    numbers, sizes = list[Ints](), list[int]()
    for street, dealt in enumerate(every):
        sizes += game.seen[street]
        numbers.append(deals[street].find(smallest(dealt.classes, sizes, game.renamings)[0]))
    return codes, numbers


@dataclass(frozen=True, eq=False)
class Walks:
    """What walks that sample go over: a whole tree, or the betting with cards dealt for each walk."""

    tree: GameTree | PublicTree
    nodes: tuple[Array, ...]
    """For the kernels: the arrays of `PublicTree.places`, and the chance of a place below chance."""
    payments: tuple[Any, ...]  # for `felt.solvers.sampling.walk_kernels.pay`

    @property
    def infosets(self) -> Infosets:
        """What players can tell apart."""
        return self.tree.infosets

    def __len__(self) -> int:
        return len(self.nodes[0])

    @property
    def bytes(self) -> int:
        """Memory of the arrays."""
        return sum(array.nbytes for array in self.nodes)

    def deal(self, count: int, dice: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Cards of `count` deals and what everybody knows of them; nothing where chance is in the tree."""
        if isinstance(self.tree, PublicTree):
            cards = self.tree.deal(count, dice)
            return cards, self.tree.known(cards)
        return np.zeros((count, 0), dtype=np.uint8), np.zeros((count, 1, self.tree.players), dtype=np.int32)


def walks_of(tree: GameTree | PublicTree) -> Walks:
    """The arrays of either kind of tree."""
    hands, hole, places = list[Hand](), 0, tuple[Array, ...]()
    if isinstance(tree, PublicTree):
        hole, places, chance = tree.rules.rounds[0].down, tree.places, np.ones(len(tree.player))
        pairs = zip(tree.game.nodes, tree.terminals, strict=True)
        hands = [node.hand for node, terminal in pairs if terminal >= 0 and node.hand]
        payoffs = np.array([hand.payoffs for hand in hands], dtype=np.float64)
    else:
        over, chance, payoffs = tree.children == 0, tree.chance, np.ascontiguousarray(tree.payoffs)
        first, ends = np.cumsum([0, *tree.children]), np.where(over, np.cumsum(over) - 1, -1)
        places = tree.player, np.zeros(len(tree)), first, np.arange(1, len(tree)), tree.infoset, ends
    shown = np.zeros(len(payoffs), dtype=np.int8)
    shown[: len(hands)] = [bool(hand.showdown) for hand in hands]
    # What settles a hand whose cards are shown: the record at each end, and the rules.
    records: Any = [(*hand.arrays, lost_before(hand)) for hand in hands]
    records = zip(*records, strict=True) if hands else [np.zeros((0, 1))] * 3
    kinds, compiled = (np.int32, np.uint8, np.int64), compile_rules(tree.rules)
    engine = (
        *(np.array(rows, dtype=kind) for rows, kind in zip(records, kinds, strict=True)),
        hole, compiled.game, compiled.tables, compiled.extra, *room_to_settle(),
    )  # fmt: skip
    nodes = [array.astype(np.int32, copy=False) for array in places]
    return Walks(tree, (*nodes, chance), (payoffs, shown, engine, np.empty((1, payoffs.shape[1]))))
