"""The arithmetic of one decision: pot odds, fold equity, expected value, implied odds.

Chips are whole numbers, shares and chances are between 0 and 1. Three words mean the same everywhere:

* `pot` is what lies in the middle before you act, the bets in front of the others included, and only
  what you can win: chips that you cannot match belong to a side pot or go back to their owner;
* `call` is what you must add to stay in; `bet` is what you add when nobody has bet;
* an expected value (EV) is in chips and compared with folding now, which is worth 0. Your stack after
  the hand is your stack now plus the EV.

`rake` is the share of the pot that the house keeps, `rake_cap` the most chips it takes from one pot.
"""

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass

from felt.errors import OddsError, counted


@dataclass(frozen=True)
class PotOdds:
    """The price of a call: `ratio` to one, or as the `fraction` of the final pot that you pay."""

    ratio: float
    fraction: float

    def __str__(self) -> str:
        return f"{self.ratio:.4g}:1"


def pot_odds(*, pot: int, call: int) -> PotOdds:
    """The odds that the pot lays you, and what share of the final pot the call is.

    Without rake the fraction is also the equity that makes the call break even.

    >>> pot_odds(pot=20, call=5)
    PotOdds(ratio=4.0, fraction=0.2)
    """
    pot, call = _chips(pot, "pot"), _positive(call, "call")
    return PotOdds(ratio=pot / call, fraction=call / (pot + call))


def required_equity(*, pot: int, call: int, rake: float = 0.0, rake_cap: int | None = None) -> float:
    """The equity at which a call that closes the betting breaks even.

    Above 1 the call cannot be right: the rake is more than what lies in the pot.

    >>> required_equity(pot=100, call=50)
    0.3333333333333333
    """
    pot, call = _chips(pot, "pot"), _positive(call, "call")
    return call / _after_rake(pot + call, rake, rake_cap)


def ev_call(*, pot: int, call: int, equity: float, rake: float = 0.0, rake_cap: int | None = None) -> float:
    """Expected chips of a call after which the hand is shown down, compared with folding.

    >>> ev_call(pot=40, call=20, equity=0.4)
    4.0
    """
    pot, call, equity = _chips(pot, "pot"), _positive(call, "call"), _share(equity, "equity")
    return equity * _after_rake(pot + call, rake, rake_cap) - call


def ev_side_pots(*, call: int, pots: Iterable[tuple[int, float]]) -> float:
    """Expected chips of an all-in call for several pots, each ``(chips with your call in, your equity in it)``.

    Equity differs from pot to pot because other players are in it. Take the rake off the chips first.

    >>> ev_side_pots(call=30, pots=[(90, 0.3), (40, 0.5)])
    17.0
    """
    call = _positive(call, "call")
    return sum(_chips(chips, "pot") * _share(equity, "equity") for chips, equity in pots) - call


def ev_bet(
    *, pot: int, bet: int, fold: float, equity: float = 0.0, rake: float = 0.0, rake_cap: int | None = None
) -> float:
    """Expected chips of a bet that everybody folds to with chance `fold`, else one player calls.

    `equity` is your share of the pot when called, against what calls. Nothing is bet afterwards.

    >>> ev_bet(pot=100, bet=50, fold=0.4, equity=0.25)
    40.0
    """
    return ev_raise(
        pot=pot, call=0, raise_to=_positive(bet, "bet"), fold=fold, equity=equity, rake=rake, rake_cap=rake_cap
    )


def ev_raise(
    *,
    pot: int,
    call: int,
    raise_to: int,
    in_front: int = 0,
    fold: float,
    equity: float = 0.0,
    rake: float = 0.0,
    rake_cap: int | None = None,
) -> float:
    """Expected chips of a raise that everybody folds to with chance `fold`, else one player calls.

    `raise_to` is your total for the street and `in_front` what you have in front of you already, so
    you add ``raise_to - in_front`` and a caller adds ``raise_to - in_front - call``. `equity` is your
    share of the pot when called.

    >>> ev_raise(pot=150, call=50, raise_to=200, fold=0.5, equity=0.25)
    37.5
    """
    added, matched = _raise(pot, call, raise_to, in_front)
    won, lost = _raise_outcomes(pot, call, added, matched, equity, rake, rake_cap)
    fold = _share(fold, "fold")
    return fold * won - (1 - fold) * lost


def required_fold_equity(
    *,
    pot: int,
    bet: int,
    call: int = 0,
    equity: float = 0.0,
    alternative: float = 0.0,
    rake: float = 0.0,
    rake_cap: int | None = None,
) -> float:
    """How often all others must fold for a bet or raise to be worth `alternative` (chips; 0 is folding).

    `bet` is what you add now; facing a bet, `call` is the part of it that only calls. With equity 0 this is
    the pure bluff, ``bet / (pot + bet)``; equity when called makes a semi-bluff, which needs less.
    0 when the bet is good even if it is always called, ``inf`` when no amount of folding is enough.

    >>> required_fold_equity(pot=100, bet=50)
    0.3333333333333333
    >>> required_fold_equity(pot=100, bet=50, equity=0.2)
    0.09090909090909091
    """
    added, matched = _raise(pot, call, _positive(bet, "bet"), 0)
    won, lost = _raise_outcomes(pot, call, added, matched, equity, rake, rake_cap)
    if lost + alternative <= 0:
        return 0.0
    if alternative > won or won + lost <= 0:
        return math.inf
    return (lost + alternative) / (won + lost)


def alpha(*, pot: int, bet: int) -> float:
    """How often a bluff with no equity must work to break even: chips risked over chips risked plus pot.

    >>> alpha(pot=100, bet=100)
    0.5
    """
    return required_fold_equity(pot=pot, bet=bet)


def minimum_defence(*, pot: int, bet: int) -> float:
    """The share of hands that must not fold to a bet, or else any bluff profits: one minus `alpha`.

    `pot` is what lay in the middle before the bet.

    >>> minimum_defence(pot=100, bet=50)
    0.6666666666666667
    """
    return 1 - alpha(pot=pot, bet=bet)


def bluff_share(*, pot: int, bet: int) -> float:
    """The share of bluffs in a river bet that leaves a bluff-catcher with nothing to gain either way.

    That is the equity which the caller needs.

    >>> bluff_share(pot=100, bet=100)
    0.3333333333333333
    """
    pot, bet = _chips(pot, "pot"), _positive(bet, "bet")
    return required_equity(pot=pot + bet, call=bet)


def implied_odds(*, pot: int, call: int, equity: float, rake: float = 0.0, rake_cap: int | None = None) -> float:
    """Chips that must be won on later streets, on average over the times you win, to make the call right.

    `equity` is the chance that your hand comes in and wins. 0 when the call is right as it stands, ``inf``
    when the hand never wins. With rake the chips won later are raked too, as are those that win them.

    >>> round(implied_odds(pot=100, call=50, equity=0.2), 6)
    100.0
    """
    pot, call, equity = _chips(pot, "pot"), _positive(call, "call"), _share(equity, "equity")
    if ev_call(pot=pot, call=call, equity=equity, rake=rake, rake_cap=rake_cap) >= 0:
        return 0.0
    if equity == 0:
        return math.inf
    final, break_even = pot + call, call / equity
    # A later win of x comes with x of your own, so the pot grows by 2x and you keep
    # final + x - rake(final + 2x): first the branch below the cap, then the one above it.
    later = (break_even - final * (1 - rake)) / (1 - 2 * rake)
    if rake_cap is None or rake * (final + 2 * later) <= rake_cap:
        return later
    return break_even - final + rake_cap


def reverse_implied_odds(
    *, pot: int, call: int, equity: float, rake: float = 0.0, rake_cap: int | None = None
) -> float:
    """Chips that may be lost on later streets, on average over the times you lose, before the call turns wrong.

    0 when the call is wrong as it stands, ``inf`` when you never lose.

    >>> round(reverse_implied_odds(pot=100, call=50, equity=0.5), 6)
    50.0
    """
    ev = ev_call(pot=pot, call=call, equity=equity, rake=rake, rake_cap=rake_cap)
    if ev <= 0:
        return 0.0
    return math.inf if equity == 1 else ev / (1 - equity)


def ev_call_later(*, pot: int, call: int, equity: float, later_win: float = 0.0, later_loss: float = 0.0) -> float:
    """Expected chips of a call when more is won after it (on average over wins) or lost (over losses).

    >>> round(ev_call_later(pot=100, call=50, equity=0.2, later_win=150, later_loss=10), 6)
    2.0
    """
    ev = ev_call(pot=pot, call=call, equity=equity)
    return ev + equity * _amount(later_win, "later_win") - (1 - equity) * _amount(later_loss, "later_loss")


def _raise(pot: int, call: int, raise_to: int, in_front: int) -> tuple[int, int]:
    """Chips that the raiser adds, and chips that a caller adds to them."""
    _chips(pot, "pot")
    call, raise_to, in_front = _chips(call, "call"), _chips(raise_to, "raise_to"), _chips(in_front, "in_front")
    added = raise_to - in_front
    if added <= call:
        raise OddsError(
            f"to add {counted(added, 'chip')} is no raise with {call} to call: add more than the call (raise to over "
            f"{in_front + call})"
        )
    return added, added - call


def _raise_outcomes(
    pot: int, call: int, added: int, matched: int, equity: float, rake: float, rake_cap: int | None
) -> tuple[float, float]:
    """Chips gained when everybody folds, and chips lost on average when one player calls."""
    # Chips that nobody matched come back before the rake is taken.
    won = _after_rake(pot + call, rake, rake_cap) - call
    lost = added - _share(equity, "equity") * _after_rake(pot + added + matched, rake, rake_cap)
    return won, lost


def _after_rake(chips: int, rake: float, rake_cap: int | None) -> float:
    if not 0 <= rake < 0.5:
        raise OddsError(f"rake {rake!r} is not a share that a house takes: give 0 to below 0.5, like 0.05 for 5%")
    taken = rake * chips
    if rake_cap is not None:
        taken = min(taken, _chips(rake_cap, "rake_cap"))
    return chips - taken


def _chips(value: int, name: str) -> int:
    try:
        chips = operator.index(value)
    except TypeError:
        raise OddsError(f"{name} {value!r} is not a whole number of chips: count in your smallest chip") from None
    if chips < 0:
        raise OddsError(f"{name} {chips} is negative: chips are 0 or more")
    return chips


def _positive(value: int, name: str) -> int:
    chips = _chips(value, name)
    if chips == 0:
        raise OddsError(f"{name} 0 leaves nothing to decide: give the chips to put in, 1 or more")
    return chips


def _share(value: float, name: str) -> float:
    if not 0 <= value <= 1:
        raise OddsError(f"{name} {value!r} is not a share: give a number from 0 to 1, like 0.25 for 25%")
    return float(value)


def _amount(value: float, name: str) -> float:
    if not value >= 0:
        raise OddsError(f"{name} {value!r} is negative: give the chips as 0 or more")
    return float(value)
