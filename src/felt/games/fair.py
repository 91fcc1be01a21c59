"""Fair deals: cards from the operating system's generator, promised before the hand and opened after it.

Each card of the shuffled deck is hidden in a *leaf*, a hash of its place, a *salt* of its own and the card. Before the
first card is dealt everybody is shown the *commitment*, a hash of all leaves. After the hand they are told the leaves,
and the cards and salts that they may know; anybody can compute the hashes again: no card was changed in between, and
nobody could have guessed one. Cards that stay hidden (folded hands, the rest of the deck) stay so.
"""

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from felt.cards.card import format_cards, parse_cards
from felt.cards.deck import Deck
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import UNKNOWN
from felt.games.moves import DEALS, EventKind

SALT_BYTES = 32
_HASH = re.compile(r"[0-9a-f]{64}")


class FairDealError(FeltError):
    """A deal that is not what was promised, or nothing that could be one."""


@dataclass(frozen=True)
class FairDeal:
    """A shuffled deck and the secret from which the salts of its cards are made."""

    deck: tuple[int, ...]
    """In the order in which cards are dealt."""
    salt: str
    """Hexadecimal; it opens every card, so it is told to nobody."""

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The hashes of all cards, by their places."""
        return tuple(_leaf(at, self._salt(at), format_cards([card])) for at, card in enumerate(self.deck))

    @cached_property
    def commitment(self) -> str:
        """What is shown before the hand.

        >>> FairDeal(deck=(51, 0), salt="00").commitment[:16]
        'ab80d16c1f0f02a0'
        """
        return _commitment(self.leaves)

    def opening(self, places: Iterable[int] | None = None) -> dict[str, Any]:
        """What is told after the hand to somebody who may know the cards at these places (all, if not given)."""
        known = range(len(self.deck)) if places is None else sorted(set(places))
        cards = [{"at": at, "card": format_cards([self.deck[at]]), "salt": self._salt(at)} for at in known]
        return {"commitment": self.commitment, "leaves": list(self.leaves), "cards": cards}

    def _salt(self, at: int) -> str:
        return hmac.digest(self.salt.encode(), str(at).encode(), "sha256").hex()


def fair_deal(deck: Deck) -> FairDeal:
    """Shuffle a deck; every order is equally likely."""
    cards = list(deck.cards)
    secrets.SystemRandom().shuffle(cards)
    return FairDeal(tuple(cards), secrets.token_hex(SALT_BYTES))


def verify_deal(told: Mapping[str, Any]) -> dict[int, int]:
    """Check that an opened deal is the one that was promised; the cards that it opens, by their places, are returned.

    >>> from felt.cards.deck import standard_deck
    >>> deal = fair_deal(standard_deck())
    >>> verify_deal(deal.opening([0, 1])) == {0: deal.deck[0], 1: deal.deck[1]}
    True
    """
    commitment, leaves, opened = (told.get(name) for name in ("commitment", "leaves", "cards"))
    if not isinstance(commitment, str):
        raise FairDealError("the deal has no 'commitment': give the hash that was shown before the hand as a text")
    if not isinstance(leaves, list) or not all(isinstance(leaf, str) and _HASH.fullmatch(leaf) for leaf in leaves):
        raise FairDealError("the deal has no 'leaves': give the hashes of all its cards as a list of texts")
    if not isinstance(opened, list):
        raise FairDealError("the deal has no 'cards': give those that it opens as a list")
    if not hmac.compare_digest(_commitment(leaves).encode(), commitment.strip().lower().encode()):
        raise FairDealError(
            f"the commitment {_short(commitment)!r} is not that of these leaves, which is {_commitment(leaves)!r}: the "
            "deal was not the one that was promised"
        )
    known: dict[int, int] = {}
    for card in opened:
        at, number = _opened(card, leaves)
        if known.get(at, number) != number or (at not in known and number in known.values()):
            raise FairDealError(f"the deal has the card {card['card']!r} twice: no such deck is dealt")
        known[at] = number
    return known


def _opened(told: Any, leaves: list[str]) -> tuple[int, int]:
    """The place and the card that one entry opens."""
    if not isinstance(told, dict) or type(at := told.get("at")) is not int:
        raise FairDealError(f"{_short(str(told))!r} opens no card: give at, card and salt")
    name, salt = told.get("card"), told.get("salt")
    if not isinstance(name, str) or not isinstance(salt, str):
        raise FairDealError(f"the card at place {at} has no card or no salt: give both as texts")
    if not 0 <= at < len(leaves):
        raise FairDealError(f"there is no place {at}: the deck has {len(leaves)} cards, counted from 0")
    (card,) = cards if len(cards := parse_cards(name)) == 1 else (None,)
    if card is None:
        raise FairDealError(f"{_short(name)!r} at place {at} is not one card")
    if _leaf(at, salt, format_cards([card])) != leaves[at]:
        raise FairDealError(f"the card at place {at} was not {name}: it is not the one that was promised")
    return at, card


def _leaf(at: int, salt: str, card: str) -> str:
    return sha256(f"felt card 2\n{at}\n{salt}\n{card}".encode()).hexdigest()


def _commitment(leaves: Iterable[str]) -> str:
    return sha256("\n".join(("felt deal 2", *leaves)).encode()).hexdigest()


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}…"


def seen_cards(hand: Hand, seat: int) -> frozenset[int]:
    """Every card that a seat has seen so far: its own (those it gave away too), the board, those face up, those shown.

    -1 is the seat of a spectator.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> seen_cards(hand, 0) == frozenset(hand.cards(0)), seen_cards(hand, -1)
    (True, frozenset())
    """
    if not hand.whole:
        raise FeltError("this hand comes from a snapshot or a batch: what was seen before is not known")
    seen = hand.view(seat)
    dealt = [card for event in seen.history for card in event.cards]
    lying = [card for other in range(hand.players) for card in seen.up_cards(other)]
    return frozenset({*dealt, *lying, *seen.own, *seen.board} - {UNKNOWN})


def seen_positions(deck: Sequence[int], hand: Hand, seat: int) -> tuple[int, ...]:
    """The places in the shuffled deck that may be opened to a seat, in order: what it saw where it was dealt.

    `deck` is the order that the hand was dealt from. A card that came to somebody later, passed on or out of the muck
    when the deck was used up, is not opened there: its place would tell who had it first; nor is one that another
    player has turned up: its place would tell when it was dealt.

    >>> from felt.games import load
    >>> rules = load("nlhe")
    >>> deck = rules.deck.shuffled(1)
    >>> hand = Hand.new(rules, [200, 200], deck=deck)
    >>> seen_positions(deck, hand, 0), seen_positions(deck, hand, 1), seen_positions(deck, hand, -1)
    ((0, 1), (2, 3), ())
    """
    seen = hand.view(seat)
    open_to_all = (EventKind.UP, EventKind.SHOW)
    shown = {(event.seat, card) for event in seen.history if event.kind in open_to_all for card in event.cards}
    dealt = [
        (event.seat, card, event.kind == EventKind.BOARD)
        for event in hand.record().events
        if event.kind in DEALS
        for card in event.cards
    ]
    return tuple(
        place
        for place, (to, card, board) in enumerate(dealt[: len(deck)])
        if board or to == seat or (to, card) in shown
    )
