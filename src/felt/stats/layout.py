"""The axes of a table of counts: what the kernels and the friendly side must agree on."""

INDICATOR_NAMES = (
    "vpip",
    "pfr",
    "rfi",
    "limp",
    "three_bet",
    "fold_to_three_bet",
    "four_bet",
    "fold_to_four_bet",
    "steal",
    "fold_to_steal",
    "cbet",
    "fold_to_cbet",
    "donk_bet",
    "check_raise",
    "check_fold",
    "fold_to_bet",
    "af",
    "afq",
    "wtsd",
    "wsd",
    "wwsf",
    "vpip_d",
    "pfr_d",
    "af_d",
)
(
    VPIP, PFR, RFI, LIMP, THREE_BET, FOLD_TO_THREE_BET, FOUR_BET, FOLD_TO_FOUR_BET, STEAL, FOLD_TO_STEAL, CBET,
    FOLD_TO_CBET, DONK_BET, CHECK_RAISE, CHECK_FOLD, FOLD_TO_BET, AF, AFQ, WTSD, WSD, WWSF, VPIP_D, PFR_D, AF_D,
) = range(len(INDICATOR_NAMES))  # fmt: skip

POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "MP", "MP+1", "MP+2", "HJ", "CO", "BTN", "SB", "BB", "-")
"""Seats by name, in the order of the first round; "-" where the cards say who acts first, not the button."""
CO, BTN, SB, BB, NOWHERE = range(8, 13)

NUMERATOR, DENOMINATOR = 0, 1

# The game as the counting kernel sees it: rows over its rounds, and one of numbers for the whole game.
BETTING_ROUND, FROM_BUTTON, STEP, SCALARS = range(4)
"""Which betting round a round is, from 0 (-1: none); whether its order of acting is that of later rounds, from the
left of the button; 1 for clockwise, -1; the rest:"""
HAS_BLINDS, HAS_BRING_IN, CAP, SECOND = range(4)
"""`SECOND`: the round with the second betting; -1 for none."""
GAME_ROWS, GAME_COLUMNS = 4, 8
