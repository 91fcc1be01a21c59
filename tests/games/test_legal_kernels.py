"""What may be done, as the kernel says it: fold, chips to call, least and most raise to, least and most cards."""

import numpy as np
import pytest

from felt.games import Hand, load
from felt.games.engine.compiled import compile_rules
from felt.games.engine.kernels import legal
from felt.games.rules import GameRules
from tests.games.rules_for_tests import pineapple, play

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize(
    ("rules", "stacks", "moves", "expected"),
    [
        pytest.param(load("nlhe"), [50, 50], "", (1, 1, 4, 50, -1, -1), id="the small blind"),
        pytest.param(load("nlhe"), [50, 50], "c", (1, 0, 4, 50, -1, -1), id="a free look"),
        pytest.param(load("nlhe"), [50, 50], "r20", (1, 18, 38, 50, -1, -1), id="a raise to answer"),
        pytest.param(load("nlhe"), [30, 50], "r50", (1, 28, 0, 0, -1, -1), id="all in, covered by the call"),
        pytest.param(load("nlhe"), [50, 50], "f", (0, -1, 0, 0, -1, -1), id="the hand is over"),
        pytest.param(pineapple(), [50, 50], "c c c c", (0, -1, 0, 0, 1, 1), id="a card to discard"),
        pytest.param(load("five-card-draw"), [90, 90], "c c", (0, -1, 0, 0, 0, 5), id="cards to draw"),
    ],
)
def test_the_six_numbers_of_a_decision(
    rules: GameRules, stacks: list[int], moves: str, expected: tuple[int, ...]
) -> None:
    hand = play(Hand.new(rules, stacks, 1), moves)
    out = np.full(6, 77, dtype=np.int64)
    legal(*hand.arrays, compile_rules(rules).game, out)
    assert tuple(out.tolist()) == expected
