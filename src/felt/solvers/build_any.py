"""Trees of any game, grown hand by hand: slower than `build_plain`, and right for exchanges and open cards too."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.history import EventKind
from felt.games.record import Move
from felt.games.rules import GameRules
from felt.games.tree import Sizes, actions, count_ways, deals, first_deals
from felt.solvers.tree import BYTES_PER_NODE, CHANCE, TERMINAL, GameTree, Infosets, too_large

BYTES_WHILE_BUILT = 3000
"""Of a node that is still a hand."""

Fallen = list[tuple[float, Hand]]


@dataclass
class _Growing:
    """Lists that become the arrays of a tree; a node for each history so far."""

    parent: list[int] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    chance: list[float] = field(default_factory=list)
    infoset: list[int] = field(default_factory=list)
    choice: list[int] = field(default_factory=list)
    payoffs: list[tuple[int, ...]] = field(default_factory=list)
    known: dict[tuple[int, str], int] = field(default_factory=dict)
    moves: list[tuple[Action, ...]] = field(default_factory=list)
    last: list[tuple[int, ...]] = field(default_factory=list)
    """Everybody's last information set and choice there, for each node, as one number; -1 before the first."""
    above: list[int] = field(default_factory=list)


def any_tree(
    game: GameRules | Hand,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes,
    suits: bool,
    key: Callable[[Hand, int], str],
    memory: float,
) -> GameTree:
    """Grow the tree level by level."""
    start = game if isinstance(game, Hand) else Hand.new(game, stacks, players=players)
    each = BYTES_PER_NODE + BYTES_WHILE_BUILT
    most, least = int(memory / each), _first_deals(start)
    if least > most:
        raise too_large(start.rules.name, least, least * each, memory, least=True)
    fallen = list(redealt(game) if isinstance(game, Hand) else first_deals(game, stacks, players=players))
    grown = _Growing()
    _add(grown, -1, CHANCE, 1.0, 0, (-1,) * start.players)
    level: list[tuple[int, Hand | Fallen]] = [(0, _classes(fallen, suits))]
    levels = [0, 1]
    while level:
        below: list[tuple[int, Hand | Fallen]] = []
        for node, what in level:
            _grow(grown, node, what, below, sizes, suits, key)
            if len(grown.parent) > most:
                raise too_large(start.rules.name, len(grown.parent), len(grown.parent) * each, memory, least=True)
        level = below
        if below:
            levels.append(len(grown.parent))
    return _flat(grown, start, levels, suits)


def _first_deals(hand: Hand) -> int:
    """In how many ways the cards of the first round may be dealt."""
    first = hand.rules.rounds[0]
    groups = [*[first.down, first.up] * hand.players, first.board]
    return count_ways(len(hand.rules.deck), groups)


def redealt(hand: Hand) -> Iterator[tuple[float, Hand]]:
    """Hands with the moves and the board of this one, for all cards that the players may hold."""
    if not hand.whole:
        raise FeltError("a hand from a snapshot or a batch does not know how it came about: solve it from its rules")
    if hand.rules.has_draws or any(part.up for part in hand.rules.rounds):
        raise FeltError(f"{hand.rules.name}: only games without open cards and exchanges can be solved from a state")
    board, rules = hand.board, hand.rules
    moves = [event for event in hand.events if event.kind in (EventKind.FOLD, EventKind.CALL, EventKind.RAISE)]
    stakes, dealt = hand.stakes, 0.0
    found = []
    for chance, first in first_deals(rules, stakes.stacks, players=hand.players):
        held = [card for seat in range(hand.players) for card in first.cards(seat)]
        if set(held) & set(board):
            continue
        order = [card for event in first.events for card in event.cards if event.kind == EventKind.DOWN]
        rest = [card for card in rules.deck if card not in order and card not in board]
        again = Hand.new(
            rules, stakes.stacks, deck=(*order, *board, *rest), button=hand.button, antes=stakes.antes,
            posts=stakes.posts, dead_antes=stakes.dead_antes,
        )  # fmt: skip
        for event in moves:
            kind = {EventKind.FOLD: Move.FOLD, EventKind.CALL: Move.CALL, EventKind.RAISE: Move.RAISE}[event.kind]
            again.act(Action(kind, event.amount))
        found.append((chance, again))
        dealt += chance
    yield from ((chance / dealt, again) for chance, again in found)


def _add(
    grown: _Growing, parent: int, player: int, chance: float, choice: int, last: tuple[int, ...], infoset: int = -1
) -> int:
    grown.parent.append(parent)
    grown.player.append(player)
    grown.chance.append(chance)
    grown.choice.append(choice)
    grown.last.append(last)
    grown.infoset.append(infoset)
    return len(grown.parent) - 1


def _grow(
    grown: _Growing,
    node: int,
    what: "Hand | Fallen",
    below: list[tuple[int, "Hand | Fallen"]],
    sizes: Sizes,
    suits: bool,
    key: Callable[[Hand, int], str],
) -> None:
    """Add the children of a node."""
    last = grown.last[node]
    if isinstance(what, list):
        for chance, hand in what:
            below.append((_state(grown, node, hand, chance, 0, last, sizes, key), hand))
        return
    if what.over:
        return
    infoset, seat = grown.infoset[node], what.turn
    for choice, action in enumerate(grown.moves[infoset]):
        played = tuple(_played(infoset, choice) if other == seat else one for other, one in enumerate(last))
        fallen = _classes(list(deals(what, action)), suits)
        if len(fallen) == 1:
            hand = fallen[0][1]
            below.append((_state(grown, node, hand, 1.0, choice, played, sizes, key), hand))
        else:
            below.append((_add(grown, node, CHANCE, 1.0, choice, played), fallen))


def _played(infoset: int, choice: int) -> int:
    return infoset << 32 | choice


def _state(
    grown: _Growing,
    parent: int,
    hand: Hand,
    chance: float,
    choice: int,
    last: tuple[int, ...],
    sizes: Sizes,
    key: Callable[[Hand, int], str],
) -> int:
    if hand.over:
        grown.payoffs.append(hand.payoffs)
        return _add(grown, parent, TERMINAL, chance, choice, last)
    seat = hand.turn
    text = key(hand, seat)
    moves = tuple(actions(hand, sizes=sizes))
    infoset = grown.known.setdefault((seat, text), len(grown.known))
    if infoset == len(grown.moves):
        grown.moves.append(moves)
        grown.above.append(last[seat])
    elif len(moves) != len(grown.moves[infoset]):
        raise FeltError(f"{text!r} has {len(moves)} actions in one history and {len(grown.moves[infoset])} in another")
    elif grown.above[infoset] != last[seat]:
        raise FeltError(f"{text!r}: seat {seat} would have to forget what it did or knew; use a key that remembers it")
    return _add(grown, parent, seat, chance, choice, last, infoset)


def _classes(fallen: Fallen, suits: bool) -> Fallen:
    """Deals that differ by suits only as one, where suits never matter."""
    if suits or len(fallen) == 1:
        return fallen
    found: dict[tuple[tuple[int, ...], ...], tuple[float, Hand]] = {}
    for chance, hand in fallen:
        seats = [sorted(card >> 2 for card in hand.cards(seat)) for seat in range(hand.players)]
        kind = (*map(tuple, seats), tuple(card >> 2 for card in hand.board))
        share, first = found.get(kind, (0.0, hand))
        found[kind] = share + chance, first
    return list(found.values())


def _flat(grown: _Growing, start: Hand, levels: list[int], suits: bool) -> GameTree:
    """The lists as arrays, information sets in order of players."""
    seats = np.array([seat for seat, _ in grown.known], dtype=np.int64)
    order = np.argsort(seats, kind="stable")
    number = np.empty(len(order) + 1, dtype=np.int32)
    number[order], number[-1] = np.arange(len(order)), -1
    sizes = [len(grown.moves[i]) for i in order]
    first = np.cumsum([0, *sizes]).astype(np.int32)
    labels = [text for _, text in grown.known]
    above = [
        first[number[one >> 32]] + (one & 0xFFFFFFFF) if one >= 0 else first[-1] + seats[i]
        for i, one in ((i, grown.above[i]) for i in order)
    ]
    infoset, parent = number[np.array(grown.infoset)], np.array(grown.parent, dtype=np.int32)
    choice = np.array(grown.choice)
    of_player = np.searchsorted(seats[order], np.arange(start.players + 1)).astype(np.int32)
    moves = [action for i in order for action in grown.moves[i]]
    decided = infoset[parent] >= 0
    decided[0] = False
    sequence = np.where(decided, first[infoset[parent]] + choice, -1).astype(np.int32)
    count = np.bincount(parent[1:], minlength=len(parent)).astype(np.int32)
    return GameTree(
        rules=start.rules,
        stacks=start.starting_stacks,
        parent=parent,
        first_child=np.where(count > 0, 1 + np.cumsum(count) - count, -1).astype(np.int32),
        children=count,
        player=np.array(grown.player, dtype=np.int8),
        sequence=sequence,
        chance=np.array(grown.chance),
        infoset=infoset,
        payoffs=np.array(grown.payoffs, dtype=np.float64).reshape(-1, start.players),
        levels=np.array(levels, dtype=np.int32),
        infosets=Infosets(
            start.players, of_player, first, np.array(above, dtype=np.int32), [labels[i] for i in order], moves
        ),
        suits=suits,
    )
