"""What the server says with Felt's own measures is what Felt says."""

import random

import pytest

from felt.cards.card import format_cards
from felt.cards.ranking.evaluator import rank
from felt.cards.starting import chen
from felt.odds.strength.ars import ars
from felt.odds.strength.calculate import strength
from felt.server.rank.commands import Desk, Slow
from felt.server.rank.measures import felt_measures, warm


@pytest.fixture(scope="module")
def desk() -> Desk:
    measures = felt_measures()
    warm(measures)
    return Desk(measures)


def ask(desk: Desk, line: str) -> str:
    outcome = desk.take(line.encode())
    answer = outcome.answer() if isinstance(outcome, Slow) else outcome
    assert isinstance(answer, bytes)
    return answer.decode().rstrip("\n")


def test_the_worked_example_of_billings_1998(desk: Desk) -> None:
    """A♦Q♣ on 3♥4♣J♥ beats 628 of 1,081 hands, ties 9; "against five opponents" is the fifth power."""
    assert ask(desk, "HS AdQc3h4cJh") == f"{(628 + 9 / 2) / 1081:.6f}"
    assert ask(desk, "HS AdQc3h4cJh 5") == f"{((628 + 9 / 2) / 1081) ** 5:.6f}"


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("opponents", [1, 3])
def test_every_command_agrees_with_the_library(desk: Desk, size: int, opponents: int) -> None:
    rng = random.Random(size)
    for _ in range(3):
        cards = rng.sample(range(52), size)
        hand, hole, board = format_cards(cards), format_cards(cards[:2]), format_cards(cards[2:])
        found = strength(hole, board)
        assert found.hs is not None and found.ppot is not None
        hs = found.hs**opponents
        assert ask(desk, f"RANK {hand}") == str(rank(hand))
        assert ask(desk, f"CHEN {hole}") == str(chen(hole))
        assert ask(desk, f"ARS {hand} {opponents}") == f"{ars(hole, board, opponents):.6f}"
        assert ask(desk, f"HS {hand} {opponents}") == f"{hs:.6f}"
        assert ask(desk, f"HP {hand} {opponents}") == f"{found.ppot:.6f} {found.npot:.6f}"
        assert ask(desk, f"EHS {hand} {opponents}") == f"{hs + (1 - hs) * found.ppot:.6f}"


def test_powers_are_those_that_the_library_names_so(desk: Desk) -> None:
    found = strength("AdQc", "3h4cJh2s9d", opponents=2)
    assert ask(desk, "HS AdQc3h4cJh2s9d 2") == f"{found.hs_power:.6f}"
    assert ask(desk, "EHS AdQc3h4cJh2s9d 2") == f"{found.ehs_power:.6f}"


def test_nothing_is_left_to_gain_on_the_river(desk: Desk) -> None:
    assert ask(desk, "HP AdQc3h4cJh2s9d") == "0.000000 0.000000"
    assert ask(desk, "EHS AdQc3h4cJh2s9d") == ask(desk, "HS AdQc3h4cJh2s9d")
