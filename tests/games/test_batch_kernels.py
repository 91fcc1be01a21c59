"""Players who choose at random, compiled: every legal move comes up, about as often as said, and no other."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from felt._chance_kernels import GOLDEN, below, random_bits, wrapping
from felt.games import Hand, Move, load
from felt.games.engine import fields as f
from felt.games.engine.batch import play_random
from felt.games.engine.batch_kernels import random_choice, random_move, shuffle
from felt.games.engine.compiled import compile_rules
from tests.games.rules_for_tests import pineapple, play

pytestmark = pytest.mark.no_jit

FOLD, CALL, RAISE, EXCHANGE = map(int, Move)


def random_numbers(count: int, seed: int = 1) -> list[np.uint64]:
    """The stream of a seed."""
    states = [np.uint64((seed + i * int(GOLDEN)) % 2**64) for i in range(1, count + 1)]
    with wrapping():
        return [np.uint64(random_bits(state)) for state in states]


def test_the_stream_is_that_of_the_published_generator():
    """The first numbers of splitmix64 from the seed 1234567, as other programs print them."""
    assert [int(bits) for bits in random_numbers(5, 1234567)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_number_below_another_comes_from_the_lower_half_of_the_bits():
    for low, n, expected in [(0, 6, 0), (2**31, 6, 3), (2**32 - 1, 6, 5), (2**32 // 6, 6, 0), (2**32 // 6 + 1, 6, 1)]:
        for high in (0, 1, 2**31):
            assert below(np.uint64(high << 32 | low), 6) == expected, (low, n)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("", {(FOLD, 0): 1 / 3, (CALL, 0): 1 / 3} | {(RAISE, to): 1 / 15 for to in range(4, 9)}),
        ("c", {(FOLD, 0): 1 / 3, (CALL, 0): 1 / 3} | {(RAISE, to): 1 / 15 for to in range(4, 9)}),
        ("r8", {(FOLD, 0): 1 / 2, (CALL, 0): 1 / 2}),
    ],
    ids=["blinds", "a check", "all in"],
)
def test_kinds_of_move_and_then_amounts_are_equally_likely(moves, expected):
    rules = load("nlhe")
    hand = play(Hand.new(rules, 8, 1), moves)
    out = np.empty(6, dtype=np.int64)
    seen = Counter(random_move(*hand.arrays, compile_rules(rules).game, out, bits) for bits in random_numbers(1500))
    assert {(int(move), int(amount)) for move, amount in seen} == set(expected)
    for choice, share in expected.items():
        assert seen[choice] / 1500 == pytest.approx(share, abs=0.06)


def test_a_player_who_must_bring_it_in_does_not_fold():
    rules = load("stud")
    hand = Hand.new(rules, rules.stack, 1, players=3)
    out = np.empty(6, dtype=np.int64)
    seen = Counter(random_move(*hand.arrays, compile_rules(rules).game, out, bits)[0] for bits in random_numbers(400))
    assert set(seen) == {CALL, RAISE}
    assert seen[CALL] == pytest.approx(200, abs=40)


def test_cards_to_exchange_are_chosen_within_the_bounds():
    rules = load("five-card-draw")
    hand = Hand.new(rules, rules.stack, 1, players=2)
    while hand.legal().exchange is None:
        hand.call()
    out = np.empty(6, dtype=np.int64)
    with wrapping():
        seen = Counter(random_move(*hand.arrays, compile_rules(rules).game, out, bits) for bits in random_numbers(600))
    assert {move for move, _ in seen} == {EXCHANGE}
    _, least, most = hand.legal().exchange
    sizes = Counter(int(amount).bit_count() for _, amount in seen.elements())
    assert set(sizes) == set(range(least, most + 1))
    for size in sizes.values():
        assert size == pytest.approx(600 / (most - least + 1), abs=50)


def test_a_player_who_must_discard_one_card_discards_one():
    hand = Hand.new(pineapple(), 100, 1, players=2)
    while hand.legal().exchange is None:
        hand.call()
    out, game = np.empty(6, dtype=np.int64), compile_rules(pineapple()).game
    with wrapping():
        seen = Counter(random_move(*hand.arrays, game, out, bits) for bits in random_numbers(200))
    assert set(seen) == {(EXCHANGE, 0b001), (EXCHANGE, 0b010), (EXCHANGE, 0b100)}


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        pytest.param(load("nlhe"), 8, id="two checks on each of four streets"),
        pytest.param(load("five-card-draw"), 6, id="two rounds of bets, one of draws"),
        pytest.param(pineapple(), 10, id="four streets, one discard each"),
    ],
)
def test_hands_in_which_everybody_calls_have_a_known_number_of_moves(rules, moves):
    played = play_random(rules, 5, always_call=True, seed=3)
    assert played.moves == 5 * moves
    assert (played.payoffs.sum(axis=1) == 0).all()
    assert (np.abs(played.payoffs).max(axis=1) <= rules.big_blind).all()


def test_hands_of_random_moves_differ_in_length_and_stakes():
    played = play_random(load("nlhe"), 60, seed=3, stack=40)
    assert played.moves != 60 * 8
    assert {1, 2, 40} < set(np.abs(played.payoffs[:, 0]).tolist())


@pytest.mark.parametrize(("held", "least", "most"), [(5, 0, 5), (4, 2, 2), (3, 1, 3), (3, 0, 0)])
def test_every_set_of_cards_within_the_bounds_is_chosen(held, least, most):
    with wrapping():
        seen = Counter(int(random_choice(held, least, most, bits)) for bits in random_numbers(1200))
    sets = [
        sum(1 << position for position in positions)
        for size in range(least, most + 1)
        for positions in combinations(range(held), size)
    ]
    assert set(seen) == set(sets)
    for size in range(least, most + 1):
        same = [seen[number] for number in sets if number.bit_count() == size]
        assert sum(same) == pytest.approx(1200 / (most - least + 1), abs=90)
        assert max(same) - min(same) < 40 + sum(same) / len(same)


@pytest.mark.parametrize("needed", [0, 1, 2, 7, 11, 12])
def test_a_shuffle_deals_every_card_once_and_leaves_what_is_not_needed(needed):
    numbers, cards = np.zeros(f.NUMBERS, dtype=np.int32), np.zeros(f.BYTES, dtype=np.uint8)
    numbers[f.DECK_COUNT] = 12
    seen = [Counter() for _ in range(12)]
    for seed in range(300):
        cards[f.DECK : f.DECK + 12] = range(12)
        with wrapping():
            state = shuffle(numbers, cards, np.uint64(seed * 977), needed)
            assert int(state) == (seed * 977 + (min(needed, 11) + 1) // 2 * int(GOLDEN)) % 2**64  # two cards a draw
        deck = cards[f.DECK : f.DECK + 12].tolist()
        assert sorted(deck) == list(range(12))
        for place, card in enumerate(deck):
            seen[place][card] += 1
    for place in range(12):
        if place < needed:
            assert len(seen[place]) == 12 and max(seen[place].values()) < 60  # 25 of each on average
        elif needed == 0:
            assert set(seen[place]) == {place}
