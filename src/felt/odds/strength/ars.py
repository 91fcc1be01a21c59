"""Average Rank Strength: a hand's strength guessed from its rank and its hole cards alone (Teófilo 2016, 5.2.3).

For each street, a table of 7,462 ranks by 169 starting hands holds the mean E[HS] of all hands that look alike
in this way, and two more hold the least and the most that went into the mean. One look-up replaces thousands of
comparisons; `felt.odds.strength.lookup` is as quick and exact, so this is here to be compared with
(docs/study/strength.md).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.card import parse_cards
from felt.cards.combos import class_index
from felt.cards.ranking.evaluator import check_deck, rank_cards
from felt.cards.ranking.kinds import find_kind
from felt.errors import OddsError
from felt.odds.equity.question import check_apart

STREETS = {5: "flop", 6: "turn", 7: "river"}
SCALE = 65535
"""Strengths 0 to 1 are kept as whole numbers up to this."""


@dataclass(frozen=True)
class RankStrength:
    """The mean strength of all hands of a rank and a class of hole cards, with the least and the most of them."""

    mean: float
    least: float
    most: float


def rank_strength(hand: str, board: str) -> RankStrength:
    """The entry of the tables for two hole cards and a board of three to five cards.

    >>> entry = rank_strength("AsAd", "2c5hTh")
    >>> entry.least <= entry.mean <= entry.most
    True
    """
    hole, cards = parse_cards(hand), parse_cards(board)
    if len(hole) != 2 or not 3 <= len(cards) <= 5:
        raise OddsError(f"{hand!r} on {board!r}: Average Rank Strength is of two hole cards and 3 to 5 board cards")
    check_apart(hand, board)
    check_deck(hole + cards, find_kind("high"))
    table = _tables.load_archive(f"ars_{STREETS[2 + len(cards)]}")
    cell = rank_cards(hole + cards), class_index(*hole)
    return RankStrength(*(float(table[name][cell]) / SCALE for name in ("mean", "least", "most")))


def ars(hand: str, board: str, opponents: int = 1, *, rng: np.random.Generator | None = None) -> float:
    """Average Rank Strength of a hand, to the power of the number of opponents.

    With `rng` the answer is moved by a random part of the known error, as the method's author proposes for
    programs that should not give themselves away by always making the same mistake.

    >>> round(ars("AsAd", "2c5hTh"), 2)
    0.86
    """
    if opponents < 1:
        raise OddsError(f"opponents={opponents}: give 1 or more")
    entry = rank_strength(hand, board)
    strength = entry.mean if rng is None else float(rng.uniform(entry.least, entry.most))
    return strength**opponents


def ars_batch(ranks: NDArray[np.integer], classes: NDArray[np.integer], street: str) -> NDArray[np.float64]:
    """Average Rank Strength for many hands, from their ranks (`rank_batch`) and starting-hand classes."""
    if street not in STREETS.values():
        raise OddsError(f"{street!r} is not a street with a board: choose flop, turn or river")
    mean = _tables.load_archive(f"ars_{street}")["mean"]
    strengths: NDArray[np.float64] = mean[ranks, classes] / SCALE
    return strengths
