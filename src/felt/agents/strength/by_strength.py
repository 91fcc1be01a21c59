"""Agents that look at how strong their hand is, at the price of a call and at where they sit, and decide by a rule.

The rule is written once, for a `Situation`; where the spots come from, one view or many tables, is settled here.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import one_by_one
from felt.agents.api import Agent, Explanation
from felt.agents.naming import AgentError
from felt.agents.tables import Ints, Moves, Tables
from felt.cards.card import format_cards
from felt.games.actions import Action
from felt.games.engine import fields as f
from felt.games.engine.fields import LEAST_RAISE, MAY_FOLD, MOST_RAISE, TO_CALL
from felt.games.moves import Move
from felt.games.views.view import View
from felt.odds.state.from_view import SAMPLES, expected_strength, expected_strengths, is_holdem, sensible_exchange

Decision = tuple[int, int]
"""A `Move`, and its amount."""

_FOLD, _CALL, _RAISE = int(Move.FOLD), int(Move.CALL), int(Move.RAISE)
_MOVES = tuple(Move)


class Situation(NamedTuple):
    """What a rule goes by when it is a player's turn to bet."""

    strength: float
    """What the agent takes for the strength of its hand: E[HS] unless it measures something else."""
    opponents: int
    """Others who have not folded."""
    behind: int
    """Those of them who sit between the player and the button, and so act later in most rounds."""
    street: int
    shared: int
    """Cards on the board."""
    raises: int
    """Bets and raises of the street so far; a blind is one."""
    cost: int
    """Chips that a call costs; what nobody has matched, as of a bring-in, costs nothing."""
    pot: int
    """Chips that can be won by calling, those of the call included."""
    bet: int
    """Chips that the player has bet on the street."""
    high: int
    """The highest bet of the street."""
    stack: int
    """Chips that the player has left."""
    may_fold: int
    call: int
    """Chips to add, 0 for a check."""
    least: int
    """The smallest raise, as a total for the street; 0 where none is allowed."""
    most: int


class ByStrength(Agent):
    """An agent with a rule for spots. Cards are exchanged sensibly."""

    remembers = False

    def __init__(self, opponents: int | None = None, samples: int = SAMPLES) -> None:
        check_number("opponents", opponents, 1)
        check_number("samples", samples, 1)
        self.opponents, self.samples = opponents, samples

    def decide(self, spot: Situation) -> Decision:
        """The move in a spot; who throws dice for it has a `decide_many` too."""
        raise NotImplementedError

    def measure(self, view: View) -> float:
        """The strength of the hand in a view."""
        return expected_strength(view, self.opponents, samples=self.samples)

    def measures(self, tables: Tables) -> NDArray[np.float64]:
        """The same at many tables of hold'em."""
        return expected_strengths(tables, self.opponents)

    def act(self, view: View) -> Action:
        """Exchange sensibly, or as the rule decides."""
        if view.legal is not None and view.legal.exchange:
            return Action(Move.EXCHANGE, cards=sensible_exchange(view))
        move, amount = self.decide(spot_of(view, self.measure(view)))
        return Action(_MOVES[move], amount)

    def probabilities(self, view: View) -> dict[Action, float]:
        """The rule knows no chance."""
        return {self.act(view): 1.0}

    def explain(self, view: View) -> Explanation | None:
        """The numbers of the spot, and what the rule makes of them."""
        if view.legal is None:
            return None
        if view.legal.exchange:
            cards = format_cards(sensible_exchange(view)) or "no card"
            return Explanation(
                f"It gives away {cards}: what helps neither the hand that it has nor the likeliest draw."
            )
        spot = spot_of(view, self.measure(view))
        numbers = {name: getattr(spot, name) for name in ("strength", "opponents", "behind", "raises", "cost", "pot")}
        return Explanation(self.reason(spot), {**numbers, "price": spot.cost / spot.pot if spot.pot else 0.0})

    def reason(self, spot: Situation) -> str:
        """What the rule makes of a spot, in sentences."""
        return f"{self.measured(spot)} is {spot.strength:.1%}. {price_of(spot)}"

    def measured(self, spot: Situation) -> str:
        """What strength is measured."""
        count = self.opponents or spot.opponents
        return f"Its chance to win a showdown against {'one opponent' if count == 1 else f'{count} opponents'} (E[HS])"

    def verdict(self, spot: Situation) -> str:
        """The move in a spot, in words."""
        move, _ = self.decide(spot)
        if move == _CALL:
            return "calls" if spot.call else "checks"
        return "folds" if move == _FOLD else "raises" if spot.high else "bets"

    def act_batch(self, tables: Tables) -> Moves:
        """As `act`, at every table; in hold'em all hands are measured at once."""
        return self.decide_many(tables) if is_holdem(tables.rules) else one_by_one(self, tables)

    def decide_many(self, tables: Tables) -> Moves:
        """The rule at many tables of hold'em, spot by spot."""
        decided = list(map(self.decide, spots_of(tables, self.measures(tables))))
        decisions = np.array(decided, dtype=np.int64).reshape(-1, 2)
        return decisions[:, 0], decisions[:, 1]


def check_number(name: str, value: object, least: int) -> None:
    """Refuse a parameter that is no whole number, or too small; None is for the default."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
        raise AgentError(f"{name}={value!r}: give a whole number, {least} or more")


# Words


def price_of(spot: Situation) -> str:
    """The share of the pot that a call costs."""
    if not spot.cost:
        return "To check is free." if not spot.call else "To post the bring-in is all that it has to pay."
    return f"A call needs {spot.cost / spot.pot:.1%}."


# Moves


def fold_or_check(spot: Situation) -> Decision:
    """Check if that is free, else fold."""
    return (_FOLD, 0) if spot.may_fold and spot.call else (_CALL, 0)


def call(spot: Situation) -> Decision:
    """Check or call."""
    return _CALL, 0


def raise_to(spot: Situation, total: int) -> Decision:
    """Raise to `total` for the street, or as near to it as is allowed; where no raise is allowed, call."""
    return (_RAISE, min(max(total, spot.least), spot.most)) if spot.least else (_CALL, 0)


def two_thirds_of_the_pot(spot: Situation) -> int:
    """The total of a bet, or of a raise after the call, of two thirds of the pot."""
    return spot.bet + spot.call + 2 * (spot.pot + max(spot.call - spot.cost, 0)) // 3


# Spots


def spot_of(view: View, strength: float) -> Situation:
    """The spot in which the viewer has to bet."""
    legal, h, seat = view.legal, view.numbers(), view.seat
    assert legal is not None and legal.call is not None
    players = h[f.PLAYERS]
    put, bets = h[f.PUT : f.PUT + players].tolist(), h[f.BETS : f.BETS + players].tolist()
    live, after = h[f.LIVE], (seat - h[f.BUTTON] - 1) % players
    behind = sum(live >> other & 1 for other in range(players) if (other - h[f.BUTTON] - 1) % players > after)
    mine = put.pop(seat)
    level = max(min(mine + legal.call, max(put)), mine)
    least, most = legal.raise_to or (0, 0)
    return Situation(
        strength=strength,
        opponents=view.opponents,
        behind=behind,
        street=h[f.STREET],
        shared=h[f.BOARD_COUNT],
        raises=h[f.RAISES],
        cost=level - mine,
        pot=h[f.DEAD] + level + sum(min(chips, level) for chips in put),
        bet=bets[seat],
        high=max(bets),
        stack=h[f.STACKS + seat] + h[f.ASIDE + seat],
        may_fold=int(legal.fold),
        call=legal.call,
        least=least,
        most=most,
    )


def spots_of(tables: Tables, strengths: NDArray[np.float64]) -> Iterable[Situation]:
    """The spots at many tables, for Python to go through."""
    return map(Situation._make, zip(*(column.tolist() for column in columns_of(tables, strengths)), strict=True))


def columns_of(tables: Tables, strengths: NDArray[np.float64]) -> tuple[NDArray[Any], ...]:
    """The same as arrays over tables, in the order of the fields of a `Situation`."""
    every = np.arange(len(tables))
    cost, pot = prices(tables)
    legal = tables.legal
    return (
        strengths, tables.opponents, tables.behind, tables.street, tables.board_count, tables.raises, cost, pot,
        tables.bets[every, tables.seat], tables.bets.max(axis=1), tables.stacks[every, tables.seat], legal[:, MAY_FOLD],
        legal[:, TO_CALL], legal[:, LEAST_RAISE], legal[:, MOST_RAISE],
    )  # fmt: skip


def prices(tables: Tables) -> tuple[Ints, Ints]:
    """What a call costs at each table, and the pot that can be won by it, as in `Situation`."""
    every, seat, put = np.arange(len(tables)), tables.seat, tables.put
    mine = put[every, seat]
    others = put.copy()
    others[every, seat] = 0
    level = np.maximum(np.minimum(mine + tables.legal[:, TO_CALL], others.max(axis=1)), mine)
    pot: Ints = tables.pot - put.sum(axis=1) + level + np.minimum(others, level[:, None]).sum(axis=1)
    return level - mine, pot
