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


def test_the_commitment_is_made_of_plain_hashes_that_anybody_can_make():
    deal = fair_deal(standard_deck())
    told = deal.opening()
    leaves = [
        hashlib.sha256(f"felt card 2\n{one['at']}\n{one['salt']}\n{one['card']}".encode()).hexdigest()
        for one in told["cards"]
    ]
    assert told["leaves"] == leaves and "".join(one["card"] for one in told["cards"]) == format_cards(deal.deck)
    assert told["commitment"] == hashlib.sha256("\n".join(["felt deal 2", *leaves]).encode()).hexdigest()
    assert len({one["salt"] for one in told["cards"]}) == 52
    assert len(bytes.fromhex(deal.salt)) == 32 and deal.salt not in str(told)


def test_cards_are_opened_one_by_one_and_the_others_stay_hidden():
    deal = fair_deal(standard_deck())
    told = deal.opening([3, 0, 3])
    assert [card["at"] for card in told["cards"]] == [0, 3]
    assert verify_deal(told) == {0: deal.deck[0], 3: deal.deck[3]}
    whole = deal.opening()
    assert verify_deal(whole) == dict(enumerate(deal.deck))
    assert not any(card["salt"] in str(told) for card in whole["cards"] if card["at"] not in (0, 3))


def test_orders_are_alike_likely():
    """Six orders of three cards, 3,000 deals: chi-square with five degrees of freedom is above 25.7 once in 10,000."""
    deck = Deck("three", (0, 4, 8))
    seen = Counter(fair_deal(deck).deck for _ in range(3000))
    assert len(seen) == 6
    assert sum((count - 500) ** 2 / 500 for count in seen.values()) < 25.7


def test_no_two_deals_share_a_salt():
    assert len({fair_deal(standard_deck()).salt for _ in range(100)}) == 100


def _card(**change: object) -> dict[str, object]:
    return {**FairDeal(standard_deck().cards, "ab").opening([0])["cards"][0], **change}


_LEAVES = list(FairDeal(standard_deck().cards, "ab").leaves)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"cards": [_card(salt="00")]}, "place 0 was not 2c"),
        ({"cards": [_card(card="As")]}, "place 0 was not As"),
        ({"cards": [_card(at=1)]}, "place 1 was not 2c"),
        ({"cards": [_card(at=52)]}, "no place 52"),
        ({"cards": [_card(at=-1)]}, "no place -1"),
        ({"cards": [_card(at=True)]}, "opens no card"),
        ({"cards": [_card(card="AsKs")]}, "not one card"),
        ({"cards": [_card(card="Xx")]}, "'Xx'"),
        ({"cards": [_card(card=None)]}, "no card or no salt"),
        ({"cards": ["As"]}, "opens no card"),
        ({"cards": None}, "no 'cards'"),
        ({"leaves": _LEAVES[::-1]}, "the commitment"),
        ({"leaves": ["x"]}, "no 'leaves'"),
        ({"commitment": "f" * 64}, "not the one that was promised"),
        ({"commitment": "ä"}, "not the one that was promised"),
        ({"commitment": None}, "no 'commitment'"),
    ],
)
def test_what_was_changed_is_found_out(change, told):
    opened = {**FairDeal(standard_deck().cards, "ab").opening([0]), **change}
    with pytest.raises(FeltError, match=told):
        verify_deal(opened)


def test_a_deck_with_a_card_twice_is_found_out():
    with pytest.raises(FairDealError, match="twice"):
        verify_deal(FairDeal((51, 0, 51), "ab").opening())


def test_the_hash_may_be_typed_in_capitals():
    opened = fair_deal(standard_deck()).opening([7])
    assert verify_deal({**opened, "commitment": f" {opened['commitment'].upper()} "}).keys() == {7}
    assert issubclass(FairDealError, FeltError)
