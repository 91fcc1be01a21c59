"""Trees of games: from rules, or from a state of a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from felt.abstraction.abstraction import Abstraction, check_trust, imported, named
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import Event, HandRecord
from felt.games.moves import EventKind
from felt.games.replay import replay
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, plain_deals, suits_matter
from felt.solvers.memory import BASE, MEMORY, NODE, NODE_BY_PLAYER, PLACE, learned_bytes
from felt.solvers.trees.betting import BettingNode, PlainGame, betting_tree, children_of
from felt.solvers.trees.build_any import Key, any_tree
from felt.solvers.trees.dealt import NONE, Deals, all_deals, renamings, smallest
from felt.solvers.trees.numbering import Numbering, number_infosets
from felt.solvers.trees.tree import BYTES_PER_NODE, CHANCE, TERMINAL, Array, GameTree, format_bytes, too_large


@dataclass(frozen=True, eq=False)
class Origin:
    """All but the rules and the stacks."""

    sizes: Sizes = SIZES
    start: Hand | None = None
    """The state that the tree begins at; None for the first deal."""
    abstraction: Abstraction | None = None
    key: Key | None = None

    def as_dict(self) -> dict[str, Any]:
        """For a file. A key of one's own is named by where it can be imported from, or refused."""
        return {
            "sizes": None if self.sizes is None else [str(size) for size in self.sizes],
            "start": None if self.start is None else start_as_dict(self.start),
            "abstraction": None if self.abstraction is None else self.abstraction.as_dict(),
            "key": None if self.key is None else named(self.key),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], rules: GameRules, *, trust: bool = False) -> "Origin":
        """As a file has it; only if it is trusted, functions that it names are imported."""
        sizes, start, abstraction, key = (data.get(name) for name in ("sizes", "start", "abstraction", "key"))
        return cls(
            sizes=None if sizes is None else tuple(map(float, sizes)),
            start=None if start is None else start_from_dict(start, rules),
            abstraction=None if abstraction is None else Abstraction.from_dict(abstraction, trust=trust),
            key=None if key is None else imported(check_trust(str(key), ready=False, trust=trust), "key"),
        )


def start_as_dict(hand: Hand) -> dict[str, Any]:
    """A hand so far: stakes, cards and moves."""
    record = hand.record()
    return {
        **{name: list(getattr(record, name)) for name in ("stacks", "antes", "posts")},
        **{name: getattr(record, name) for name in ("dead_antes", "button")},
        "events": [[str(event.kind), event.seat, event.amount, list(event.cards)] for event in record.events],
    }


def start_from_dict(data: dict[str, Any], rules: GameRules) -> Hand:
    """The hand, played again."""
    events = (Event(EventKind(kind), seat, amount, tuple(cards)) for kind, seat, amount, cards in data["events"])
    stakes: dict[str, Any] = {name: tuple(data[name]) for name in ("stacks", "antes", "posts")}
    stakes |= {name: data[name] for name in ("button", "dead_antes")}
    return replay(HandRecord(rules=rules, events=tuple(events), **stakes))


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


def plain_tree(game: PlainGame) -> GameTree:
    """Multiply betting and deals, level by level."""
    deals = all_deals(game.rules.deck.cards, game.groups, suits=game.suits, renamings=game.renamings)
    levels = levels_of(game.nodes, deals)
    bet_node, deal, parent, chance, choice = (np.concatenate(columns) for columns in zip(*levels, strict=True))
    player = np.array([CHANCE, *(node.player for node in game.nodes)], dtype=np.int8)[bet_node + 1]
    numbering = number_infosets(game, game.list_seen())
    infosets, infoset = numbering.infosets, _infoset_of(game, deals, numbering, bet_node, deal)
    sequence = np.full(len(parent), -1, dtype=np.int32)
    below = np.flatnonzero(infoset[parent] >= 0)
    below = below[below > 0]
    sequence[below] = infosets.first[infoset[parent[below]]] + choice[below]
    return GameTree(
        rules=game.rules,
        stacks=game.hand.starting_stacks,
        parent=parent.astype(np.int32),
        player=player,
        sequence=sequence,
        chance=chance,
        infoset=infoset,
        payoffs=_payoffs(game, deals, bet_node[player == TERMINAL], deal[player == TERMINAL]),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        infosets=infosets,
        suits=game.suits,
        isomorphic=len(game.renamings) > 1,
    )


def levels_of(nodes: Sequence[BettingNode], deals: list[Deals]) -> list[tuple[Array, ...]]:
    """For each level: places in the betting (-1 at the root), deals, parents, chances, and which action led there."""
    children, first = children_of(nodes)
    falls = np.array([node.player == CHANCE for node in nodes])
    street = np.array([node.street for node in nodes])
    root = np.array([-1]), np.array([0]), np.array([-1]), np.array([1.0]), np.array([0])
    none = np.zeros(len(deals[0].chance), dtype=np.int64)
    levels: list[tuple[Array, ...]] = [root, (none, np.arange(len(none)), none, deals[0].chance, none)]
    begin = 1
    while True:
        node, deal = levels[-1][:2]
        counts = first[node + 1] - first[node]
        fallen = falls[node]
        for number, dealt in enumerate(deals[1:]):
            here = fallen & (street[node] == number)
            counts[here] = dealt.first[deal[here] + 1] - dealt.first[deal[here]]
        if not counts.sum():
            return levels
        row = np.repeat(np.arange(len(node)), counts)
        choice = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        after, below, chance = deal[row].copy(), node[row].copy(), np.ones(len(row))
        for number, dealt in enumerate(deals[1:]):
            here = fallen[row] & (street[node[row]] == number)
            after[here] = dealt.first[deal[row[here]]] + choice[here]
            chance[here] = dealt.chance[after[here]]
            below[here] = children[first[node[row[here]]]]
        moved = ~fallen[row]
        below[moved] = children[first[node[row[moved]]] + choice[moved]]
        levels.append((below, after, begin + row, chance, choice))
        begin += len(node)


def _infoset_of(game: PlainGame, deals: list[Deals], numbering: Numbering, bet_node: Array, deal: Array) -> Array:
    """The information set of each node; -1 where nobody decides."""
    hole, players = game.rules.rounds[0].down, game.hand.players
    player, street = np.array([*((node.player, node.street) for node in game.nodes), (CHANCE, 0)]).T
    infoset, sizes = np.full(len(bet_node), -1, dtype=np.int32), list[int]()
    for number, (dealt, seen) in enumerate(zip(deals, numbering.deals, strict=False)):
        sizes += game.seen[number]
        board = dealt.classes[:, hole * players :]
        for seat in range(players):
            nodes = np.flatnonzero((player[bet_node] == seat) & (street[bet_node] == number))
            rows: Array = np.column_stack([dealt.classes[:, hole * seat : hole * (seat + 1)], board])
            if len(game.renamings) > 1:
                rows = smallest(rows, sizes, game.renamings)[0]
            infoset[nodes] = numbering.base[bet_node[nodes]] + seen.find(rows)[deal[nodes]]
    return infoset


def _payoffs(game: PlainGame, deals: list[Deals], node: Array, deal: Array) -> NDArray[np.float64]:
    """What every end pays, with the cards of each deal on the table."""
    payoffs = np.empty((len(node), game.hand.players))
    for number in np.unique(node):
        rows = np.flatnonzero(node == number)
        classes = deals[game.nodes[number].street].classes[deal[rows]]
        payoffs[rows] = game.pay(number, cards_of(classes, game, game.rules.deck.cards))
    return payoffs


def cards_of(classes: Array, game: PlainGame, deck: Sequence[int]) -> NDArray[np.uint8]:
    """Cards of a deck that stand for the classes of deals: of a rank, one after the other."""
    if game.suits:
        return classes.astype(np.uint8)
    by_rank: dict[int, list[int]] = {}
    for card in deck:
        by_rank.setdefault(card >> 2, []).append(card)
    table = np.zeros((max(by_rank) + 1, max(map(len, by_rank.values()))), dtype=np.uint8)
    for rank, cards in by_rank.items():
        table[rank, : len(cards)] = cards
    columns = range(classes.shape[1])
    before = [(classes[:, :column] == classes[:, column : column + 1]).sum(axis=1) for column in columns]
    return table[classes, np.column_stack(before)] if classes.shape[1] else classes.astype(np.uint8)
