"""Outs against a count from the rule book, and draw chances against drawing."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.cards.card import format_cards
from felt.cards.ranges.range import Range
from felt.errors import CardError, FeltError, OddsError
from felt.odds.outs import draw_chance, draw_chances, outs
from tests.reference import ranking as rules

deals = st.permutations(range(52))


def names(found) -> list[str]:
    return [format_cards([out.card]) for out in found]


@settings(max_examples=40, deadline=None)
@given(deal=deals, size=st.sampled_from([3, 4]))
def test_improving_cards_by_the_rule_book(deal, size):
    hand, board = tuple(deal[:2]), tuple(deal[2 : 2 + size])
    now = rules.high(hand + board)[0]
    expected = [
        card
        for card in range(51, -1, -1)
        if card not in hand + board
        and rules.high((*hand, *board, card))[0] > now
        and rules.high((*hand, *board, card))[0] > rules.high((*board, card))[0]
    ]
    assert [out.card for out in outs(hand, board)] == expected


@settings(max_examples=40, deadline=None)
@given(deal=deals, size=st.sampled_from([3, 4]))
def test_cards_that_take_the_lead_by_the_rule_book(deal, size):
    hand, villain, board = tuple(deal[:2]), tuple(deal[2:4]), tuple(deal[4 : 4 + size])
    ahead = rules.high(hand + board) > rules.high(villain + board)
    expected = [
        card
        for card in range(51, -1, -1)
        if not ahead
        and card not in hand + villain + board
        and rules.high((*hand, *board, card)) > rules.high((*villain, *board, card))
    ]
    assert [out.card for out in outs(hand, board, villain)] == expected
    assert outs(hand, board, format_cards(villain)) == outs(hand, board, villain)


def test_a_flush_draw_has_nine_outs_without_an_opponent_and_pairs_apart():
    found = outs("7h6h", "AhJh2s8c")
    flush = [out for out in found if out.makes.startswith("flush")]
    assert len(flush) == 9
    assert {out.makes.split(",")[0] for out in found} == {"flush", "pair of sevens", "pair of sixes"} | {
        out.makes.split(",")[0] for out in found if out.makes.startswith("straight")
    }


def test_a_card_that_pairs_the_board_is_no_out():
    assert not {"9d", "9h", "9c"} & set(names(outs("AsKd", "9s7c2h")))
    assert names(outs("AsKd", "9s7c2h")) == ["Ah", "Ad", "Ac", "Ks", "Kh", "Kc"]


def test_an_out_that_fills_the_villains_hand_is_none():
    # A heart makes the flush, but the jack of hearts also fills up the set.
    assert "Jh" not in names(outs("7h6h", "Ah5hJs", "JcJd"))
    assert "Kh" in names(outs("7h6h", "Ah5hJs", "JcJd"))


def test_a_leader_needs_no_outs_and_the_river_has_none():
    assert outs("AsAd", "Kh7c2d", "KsQs") == []
    assert outs("7h6h", "AhJh2s8c3d", "AsKd") == []


def test_against_a_range_an_out_beats_more_than_half_of_it():
    found = outs("7h6h", "AhJh2s8c", Range.parse("AA,AK,JJ"))
    assert names(found) == ["Kh", "Qh", "Th", "9h", "8h", "5h", "4h", "3h", "2h"]
    by_name = dict(zip(names(found), found, strict=True))
    assert by_name["Kh"].ahead == 1.0
    assert 0.5 < by_name["8h"].ahead < 1.0  # sets fill up


def test_weights_count():
    # Against a set the offsuit pairing outs are no good; against ace high they are.
    hand, board = "KsQd", "Qh9c4d"
    behind = outs(hand, board, Range.parse("AA, 55:0.1"))
    assert names(behind)
    assert outs(hand, board, Range.parse("AA:0.1, 55")) == []  # ahead already


def test_the_chance_to_hit_by_drawing():
    for unseen, good, cards in [(7, 2, 1), (7, 2, 2), (8, 3, 3), (5, 0, 2), (5, 5, 2), (6, 2, 0)]:
        draws = list(combinations(range(unseen), cards))
        hits = sum(any(card < good for card in draw) for draw in draws)
        assert draw_chance(outs=good, cards=cards, unseen=unseen) == pytest.approx(hits / len(draws))


def test_nine_outs_on_the_flop():
    chances = draw_chances(outs=9)
    assert chances.next_card == pytest.approx(9 / 47)
    assert chances.by_river == pytest.approx(9 / 47 + 38 / 47 * 9 / 46)
    assert (chances.rule_next_card, chances.rule_by_river) == (0.18, 0.36)


def test_nine_outs_on_the_turn_with_the_villains_cards_known():
    chances = draw_chances(outs=9, to_come=1, unseen=44)
    assert chances.next_card == chances.by_river == pytest.approx(9 / 44)


def test_the_rule_of_four_never_passes_certainty():
    assert draw_chances(outs=40).rule_by_river == 1.0


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: outs("AsAs", "Kh7c2d"), CardError, "As"),
        (lambda: outs("AsKh", "Kh7c2d"), CardError, "Kh"),
        (lambda: outs("AsKhQd", "9h7c2d"), OddsError, "has 3 cards"),
        (lambda: outs("AsKh", ""), OddsError, "no flop, turn or river"),
        (lambda: outs("AsKh", "2c3c4c5c6c7c"), OddsError, "no flop, turn or river"),
        (lambda: outs("AsAd", "AhKs2c", "AsAh"), OddsError, "no hand of 'AsAh' is left"),
        (lambda: outs("AsAd", "AhKs2c", "ZZ"), FeltError, "ZZ"),
        (lambda: draw_chance(outs=-1, unseen=47), OddsError, "-1 outs"),
        (lambda: draw_chance(outs=48, unseen=47), OddsError, "48 outs among 47"),
        (lambda: draw_chance(outs=4, cards=48, unseen=47), OddsError, "48 cards to come"),
        (lambda: draw_chances(outs=4, to_come=5), OddsError, "5 cards to come"),
    ],
)
def test_mistakes(ask, error, words):
    with pytest.raises(error) as complaint:
        ask()
    assert words in str(complaint.value)
    assert "\n" not in str(complaint.value)
