"""Heads-up before the flop: every matchup of two hands was counted once, and is looked up.

``matchup_wins`` and ``matchup_ties`` hold, for the first combo of each of the 169 classes against all 1,326
combos, on how many of the 1,712,304 boards it wins and ties; any other pair of hands is one of these with its
suits renamed.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.combos import COMBO_CLASS, COMBO_MASKS
from felt.cards.isomorphism import COMBO_PERMUTATIONS, COMBO_TO_REPRESENTATIVE
from felt.errors import OddsError
from felt.odds.equity.question import Question
from felt.odds.equity.result import PlayerEquity

BOARDS = comb(48, 5)


def matchup_counts(first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Boards that each of `first` wins, and ties, against each of `second`; 0 where they share a card.

    >>> wins, ties = matchup_counts(np.array([1325]), np.array([1127]))  # AsAh against KsKh
    >>> int(wins[0, 0]), int(ties[0, 0])
    (1410336, 9308)
    """
    renamed = COMBO_PERMUTATIONS[COMBO_TO_REPRESENTATIVE[first]].take(second, axis=1)
    places = COMBO_CLASS[first].astype(np.intp)[:, None] * len(COMBO_CLASS) + renamed
    wins, ties = (_tables.load(name).take(places) for name in ("matchup_wins", "matchup_ties"))
    return wins, ties


def from_table(question: Question) -> tuple[list[PlayerEquity], int]:
    """Both players' equity, and the number of deals, of a heads-up question with nothing known."""
    weights = [r.weights for r in question.ranges]
    live = [np.flatnonzero(w) for w in weights]
    first, second = (w[i] for w, i in zip(weights, live, strict=True))
    apart = (COMBO_MASKS[live[0]][:, None] & COMBO_MASKS[live[1]]) == 0
    deals = int(np.count_nonzero(apart)) * BOARDS
    if deals == 0:
        raise OddsError(f"these hands need the same cards: {', '.join(map(repr, question.names))} cannot be dealt")
    wins, ties = matchup_counts(*live)
    total, won, tied = (float(first @ (counts @ second)) for counts in (apart, wins, ties))
    total *= BOARDS
    answers = [
        PlayerEquity(name, (alone + tied / 2) / total, alone / total, tied / total)
        for name, alone in zip(question.names, (won, total - won - tied), strict=True)
    ]
    return answers, deals
