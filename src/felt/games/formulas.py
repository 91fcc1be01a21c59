"""Custom scoring: what a hand is worth by the formulas of a game, plainly or compiled.

A value is a whole number; higher is better. Its upper part says which category the hand falls into, its lower
part is the category's own formula, so any hand of a higher category beats every hand of a lower one.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import parse_cards
from felt.games.expressions import (
    Binary,
    CardPart,
    Choice,
    Expression,
    FormulaError,
    Number,
    Unary,
    evaluate,
    parse_formula,
)
from felt.games.rules import RulesError, Score, Showdown

SHIFT = 48
"""Bits of a value below its category; formulas stay within 46 of them, negative ones too."""

ScoringArrays = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Size of a hand and whether any category wants unsorted cards; the categories, best first; the instructions."""

# The machine's instructions, as numbered in felt.games.formula_kernels (which loads the compiler).
_PUSH, _RANK, _SUIT = 0, 1, 2
_SIGNS = {"+": 3, "-": 4, "*": 5, "/": 6, "%": 7, "==": 8, "!=": 9, "<": 10, "<=": 11, "and": 12, "or": 13}
_TURNED = {">": "<", ">=": "<="}
_NOT, _NEGATE, _JUMP, _JUMP_IF_FALSE = 14, 15, 16, 17


class Category(NamedTuple):
    """A category with its formulas as trees, and the value of a hand for which they give 0."""

    base: int
    part: Score
    conditions: tuple[Expression, ...]
    subrank: Expression


def score(showdown: Showdown, cards: str | Iterable[int]) -> int:
    """Value of the best hand among these cards, by walking the formulas: slow and plain.

    >>> from felt.games import load
    >>> brag = load("brag").showdown
    >>> score(brag, "3s3d3h") > score(brag, "AsAdAh") > score(brag, "AsKsQs")
    True
    """
    held = parse_cards(cards)
    if len(held) < showdown.size:
        raise RulesError(f"{len(held)} cards are no hand here: give {showdown.size} or more")
    return max(_score_hand(showdown, hand) for hand in combinations(held, showdown.size))


def score_name(showdown: Showdown, value: int) -> str:
    """The name of the category that a value lies in.

    >>> from felt.games import load
    >>> brag = load("brag").showdown
    >>> score_name(brag, score(brag, "3s3d3h"))
    'prial'
    """
    category = (value - 1) >> SHIFT
    worst_first = sorted(showdown.scoring, key=lambda part: part.rank)
    if not 0 <= category < len(worst_first):
        raise RulesError(f"{value} is not the value of a hand in this game")
    return worst_first[category].name


def _score_hand(showdown: Showdown, hand: tuple[int, ...]) -> int:
    for base, part, conditions, subrank in _categories(showdown):
        seen = sorted(hand) if part.sort else hand
        if all(evaluate(condition, seen) for condition in conditions):
            return base + evaluate(subrank, seen)
    raise AssertionError("rules with a scoring have a default category")


@lru_cache(maxsize=64)
def _categories(showdown: Showdown) -> tuple[Category, ...]:
    """The categories in the order in which they are tried: the best first, the default last."""
    if not showdown.scoring:
        raise RulesError("this game has no scoring of its own: rank its hands by kind")
    found = []
    for place, part in enumerate(sorted(showdown.scoring, key=lambda part: part.rank)):
        conditions = tuple(parse_formula(text, cards=showdown.size) for text in part.conditions)
        found.append(Category(_base(place), part, conditions, parse_formula(part.subrank, cards=showdown.size)))
    return tuple(sorted(found, key=lambda category: (category.part.default, -category.base)))


def _base(place: int) -> int:
    """The value of a category's hand whose formula gives 0; formulas may give negative numbers."""
    return 1 + (place << SHIFT) + (1 << (SHIFT - 1))


@lru_cache(maxsize=64)
def compile_scoring(showdown: Showdown) -> ScoringArrays:
    """The scoring as arrays for `felt.games.formula_kernels.score_cards`; equal rules share them.

    A game without a scoring of its own has empty ones, by which every hand is worth 0.

    >>> from felt.cards import parse_cards
    >>> from felt.games import load
    >>> from felt.games.formula_kernels import score_cards
    >>> brag = load("brag").showdown
    >>> cards = np.array(parse_cards("AsKs2d3h4c"), dtype=np.uint8)
    >>> int(score_cards(cards, 5, compile_scoring(brag))) == score(brag, "As2d3h")
    True
    """
    code: list[tuple[int, int]] = []
    sections = []
    for base, part, conditions, subrank in _categories(showdown) if showdown.scoring else ():
        tested = len(code)
        for i, condition in enumerate(conditions):
            _emit(condition, code)
            if i > 0:
                code.append((_SIGNS["and"], 0))
        begin = len(code)
        _emit(subrank, code)
        sections.append((tested, begin, len(code), base, int(part.sort)))
    unsorted = int(any(not part.sort for part in showdown.scoring))
    arrays = (_array([showdown.size, unsorted]), _array(sections).reshape(-1, 5), _array(code).reshape(-1, 2))
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _array(numbers: object) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def _emit(tree: Expression, code: list[tuple[int, int]]) -> None:
    """Append instructions that leave the value of the formula on the stack."""
    match tree:
        case Number():
            code.append((_PUSH, int(tree.value)))
        case CardPart():
            code.append((_SUIT if tree.suit else _RANK, tree.card))
        case Unary():
            _emit(tree.of, code)
            code.append((_NEGATE if tree.sign == "-" else _NOT, 0))
        case Binary():
            turned = tree.sign in _TURNED
            _emit(tree.right if turned else tree.left, code)
            _emit(tree.left if turned else tree.right, code)
            code.append((_SIGNS[_TURNED.get(tree.sign, tree.sign)], 0))
        case Choice():
            _emit_choice(tree, code)
        case _:
            raise FormulaError(f"{tree.name!r} is no part of a hand", tree.at)


def _emit_choice(tree: Choice, code: list[tuple[int, int]]) -> None:
    _emit(tree.test, code)
    to_no = len(code)
    code.append((_JUMP_IF_FALSE, 0))
    _emit(tree.yes, code)
    to_end = len(code)
    code.append((_JUMP, 0))
    code[to_no] = (_JUMP_IF_FALSE, len(code))
    _emit(tree.no, code)
    code[to_end] = (_JUMP, len(code))
