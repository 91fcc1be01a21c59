"""Facts: what is told of every action is what the table was like before it."""

import random

import numpy as np
import pytest

from felt.games import Hand, Move, load, names
from felt.games.engine.batch import HandBatch
from felt.games.views.facts import trace
from tests.games.test_view import random_action

HANDS = 12


def packed(cards) -> int:
    return sum((card + 1) << 8 * place for place, card in enumerate(cards))


def code(hand: Hand, action) -> int:
    amount = action.amount
    if action.move == Move.EXCHANGE:
        held = hand.cards(hand.turn)
        amount = sum(1 << held.index(card) for card in action.cards)
    return amount * 4 + int(action.move)


@pytest.mark.no_jit
@pytest.mark.parametrize("name", names())
def test_facts_are_what_a_hand_shows_before_each_move(name):
    rules, dice = load(name), random.Random(name)
    players = min(rules.max_players, max(rules.min_players, 3))
    moves, counts, told, ends = [], [], [], []
    for number in range(HANDS):
        hand = Hand.new(rules, seed=4, players=players, number=number)
        count = 0
        while not hand.over:
            action, legal = random_action(hand, dice), hand.legal()
            row = {
                "number": count, "street": hand.street, "seat": hand.turn, "move": int(action.move),
                "amount": code(hand, action) >> 2, "to_call": legal.call or 0,
                "least": legal.raise_to[0] if legal.raise_to else 0, "most": legal.raise_to[1] if legal.raise_to else 0,
                "pot": hand.pot, "live": sum(1 << seat for seat, gone in enumerate(hand.folded) if not gone),
            }  # fmt: skip
            state = (hand.stacks, hand.bets, packed(hand.board))
            up = tuple(packed(hand.up_cards(seat)) for seat in range(players))
            held = tuple(len(hand.cards(seat)) for seat in range(players))
            closing = (-1 if action.move == Move.EXCHANGE else hand.street, len(hand.board), *held)
            seat, put = hand.turn, hand.put[hand.turn]
            moves.append(code(hand, action))
            hand.act(action)
            told.append((row, state, up, held, hand.put[seat] - put))
            count += 1
        counts.append(count)
        ends.append((hand, closing))
    batch = HandBatch(rules, HANDS, players=players, seed=4)
    facts = trace(rules, *batch.arrays, batch.stacks, np.array(moves), np.array(counts))
    assert facts.actions == len(told) and facts.hands == HANDS
    for a, (row, (stacks, bets, board), up, held, added) in enumerate(told):
        assert {name: facts.column(name)[a] for name in row} == row
        assert tuple(facts.stack[:, a]) == stacks and tuple(facts.bet[:, a]) == bets and facts.board[a] == board
        assert facts.column("added")[a] == added
        assert len(facts.up) == 0 or tuple(facts.up[:, a]) == up
        assert len(facts.counts) == 0 or tuple(facts.counts[:, a]) == held
    for i, (hand, closing) in enumerate(ends):
        assert tuple(facts.payoffs[i]) == hand.payoffs and tuple(facts.closed[i]) == closing
        assert tuple(facts.held[i]) == tuple(packed(hand.cards(seat)) for seat in range(players))
        assert facts.shown[i] == sum(1 << seat for seat in hand.showdown)
    assert facts.hand.tolist() == [i for i, count in enumerate(counts) for _ in range(count)]


def test_hands_can_be_told_without_their_actions():
    rules = load("kuhn")
    batch = HandBatch(rules, 3, seed=1)
    facts = trace(rules, *batch.arrays, batch.stacks, np.ones(6, dtype=np.int64), np.full(3, 2), actions=False)
    assert facts.actions == 0 and facts.hands == 3
    assert (np.abs(facts.payoffs) == 1).all()
