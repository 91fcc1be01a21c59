"""The parts of strength by a view, kernel by kernel: against the same done with lists."""

import random
from collections import Counter

import numpy as np
import pytest

from felt._chance_kernels import GOLDEN, wrapping
from felt.odds.state_kernels import _best_first
from felt.odds.view_kernels import _mix, _place

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_the_place_of_a_value_is_the_number_of_smaller_ones(size):
    dice = random.Random(size)
    for _ in range(30):
        ladder = np.array(sorted(dice.choices(range(8), k=size)), dtype=np.int64)
        for value in range(-1, 10):
            assert _place(ladder, value) == sum(step < value for step in ladder.tolist())


@pytest.mark.parametrize("needed", [0, 1, 3, 6, 9])
def test_as_many_cards_as_are_needed_come_to_the_front_at_random(needed):
    seen = [Counter() for _ in range(6)]
    for seed in range(240):
        cards = np.arange(6, dtype=np.uint8)
        with wrapping():
            state = _mix(cards, needed, np.uint64(seed * 31))
        assert int(state) == (seed * 31 + min(needed, 6) * int(GOLDEN)) % 2**64  # no more draws than places
        assert sorted(cards.tolist()) == list(range(6))
        for place, card in enumerate(cards.tolist()):
            seen[place][card] += 1
    for place in range(min(needed, 6)):
        assert len(seen[place]) == 6 and max(seen[place].values()) < 75  # 40 of each on average


def test_the_best_choices_come_first_and_of_equal_ones_the_smallest():
    dice = random.Random(4)
    for _ in range(60):
        count, wanted = dice.randint(1, 9), dice.randint(1, 5)
        pairs = [(dice.choice([0.0, 1.0, 2.5]), choice) for choice in dice.sample(range(20), count)]
        scores = np.array([score for score, _ in pairs] + [99.0])
        choices = np.array([choice for _, choice in pairs] + [-1])
        _best_first(scores, choices, count, wanted)
        best = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))[:wanted]
        assert list(zip(scores.tolist(), choices.tolist(), strict=True))[: len(best)] == best
        assert (scores[count], choices[count]) == (99.0, -1)
