"""Tight-aggressive: folds most hands, bets and raises the good ones, and pays only for what it can win."""

from felt.agents.strength.by_strength import (
    ByStrength,
    Decision,
    Situation,
    call,
    fold_or_check,
    price_of,
    raise_to,
    two_thirds_of_the_pot,
)
from felt.odds.state.from_view import SAMPLES

PER_RAISE = 0.25
"""How much better than its share a hand must be for every raise of the street."""

PER_SEAT = 0.05
"""How much better for every player who acts later."""

CAUTION = 0.03
"""What a bet says about others: strength is taken down by this for each raise of the street."""


class Tag(ByStrength):
    """Bets hands that are clearly better than their share, calls at a good price, folds the rest.

    Its share is one pot for all who are still in. It bets two thirds of the pot, in limit games the one bet there is,
    when E[HS] is better than that by `edge` (0.2: by a fifth), more for every player behind and for every raise; calls
    when E[HS] exceeds the price by `margin`; else gives up. `samples` is for games where E[HS] is sampled.
    """

    def __init__(self, edge: float = 0.2, margin: float = 0.03, samples: int = SAMPLES) -> None:
        super().__init__(None, samples)
        self.edge, self.margin = float(edge), float(margin)

    def decide(self, spot: Situation) -> Decision:
        """Bet, pay, or give up."""
        better, needed, cautious = self._weigh(spot)
        if better >= needed:
            return raise_to(spot, two_thirds_of_the_pot(spot))
        return call(spot) if spot.cost == 0 or cautious * spot.pot > spot.cost else fold_or_check(spot)

    def _weigh(self, spot: Situation) -> tuple[float, float, float]:
        """How much better than its share the hand is, how much it must be to bet, and the strength to call by."""
        raises = max(spot.raises - (spot.street == 0), 0)  # a blind says nothing
        needed = self.edge + PER_SEAT * spot.behind + PER_RAISE * raises
        return spot.strength * (spot.opponents + 1) - 1, needed, spot.strength - CAUTION * raises - self.margin

    def reason(self, spot: Situation) -> str:
        """Its share, and the price."""
        better, needed, cautious = self._weigh(spot)
        words = f"{self.measured(spot)} is {spot.strength:.1%}, {better:+.1%} beside its share of the pot. "
        words += f"It bets two thirds of the pot at {needed:+.1%} or more here. "
        if better < needed:
            words += price_of(spot) + (f" For a call it counts {cautious:.1%}. " if spot.cost else " ")
        return f"{words}So it {self.verdict(spot)}."
