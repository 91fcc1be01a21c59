"""Dice: one stream for every hand and player, the same one by one and for many tables."""

import copy
import pickle
import random
from collections import Counter

import numpy as np
import pytest

from felt.agents.dice import Dice, ManyDice


def throws(dice: Dice, hand: int, count: int = 5) -> list[float]:
    dice.begin(hand)
    return [dice.random() for _ in range(count)]


def test_a_hand_has_its_own_stream_whatever_came_before():
    dice = Dice(seed=3, player=1)
    first = throws(dice, 7)
    throws(dice, 8, count=50)
    assert throws(dice, 7) == first == throws(Dice(3, 1), 7)


def test_seeds_players_and_hands_have_different_streams():
    streams = [throws(Dice(seed, player), hand) for seed in range(3) for player in range(3) for hand in range(3)]
    assert len({tuple(stream) for stream in streams}) == 27
    assert len({number for stream in streams for number in stream}) == 27 * 5


def test_throws_are_spread_evenly():
    dice = Dice(1)
    found = Counter(int(10 * throws(dice, hand, 1)[0]) for hand in range(5000))
    assert set(found) == set(range(10))
    assert max(abs(count - 500) for count in found.values()) < 100
    assert 0 <= min(throws(dice, 1, 1000)) and max(throws(dice, 1, 1000)) < 1


@pytest.mark.parametrize(
    "use",
    [
        lambda dice: dice.randrange(52),
        lambda dice: dice.choice("abcdef"),
        lambda dice: dice.sample(range(52), 5),
        lambda dice: dice.shuffle(cards := list(range(52))) or cards,
        lambda dice: dice.choices("abc", weights=[1, 2, 3], k=4),
        lambda dice: dice.gauss(0, 1),
        lambda dice: dice.getrandbits(200),
        lambda dice: dice.randbytes(9),
    ],
    ids=["randrange", "choice", "sample", "shuffle", "choices", "gauss", "getrandbits", "randbytes"],
)
def test_all_methods_of_random_can_be_repeated(use):
    dice = Dice(5)
    dice.begin(2)
    first = [use(dice), use(dice)]
    use(dice)
    dice.begin(2)
    assert [use(dice), use(dice)] == first
    assert isinstance(dice, random.Random)


def test_bits_are_as_many_as_asked_for():
    dice = Dice(1)
    assert all(dice.getrandbits(k) < 1 << k for k in (1, 7, 64, 65, 130))
    assert max(dice.getrandbits(130) for _ in range(20)).bit_length() > 120


def test_dice_can_be_copied_and_pickled_in_mid_stream():
    dice = Dice(4, 2)
    dice.begin(9)
    dice.gauss(0, 1)  # makes two at a time
    for twin in (copy.deepcopy(dice), pickle.loads(pickle.dumps(dice))):
        other = copy.deepcopy(dice)
        assert [twin.gauss(0, 1), twin.random()] == [other.gauss(0, 1), other.random()]


def test_many_dice_throw_what_one_does():
    hands = np.array([3, 100, 7])
    many = ManyDice(hands, seed=5, player=2)
    wanted = {row: throws(Dice(5, 2), int(hand)) for row, hand in enumerate(hands)}
    assert many.random(np.array([0, 2])).tolist() == [wanted[0][0], wanted[2][0]]
    assert many.random(np.array([0, 1, 2])).tolist() == [wanted[0][1], wanted[1][0], wanted[2][1]]
    bits = ManyDice(hands, seed=5, player=2).bits(np.arange(3))
    dice = Dice(5, 2)
    for row, hand in enumerate(hands):
        dice.begin(int(hand))
        assert dice.bits() == int(bits[row])


def test_one_of_many_can_be_lent_to_a_plain_agent():
    hands = np.arange(4)
    many, plain = ManyDice(hands, seed=1), Dice(1)
    wanted = throws(plain, 2)
    with many.dice(2) as dice:
        assert dice.random() == wanted[0]
    assert many.random(np.array([2]))[0] == wanted[1]
    with many.dice(1) as dice:
        assert dice.random() == throws(plain, 1)[0]
    with many.dice(2) as dice:
        assert [dice.random(), dice.random()] == wanted[2:4]


def test_pairs_of_gauss_stay_with_their_hand():
    many, plain = ManyDice(np.arange(2), seed=1), Dice(1)
    found: dict[int, list[float]] = {0: [], 1: []}
    for _ in range(3):
        for row in (0, 1):
            with many.dice(row) as dice:
                found[row].append(dice.gauss(0, 1))
    for row in (0, 1):
        plain.begin(row)
        assert found[row] == [plain.gauss(0, 1) for _ in range(3)]


def test_what_is_thrown_before_an_error_is_thrown():
    many, plain = ManyDice(np.arange(2), seed=1), Dice(1)
    with pytest.raises(ZeroDivisionError), many.dice(1) as dice:
        dice.random()
        raise ZeroDivisionError
    assert many.random(np.array([1]))[0] == throws(plain, 1)[1]
