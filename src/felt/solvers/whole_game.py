"""The whole game of an abstraction: what a strategy for the smaller game is worth there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.abstraction.translation import real_action, shadows
from felt.games.hand import Hand
from felt.games.moves import Move
from felt.games.rules import GameRules
from felt.games.trees.tree import Sizes, actions
from felt.games.views.keys import information
from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.memory import MEMORY
from felt.solvers.trees.build_any import any_tree
from felt.solvers.trees.dealt import seen_information
from felt.solvers.trees.tree import Floats, GameTree

Played = dict[tuple[int, str], list[tuple[float, int, list[int]]]]
"""By seat and what it knows: weights, information sets of the smaller game, and what each choice there is here."""


@dataclass(frozen=True, eq=False)
class WholeGame:
    """The whole game of an abstraction, and how strategies for the smaller one are played there."""

    tree: GameTree
    rows: NDArray[np.int64]  # sequences of the whole game …
    columns: NDArray[np.int64]  # … that are played by these of the smaller one …
    weights: Floats  # … so often
    fixed: Floats  # what is played where the smaller game says nothing: checks and calls

    def strategy(self, chances: Floats) -> Floats:
        """A strategy for the smaller game as one for the whole game: chances by sequence."""
        chances_whole = self.fixed.copy()
        np.add.at(chances_whole, self.rows, self.weights * chances[self.columns])
        return chances_whole

    def measure(self, chances: Floats) -> Evaluation:
        """What a strategy for the smaller game is worth in the whole one, and what the best answers gain there."""
        return evaluate(self.tree, self.tree.infosets.normalised(self.strategy(chances)))


def whole_game(
    small: GameTree, *, sizes: Sizes | str = "same", chance: bool = True, memory: float = MEMORY
) -> WholeGame:
    """The whole game of a tree that was built with an abstraction; `sizes` are its raises, if not the same.

    >>> from felt.games import load
    >>> from felt.abstraction.abstraction import Abstraction
    >>> from felt.solvers.trees.build import build_tree
    >>> from felt.solvers.cfr.solver import Solver
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
    played: Played = {}

    def remember(hand: Hand, seat: int) -> str:
        text = information(hand, seat, suits=small.suits)
        if (seat, text) not in played:
            weighted = [(1.0, hand)]
            if not same:
                weighted = shadows(hand, stacks=small.stacks, sizes=origin.sizes, like=origin.start, chance=chance)
            places = played[seat, text] = []
            for weight, shadow in weighted:
                label = key(shadow, seat) if key else _label(small, shadow, seat)
                number = numbers.get((seat, label))
                if number is not None:
                    places.append((weight, number, _choices(hand, shadow, menu, origin.sizes, same)))
        return text

    start: Any = origin.start or rules
    tree = any_tree(start, None if origin.start else small.stacks, sizes=menu, suits=small.suits, key=remember,
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
    choices = []
    for action in actions(shadow, sizes=sizes):
        real = real_action(action, shadow, hand, legal)
        alike = [i for i, option in enumerate(options) if option.move == real.move]
        choices.append(min(alike, key=lambda i: (abs(options[i].amount - real.amount), options[i].cards != real.cards)))
    return choices


def _matched(tree: GameTree, small: GameTree, played: Played) -> WholeGame:
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
    return np.repeat(np.arange(tree.players), np.diff(tree.infosets.of_player)).tolist()
