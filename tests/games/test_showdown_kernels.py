"""Who gets which chips, kernel by kernel: against the slow engine, and stud's odd chips by the rule book."""

import random
from dataclasses import replace

import numpy as np
import pytest

from felt.games import Hand, load
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.showdown_kernels import CARD_BITS, pay_pots
from felt.games.rules import Rake
from tests.games.rules_for_tests import stacked
from tests.reference import engine

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize("rake", [Rake(), Rake(0.07, 0), Rake(0.07, 4)], ids=["no rake", "rake", "capped rake"])
@pytest.mark.parametrize("name", ["nlhe", "plo8"])
def test_pots_are_paid_as_by_the_slow_engine(name, rake):
    """Any amounts, folded players, dead antes, ties, hands that count for nothing: two hundred random pots."""
    game, dice = compile_rules(replace(load(name), rake=rake)).game, random.Random(name)
    kinds = len(load(name).showdown.kinds)
    for _ in range(200):
        players, dead = dice.randint(2, 6), dice.choice([0, 0, 3, 8])
        live = sorted(dice.sample(range(players), dice.randint(1, players)))
        put = [dice.choice([0, 1, 5, 9, 9, 20]) if dead else dice.choice([1, 5, 9, 9, 20]) for _ in range(players)]
        if not sum(put[seat] for seat in live):
            continue  # somebody who plays has always paid
        worth = [[dice.choice([0, 2, 2, 3]) if seat in live else 0 for seat in range(players)] for _ in range(kinds)]
        button, street = dice.randrange(players), dice.choice([0, 1, 1])
        h = np.zeros(f.NUMBERS, dtype=np.int32)
        h[f.PLAYERS], h[f.BUTTON], h[f.DEAD], h[f.STREET] = players, button, dead, street
        h[f.LIVE] = sum(1 << seat for seat in live)
        h[f.PUT : f.PUT + players] = put
        h[f.STACKS : f.STACKS + players], h[f.ASIDE : f.ASIDE + players] = 100, 10
        values = np.zeros((3, 10), dtype=np.int64)
        for kind in range(kinds if len(live) > 1 else 0):
            values[kind, :players] = [value << CARD_BITS for value in worth[kind]]
        pay_pots(h, game, values)
        share = rake.share if street else 0  # no flop, no drop
        won, taken = engine.pay(put, live, worth, dead=dead, button=button, rake=share, rake_cap=rake.cap)
        assert (h[f.WON : f.WON + players].tolist(), h[f.RAKE]) == (won, taken), (put, live, worth, dead, button)
        assert h[f.STACKS : f.STACKS + players].tolist() == [110 + chips for chips in won]
        assert not h[f.ASIDE : f.ASIDE + players].any()


@pytest.mark.parametrize(
    ("name", "first", "second", "winner"),
    [
        pytest.param("stud", "AsKd9h7c5s3c2d", "AcKs9d7h5c3s2h", 0, id="the ace of spades"),
        pytest.param("stud", "AcKs9d7h5c3s2h", "AsKd9h7c5s3c2d", 1, id="the ace of spades, the other way round"),
        pytest.param("stud", "KsQs9h9d7c3s2c", "KdQd9s9c7h3d2h", 0, id="the king of spades beside a pair"),
        pytest.param(
            "stud", "9h8c7d6s5cAsKd", "9s8d7h6c5h3s2c", 1, id="the nine of spades: an ace that is not played is none"
        ),
        pytest.param("stud8", "KsKdQhJc9s9d2c", "KcKhQdJs9c9h2d", 0, id="nobody has a low"),
        pytest.param("stud8", "KcKhQdJs9c9h2d", "KsKdQhJc9s9d2c", 1, id="nobody has a low, the other way round"),
    ],
)
def test_tda_20b_in_stud_the_odd_chip_goes_to_the_highest_card_of_the_hand_by_suit(name, first, second, winner):
    """Two equal hands share a pot of an odd number of chips: 40 each, and one that a third player left."""
    rules = load(name)
    one, two = rules.deck.parse(first), rules.deck.parse(second)
    hand = Hand.new(rules, [4000, 4000, 4000], deck=stacked(rules, ""), antes=[0, 0, 1])
    numbers, cards = hand.arrays
    while not hand.over:
        if hand.turn == 2:
            hand.fold()
            continue
        for seat, held in enumerate((one, two)):
            begin = f.CARDS + f.CARDS_EACH * seat
            cards[begin : begin + 7] = held
        hand.call()
    won = numbers[f.WON : f.WON + 3].tolist()
    assert won[2] == 0
    assert won[winner] == won[1 - winner] + 1, won
