"""Fair deals: promised, opened, checked."""

import hashlib
from collections import Counter

import pytest

from felt.cards.card import format_cards
from felt.cards.deck import Deck, short_deck, standard_deck
from felt.errors import FeltError
from felt.games import Hand, load
from felt.games.fair import FairDeal, FairDealError, fair_deal, verify_deal


def test_a_deal_has_every_card_of_its_deck_once_and_is_dealt_in_its_order():
    for deck in (standard_deck(), short_deck(), standard_deck(jokers=2)):
        deal = fair_deal(deck)
        assert sorted(deal.deck) == sorted(deck.cards)
    deal = fair_deal(standard_deck())
    hand = Hand.new(load("nlhe"), [200, 200], deck=deal.deck)
    held = [card for seat in range(2) for card in hand.cards(seat)]
    assert sorted(held) == sorted(deal.deck[:4])


def test_the_commitment_is_a_plain_hash_that_anybody_can_make():
    deal = fair_deal(standard_deck())
    text = f"felt deal 1\n{deal.salt}\n{format_cards(deal.deck)}"
    assert deal.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert len(bytes.fromhex(deal.salt)) == 32


def test_orders_are_alike_likely():
    """Six orders of three cards, 3,000 deals: chi-square with five degrees of freedom is above 25.7 once in 10,000."""
    deck = Deck("three", (0, 4, 8))
    seen = Counter(fair_deal(deck).deck for _ in range(3000))
    assert len(seen) == 6
    assert sum((count - 500) ** 2 / 500 for count in seen.values()) < 25.7


def test_no_two_deals_share_a_salt():
    assert len({fair_deal(standard_deck()).salt for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"salt": "00"}, "the commitment"),
        ({"deck": format_cards(reversed(standard_deck().cards))}, "the commitment"),
        ({"deck": "AsAs"}, "twice"),
        ({"deck": "Xx"}, "'Xx'"),
        ({"deck": None}, "no 'deck'"),
        ({"commitment": "f" * 64}, "not the one that was promised"),
    ],
)
def test_what_was_changed_is_found_out(change, told):
    opened = {**FairDeal(standard_deck().cards, "ab").opened(), **change}
    with pytest.raises(FeltError, match=told):
        verify_deal(opened)


def test_the_hash_may_be_typed_in_capitals():
    opened = fair_deal(standard_deck()).opened()
    assert verify_deal({**opened, "commitment": f" {opened['commitment'].upper()} "}).opened() == opened
    assert issubclass(FairDealError, FeltError)
