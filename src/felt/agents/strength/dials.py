"""Dials: a player whose every habit can be turned up and down, for those who look for good settings."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from felt.agents.strength.by_strength import ByStrength, Decision, Situation, columns_of, price_of
from felt.agents.tables import Moves, Tables
from felt.games.moves import Move
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.odds.state.from_view import SAMPLES, is_holdem

FOLD, CALL, RAISE = int(Move.FOLD), int(Move.CALL), int(Move.RAISE)


class Dials(ByStrength):
    """Bets, calls and bluffs by seven numbers, its genes where players are bred.

    It bets when E[HS] is better than its share of the pot by `edge` (0.2: by a fifth), and by `per_seat` more for every
    player behind and `per_raise` more for every raise of the street; a bet is `size` pots, in limit games the one that
    there is. It calls when E[HS], taken down by `caution` for every raise, exceeds the price by `margin`. Where it
    would give up before anybody has raised, it bets all the same with probability `bluff`. `samples` is for games
    where E[HS] is sampled.
    """

    genes: ClassVar[dict[str, tuple[float, float]]] = {
        "edge": (-0.5, 1.0),
        "margin": (-0.3, 0.3),
        "per_raise": (0.0, 0.6),
        "per_seat": (0.0, 0.2),
        "caution": (0.0, 0.3),
        "size": (0.2, 2.0),
        "bluff": (0.0, 0.6),
    }

    def __init__(
        self,
        edge: Any = 0.2,
        margin: Any = 0.03,
        per_raise: Any = 0.25,
        per_seat: Any = 0.05,
        caution: Any = 0.03,
        size: Any = 0.66,
        bluff: Any = 0.05,
        samples: int = SAMPLES,
    ) -> None:
        super().__init__(None, samples)
        self.edge, self.margin, self.per_raise, self.per_seat = edge, margin, per_raise, per_seat
        self.caution, self.size, self.bluff = caution, size, bluff

    @staticmethod
    def crowds(rules: GameRules) -> bool:
        """In hold'em its numbers may be arrays, with one for each table: it then decides for a whole crowd at once."""
        return is_holdem(rules)

    def decide(self, spot: Situation) -> Decision:
        """As at many tables."""
        columns = tuple(np.array([value]) for value in spot)
        moves, amounts = self._moves(Situation._make(columns), np.array([self.dice.random()]))
        return int(moves[0]), int(amounts[0])

    def decide_many(self, tables: Tables) -> Moves:
        """As `decide`, for all tables at once."""
        return self._moves(Situation._make(columns_of(tables, self.measures(tables))), tables.random())

    def reason(self, spot: Situation) -> str:
        """Its share and the price, beside its own numbers."""
        raises = max(spot.raises - (spot.street == 0), 0)
        better = spot.strength * (spot.opponents + 1) - 1
        needed = self.edge + self.per_seat * spot.behind + self.per_raise * raises
        cautious = spot.strength - self.caution * raises - self.margin
        return (
            f"{self.measured(spot)} is {spot.strength:.1%}, {better:+.1%} beside its share of the pot; it bets at "
            f"{needed:+.1%} or more. {price_of(spot)} For a call it counts {cautious:.1%}. Where it would give up "
            f"before anybody has raised, it bluffs {self.bluff:.0%} of the time."
        )

    def probabilities(self, view: View) -> Any:
        """It throws dice to bluff, and does not say how often it would."""
        return None

    def _moves(self, spots: Any, dice: NDArray[np.float64]) -> Moves:
        """The rule, for spots whose fields are arrays."""
        raises = np.maximum(spots.raises - (spots.street == 0), 0)  # a blind says nothing
        better = spots.strength * (spots.opponents + 1) - 1
        bets = better >= self.edge + self.per_seat * spots.behind + self.per_raise * raises
        cautious = spots.strength - self.caution * raises - self.margin
        pays = (spots.cost == 0) | (cautious * spots.pot > spots.cost)
        bets |= ((spots.cost == 0) | ~pays) & (raises == 0) & (dice < self.bluff)
        pot = spots.pot + np.maximum(spots.call - spots.cost, 0)
        total = spots.bet + spots.call + (self.size * pot).astype(np.int64)
        bets &= spots.least > 0
        gives_up = ~bets & ~pays & (spots.may_fold == 1) & (spots.call > 0)
        moves = np.where(bets, RAISE, np.where(gives_up, FOLD, CALL))
        return moves, np.where(bets, np.clip(total, spots.least, np.maximum(spots.most, spots.least)), 0)
