"""Hands in step with stacks and buttons of their own are the hands that are dealt one by one."""

import numpy as np
import pytest

from felt.agents.dice import Dice, SeatDice
from felt.games import Hand, Move, load
from felt.games.engine import fields as f
from felt.games.engine.batch import VariedBatch


@pytest.mark.parametrize("game", ["nlhe", "stud", "badugi", "short-deck", "limit-holdem"])
def test_they_begin_and_end_like_single_hands(game):
    rules, chance = load(game), np.random.default_rng(3)
    stacks = chance.integers(1, 60, (25, 4)).tolist()
    buttons, deals = chance.integers(0, 4, 25).tolist(), np.arange(25) + (5 << 32)
    batch = VariedBatch(rules, stacks, buttons, seed=9, deals=deals)
    singles = [
        Hand.new(rules, own, 9, number=int(deal), button=button)
        for own, button, deal in zip(stacks, buttons, deals, strict=True)
    ]
    while True:
        for table, hand in enumerate(singles):
            numbers, cards = hand.arrays
            assert (batch.arrays[0][table] == numbers).all()
            seen = slice(0, f.DECK)  # of the deck only as much is shuffled as is needed
            assert (batch.arrays[1][table][seen] == cards[seen]).all()
            assert batch.hand(table).stakes == batch.dealt(table).stakes == hand.stakes
        going = np.flatnonzero(~batch.over)
        if not len(going):
            break
        exchange = batch.legal[going, 4]
        batch.step(np.where(exchange >= 0, 3, 1), np.where(exchange >= 0, (1 << np.maximum(exchange, 0)) - 1, 0), going)
        for table in going:
            hand = singles[table]
            legal = hand.legal()
            hand.exchange(hand.cards(hand.turn)[: legal.exchange[1]]) if legal.exchange else hand.call()
    assert batch.chips.tolist() == [list(hand.stacks) for hand in singles]
    assert (batch.payoffs.sum(axis=1) == 0).all() and int(Move.CALL) == 1


def test_everybody_throws_their_own_dice():
    hands, players, turn = np.array([7, 8, 9]), np.array([[4, 1], [1, 2], [2, 4]]), np.array([0, 1, 0])
    dice = SeatDice(hands, players, lambda: turn, seed=3)
    rows = np.array([2, 0])

    def alone(player, hand, draws):
        own = Dice(3, player)
        own.begin(hand)
        return [own.random() for _ in range(draws)][-1]

    assert dice.random(rows).tolist() == [alone(2, 9, 1), alone(4, 7, 1)]
    kept = dice.state()
    with dice.dice(0) as own:
        assert own.random() == alone(4, 7, 2)
    turn[:] = 1, 0, 0
    assert dice.random(np.array([0, 1])).tolist() == [alone(1, 7, 1), alone(1, 8, 1)]
    turn[0] = 0
    dice.back_to(kept, np.array([0]))
    assert dice.random(np.array([0])).tolist() == [alone(4, 7, 2)]
