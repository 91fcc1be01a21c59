"""What a seat can work out from its view: discards, folded cards, passes, and a muck that is shuffled again."""

import random

import pytest

from felt.cards.card import parse_cards
from felt.games import Hand, load, names
from felt.odds.state.knowledge import knowledge


def known_to(hand: Hand, seat: int):
    return knowledge(hand.view(seat))


def test_before_anything_is_shown():
    hand = Hand.new(load("nlhe"), [200] * 3, seed=1)
    known = known_to(hand, 1)
    assert set(known.unseen) == set(range(52)) - set(hand.cards(1))
    assert known.dead == ()
    assert known.held == {0: (), 2: ()}


def test_cards_face_up_are_held_and_dead_when_they_are_folded():
    hand = Hand.new(load("stud"), [4000] * 4, seed=1)
    hand.call()
    folder = hand.turn
    seen = hand.up_cards(folder)
    viewer = next(seat for seat in range(4) if seat != folder)
    assert known_to(hand, viewer).held[folder] == seen
    hand.fold()
    known = known_to(hand, viewer)
    assert known.dead == seen
    assert folder not in known.held
    assert not set(seen) & set(known.unseen)


def test_discards_are_dead_to_who_threw_them_and_unseen_by_the_others():
    hand = Hand.new(load("five-card-draw"), [400] * 3, seed=1)
    for _ in range(3):
        hand.call()
    thrown = hand.cards(hand.turn)[:3]
    thrower = hand.turn
    hand.exchange(thrown)
    assert set(known_to(hand, thrower).dead) == set(thrown)
    assert set(thrown) <= set(known_to(hand, (thrower + 1) % 3).unseen)


def test_a_shuffled_muck_is_in_play_again():
    rules = load("27-triple-draw")
    hand = Hand.new(rules, [400] * 6, seed=1)
    thrown: dict[int, list[int]] = {seat: [] for seat in range(6)}
    shuffled = False
    while not hand.over and not shuffled:
        if not hand.legal().exchange:
            hand.call()
            continue
        seat, before = hand.turn, hand.deck_left
        gone = hand.cards(seat)
        thrown[seat] += gone
        hand.exchange(gone)
        shuffled = hand.deck_left > before - len(gone)
        if not shuffled:
            assert set(known_to(hand, seat).dead) == set(thrown[seat])
    assert shuffled
    last = set(gone)
    assert set(known_to(hand, seat).dead) == last - set(hand.cards(seat)), "only what was thrown last stays out"
    other = (seat + 1) % 6
    assert known_to(hand, other).dead == ()
    assert set(thrown[other]) - set(hand.cards(other)) <= set(known_to(hand, other).unseen)


def test_passed_cards_are_known_to_be_there_until_they_can_move_on():
    hand = Hand.new(load("anaconda"), [400] * 3, seed=5)
    while not hand.legal().exchange:
        hand.call()
    first = hand.turn
    given = hand.cards(first)[:3]
    hand.exchange(given)
    assert known_to(hand, first).held == {seat: () for seat in range(3) if seat != first}
    hand.exchange(hand.cards(hand.turn)[:3])
    hand.exchange(hand.cards(hand.turn)[:3])
    left = (first + 1) % 3
    assert known_to(hand, first).held[left] == given
    assert not set(given) & set(known_to(hand, first).unseen)
    while not hand.legal().exchange:
        hand.call()
    for _ in range(3):
        hand.exchange(hand.cards(hand.turn)[-2:])
    held = known_to(hand, first).held
    assert held[left] == hand.cards(left)[-2:], "now the two cards of the second pass"
    assert set(given) - set(held[left]) - set(hand.cards(first)) <= set(known_to(hand, first).unseen)


def test_a_snapshot_remembers_what_lies_open():
    hand = Hand.new(load("stud"), [4000] * 3, seed=1)
    hand.call()
    again = Hand.from_bytes(hand.rules, bytes(hand))
    for seat in range(3):
        assert known_to(again, seat) == known_to(hand, seat)


@pytest.mark.parametrize("name", names())
def test_every_card_is_somewhere_and_what_is_unseen_is_hidden(name):
    dice = random.Random(name)
    rules = load(name)
    for number in range(3):
        hand = Hand.new(rules, rules.stack, players=min(4, rules.max_players), seed=3, number=number)
        while not hand.over:
            for seat in range(hand.players):
                known = known_to(hand, seat)
                visible = {card for other in range(hand.players) for card in hand.up_cards(other)}
                visible |= {*hand.cards(seat), *hand.board}
                held = {card for cards in known.held.values() for card in cards}
                everything = [*known.unseen, *known.dead, *held, *hand.cards(seat), *hand.board]
                assert sorted(everything) == sorted(rules.deck.cards)
                assert not set(known.unseen) & visible
                for other, cards in known.held.items():
                    assert set(cards) <= set(hand.cards(other))
            legal = hand.legal()
            if legal.exchange:
                _, least, most = legal.exchange
                hand.exchange(dice.sample(hand.choosable(), dice.randint(least, most)))
            elif legal.fold and legal.call and dice.random() < 0.2:
                hand.fold()
            else:
                hand.call()


def test_a_folded_viewer_still_knows_the_cards_they_had():
    hand = Hand.new(load("nlhe"), [200] * 3, deck=(*parse_cards("AsAd2c2d"), *load("nlhe").deck.without("AsAd2c2d")))
    hand.call()
    hand.fold()
    assert not {51, 49} & set(known_to(hand, 0).unseen)
