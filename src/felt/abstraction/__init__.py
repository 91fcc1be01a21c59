"""Smaller games that stand for large ones: card buckets, bet menus, and the way back to the whole game.

Begin with `abstraction`, which says what players of the smaller game tell apart; `buckets` puts hands together,
`translation` follows a hand of the whole game in the smaller one.
"""

from typing import TYPE_CHECKING

from felt._doors import open_door

if TYPE_CHECKING:
    from felt.abstraction.abstraction import Abstraction as Abstraction
    from felt.abstraction.buckets import CARD_HOOKS as CARD_HOOKS
    from felt.abstraction.buckets import expected_strength as expected_strength
    from felt.abstraction.translation import pseudo_harmonic as pseudo_harmonic
    from felt.abstraction.translation import real_action as real_action
    from felt.abstraction.translation import shadows as shadows

__all__, __getattr__ = open_door(
    __name__,
    {
        "abstraction": "Abstraction",
        "buckets": "CARD_HOOKS expected_strength",
        "translation": "pseudo_harmonic real_action shadows",
    },
)
