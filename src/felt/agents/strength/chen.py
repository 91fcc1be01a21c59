"""Chen: plays starting hands by Bill Chen's points, and what comes after the flop by its strength."""

import numpy as np
from numpy.typing import NDArray

from felt.agents.strength.by_strength import (
    ByStrength,
    Decision,
    Situation,
    call,
    check_number,
    fold_or_check,
    raise_to,
    two_thirds_of_the_pot,
)
from felt.agents.tables import Tables
from felt.cards.card import DECK_SIZE
from felt.cards.starting import chen
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.odds.state.from_view import SAMPLES

FLOP = 3
"""Board cards from which on strength counts, not points."""

PER_RAISE = 2
"""More points that are needed for every raise before the flop."""

FAR = 4
"""More players behind than this make no difference."""

BET_AT = 0.65
"""E[HS] with which it bets and raises after the flop."""

MOST_RAISES = 3
"""Bets and raises of a street after which it only calls."""


class Chen(ByStrength):
    """Plays two hole cards by Chen's points, and what comes after the flop by E[HS].

    Raises with `raise_at` points or more, calls with `call_at` or more, folds the rest. The two are for the last
    player to act: every live player behind adds a point to them, up to 4, and every raise adds 2. It raises to three
    times the highest bet. From the flop on it bets two thirds of the pot when E[HS] is 0.65 or more, and calls when
    E[HS] exceeds the price. `samples` is for games where E[HS] is sampled.
    """

    def __init__(self, raise_at: int = 6, call_at: int = 4, samples: int = SAMPLES) -> None:
        super().__init__(None, samples)
        check_number("raise_at", raise_at, -1)
        check_number("call_at", call_at, -1)
        self.raise_at, self.call_at = raise_at, call_at

    def plays(self, rules: GameRules, players: int) -> str | None:
        """Points are for two hole cards of one deck that are kept, and a board."""
        if rules.hole_cards != 2 or rules.board_cards < FLOP or rules.has_draws:
            return "Chen's points are for games with two hole cards and a board"
        if any(part.up for part in rules.rounds) or max(rules.deck) >= DECK_SIZE:
            return "Chen's points are for two hidden cards, without jokers"
        return None

    def measure(self, view: View) -> float:
        """Points before the flop, then strength."""
        return float(_points(view.own)) if len(view.board) < FLOP else super().measure(view)

    def measures(self, tables: Tables) -> NDArray[np.float64]:
        """The same at many tables."""
        points = _POINTS[tables.own[:, 0], tables.own[:, 1]]
        return np.where(tables.board_count < FLOP, points, super().measures(tables))

    def decide(self, spot: Situation) -> Decision:
        """By points, or by strength."""
        if spot.shared < FLOP:
            return self._before_flop(spot)
        if spot.strength >= BET_AT:
            return raise_to(spot, two_thirds_of_the_pot(spot)) if spot.raises < MOST_RAISES else call(spot)
        return call(spot) if spot.strength * spot.pot > spot.cost else fold_or_check(spot)

    def reason(self, spot: Situation) -> str:
        """Points before the flop, then strength."""
        if spot.shared >= FLOP:
            words = f"{super().reason(spot)} From the flop on it bets at {BET_AT:.0%} or more, up to the third raise"
            return f"{words}, and else calls at a good price. So it {self.verdict(spot)}."
        points = self._points(spot)
        return (
            f"The hand has {spot.strength:g} points by Chen's count, {points:g} after those for players behind and "
            f"raises are taken off. It raises with {self.raise_at} or more, and calls with {self.call_at} or more. "
            f"So it {self.verdict(spot)}."
        )

    @staticmethod
    def _points(spot: Situation) -> float:
        """Points less those for players behind and for raises."""
        return spot.strength - min(spot.behind, FAR) - PER_RAISE * max(spot.raises - 1, 0)

    def _before_flop(self, spot: Situation) -> Decision:
        points = self._points(spot)
        if points >= self.raise_at:
            return raise_to(spot, 3 * spot.high)
        return call(spot) if points >= self.call_at else fold_or_check(spot)


def _points(own: tuple[int, ...]) -> int:
    return int(_POINTS[own])


_POINTS = np.array([[chen((a, b)) if a != b else 0 for b in range(DECK_SIZE)] for a in range(DECK_SIZE)])
