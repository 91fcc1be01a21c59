"""Pot-odds caller: calls when its strength is above the price of the call, and never raises."""

import numpy as np

from felt.agents.strength.by_strength import ByStrength, Decision, Situation, call, fold_or_check, prices
from felt.agents.tables import Moves, Tables
from felt.games.engine.fields import MAY_FOLD
from felt.games.moves import Move


class PotOdds(ByStrength):
    """Calls when E[HS] is above the part of the pot that the call costs; never raises.

    `opponents` fixes the number of hands that its own is measured against (else those still in the hand), `samples`
    is for games where E[HS] is sampled.
    """

    def decide(self, spot: Situation) -> Decision:
        """Call at a good price."""
        return call(spot) if spot.cost == 0 or spot.strength * spot.pot > spot.cost else fold_or_check(spot)

    def reason(self, spot: Situation) -> str:
        """Strength beside the price."""
        return (
            f"{super().reason(spot)} It calls when its chance is higher, and never raises. So it {self.verdict(spot)}."
        )

    def decide_many(self, tables: Tables) -> Moves:
        """As `decide`, for all tables at once."""
        cost, pot = prices(tables)
        dear = (cost > 0) & (self.measures(tables) * pot <= cost) & (tables.legal[:, MAY_FOLD] == 1)
        return np.where(dear, int(Move.FOLD), int(Move.CALL)), np.zeros(len(tables), dtype=np.int64)
