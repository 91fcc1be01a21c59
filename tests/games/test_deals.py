"""One seed deals the same cards on every machine, hand by hand and in batches; hands survive a pickle."""

import pickle

import numpy as np
import pytest

from felt.cards.card import format_cards
from felt.games import Hand, Move, load, names
from felt.games.engine.batch import HandBatch

pytestmark = pytest.mark.no_jit


def test_a_seed_means_the_same_cards_for_good():
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    assert [format_cards(hand.cards(seat)) for seat in range(2)] == ["As3h", "4hKh"]
    assert format_cards(Hand.new(load("nlhe"), [200, 200], seed=1, number=7).cards(0)) == "2s6s"


@pytest.mark.parametrize("name", names())
def test_a_table_of_a_batch_is_the_hand_of_its_number(name):
    rules = load(name)
    batch = HandBatch(rules, 3, seed=5, first=2)
    hands = [Hand.new(rules, seed=5, number=number) for number in (2, 3, 4)]
    while not batch.over.all():
        for table, hand in enumerate(hands):
            twin = batch.hand(table)
            assert [twin.cards(seat) for seat in range(twin.players)] == [hand.cards(s) for s in range(hand.players)]
            assert (twin.board, twin.turn, twin.pot, twin.legal()) == (hand.board, hand.turn, hand.pot, hand.legal())
            if not hand.over:
                drawn = hand.cards(hand.turn)[: hand.legal().exchange[1]] if hand.legal().exchange else None
                hand.call() if drawn is None else hand.exchange(drawn)
        exchange = batch.legal[:, 4] >= 0
        moves = np.where(exchange, Move.EXCHANGE, Move.CALL).astype(np.int64)
        batch.step(moves, np.where(exchange, (1 << np.maximum(batch.legal[:, 4], 0)) - 1, 0))
    assert batch.payoffs.tolist() == [list(hand.payoffs) for hand in hands]


def test_different_numbers_are_different_deals():
    rules = load("nlhe")
    deals = {Hand.new(rules, seed=seed, number=number).cards(0) for seed in range(20) for number in range(20)}
    assert len(deals) > 300


def test_a_pickled_hand_plays_on():
    hand = Hand.new(load("five-card-draw"), seed=3)
    hand.call()
    twin = pickle.loads(pickle.dumps(hand))
    while not hand.over:
        assert twin.legal() == hand.legal()
        for one in (hand, twin):
            one.exchange() if one.legal().exchange else one.call()
    assert twin.record() == hand.record()
