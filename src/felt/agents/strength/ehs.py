"""The E[HS] agent: fixed chances for each move by how strong the hand is, in any game (Teófilo 2016, table 19).

The table gives, for four bands of E[HS] (EQ15 there: the chance to win against one random hand, to the power of the
number of opponents), the chances to fold, call and raise: in limit games by the one raise there is, in no-limit games
by 10, 20 or 50 % or all-in. What it leaves open is completed here:

- its no-limit row for 30–50 % adds up to 95 %: the chances are scaled to 100 %;
- a fold where a check is free is a check, and so is one where folding is not allowed (the bring-in is posted);
- a raise of x % puts x % of the player's stack in on top of the call, or as near to that as is legal; where no raise
  is allowed it is a call;
- pot limit and spread limit are played as no limit, with the largest bet allowed for all-in;
- cards are drawn, discarded and passed by `felt.odds.state.from_view.sensible_exchange`.
"""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import numpy as np

from felt.agents.api import Explanation
from felt.agents.strength.by_strength import ByStrength, Decision, Situation, call, fold_or_check, raise_to, spot_of
from felt.agents.tables import Moves, Tables
from felt.games.actions import Action
from felt.games.moves import Move
from felt.games.rules import GameRules, Structure
from felt.games.views.view import View
from felt.odds.state.from_view import SAMPLES

BANDS = (0.3, 0.5, 0.8)
"""Where one row of the table ends and the next begins."""

LIMIT = ((100, 0, 0), (50, 30, 20), (5, 50, 45), (1, 19, 80))
"""Fold, call, raise."""

NO_LIMIT = ((100, 0, 0, 0, 0, 0), (50, 30, 10, 3, 2, 0), (5, 50, 25, 10, 5, 5), (1, 19, 20, 15, 15, 30))
"""Fold, call, raise 10 %, 20 %, 50 %, all-in."""

SIZES = (0, 0, 10, 20, 50)
"""Per cent of the stack, by column; the last column is all-in."""

COLUMNS = ("fold", "call", "raise by 10 % of the stack", "raise by 20 %", "raise by 50 %", "all in")
FOLD, CALL, ALL_IN = 0, 1, 5


class Ehs(ByStrength):
    """Folds, calls and raises with fixed chances for each of four bands of E[HS].

    `opponents` fixes the number of hands that its own is measured against (else those still in the hand), `samples`
    is for games where E[HS] is sampled.
    """

    def __init__(self, opponents: int | None = None, samples: int = SAMPLES) -> None:
        super().__init__(opponents, samples)
        self._rows = tuple(_sums(row) for row in NO_LIMIT), tuple(_sums(row) for row in LIMIT)
        self._limits: tuple[GameRules, tuple[bool, ...]] | None = None

    def act(self, view: View) -> Action:
        """One throw of the dice decides."""
        self._limited(view.rules)
        return super().act(view)

    def decide(self, spot: Situation) -> Decision:
        """One throw of the dice decides."""
        sums = self._sums(spot)
        return self._move(spot, bisect_right(sums, self.dice.random() * sums[-1]))

    def probabilities(self, view: View) -> dict[Action, float]:
        """The row of the table, with moves that come to the same added up."""
        if view.legal is not None and view.legal.exchange:
            return super().probabilities(view)
        self._limited(view.rules)
        spot = spot_of(view, self.measure(view))
        sums, weights = self._sums(spot), Counter[Action]()
        for column, (before, until) in enumerate(zip((0, *sums), sums, strict=False)):
            if until > before:
                move, amount = self._move(spot, column)
                weights[Action(Move(move), amount)] += until - before
        return {action: weight / sums[-1] for action, weight in weights.items()}

    def explain(self, view: View) -> Explanation | None:
        """The row of the table that the strength of the hand is in."""
        self._limited(view.rules)
        return super().explain(view)

    def reason(self, spot: Situation) -> str:
        """The row of the table."""
        band, sums = bisect_right(BANDS, spot.strength), self._sums(spot)
        low, high = (0.0, *BANDS)[band], (*BANDS, 1.0)[band]
        names = ("fold", "call", "raise") if len(sums) == len(LIMIT[0]) else COLUMNS
        row = [
            f"{name} {100 * (until - before) / sums[-1]:.0f} %"
            for name, before, until in zip(names, (0, *sums), sums, strict=False)
            if until > before
        ]
        words = f"{super().reason(spot)} The row of its table for {low:.0%} to {high:.0%} decides: {', '.join(row)}"
        return f"{words}; a fold where a check is free is a check, a raise where none is allowed a call."

    def _limited(self, rules: GameRules) -> tuple[bool, ...]:
        """Which rounds have limit betting."""
        if self._limits is None or self._limits[0] is not rules:
            limits = (part.betting and part.betting.structure == Structure.LIMIT for part in rules.rounds)
            self._limits = rules, tuple(map(bool, limits))
        return self._limits[1]

    def _sums(self, spot: Situation) -> tuple[int, ...]:
        """The chances of the row for a spot, each added to those before it."""
        assert self._limits is not None
        return self._rows[self._limits[1][spot.street]][bisect_right(BANDS, spot.strength)]

    def _move(self, spot: Situation, column: int) -> Decision:
        if column == FOLD:
            return fold_or_check(spot)
        if column == CALL:
            return call(spot)
        assert self._limits is not None
        if self._limits[1][spot.street]:
            return raise_to(spot, spot.least)
        if column == ALL_IN:
            return raise_to(spot, spot.most)
        return raise_to(spot, spot.bet + spot.call + spot.stack * SIZES[column] // 100)

    def decide_many(self, tables: Tables) -> Moves:
        """As `decide`, for all tables at once."""
        limit = np.array(self._limited(tables.rules))[tables.street].astype(np.int64)
        band = np.searchsorted(BANDS, self.measures(tables), side="right")
        sums = _ALL_SUMS[limit, band]
        column = (tables.random()[:, None] * sums[:, -1:] >= sums).sum(axis=1)
        may_fold, to_call, least, most = tables.legal.T[:4]
        rows, seat = np.arange(len(tables)), tables.seat
        size = np.array((*SIZES, 0))[column]
        total = tables.bets[rows, seat] + to_call + tables.stacks[rows, seat] * size // 100
        amount = np.where(limit == 1, least, np.where(column == ALL_IN, most, np.clip(total, least, most)))
        raises = (column > CALL) & (least > 0)
        folds = (column == FOLD) & (may_fold == 1) & (to_call > 0)
        moves = np.where(raises, int(Move.RAISE), np.where(folds, int(Move.FOLD), int(Move.CALL)))
        return moves, np.where(raises, amount, 0)


def _sums(row: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(row))


_ALL_SUMS = np.array([[_sums(row) for row in NO_LIMIT], [_sums((*row, 0, 0, 0)) for row in LIMIT]])
