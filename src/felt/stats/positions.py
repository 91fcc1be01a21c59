"""What seats are called: by their distance from the button, and by the blinds."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from felt.games.rules import GameRules
from felt.stats.layout import POSITIONS

_BEFORE_BUTTON = {
    0: (),
    1: ("CO",),
    2: ("UTG", "CO"),
    3: ("UTG", "MP", "CO"),
    4: ("UTG", "MP", "HJ", "CO"),
    5: ("UTG", "UTG+1", "MP", "HJ", "CO"),
    6: ("UTG", "UTG+1", "MP", "MP+1", "HJ", "CO"),
    7: ("UTG", "UTG+1", "UTG+2", "MP", "MP+1", "HJ", "CO"),
    8: ("UTG", "UTG+1", "UTG+2", "MP", "MP+1", "MP+2", "HJ", "CO"),
    9: ("UTG", "UTG+1", "UTG+2", "UTG+3", "MP", "MP+1", "MP+2", "HJ", "CO"),
}
"""Players who are neither on the button nor in the blinds, by their number."""


@cache
def positions(rules: GameRules, players: int, *, dead_small_blind: bool = False) -> tuple[str, ...]:
    """What the seats are called, from the left of the button, which comes last.

    Heads-up the button is BTN, though it posts a blind. Where the cards say who acts first, as in stud, no seat has a
    name. With a dead small blind the big blind sits next to the button.

    >>> from felt.games import load
    >>> positions(load("nlhe"), 6)
    ('SB', 'BB', 'UTG', 'MP', 'CO', 'BTN')
    >>> positions(load("nlhe"), 2), positions(load("stud"), 2)
    (('BB', 'BTN'), ('-', '-'))
    """
    if rules.bring_in:
        return ("-",) * players
    blinds = ("SB", "BB")[-len(rules.blinds) :] if rules.blinds else ()
    if dead_small_blind or (players == 2 and rules.heads_up_button_blind):  # the first blind is on the button
        blinds = blinds[1:]
    blinds = blinds[: players - 1]
    return (*blinds, *_BEFORE_BUTTON[players - 1 - len(blinds)], "BTN")


def position_codes(names: Sequence[str]) -> NDArray[np.int8]:
    """Names of positions as places in `POSITIONS`."""
    return np.array([POSITIONS.index(name) for name in names], dtype=np.int8)


def seat_positions(rules: GameRules, button: NDArray[np.int32], players: int) -> NDArray[np.int8]:
    """``[hands, seats]``: the position of each seat, where the button is known."""
    after = (np.arange(players) - button[:, None] - 1) % players
    codes: NDArray[np.int8] = position_codes(positions(rules, players))[after]
    return codes
