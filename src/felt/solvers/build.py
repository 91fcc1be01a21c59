"""Trees of games: from rules, or from a state of a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.keys import information
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.betting import betting_tree
from felt.solvers.build_any import any_tree
from felt.solvers.build_plain import PlainGame, plain_game, plain_tree
from felt.solvers.dealt import plain_deals, suits_matter
from felt.solvers.tree import BYTES_PER_NODE, GameTree, told_bytes, too_large

MEMORY = 4e9
"""Bytes that a tree and its solver may take unless told otherwise."""

BYTES_PER_SEQUENCE = 40
"""Of a solver: regrets, averages, the strategy, reach and values."""

Key = Callable[[Hand, int], str]
"""What a seat remembers of a hand: histories with the same text are one information set."""


@dataclass(frozen=True)
class Size:
    """How large a tree will be."""

    nodes: int
    infosets: int
    sequences: int
    players: int

    @property
    def bytes(self) -> int:
        """Memory for the tree and a solver."""
        ends = self.nodes // 2 * (12 * self.players + 8)
        return self.nodes * (BYTES_PER_NODE + 4 * self.players) + ends + self.sequences * BYTES_PER_SEQUENCE

    def __str__(self) -> str:
        return f"{self.nodes:,} nodes, {self.infosets:,} information sets, about {told_bytes(self.bytes)}"


def size_of(
    rules: GameRules,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes = SIZES,
    suits: bool | None = None,
) -> Size:
    """How large the tree of a game will be, exactly, without building it.

    >>> from felt.games import load
    >>> print(size_of(load("leduc")))
    1,936 nodes, 288 information sets, about 129 kB
    >>> print(size_of(load("kuhn", cards=13, players=8)))
    106,326,380,161 nodes, 13,312 information sets, about 1.2e+04 GB
    """
    if not plain_deals(rules):
        raise FeltError(
            f"the size of {rules.name} is known only when its tree is built: its cards are exchanged or open"
        )
    return _size(_plain(rules, stacks, players, sizes, suits))


def build_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes = SIZES,
    suits: bool | None = None,
    key: Key | None = None,
    memory: float = MEMORY,
) -> GameTree:
    """The tree of a game with every deal, or of what may follow a state of a hand.

    From a state, the board and the moves are as they are, and the cards that players hold are dealt anew, all ways
    being equally likely. `sizes` is the menu of raises. Cards of one rank are the same where suits never matter,
    unless `suits` says otherwise. `key` puts histories together that a player shall not tell apart: an abstraction
    of cards or of what happened. A tree that would take more than `memory` bytes is refused.

    >>> from felt.games import load
    >>> tree = build_tree(load("kuhn"))
    >>> len(tree), tree.infosets.count, tree.infosets.sequences
    (55, 12, 24)
    """
    rules = game.rules if isinstance(game, Hand) else game
    told_apart = suits_matter(rules) if suits is None else suits
    if not told_apart and suits_matter(rules):
        raise FeltError(f"suits matter in {rules.name}: its cards cannot be told apart by rank alone")
    if isinstance(game, Hand) and (stacks is not None or players is not None):
        raise FeltError("a hand has its stacks and players: leave them out")
    if isinstance(game, GameRules) and key is None and plain_deals(rules):
        plain = _plain(rules, stacks, players, sizes, told_apart)
        size = _size(plain)
        if size.bytes > memory:
            raise too_large(rules.name, size.nodes, size.bytes, memory)
        return plain_tree(plain)
    remembered = key or (lambda hand, seat: information(hand, seat, suits=told_apart))
    return any_tree(game, stacks, players=players, sizes=sizes, suits=told_apart, key=remembered, memory=memory)


def _plain(
    rules: GameRules, stacks: Sequence[int] | int | None, players: int | None, sizes: Sizes, suits: bool | None
) -> PlainGame:
    hand = Hand.new(rules, stacks, players=players)
    return plain_game(hand, betting_tree(hand, sizes=sizes), suits=suits_matter(rules) if suits is None else suits)


def _size(game: PlainGame) -> Size:
    return Size(*game.counts(), game.hand.players)
