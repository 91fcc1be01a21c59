"""The odds at a decision of a hand that is over, by what somebody may know of it."""

from typing import Any, NamedTuple

from felt.errors import OddsError, counted
from felt.games import Hand
from felt.odds.state.at_state import Price, at_state, open_equity, price_at
from felt.odds.state.dealing import exchanges_ahead
from felt.odds.state.from_view import expected_strength, is_holdem

SAMPLES = 4000
"""Deals that an equity is estimated from where it cannot be looked up or counted: within 0.016 nearly always."""
ESTIMATED = 400
"""The same while cards are still to be exchanged, which players take time to think about."""


class Knows(NamedTuple):
    """What the reader of a hand may know of its cards."""

    seats: frozenset[int]
    """Whose cards, by the seats of the hand."""
    everything: bool = False


def knows_of(hand: Hand, seat: int, *, everything: bool) -> Knows:
    """What one seat (-1: nobody's) knows once a hand is over.

    Of somebody who showed at the end the equities are told too, unless cards were exchanged: they held others before.
    """
    if everything:
        return Knows(frozenset(range(hand.players)), True)
    shown = () if hand.rules.has_draws else hand.view(seat).shown
    return Knows(frozenset({*shown, seat} - {-1}))


class OddsBook:
    """The odds at the decisions of one hand; what was worked out is kept, since many decisions share their cards."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows
        self._found: dict[Any, tuple[float | None, str | None]] = {}

    def to_dict(self, hand: Hand) -> dict[str, Any]:
        """The odds for the seat to act."""
        seat, price = hand.turn, price_at(hand, hand.turn)
        equity, note = self._equity(hand, seat) if seat in self._knows.seats else (None, None)
        return {
            "to_call": price.call,
            **shares(price),
            "equity": equity,
            "equity_note": note,
            "equity_actual": self._actual(hand, seat) if self._knows.everything else None,
        }

    def _equity(self, hand: Hand, seat: int) -> tuple[float | None, str | None]:
        key = _key(hand, seat)
        if key not in self._found:
            self._found[key] = equity_told(hand, seat)[:2]
        return self._found[key]

    def _actual(self, hand: Hand, seat: int) -> float | None:
        key = "open", *_key(hand, seat)
        if key not in self._found:
            self._found[key] = _actual(hand, seat), None
        return self._found[key][0]


def shares(price: Price) -> dict[str, float | None]:
    """What a call costs, as shares of the pot; null when it is free."""
    if not price.price:
        return {"pot_odds": None, "needed": None}
    return {"pot_odds": _rounded(price.price / (price.pot + price.price)), "needed": _rounded(price.required)}


class EquityTold(NamedTuple):
    """An equity, against what, and how sure it is."""

    equity: float | None
    note: str | None
    interval: float | None
    """Half of the width of its 95 % interval; None where that is not known."""


def equity_told(hand: Hand, seat: int) -> EquityTold:
    """The equity of a seat by what it sees; null in games that have none."""
    others = counted(hand.players - sum(hand.folded) - 1, "random hand")
    try:
        if exchanges_ahead(hand):  # played out many times it would take seconds
            strength = expected_strength(hand.view(seat), samples=ESTIMATED)
            return EquityTold(_rounded(strength), f"estimated, against {others}", None)
        odds = at_state(hand, seat, samples=None if _by_table(hand) else SAMPLES, threads=1)
    except OddsError:
        return EquityTold(None, None, None)
    half = round(1.96 * odds.stderr, 6)
    sure = "" if odds.exact else f" (sampled, ±{half:.3f})"
    return EquityTold(_rounded(odds.equity), f"against {others}{sure}", half)


def _actual(hand: Hand, seat: int) -> float | None:
    if exchanges_ahead(hand):
        return None
    try:
        exact = _by_table(hand) or len(hand.board) >= 3
        return _rounded(open_equity(hand, seat, samples=None if exact else SAMPLES, threads=1))
    except OddsError:
        return None


def _by_table(hand: Hand) -> bool:
    """Whether the answer is there, or counted in no time: hold'em between two, but for the flop."""
    return hand.players - sum(hand.folded) == 2 and is_holdem(hand.rules) and len(hand.board) != 3


def _key(hand: Hand, seat: int) -> tuple[Any, ...]:
    held = tuple(map(hand.cards, range(hand.players)))
    return seat, hand.street, hand.phase, hand.folded, held, hand.board


def _rounded(share: float) -> float:
    return round(min(max(share, 0.0), 1.0), 6)
