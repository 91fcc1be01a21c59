"""Custom scoring: what a hand is worth by the formulas of a game, plainly or compiled.

A value is a whole number; higher is better. Its upper part says which category the hand falls into, its lower
part is the category's own formula, so any hand of a higher category beats every hand of a lower one.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import check_numbers
from felt.games.rules import RulesError, Showdown
from felt.games.scoring.expressions import evaluate, parse_formula
from felt.games.scoring.programs import Category, write_program
from felt.games.scoring.programs import ScoringArrays as ScoringArrays  # part of what `compile_scoring` promises

SHIFT = 48
"""Bits of a value below its category; formulas stay within 46 of them, negative ones too."""

MOST_CARDS = 16


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


def score_batch(showdown: Showdown, cards: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Values of many hands at once, one row of cards each; of more cards than a hand has, the best count.

    >>> from felt.games import load
    >>> brag = load("brag").showdown
    >>> score_batch(brag, np.array([parse_cards("AsKs2d3h4c")]))[0] == score(brag, "As2d3h")
    np.True_
    """
    from felt.games.scoring.kernels import score_many

    hands = check_numbers(np.asarray(cards))
    if hands.ndim != 2 or not showdown.size <= hands.shape[1] <= MOST_CARDS:
        raise RulesError(f"give one hand a row, {showdown.size} to {MOST_CARDS} cards each; this is {hands.shape}")
    out = np.empty(len(hands), dtype=np.int64)
    score_many(hands, compile_scoring(showdown), out)
    return out


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
    categories = []
    for place, part in enumerate(sorted(showdown.scoring, key=lambda part: part.rank)):
        conditions = tuple(parse_formula(text, cards=showdown.size) for text in part.conditions)
        base = 1 + (place << SHIFT) + (1 << (SHIFT - 1))  # where the formula gives 0; it may give negative numbers
        categories.append(Category(base, part, conditions, parse_formula(part.subrank, cards=showdown.size)))
    return tuple(sorted(categories, key=lambda category: (category.part.default, -category.base)))


@lru_cache(maxsize=64)
def compile_scoring(showdown: Showdown) -> ScoringArrays:
    """The scoring as arrays for `felt.games.scoring.kernels.score_cards`; equal rules share them.

    A game without a scoring of its own has an empty program, by which every hand is worth 0.
    """
    return write_program(_categories(showdown) if showdown.scoring else (), showdown.size)
