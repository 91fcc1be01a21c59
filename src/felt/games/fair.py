"""Fair deals: cards from the operating system's generator, promised before the hand and opened after it.

Before the first card everybody is shown the *commitment*, a hash of the order of the deck and of a random *salt*.
After the hand both are told, and anybody can compute the hash again: the deck was not changed in between, and nobody
could have guessed it from the hash.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from felt.cards.card import format_cards, parse_cards
from felt.cards.deck import Deck
from felt.errors import FeltError

SALT_BYTES = 32
_PREFIX = "felt deal 1"
"""Says how the hash is made, so that it can be made otherwise one day."""


class FairDealError(FeltError):
    """A deal that is not what was promised, or nothing that could be one."""


@dataclass(frozen=True)
class FairDeal:
    """A shuffled deck and the salt that hides it in its commitment."""

    deck: tuple[int, ...]
    """In the order in which cards are dealt."""
    salt: str
    """Hexadecimal."""

    @property
    def commitment(self) -> str:
        """What is shown before the hand.

        >>> FairDeal(deck=(51, 0), salt="00").commitment[:16]
        '38d1a0f668f8d459'
        """
        return sha256(f"{_PREFIX}\n{self.salt}\n{format_cards(self.deck)}".encode()).hexdigest()

    def opened(self) -> dict[str, str]:
        """What is told after the hand: all that is needed to check it."""
        return {"commitment": self.commitment, "salt": self.salt, "deck": format_cards(self.deck)}


def fair_deal(deck: Deck) -> FairDeal:
    """Shuffle a deck; every order is equally likely."""
    cards = list(deck.cards)
    secrets.SystemRandom().shuffle(cards)
    return FairDeal(tuple(cards), secrets.token_hex(SALT_BYTES))


def verify_deal(told: Mapping[str, Any]) -> FairDeal:
    """Check that an opened deal is the one that was promised; it is returned.

    >>> from felt.cards.deck import standard_deck
    >>> deal = fair_deal(standard_deck())
    >>> verify_deal(deal.opened()) == deal
    True
    """
    missing = [name for name in ("commitment", "salt", "deck") if not isinstance(told.get(name), str)]
    if missing:
        raise FairDealError(f"the deal has no {missing[0]!r}: give its commitment, salt and deck as texts")
    cards = parse_cards(told["deck"])
    if len(set(cards)) != len(cards):
        raise FairDealError(f"the deck {_short(told['deck'])!r} has a card twice: no such deck is dealt")
    deal = FairDeal(cards, told["salt"])
    if not hmac.compare_digest(deal.commitment, told["commitment"].strip().lower()):
        raise FairDealError(
            f"the commitment {_short(told['commitment'])!r} is not that of this deck and salt, which is "
            f"{deal.commitment!r}: the deal was not the one that was promised"
        )
    return deal


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}…"
