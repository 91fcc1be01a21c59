"""The way back: playing a strategy for a smaller game in the whole one.

A hand is followed in the smaller game move by move, as a *shadow* of it. A raise that is not on the menu becomes one
of its two neighbours there, by chance: with sizes in pots A < x < B, A is taken with the chance
(B - x)(1 + A) / ((B - A)(1 + x)), the pseudo-harmonic mapping of Ganzfried & Sandholm (2013), or, where nothing shall
be left to chance, the likelier of the two. What the strategy does in the shadow is then done in the hand: a raise as
the same share of its pot, as near as is allowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from felt.games.actions import Action, Legal
from felt.games.hand import Hand
from felt.games.history import Event, EventKind
from felt.games.keys import information
from felt.games.record import Move
from felt.games.rules import GameRules
from felt.games.tree import Sizes, actions, raise_amounts
from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.build_any import any_tree
from felt.solvers.memory import MEMORY
from felt.solvers.renaming import seen_information
from felt.solvers.tree import Floats, GameTree

_DEALS = (EventKind.DOWN, EventKind.UP, EventKind.BOARD)
_MOVES = {EventKind.FOLD: Move.FOLD, EventKind.CALL: Move.CALL, EventKind.RAISE: Move.RAISE}
_EXCHANGES = (EventKind.DRAW, EventKind.DISCARD, EventKind.PASS, EventKind.ROLL)

Shadows = list[tuple[float, Hand]]
"""Hands of the smaller game that a hand may stand for there, with their chances."""


class Table(Protocol):
    """A hand, or what one seat sees of it, as far as the betting goes."""

    @property
    def bets(self) -> Sequence[int]: ...
    @property
    def pot(self) -> int: ...
    @property
    def turn(self) -> int: ...


def pseudo_harmonic(x: float, below: float, above: float) -> float:
    """The chance that a raise of x pots counts as the smaller of two on the menu.

    >>> pseudo_harmonic(0.75, 0.5, 1.0), pseudo_harmonic(1.0, 1.0, 2.0)
    (0.42857142857142855, 1.0)
    """
    return (above - x) * (1 + below) / ((above - below) * (1 + x))


def shadows(
    hand: Hand,
    *,
    stacks: Sequence[int],
    sizes: Sizes,
    like: Hand | None = None,
    chance: bool = True,
) -> Shadows:
    """What a hand stands for in the game with these stacks and this menu; none where it has left that game.

    Antes and blinds are those of the rules, or those of the hand that it shall be `like`.
    """
    dealt = [card for event in hand.events if event.kind in _DEALS for card in event.cards]
    deck = (*dealt, *(card for card in hand.rules.deck if card not in dealt))
    stakes = hand.stakes
    real = Hand.new(hand.rules, stakes.stacks, deck=deck, button=hand.button, antes=stakes.antes, posts=stakes.posts,
                    dead_antes=stakes.dead_antes)  # fmt: skip
    posted = {} if like is None else like.stakes._asdict()
    begun = Hand.new(hand.rules, deck=deck, button=hand.button, **{**posted, "stacks": stacks})
    found: Shadows = [(1.0, begun)]
    for event in hand.events:
        if event.kind in _DEALS:
            continue
        found = [
            (weight * share, after)
            for weight, shadow in found
            if not shadow.over and shadow.turn == real.turn
            for share, after in _followed(shadow, real, event, sizes, chance)
        ]
        real.act(_action(event))
    left = [(weight, shadow) for weight, shadow in found if not shadow.over and shadow.turn == hand.turn]
    total = sum(weight for weight, _ in left)
    return [(weight / total, shadow) for weight, shadow in left]


def _action(event: Event) -> Action:
    if event.kind in _EXCHANGES:
        return Action(Move.EXCHANGE, cards=event.cards)
    return Action(_MOVES[event.kind], event.amount)


def _followed(shadow: Hand, real: Hand, event: Event, sizes: Sizes, chance: bool) -> Shadows:
    """What one move of a hand stands for in its shadow."""
    legal = shadow.legal()
    found: Shadows = []
    if event.kind in _EXCHANGES:
        wanted: list[tuple[float, Action]] = [(1.0, _action(event))] if legal.exchange else []
    elif event.kind == EventKind.RAISE and legal.raise_to:
        wanted = [(share, Action(Move.RAISE, amount)) for share, amount in _menu(shadow, real, event, sizes, chance)]
    elif event.kind == EventKind.FOLD and legal.fold:
        wanted = [(1.0, Action(Move.FOLD))]
    else:
        wanted = [(1.0, Action(Move.CALL))] if legal.call is not None else []
    for share, action in wanted:
        after = shadow.copy()
        after.act(action)
        found.append((share, after))
    return found


def _menu(shadow: Hand, real: Hand, event: Event, sizes: Sizes, chance: bool) -> list[tuple[float, int]]:
    """The raises of the smaller game that a raise counts as."""
    amounts, most = list(raise_amounts(shadow, sizes)), (shadow.legal().raise_to or (0, 0))[1]
    limit = real.legal().raise_to
    if limit and event.amount == limit[1] and most in amounts:  # all in, or all that is allowed, is just that
        return [(1.0, most)]
    x = in_pots(real, real.legal(), event.amount)
    pots = [in_pots(shadow, shadow.legal(), amount) for amount in amounts]
    if x <= pots[0]:
        return [(1.0, amounts[0])]
    if x >= pots[-1]:
        return [(1.0, amounts[-1])]
    at = next(i for i, size in enumerate(pots) if size >= x)
    share = pseudo_harmonic(x, pots[at - 1], pots[at])
    if not chance:
        share = float(share >= 0.5)
    return [(one, amount) for one, amount in ((share, amounts[at - 1]), (1 - share, amounts[at])) if one > 0]


def in_pots(hand: Table, legal: Legal, amount: int) -> float:
    """A raise as a share of the pot as it is after a call, above the bet to match."""
    call = legal.call or 0
    return (amount - hand.bets[hand.turn] - call) / (hand.pot + call)


def real_action(action: Action, shadow: Hand, table: Table, legal: Legal) -> Action:
    """What an action in a shadow is at the table: the same move, a raise as the same share of the pot."""
    if action.move == Move.EXCHANGE:
        return action
    if action.move == Move.FOLD:
        return action if legal.fold and legal.call else Action(Move.CALL)
    if action.move == Move.CALL or not legal.raise_to:
        return Action(Move.CALL)
    least, most = legal.raise_to
    if action.amount == (shadow.legal().raise_to or (0, 0))[1]:
        return Action(Move.RAISE, most)
    call = legal.call or 0
    wanted = table.bets[table.turn] + call + in_pots(shadow, shadow.legal(), action.amount) * (table.pot + call)
    return Action(Move.RAISE, min(max(round(wanted), least), most))


@dataclass(frozen=True, eq=False)
class WholeGame:
    """The whole game of an abstraction, and how strategies for the smaller one are played there."""

    tree: GameTree
    rows: NDArray[np.int64]
    """Sequences of the whole game …"""
    columns: NDArray[np.int64]
    """… that are played by these of the smaller one …"""
    weights: Floats
    """… so often."""
    fixed: Floats
    """What is played where the smaller game says nothing: checks and calls."""

    def strategy(self, chances: Floats) -> Floats:
        """A strategy for the smaller game as one for the whole game: chances by sequence."""
        found = self.fixed.copy()
        np.add.at(found, self.rows, self.weights * chances[self.columns])
        return found

    def measure(self, chances: Floats) -> Evaluation:
        """What a strategy for the smaller game is worth in the whole one, and what the best answers gain there."""
        return evaluate(self.tree, self.tree.infosets.normalised(self.strategy(chances)))


def whole_game(
    small: GameTree, *, sizes: Sizes | str = "same", chance: bool = True, memory: float = MEMORY
) -> WholeGame:
    """The whole game of a tree that was built with an abstraction; `sizes` are its raises, if not the same.

    >>> from felt.games import load
    >>> from felt.solvers.abstraction import Abstraction
    >>> from felt.solvers.build import build_tree
    >>> from felt.solvers.solver import Solver
    >>> tree = build_tree(load("leduc"), abstraction=Abstraction(cards="ehs:2"))
    >>> solver = Solver(tree)
    >>> solver.run(200)
    >>> round(whole_game(tree).measure(solver.average()).exploitability, 1)
    0.6
    """
    origin = small.origin
    assert origin is not None, "trees from `build_tree` have one"
    rules: GameRules = small.rules
    menu: Any = origin.sizes if isinstance(sizes, str) else sizes
    key = origin.abstraction.key(rules, suits=small.suits) if origin.abstraction else origin.key
    numbers = {(seat, text): i for i, (seat, text) in enumerate(zip(_seats(small), small.infosets.labels, strict=True))}
    same = menu == origin.sizes
    played: dict[tuple[int, str], list[tuple[float, int, list[int]]]] = {}

    def told(hand: Hand, seat: int) -> str:
        text = information(hand, seat, suits=small.suits)
        if (seat, text) not in played:
            found = (
                [(1.0, hand)]
                if same
                else shadows(hand, stacks=small.stacks, sizes=origin.sizes, like=origin.start, chance=chance)
            )
            places = []
            for weight, shadow in found:
                label = key(shadow, seat) if key else _label(small, shadow, seat)
                number = numbers.get((seat, label))
                if number is not None:
                    places.append((weight, number, _choices(hand, shadow, menu, origin.sizes, same)))
            played[seat, text] = places
        return text

    start: Any = origin.start or rules
    tree = any_tree(start, None if origin.start else small.stacks, sizes=menu, suits=small.suits, key=told,
                    memory=memory)  # fmt: skip
    return _matched(tree, small, played)


def _label(small: GameTree, hand: Hand, seat: int) -> str:
    """What a seat knows, as a tree names it."""
    if small.isomorphic:
        return seen_information(hand.view(seat), suits=small.suits, isomorphic=True)
    return information(hand, seat, suits=small.suits)


def _choices(hand: Hand, shadow: Hand, menu: Sizes, sizes: Sizes, same: bool) -> list[int]:
    """Which action of a hand each action of its shadow is."""
    options, legal = list(actions(hand, sizes=menu)), hand.legal()
    if same:
        return list(range(len(options)))
    found = []
    for action in actions(shadow, sizes=sizes):
        wanted = real_action(action, shadow, hand, legal)
        alike = [i for i, option in enumerate(options) if option.move == wanted.move]
        near = min(alike, key=lambda i: (abs(options[i].amount - wanted.amount), options[i].cards != wanted.cards))
        found.append(near)
    return found


def _matched(
    tree: GameTree, small: GameTree, played: dict[tuple[int, str], list[tuple[float, int, list[int]]]]
) -> WholeGame:
    rows, columns, weights, infosets = list[int](), list[int](), list[float](), tree.infosets
    fixed = np.zeros(infosets.sequences)
    for i, (seat, text) in enumerate(zip(_seats(tree), infosets.labels, strict=True)):
        begin, end, total = int(infosets.first[i]), int(infosets.first[i + 1]), 0.0
        for weight, number, choices in played[seat, text]:
            total += weight
            for choice, at in enumerate(choices):
                rows.append(begin + at)
                columns.append(int(small.infosets.first[number]) + choice)
                weights.append(weight)
        if total == 0:
            call = next((s for s in range(begin, end) if infosets.actions[s].move == Move.CALL), begin)
            fixed[call] = 1.0
    places = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)  # there may be none
    return WholeGame(tree, *places, np.array(weights, dtype=np.float64), fixed)


def _seats(tree: GameTree) -> list[int]:
    of_player = tree.infosets.of_player
    return np.repeat(np.arange(tree.players), np.diff(of_player)).tolist()
