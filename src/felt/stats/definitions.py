"""What is counted: each indicator with its numerator and its denominator, in words; and the axes of a table of counts.

The words themselves (decision, raise, call, could raise, facing, aggressor …) are explained where users read them, in
``docs/data/statistics.md``; the table there is this one.
"""

from dataclasses import dataclass
from enum import StrEnum


class Where(StrEnum):
    """The rounds in which an indicator is counted."""

    FIRST = "first round"
    LATER = "later rounds"
    EVERY = "every round"
    HAND = "whole hand"
    """Once a hand; such counts stand in the first round."""


@dataclass(frozen=True)
class Indicator:
    """One thing that players do more or less often."""

    name: str
    label: str
    """As players write it."""
    where: Where
    numerator: str
    denominator: str
    ratio: bool = False
    """Whether the numerator is no part of the denominator: such a figure may be above 1, and has no interval."""


_FIRST, _LATER, _EVERY, _HAND = Where
_OF_HANDS = "hands with a first-round decision to put chips in: to call something or to raise"

_ALL = (
    Indicator("vpip", "VPIP", _HAND, "called or raised in the first round", _OF_HANDS),
    Indicator("pfr", "PFR", _HAND, "raised in the first round", _OF_HANDS),
    Indicator("rfi", "RFI", _FIRST, "raised", "decisions in an unopened round, could raise"),
    Indicator("limp", "Limp", _FIRST, "called", "decisions facing no raise, with a forced bet to call"),
    Indicator("three_bet", "3-bet", _FIRST, "raised", "decisions facing one raise, could raise"),
    Indicator(
        "fold_to_three_bet", "Fold to 3-bet", _FIRST, "folded", "decisions facing two raises, the first their own"
    ),
    Indicator("four_bet", "4-bet", _FIRST, "raised", "decisions facing two raises, could raise"),
    Indicator(
        "fold_to_four_bet", "Fold to 4-bet", _FIRST, "folded", "decisions facing three raises, the second their own"
    ),
    Indicator(
        "steal", "Steal", _FIRST, "raised", "RFI decisions as cut-off, button or small blind, in games with blinds"
    ),
    Indicator(
        "fold_to_steal", "Fold to steal", _FIRST, "folded",
        "decisions in the blinds facing one raise, a steal, that nobody has called",
    ),
    Indicator(
        "cbet", "C-bet", _LATER, "bet", "decisions facing no raise of the aggressor of the round before, could bet"
    ),
    Indicator("fold_to_cbet", "Fold to c-bet", _LATER, "folded", "decisions facing one raise, a c-bet"),
    Indicator(
        "donk_bet", "Donk bet", _LATER, "bet",
        "decisions facing no raise, could bet, while the aggressor of the round before is in, has chips left and has "
        "not acted in this one",
    ),
    Indicator("check_raise", "Check-raise", _EVERY, "raised", "decisions to call something after a check, could raise"),
    Indicator("check_fold", "Check-fold (XF)", _EVERY, "folded", "decisions to call something after a check"),
    Indicator("fold_to_bet", "Fold to bet", _EVERY, "folded", "decisions facing one or more raises"),
    Indicator("af", "AF", _LATER, "raises", "calls", ratio=True),
    Indicator("afq", "AFq", _LATER, "raises", "raises, calls and folds"),
    Indicator("wtsd", "WTSD", _HAND, "came to the showdown", "hands in which they saw the second round"),
    Indicator("wsd", "W$SD", _HAND, "won", "hands in which they came to the showdown"),
    Indicator("wwsf", "WWSF", _HAND, "won", "hands in which they saw the second round"),
    Indicator("vpip_d", "VPIP (D)", _HAND, "called or raised in the first round", "hands dealt"),
    Indicator("pfr_d", "PFR (D)", _FIRST, "raises", "calls and folds", ratio=True),
    Indicator("af_d", "AF (D)", _LATER, "raises in the second round", "calls in the second round", ratio=True),
)  # fmt: skip

INDICATORS = {indicator.name: indicator for indicator in _ALL}
"""By name, in the order of the counts."""

(
    VPIP, PFR, RFI, LIMP, THREE_BET, FOLD_TO_THREE_BET, FOUR_BET, FOLD_TO_FOUR_BET, STEAL, FOLD_TO_STEAL, CBET,
    FOLD_TO_CBET, DONK_BET, CHECK_RAISE, CHECK_FOLD, FOLD_TO_BET, AF, AFQ, WTSD, WSD, WWSF, VPIP_D, PFR_D, AF_D,
) = range(len(INDICATORS))  # fmt: skip
assert all(globals()[name.upper()] == place for place, name in enumerate(INDICATORS)), "the kernels count in this order"

POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "MP", "MP+1", "MP+2", "HJ", "CO", "BTN", "SB", "BB", "-")
"""Seats by name, in the order of the first round; "-" where the cards say who acts first, not the button."""
CO, BTN, SB, BB = range(8, 12)

NUMERATOR, DENOMINATOR = 0, 1

# The game as the counting kernel sees it: rows over its rounds, and one of numbers for the whole game.
BETTING_ROUND, FROM_BUTTON, STEP, SCALARS = range(4)
"""Which betting round a round is, from 0 (-1: none); whether its order of acting is that of later rounds, from the
left of the button; 1 for clockwise, -1; the rest:"""
HAS_BLINDS, HAS_BRING_IN, CAP, SECOND = range(4)
"""`SECOND`: the round with the second betting; -1 for none."""
GAME_ROWS, GAME_COLUMNS = 4, 8
