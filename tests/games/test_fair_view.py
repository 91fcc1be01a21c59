"""Which cards somebody has seen: exactly those that their views showed while the hand was played."""

import random

import pytest

from felt.cli.games.table import random_action
from felt.errors import FeltError
from felt.games import Hand, load, names
from felt.games.fair import seen_cards, seen_positions


def shown_in(view):
    return {*view.own, *view.board, *(card for seat in view.seats for card in seat.cards)}


@pytest.mark.parametrize("game", names())
def test_what_was_seen_is_what_the_views_showed(game):
    dice, rules = random.Random(game), load(game)
    for _ in range(6):
        players = dice.randint(rules.min_players, min(rules.max_players, 8))
        deck = tuple(dice.sample(rules.deck.cards, len(rules.deck)))
        try:
            hand = Hand.new(rules, players=players, deck=deck)
        except FeltError:  # more players than there are cards for
            continue
        seen = {seat: set() for seat in range(-1, players)}
        while True:
            for seat, cards in seen.items():
                cards |= shown_in(hand.view(seat))
            if hand.over:
                break
            hand.act(random_action(hand.view(hand.turn), dice))
        for seat, cards in seen.items():
            assert seen_cards(hand, seat) == cards
            opened = {deck[place] for place in seen_positions(deck, hand, seat)}
            assert opened <= cards
            if not rules.has_draws:
                assert opened == cards
        mucked = hand.view(-1).mucked
        for seat in range(players):
            if hand.folded[seat] or seat in mucked:
                hidden = set(hand.cards(seat)) - set(hand.up_cards(seat)) - seen[-1]
                assert not hidden & seen_cards(hand, -1)


def test_places_of_cards_out_of_the_muck_stay_closed():
    """Eight players draw all they may: the deck is used up, and what comes then was somebody else's before."""
    rules = load("badugi")
    deck = rules.deck.shuffled(3)
    hand = Hand.new(rules, players=8, deck=deck)
    first = {seat: set(hand.cards(seat)) for seat in range(8)}
    while not hand.over:
        legal = hand.legal()
        if legal.exchange:
            hand.exchange(hand.cards(hand.turn)[: legal.exchange[2]])
        else:
            hand.call()
    shown = set(hand.view(-1).shown)
    for seat in range(8):
        opened = {deck[place] for place in seen_positions(deck, hand, seat)}
        assert first[seat] <= opened
        for other in set(range(8)) - shown - {seat}:
            assert not opened & first[other]
    assert len(seen_cards(hand, 7)) > len(seen_positions(deck, hand, 7))


def test_cards_given_away_stay_seen():
    rules = load("five-card-draw")
    hand = Hand.new(rules, players=2, deck=rules.deck.cards)
    hand.call(), hand.call()
    first = hand.cards(hand.turn)
    seat = hand.turn
    hand.exchange(first[:3])
    assert set(first) | set(hand.cards(seat)) == seen_cards(hand, seat)
    assert len(seen_cards(hand, seat)) == 8 and not seen_cards(hand, 1 - seat) & seen_cards(hand, seat)


def test_a_hand_without_its_history_is_refused():
    rules = load("nlhe")
    hand = Hand.from_bytes(rules, bytes(Hand.new(rules, players=2)))
    with pytest.raises(FeltError, match="snapshot"):
        seen_cards(hand, 0)
