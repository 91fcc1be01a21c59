"""The tree of a game from any state: its branches one by one, or all of them, each state found again by its key.

`children` is lazy and enough for a search. `Tree` holds every node down to a depth, either for the cards as they lie
or, in small games, for every deal; it plays through all of them and knows which states it has seen. How many branches
a game has that nobody could hold is for `felt.games.trees.counts`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from felt.cards.card import is_joker
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine import fields as f
from felt.games.engine.exact_payoffs import exact_payoffs
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import DEALS, Move
from felt.games.rules import GameRules
from felt.games.views.keys import information, state_key

FEW = 5
"""Up to so many amounts of a raise are all tried, whatever the menu."""

SIZES = (1.0, math.inf)
"""The usual menu of raises, in pots: the pot, and all in."""

LIMIT = 200_000
"""Nodes that a tree may have unless told otherwise."""

Sizes = Sequence[float] | None
"""Raises by shares of the pot (0 is the least allowed, infinity the most), or None for every amount."""

Policy = Callable[[Hand, tuple[Action, ...]], Sequence[float]]
"""The chance of each of these actions in a state."""


def actions(hand: Hand, *, sizes: Sizes = SIZES, cards: bool = True) -> Iterator[Action]:
    """What the player to act may do, but for folding where checking is free.

    Exchanges are of every set of cards, or, where `cards` is false, one for each number of cards: all that the
    others see of it.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200])
    >>> [(str(action.move.name), action.amount) for action in actions(hand, sizes=[0, 1])]
    [('FOLD', 0), ('CALL', 0), ('RAISE', 4), ('RAISE', 6)]
    """
    legal = hand.legal()
    if legal.exchange:
        _, least, most = legal.exchange
        held = hand.choosable()
        for count in range(least, min(most, len(held)) + 1):
            sets = combinations(held, count) if cards else [held[:count]]
            yield from (Action(Move.EXCHANGE, cards=chosen) for chosen in sets)
        return
    if legal.fold and legal.call:
        yield Action(Move.FOLD)
    if legal.call is not None:
        yield Action(Move.CALL)
    if legal.raise_to:
        yield from (Action(Move.RAISE, amount) for amount in raise_amounts(hand, sizes))


def raise_amounts(hand: Hand, sizes: Sizes = SIZES) -> Sequence[int]:
    """Totals to raise to: every one where they are few or `sizes` is None, else those on the menu."""
    legal = hand.legal()
    if not legal.raise_to:
        return ()
    least, most = legal.raise_to
    if sizes is None or most - least < FEW:
        return range(least, most + 1)
    call = legal.call or 0
    return menu_amounts(sizes, least, most, high=hand.bets[hand.turn] + call, pot=hand.pot + call)


def menu_amounts(sizes: Sequence[float], least: int, most: int, *, high: int, pot: int) -> list[int]:
    """Raises by shares of the pot as it is after a call, above the bet to match, within what is allowed."""
    for size in sizes:
        if not size >= 0:
            raise FeltError(f"a raise of {size} pots: give shares of the pot from 0 (the least) up to inf (all in)")
    return sorted({menu_amount(size, least, most, high, pot) for size in sizes})


def menu_amount(size: float, least: int, most: int, high: int, pot: int) -> int:
    """One of them, whose size has been checked."""
    return most if size == math.inf else min(max(high + round(size * pot), least), most)


def children(hand: Hand, *, sizes: Sizes = SIZES, cards: bool = True) -> Iterator[tuple[Action, Hand]]:
    """Each action with the state that it leads to, cards falling as they lie in the deck."""
    for action in actions(hand, sizes=sizes, cards=cards):
        yield action, _after(hand, action)


def _after(hand: Hand, action: Action) -> Hand:
    child = hand.copy()
    child.act(action)
    return child


def deals(hand: Hand, action: Action) -> Iterator[tuple[float, Hand]]:
    """The states that an action may lead to, for every way the cards may fall, each with its chance."""
    child = _after(hand, action)
    groups = _dealt(child.events[len(hand.events) + 1 :])
    if not groups:
        yield 1.0, child
        return
    if sum(groups) > hand.deck_left:
        raise FeltError(f"{hand.rules.name}: the deck runs out here, and a reshuffle cannot be enumerated")
    h, k = hand.arrays
    left = k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]].tolist()
    chance = 1 / count_ways(len(left), groups)
    for order in ways_to_deal(left, groups):
        child = hand.stacked(order)
        child.act(action)
        yield chance, child


def first_deals(
    rules: GameRules, stacks: Sequence[int] | int | None = None, *, players: int | None = None
) -> Iterator[tuple[float, Hand]]:
    """Every hand as it may begin, each with its chance; the order of cards in a hand apart."""
    groups = _dealt(Hand.new(rules, stacks, players=players).events)
    chance = 1 / count_ways(len(rules.deck), groups)
    for order in ways_to_deal(rules.deck.cards, groups):
        deck = (*order, *(card for card in rules.deck if card not in order))
        yield chance, Hand.new(rules, stacks, players=players, deck=deck)


def _dealt(events: Sequence[Event]) -> list[int]:
    """How many cards each deal was of, in the order of the deck."""
    return [len(event.cards) for event in events if event.kind in DEALS]


def count_ways(cards: int, groups: Sequence[int]) -> int:
    """In how many ways groups of these sizes can be dealt from so many cards."""
    ways = 1
    for size in groups:
        ways *= math.comb(cards, size)
        cards -= size
    return ways


def ways_to_deal(deck: Sequence[int], groups: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to deal groups of cards of these sizes from a deck, one order for each group."""
    if not groups:
        yield ()
        return
    for first in combinations(deck, groups[0]):
        rest = [card for card in deck if card not in first]
        for others in ways_to_deal(rest, groups[1:]):
            yield first + others


@dataclass(slots=True)
class Node:
    """One state in a tree."""

    number: int
    parent: int
    """Number of the node above; -1 at a root."""
    depth: int
    """Moves since the root."""
    action: Action | None
    """The move that led here."""
    chance: float
    """Of the cards that fell with that move."""
    hand: Hand
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class TreeCounts:
    """How large a tree is."""

    nodes: int
    decisions: int
    """Nodes in which a player decides."""
    terminals: int
    """Nodes in which the hand is over."""
    states: int
    """Different states among all nodes, whichever way they came about."""
    infosets: int
    """Decisions that a player can tell apart."""
    sequences: int
    """Actions at all information sets, and one for each player who has not acted yet: the sequence form's size."""


class Tree:
    """Every node from one or several states down to a depth.

    >>> from felt.games import load
    >>> tree = Tree.of_game(load("kuhn"))
    >>> counts = tree.counts()
    >>> counts.decisions, counts.terminals, counts.infosets, counts.sequences
    (24, 30, 12, 26)
    """

    def __init__(
        self,
        roots: Iterator[tuple[float, Hand]],
        *,
        chance: bool = False,
        sizes: Sizes = SIZES,
        depth: int | None = None,
        limit: int = LIMIT,
    ) -> None:
        """Grow from `roots`, each with its chance; `chance` deals every card that may fall, not only those that lie."""
        self.nodes: list[Node] = []
        self.lookups = 0
        """How many values `simulate` did not have to compute, the last time, because it knew the state."""
        self._limit = limit
        self._cut = depth is not None
        self._known: dict[bytes, int] = {}
        for share, hand in roots:
            self._add(-1, 0, None, share, hand)
        self.roots = len(self.nodes)
        number = 0
        while number < len(self.nodes):  # nodes are added behind, level by level
            node = self.nodes[number]
            if not node.hand.over and (depth is None or node.depth < depth):
                self._grow(node, chance, sizes)
            number += 1

    @classmethod
    def of(
        cls, hand: Hand, *, chance: bool = False, sizes: Sizes = SIZES, depth: int | None = None, limit: int = LIMIT
    ) -> "Tree":
        """The tree from one state."""
        return cls(iter([(1.0, hand.copy())]), chance=chance, sizes=sizes, depth=depth, limit=limit)

    @classmethod
    def of_game(
        cls,
        rules: GameRules,
        stacks: Sequence[int] | int | None = None,
        *,
        players: int | None = None,
        sizes: Sizes = SIZES,
        depth: int | None = None,
        limit: int = LIMIT,
    ) -> "Tree":
        """The tree of a small game with every deal, from the first card."""
        groups = _dealt(Hand.new(rules, stacks, players=players).events)
        if count_ways(len(rules.deck), groups) > limit:
            raise _too_large(rules, limit)
        return cls(first_deals(rules, stacks, players=players), chance=True, sizes=sizes, depth=depth, limit=limit)

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, hand: Hand) -> bool:
        return state_key(hand) in self._known

    def find(self, hand: Hand) -> Node | None:
        """The first node with the same state, however it came about; None if the tree does not have it."""
        number = self._known.get(state_key(hand))
        return None if number is None else self.nodes[number]

    def counts(self, *, suits: bool = True) -> TreeCounts:
        """How large the tree is; without `suits`, cards of one rank count as the same to who holds them."""
        decisions = [node for node in self.nodes if not node.hand.over]
        sequences, infosets = self.nodes[0].hand.players if self.nodes else 0, set[tuple[int, int, str]]()
        for node in decisions:
            seat = node.hand.turn
            known = node.depth, seat, information(node.hand, seat, suits=suits)
            if known not in infosets:
                infosets.add(known)
                sequences += len({self.nodes[child].action for child in node.children})
        return TreeCounts(
            nodes=len(self.nodes),
            decisions=len(decisions),
            terminals=len(self.nodes) - len(decisions),
            states=len(self._known),
            infosets=len(infosets),
            sequences=sequences,
        )

    def simulate(self, policy: Policy | None = None, *, lookup: bool = True) -> tuple[float, ...]:
        """Play through the whole tree: everybody's expected chips when all act by `policy`, else at random.

        A state that has been calculated already is looked up, so `policy` must depend on nothing but the state;
        ``lookup=False`` is for one that goes by how the state came about. Nodes at the depth where the tree was cut
        count as if what was put in so far were lost.
        """
        self.lookups = 0
        known: dict[tuple[bytes, int], tuple[float, ...]] = {}
        values: list[tuple[float, ...]] = [()] * len(self.nodes)
        for node in reversed(self.nodes):  # children have higher numbers
            key = (state_key(node.hand), node.depth if self._cut else 0)
            value = known.get(key) if lookup else None
            self.lookups += value is not None
            values[node.number] = value or self._value(node, values, policy)
            known[key] = values[node.number]
        return _weighted((node.chance, values[node.number]) for node in self.nodes[: self.roots])

    def _value(self, node: Node, values: list[tuple[float, ...]], policy: Policy | None) -> tuple[float, ...]:
        if not node.children:
            return exact_payoffs(node.hand)
        below = [self.nodes[child] for child in node.children]
        moves = tuple(dict.fromkeys(child.action for child in below if child.action is not None))
        chances = policy(node.hand, moves) if policy else [1 / len(moves)] * len(moves)
        share = dict(zip(moves, chances, strict=True))
        return _weighted(
            (share[child.action] * child.chance, values[child.number]) for child in below if child.action is not None
        )

    def _grow(self, node: Node, chance: bool, sizes: Sizes) -> None:
        for action in actions(node.hand, sizes=sizes):
            for share, hand in deals(node.hand, action) if chance else [(1.0, _after(node.hand, action))]:
                self._add(node.number, node.depth + 1, action, share, hand)

    def _add(self, parent: int, depth: int, action: Action | None, chance: float, hand: Hand) -> None:
        number = len(self.nodes)
        if number >= self._limit:
            raise _too_large(hand.rules, self._limit)
        self.nodes.append(Node(number, parent, depth, action, chance, hand))
        self._known.setdefault(state_key(hand), number)
        if parent >= 0:
            self.nodes[parent].children.append(number)


def _weighted(parts: Iterator[tuple[float, tuple[float, ...]]]) -> tuple[float, ...]:
    total: list[float] = []
    for share, values in parts:
        total = [a + share * b for a, b in zip(total or [0.0] * len(values), values, strict=True)]
    return tuple(total)


def _too_large(rules: GameRules, limit: int) -> FeltError:
    return FeltError(
        f"the tree of {rules.name} has more than {limit:,} nodes: give a depth, fewer sizes of raises, smaller stacks, "
        "or a higher limit"
    )


def suits_matter(rules: GameRules) -> bool:
    """Whether the suit of a card can ever make a difference to who does or wins what.

    >>> from felt.games import load
    >>> suits_matter(load("leduc")), suits_matter(load("nlhe"))
    (False, True)
    """
    shown = rules.showdown
    if rules.has_draws:  # which of two cards of a rank is thrown away is a choice
        return True
    if shown.scoring:
        texts = [text for score in shown.scoring for text in (score.subrank, *score.conditions)]
        by_rank = not any("suit" in text for text in texts)
    else:
        flushes = shown.size == 5 and any(not kind.startswith(("low-a5", "low-8")) for kind in shown.kinds)
        by_rank = not flushes and "badugi" not in shown.kinds
    ranked = not shown.wild and not any(is_joker(card) for card in rules.deck)
    return not (by_rank and ranked) or any(part.first.by_cards or part.up for part in rules.rounds)


def plain_deals(rules: GameRules) -> bool:
    """Whether cards are dealt face down in the first round only, later ones to the board, and nobody acts by them."""
    later = any(part.down for part in rules.rounds[1:])
    open_ = any(part.up or part.first.by_cards for part in rules.rounds)
    return not (later or open_ or rules.has_draws)
