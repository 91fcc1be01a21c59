"""Trees of games: from rules, or from a state of a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from felt.abstraction.abstraction import Abstraction
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, plain_deals, suits_matter
from felt.solvers.memory import BASE, MEMORY, NODE, NODE_BY_PLAYER, PLACE, learned_bytes
from felt.solvers.trees.betting import PlainGame, betting_tree
from felt.solvers.trees.build_any import any_tree
from felt.solvers.trees.build_plain import plain_tree
from felt.solvers.trees.orbits import NONE
from felt.solvers.trees.origin import Key, Origin
from felt.solvers.trees.renaming import renamings
from felt.solvers.trees.tree import BYTES_PER_NODE, GameTree, format_bytes, too_large

BYTES_PER_SEQUENCE = 40
"""Of a solver: regrets, averages, the strategy, reach and values."""


@dataclass(frozen=True)
class Size:
    """How large a tree will be."""

    nodes: int
    infosets: int
    sequences: int
    players: int
    places: int = 0
    """Of the betting."""
    dealing: float = 0.0
    """Memory while the deals are listed."""

    @property
    def peak(self) -> float:
        """The most memory at a time: building the tree, solving it in any form, measuring and saving what was found."""
        nodes = self.nodes * (NODE + NODE_BY_PLAYER * self.players)
        held = BASE + self.places * PLACE + learned_bytes(self.infosets, self.sequences)
        return held + max(nodes, self.dealing)

    @property
    def bytes(self) -> int:
        """Memory that the tree and a solver keep; what building and measuring take in passing is in `peak`."""
        ends = self.nodes // 2 * (12 * self.players + 8)
        return self.nodes * (BYTES_PER_NODE + 4 * self.players) + ends + self.sequences * BYTES_PER_SEQUENCE

    def __str__(self) -> str:
        return f"{self.nodes:,} nodes, {self.infosets:,} information sets, about {format_bytes(self.bytes)}"


class PlainOptions(TypedDict, total=False):
    """What can be said of a game whose betting does not depend on cards, beside its rules and stacks."""

    players: int | None
    sizes: Sizes
    """The bet menu."""
    suits: bool | None
    """Whether cards of one rank are told apart; None: where suits matter."""
    isomorphic: bool
    """Whether deals that differ only by the names of suits are one."""
    memory: float


def size_of(rules: GameRules, stacks: Sequence[int] | int | None = None, **options: Unpack[PlainOptions]) -> Size:
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
    return _size(plain_game(rules, stacks, **options))


def build_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes = SIZES,
    suits: bool | None = None,
    isomorphic: bool = True,
    abstraction: Abstraction | None = None,
    key: Key | None = None,
    memory: float = MEMORY,
    watch: Callable[[int, int], None] | None = None,
) -> GameTree:
    """The tree of a game with every deal, or of what may follow a state of a hand.

    From a state, the board and the moves are as they are, and the cards that players hold are dealt anew, all ways
    being equally likely. `sizes` is the menu of raises. Cards of one rank are the same where suits never matter,
    unless `suits` says otherwise. Where suits are mere names, deals that differ only by them are one (from rules and
    without `key` or `abstraction`), unless `isomorphic` is false. `abstraction` puts histories together that a player
    shall not tell apart, and has the menu of raises; `key` does so by a function of one's own, of a hand and a seat. A
    tree that would take more than `memory` bytes is refused. Where growing takes time, `watch` is told how many nodes
    there are and how many fit.

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
    if abstraction is not None:
        menu = None if sizes is None else tuple(sizes)
        if key is not None or (menu != SIZES and sizes != abstraction.sizes):
            raise FeltError(
                "an abstraction says what is remembered and which raises there are: leave key and sizes out"
            )
        sizes, told_apart = abstraction.sizes, told_apart or not abstraction.by_rank
    origin = Origin(sizes, game.copy() if isinstance(game, Hand) else None, abstraction, key)
    if isinstance(game, GameRules) and key is None and abstraction is None and plain_deals(rules):
        plain = plain_game(
            rules, stacks, players=players, sizes=sizes, suits=told_apart, isomorphic=isomorphic, memory=memory
        )  # fmt: skip
        size = _size(plain)
        if size.peak > memory:
            raise too_large(rules.name, size.nodes, size.peak, memory)
        return replace(plain_tree(plain), origin=origin)
    if abstraction is not None:
        key = abstraction.key(rules, suits=told_apart)
    forget = abstraction is not None and abstraction.forget
    grown = any_tree(
        game, stacks, players=players, sizes=sizes, suits=told_apart, key=key, forget=forget, memory=memory,
        watch=watch,
    )  # fmt: skip
    return replace(grown, origin=origin)


def plain_game(
    rules: GameRules, stacks: Sequence[int] | int | None = None, *, players: int | None = None, sizes: Sizes = SIZES,
    suits: bool | None = None, isomorphic: bool = True, memory: float = MEMORY,
) -> PlainGame:  # fmt: skip
    """The betting of a game whose betting does not depend on cards, and what makes its deals the same."""
    hand, told_apart = Hand.new(rules, stacks, players=players), suits_matter(rules) if suits is None else suits
    known = renamings(rules) if isomorphic and told_apart else NONE
    return PlainGame(hand, betting_tree(hand, sizes=sizes, dealt=0, memory=memory), told_apart, known)


def _size(game: PlainGame) -> Size:
    return Size(*game.counts(), game.hand.players, len(game.nodes), game.dealing)
