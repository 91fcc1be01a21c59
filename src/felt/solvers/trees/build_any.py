"""Trees of any game, grown hand by hand: slower than `plain_tree`, and right for exchanges and open cards too."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.exact_payoffs import exact_payoffs
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import DEALS, MOVE_OF_EVENT, EventKind, Move
from felt.games.rules import GameRules
from felt.games.trees.tree import Sizes, actions, count_ways, first_deals, ways_to_deal
from felt.games.views.keys import event_text, information
from felt.games.views.view import seen_by
from felt.solvers.trees.tree import BYTES_PER_NODE, CHANCE, TERMINAL, GameTree, Infosets, too_large

BYTES_WHILE_BUILT = 3000
"""Of a node that is still a hand."""

EACH = BYTES_PER_NODE + BYTES_WHILE_BUILT

WATCHED = 2000
"""Nodes between two looks of who watches."""

Key = Callable[[Hand, int], str]
"""What a seat remembers of a hand: histories with the same text are one information set."""


class _Fallen(NamedTuple):
    """A hand after cards may have fallen."""

    chance: float
    hand: Hand
    known: tuple[str, ...]  # what each seat knows, as text; empty where a key says so instead
    events: int  # how many there were; 0 where nobody has counted


_Level = list[tuple[int, _Fallen | list[_Fallen]]]
"""Nodes, and the hands that they are; several below chance."""


class _Node(NamedTuple):
    """A history, in the place that it has in the arrays of a tree."""

    parent: int
    player: int
    chance: float
    choice: int
    last: tuple[int, ...]  # everybody's last information set and choice there as one number; -1 before the first
    infoset: int = -1


@dataclass
class _Growing:
    """Lists that become the arrays of a tree; a node for each history so far."""

    rules: GameRules
    most: int  # how many nodes fit
    memory: float
    sizes: Sizes
    suits: bool
    key: Key | None
    """None for all that a seat knows: the text of a node is then that of its parent, and what happened since."""
    forget: bool
    nodes: list[_Node] = field(default_factory=list)
    payoffs: list[tuple[float, ...]] = field(default_factory=list)
    known: dict[tuple[int, str], int] = field(default_factory=dict)
    moves: list[tuple[Action, ...]] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    texts: dict[Event, str] = field(default_factory=dict)

    def check(self, more: int) -> None:
        """Refuse to grow by so many nodes if they do not fit."""
        nodes = len(self.nodes) + more
        if nodes > self.most:
            raise too_large(self.rules.name, nodes, nodes * EACH, self.memory, least=True)

    def add(self, node: _Node) -> int:
        """The number of a new node."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def tell(self, known: tuple[str, ...], events: Sequence[Event]) -> tuple[str, ...]:
        """What seats know after some more events."""
        texts = []
        for seat, before in enumerate(known):
            for event in seen_by(seat, events):
                text = self.texts.get(event)
                if text is None:
                    text = self.texts[event] = event_text(event, self.suits)
                if text:
                    before = f"{before} {text}" if before else text
            texts.append(before)
        return tuple(texts)


def any_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes,
    suits: bool,
    key: Key | None = None,
    forget: bool = False,
    memory: float,
    watch: Callable[[int, int], None] | None = None,
) -> GameTree:
    """Grow the tree level by level. Without a `key`, seats remember all that they know; `forget` lets a key forget.

    `watch` is told from time to time how many nodes there are, and how many there may be.
    """
    if isinstance(game, GameRules):
        game = compile_rules(game).rules  # of equal rules those that need not be hashed for every hand
    start = game if isinstance(game, Hand) else Hand.new(game, stacks, players=players)
    first = start.rules.rounds[0]
    most = int(memory / EACH)
    least = count_ways(len(start.rules.deck), [*[first.down, first.up] * start.players, first.board])
    if least > most:
        raise too_large(start.rules.name, least, least * EACH, memory, least=True)
    if key is None and any(part.passes for part in start.rules.rounds):  # what was passed on is told later than it was
        key = partial(information, suits=suits)
    grown = _Growing(start.rules, most, memory, sizes, suits, key, forget)
    outcomes = redealt(game) if isinstance(game, Hand) else first_deals(game, stacks, players=players)
    nobody = ("",) * start.players if key is None else ()
    dealt = [_Fallen(chance, hand, grown.tell(nobody, hand.events), len(hand.events)) for chance, hand in outcomes]
    grown.add(_Node(-1, CHANCE, 1.0, 0, (-1,) * start.players))
    level: _Level = [(0, _classes(dealt, suits))]
    levels = [0, 1]
    with _no_collecting():
        while level:
            below: _Level = []
            for number, (node, outcome) in enumerate(level):
                if watch is not None and number % WATCHED == 0:
                    watch(len(grown.nodes), most)
                _grow(grown, node, outcome, below)
                grown.check(0)
            level = below
            if below:
                levels.append(len(grown.nodes))
    return _flat(grown, start, levels, suits)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Do not look for garbage, of which there is none, among all the hands: that takes as long as the rest."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def redealt(hand: Hand) -> Iterator[tuple[float, Hand]]:
    """Hands with the moves and the board of this one, for all cards that the players may hold."""
    if not hand.whole:
        raise FeltError("a hand from a snapshot or a batch does not know how it came about: solve it from its rules")
    if hand.rules.has_draws or any(part.up for part in hand.rules.rounds):
        raise FeltError(f"{hand.rules.name}: only games without open cards and exchanges can be solved from a state")
    board, rules, stakes = hand.board, hand.rules, hand.stakes
    moves = [event for event in hand.events if event.kind in MOVE_OF_EVENT]
    hands, dealt = [], 0.0
    for chance, first in first_deals(rules, stakes.stacks, players=hand.players):
        held = [card for seat in range(hand.players) for card in first.cards(seat)]
        if set(held) & set(board):
            continue
        order = [card for event in first.events for card in event.cards if event.kind == EventKind.DOWN]
        rest = [card for card in rules.deck if card not in order and card not in board]
        again = Hand.new(rules, deck=(*order, *board, *rest), button=hand.button, **stakes._asdict())
        for event in moves:
            again.act(Action(MOVE_OF_EVENT[event.kind], event.amount))
        hands.append((chance, again))
        dealt += chance
    yield from ((chance / dealt, again) for chance, again in hands)


def _grow(grown: _Growing, node: int, state: _Fallen | list[_Fallen], below: _Level) -> None:
    """Add the children of a node."""
    last = grown.nodes[node].last
    if isinstance(state, list):
        below += [(_state(grown, node, outcome, 0, last), outcome) for outcome in state]
        return
    hand = state.hand
    if hand.over:
        return
    infoset, seat = grown.nodes[node].infoset, hand.turn
    moves = grown.moves[infoset]
    if grown.forget:  # the same choices by their places in the menu, but in other amounts
        moves = tuple(actions(hand, sizes=grown.sizes))
    for choice, action in enumerate(moves):
        played = (*last[:seat], infoset << 32 | choice, *last[seat + 1 :])
        fallen = _classes(_fallen(grown, state, action, spare=choice == len(moves) - 1), grown.suits)
        if len(fallen) == 1:
            below.append((_state(grown, node, fallen[0], choice, played), fallen[0]))
        else:
            below.append((grown.add(_Node(node, CHANCE, 1.0, choice, played)), fallen))


def _fallen(grown: _Growing, state: _Fallen, action: Action, *, spare: bool) -> list[_Fallen]:
    """The states that an action may lead to, for every way the cards may fall; `spare`: the hand is not needed after.

    As `felt.games.trees.tree.deals`, which copies more than it needs to.
    """
    hand = state.hand
    h, k = hand.arrays
    at = h[f.DECK_AT]
    child = hand if spare and action.move == Move.RAISE else hand.copy()  # no card falls with a raise
    child.act(action)
    if child.arrays[0][f.DECK_AT] == at:
        return [_after(grown, state, child, 1.0)]
    begin, end = f.DECK + int(at), f.DECK + int(h[f.DECK_COUNT])
    before = state.events or len(hand.events)
    groups = [len(event.cards) for event in child.events[before + 1 :] if event.kind in DEALS]
    if sum(groups) > end - begin:
        raise FeltError(f"{hand.rules.name}: the deck runs out here, and a reshuffle cannot be enumerated")
    cards, outcomes = k[begin:end].tolist(), []
    ways, dealt = count_ways(len(cards), groups), sum(groups)
    grown.check(ways)  # before they are dealt: there may be millions
    chance = 1 / ways
    for order in ways_to_deal(cards, groups):
        child = hand.copy()
        deck = child.arrays[1]
        deck[begin : begin + dealt] = order
        deck[begin + dealt : end] = [card for card in cards if card not in order]
        child.act(action)
        outcomes.append(_after(grown, state, child, chance))
    return outcomes


def _after(grown: _Growing, before: _Fallen, hand: Hand, chance: float) -> _Fallen:
    if hand.over or not before.known:
        return _Fallen(chance, hand, before.known, 0)
    events = hand.events
    return _Fallen(chance, hand, grown.tell(before.known, events[before.events :]), len(events))


def _state(grown: _Growing, parent: int, state: _Fallen, choice: int, last: tuple[int, ...]) -> int:
    hand, chance = state.hand, state.chance
    if hand.over:
        grown.payoffs.append(exact_payoffs(hand))
        return grown.add(_Node(parent, TERMINAL, chance, choice, last))
    seat = hand.turn
    text = state.known[seat] if grown.key is None else grown.key(hand, seat)
    infoset = grown.known.setdefault((seat, text), len(grown.known))
    if infoset == len(grown.moves):
        grown.moves.append(tuple(actions(hand, sizes=grown.sizes)))
        grown.above.append(last[seat])
    elif grown.key is not None:
        _check_same(grown, hand, infoset, text)
    if grown.above[infoset] != last[seat] and not grown.forget:
        raise FeltError(f"{text!r}: seat {seat} would have to forget what it did or knew; use a key that remembers it")
    return grown.add(_Node(parent, seat, chance, choice, last, infoset))


def _check_same(grown: _Growing, hand: Hand, infoset: int, text: str) -> None:
    """Refuse a key that puts hands together in which a player may do different things."""
    moves, known = tuple(actions(hand, sizes=grown.sizes)), grown.moves[infoset]
    if len(moves) != len(known):
        raise FeltError(
            f"{text!r} has {len(moves)} actions in one history and {len(known)} in another: use a key that tells them "
            "apart"
        )
    if (moves and moves[0].move == Move.EXCHANGE and set(moves) != set(known)) or (
        not grown.forget and [action[:2] for action in moves] != [action[:2] for action in known]
    ):
        raise FeltError(f"{text!r} stands for hands with different actions: use a key that tells them apart")


def _classes(fallen: list[_Fallen], suits: bool) -> list[_Fallen]:
    """Deals that differ by suits only as one, where suits never matter."""
    if suits or len(fallen) == 1:
        return fallen
    by_ranks: dict[tuple[tuple[int, ...], ...], _Fallen] = {}
    for state in fallen:
        hand = state.hand
        seats = [sorted(card >> 2 for card in hand.cards(seat)) for seat in range(hand.players)]
        kind = (*map(tuple, seats), tuple(card >> 2 for card in hand.board))
        first = by_ranks.get(kind)
        by_ranks[kind] = state if first is None else first._replace(chance=first.chance + state.chance)
    return list(by_ranks.values())


def _flat(grown: _Growing, start: Hand, levels: list[int], suits: bool) -> GameTree:
    """The lists as arrays, information sets in order of players."""
    seats = np.array([seat for seat, _ in grown.known], dtype=np.int64)
    order = np.argsort(seats, kind="stable")
    number = np.empty(len(order) + 1, dtype=np.int32)
    number[order], number[-1] = np.arange(len(order)), -1
    sizes = [len(grown.moves[i]) for i in order]
    first = np.cumsum([0, *sizes]).astype(np.int32)
    labels = [text for _, text in grown.known]
    last = np.array(grown.above, dtype=np.int64)[order]
    above = np.where(last >= 0, first[number[last >> 32]] + (last & 0xFFFFFFFF), first[-1] + seats[order])
    infoset, choice = number[[node.infoset for node in grown.nodes]], np.array([node.choice for node in grown.nodes])
    parent = np.array([node.parent for node in grown.nodes], dtype=np.int32)
    of_player = np.searchsorted(seats[order], np.arange(start.players + 1)).astype(np.int32)
    moves = [action for i in order for action in grown.moves[i]]
    decided = infoset[parent] >= 0
    decided[0] = False
    sequence = np.where(decided, first[infoset[parent]] + choice, -1).astype(np.int32)
    return GameTree(
        rules=start.rules,
        stacks=start.starting_stacks,
        parent=parent,
        player=np.array([node.player for node in grown.nodes], dtype=np.int8),
        sequence=sequence,
        chance=np.array([node.chance for node in grown.nodes]),
        infoset=infoset,
        payoffs=np.array(grown.payoffs, dtype=np.float64).reshape(-1, start.players),
        levels=np.array(levels, dtype=np.int32),
        infosets=Infosets(start.players, of_player, first, above.astype(np.int32), [labels[i] for i in order], moves),
        suits=suits,
    )
