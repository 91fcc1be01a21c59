"""Hand strength and potential against code that follows their definitions word by word."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from felt.cards.card import format_cards, parse_cards
from felt.cards.combos import CLASS_NAMES, COMBO_CARDS
from felt.cards.ranges.range import Range
from felt.cards.ranking.evaluator import rank_cards
from felt.errors import FeltError, OddsError
from felt.odds import Strength, equity, strength
from felt.odds.strength.calculate import potentials, sampled_expected_hs, starting_strength
from tests.reference import strength as slow

Cards = tuple[int, ...]

NO_SHRINKING = (Phase.explicit, Phase.generate)
"""For tests with slow twins: a failure should not look for a smaller one for minutes."""


def near(value: float | None, expected: Fraction) -> bool:
    return value is not None and abs(value - float(expected)) < 1e-12


def agrees(found: Strength, expected: slow.Measures) -> bool:
    return (
        near(found.hs, expected.hs)
        and near(found.ppot, expected.ppot)
        and near(found.npot, expected.npot)
        and near(found.ehs, expected.hs + (1 - expected.hs) * expected.ppot)
        and near(found.expected_hs, expected.expected)
        and near(found.expected_hs2, expected.expected_square)
    )


def dealt(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 51), min_size=2 + size, max_size=2 + size, unique=True)


@pytest.mark.no_jit
@settings(max_examples=4, phases=NO_SHRINKING)
@given(dealt(5))
def test_river(cards: list[int]) -> None:
    hole, board = tuple(cards[:2]), tuple(cards[2:])
    found = strength(format_cards(hole), format_cards(board))
    assert agrees(found, slow.measure(hole, board))
    assert found.ppot == found.npot == 0  # nothing changes any more
    assert found.hs == found.ehs == found.expected_hs == pytest.approx(found.expected_hs2**0.5)


@pytest.mark.no_jit
@settings(max_examples=8, phases=NO_SHRINKING)
@given(dealt(4))
def test_turn(cards: list[int]) -> None:
    hole, board = tuple(cards[:2]), tuple(cards[2:])
    found = strength(format_cards(hole), format_cards(board))
    assert agrees(found, slow.measure(hole, board, rank=rank_cards))


@pytest.mark.parametrize(
    ("hand", "board"), [("5h4h", "Kh6s3h"), pytest.param("8c8d", "8h9hTh", marks=pytest.mark.long)]
)
def test_flop(hand: str, board: str) -> None:
    assert agrees(strength(hand, board), slow.measure(parse_cards(hand), parse_cards(board), rank=rank_cards))


def weighted(opponent: Range) -> dict[Cards, Fraction]:
    live = np.flatnonzero(opponent.weights)
    return {tuple(COMBO_CARDS[i].tolist()): Fraction(float(opponent.weights[i])) for i in live}


@pytest.mark.no_jit
@pytest.mark.parametrize("text", ["QQ+,AKs", "AA:0.25,KQs:0.5,7h6h", "22,33:0.125,AhKh"])
@pytest.mark.parametrize(("hand", "board"), [("QdJd", "Qs9d2d4c"), ("3c3d", "KhKd7s2c3h"), ("AsKs", "Ad7c2h2d")])
def test_an_opponent_with_a_range(text: str, hand: str, board: str) -> None:
    opponent = Range.parse(text)
    expected = slow.measure(parse_cards(hand), parse_cards(board), weighted(opponent))
    assert agrees(strength(hand, board, opponent=text), expected)
    assert agrees(strength(hand, board, opponent=opponent), expected)


@pytest.mark.no_jit
@settings(max_examples=25)
@given(dealt(5), st.sampled_from([4, 5]), st.sampled_from(["random", "TT+,AQs+,AQo+", "22+,A2s+,KTo+:0.5"]))
def test_potential_turns_present_strength_into_equity(cards: list[int], size: int, opponent: str) -> None:
    """HS (1 − NPot) + (1 − HS) PPot is exactly E[HS], since ties count half everywhere."""
    found = strength(format_cards(cards[:2]), format_cards(cards[2 : 2 + size]), opponent=opponent)
    assert found.hs is not None and found.ppot is not None and found.npot is not None
    assert found.hs * (1 - found.npot) + (1 - found.hs) * found.ppot == pytest.approx(found.expected_hs, abs=1e-12)


@settings(max_examples=20)
@given(dealt(4), st.sampled_from([3, 4]), st.sampled_from(["random", "TT+,AQs+", "99:0.5,KTo+"]))
def test_expected_strength_is_equity(cards: list[int], size: int, opponent: str) -> None:
    hand, board = format_cards(cards[:2]), format_cards(cards[2 : 2 + size])
    found = strength(hand, board, opponent=opponent)
    assert found.expected_hs == pytest.approx(equity([hand, opponent], board=board).players[0].equity, abs=1e-12)


def test_worked_example_of_a_2020_thesis() -> None:
    """Printed there: 59.98 % to win, 1 % to tie. The first is right; the second is 1.89 %."""
    found = strength("5h4h", "Kh6s3h")
    result = equity(["5h4h", "random"], board="Kh6s3h")
    hero = result.players[0]
    assert (round(hero.win * result.samples), round(hero.tie * result.samples), result.samples) == (
        641_878,
        20_252,
        1_070_190,
    )
    assert round(100 * hero.win, 2) == 59.98
    assert round(100 * hero.tie, 2) == 1.89
    assert found.expected_hs == pytest.approx(hero.win + hero.tie / 2, abs=1e-12)
    # Only 52 (12 combos) and 42 (12) are behind hero now, and 54 (9) level: 28.5 of 1,081.
    assert found.hs == pytest.approx(28.5 / 1081, abs=1e-15)


# Before the flop


def test_before_the_flop_there_is_no_present() -> None:
    found = strength("AsKd")
    assert found.hs is found.ppot is found.npot is found.ehs is found.hs_power is found.hs_nway is None
    assert found.expected_hs_power == found.expected_hs
    assert strength("AsKd", opponents=2).expected_hs_power is None


@pytest.mark.parametrize("name", ["AA", "AKs", "JTo", "22", "72o", "T5s", "32o"])
def test_starting_hands_through_the_flop_are_those_of_the_matchup_table(name: str) -> None:
    """Two tables made by different code: the sums over flops, and the counted matchups."""
    assert starting_strength(CLASS_NAMES.index(name))[0] == pytest.approx(
        equity([name, "random"]).players[0].equity, abs=1e-12
    )


def test_squared_strength_of_a_starting_hand() -> None:
    """E[HS²] of aces over random boards, each with all 990 hands counted, is where the table says."""
    chance = np.random.default_rng(3)
    boards = [format_cards(map(int, chance.choice(50, 5, replace=False))) for _ in range(4000)]
    squares = np.array([strength("AsAh", board).expected_hs2 for board in boards])
    expected = starting_strength(CLASS_NAMES.index("AA"))[1]
    assert abs(squares.mean() - expected) < 4 * squares.std() / 2000**0.5
    assert strength("AsAh").expected_hs2 == expected


# Several opponents


@pytest.mark.parametrize("opponents", [2, 3, 9])
def test_powers_are_powers(opponents: int) -> None:
    one, many = strength("AsKd", "Kc7h2d9s"), strength("AsKd", "Kc7h2d9s", opponents=opponents)
    assert one.hs is not None and one.ppot is not None
    assert (many.hs, many.ppot, many.npot, many.ehs) == (one.hs, one.ppot, one.npot, one.ehs)
    assert many.expected_hs == one.expected_hs
    assert many.hs_power == pytest.approx(one.hs**opponents)
    assert many.ehs_power == pytest.approx(one.hs**opponents + (1 - one.hs**opponents) * one.ppot)
    runouts = [card for card in range(52) if card not in parse_cards("AsKdKc7h2d9s")]
    later = [strength("AsKd", "Kc7h2d9s" + format_cards((card,))).hs for card in runouts]
    assert many.expected_hs_power == pytest.approx(sum((hs or 0) ** opponents for hs in later) / len(later))


@pytest.mark.parametrize(("hand", "board"), [("AsKd", "Kc7h2d9s4c"), ("2c2d", "AhKhQhJhTd"), ("JcTd", "JdTcJh4s4d")])
def test_the_n_way_value_against_two_is_exact(hand: str, board: str) -> None:
    found = strength(hand, board, opponents=2)
    expected = slow.share_of_two_strangers(parse_cards(hand), parse_cards(board), rank=rank_cards)
    assert found.nway_stderr == 0
    assert near(found.hs_nway, expected)
    assert near(found.equity_nway, expected)


def test_power_and_n_way_differ() -> None:
    """Hands of opponents are not independent, and a pot shared by three is not a half."""
    found = strength("2c2d", "AhKhQsJdTd", opponents=2)  # everybody plays the board
    assert found.hs_power == 0.25
    assert found.hs_nway == found.equity_nway == pytest.approx(1 / 3)


def test_one_opponent_has_one_value() -> None:
    found = strength("AsKd", "Kc7h2d")
    assert found.hs_nway == found.hs_power == found.hs
    assert found.equity_nway == found.expected_hs == found.expected_hs_power
    assert found.nway_stderr == 0


def test_sampled_n_way_values_say_their_error_and_obey_the_seed() -> None:
    once, again, other = (strength("AsKd", "Kc7h2d", opponents=5, seed=seed) for seed in (1, 1, 2))
    assert once == again
    assert once.equity_nway != other.equity_nway
    assert 0 < once.nway_stderr <= 0.0005
    assert abs(once.equity_nway - other.equity_nway) < 6 * once.nway_stderr


# Potentials from a table


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[6, 1, 3], [1, 2, 1], [5, 2, 13]], ((5 + 1 + 0.5) / 22, (3 + 0.5 + 0.5) / 12)),
        ([[10, 0, 0], [0, 0, 0], [0, 0, 0]], (0.0, 0.0)),  # never behind: nothing to gain
        ([[0, 0, 0], [0, 0, 0], [4, 0, 4]], (0.5, 0.0)),
    ],
)
def test_potentials(matrix: list[list[float]], expected: tuple[float, float]) -> None:
    assert potentials(np.array(matrix, dtype=np.float64)) == pytest.approx(expected)


# Sampled


@pytest.mark.no_jit
def test_sampled_strength_on_the_river_is_exact() -> None:
    """There is one runout only, so every sample is the same."""
    assert sampled_expected_hs("AsKd", "Kc7h2d9s4c", samples=3) == strength("AsKd", "Kc7h2d9s4c").expected_hs


@pytest.mark.parametrize(("hand", "board"), [("5h4h", "Kh6s3h"), ("AsKd", ""), ("7c2d", "7hKs2s9d")])
def test_sampled_strength_is_near_the_exact_one(hand: str, board: str) -> None:
    exact = strength(hand, board)
    spread = (exact.expected_hs2 - exact.expected_hs**2) ** 0.5
    for samples in (100, 2500):
        found = sampled_expected_hs(hand, board, samples=samples, seed=5)
        assert abs(found - exact.expected_hs) < 4 * spread / samples**0.5
    assert found == sampled_expected_hs(hand, board, samples=2500, seed=5)
    assert found != sampled_expected_hs(hand, board, samples=2500, seed=6)


# Mistakes


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hand", "board", "options", "part"),
    [
        ("AsKdQc", "", {}, "'AsKdQc' has 3 cards"),
        ("As", "", {}, "'As' has 1 card:"),
        ("AhAh", "", {}, "Ah stands twice"),
        ("ZZ", "", {}, "'ZZ'"),
        ("AsKd", "2c", {}, "the board '2c' has 1 card:"),
        ("AsKd", "2c3c", {}, "the board '2c3c' has 2 cards"),
        ("AsKd", "2c3c4c5c6c7c", {}, "6 cards"),
        ("AsKd", "2c3c2c", {}, "2c stands twice"),
        ("AsKd", "As2c3c", {}, "As is in the hand 'AsKd' and on the board 'As2c3c'"),
        ("AsKd", "", {"opponents": 0}, "opponents=0: give 1 to 9"),
        ("AsKd", "", {"opponents": 10}, "opponents=10: give 1 to 9"),
        ("AsKd", "2c3c4c", {"opponent": "AsKd"}, "'AsKd'"),
        ("AsKd", "2c3c4c", {"opponent": "22+:2"}, "22+:2"),
        ("AsKd", "", {"opponent": "QQ+"}, "'QQ+'"),
        ("AsKd", "2c3c4c", {"opponents": 2, "seed": -1}, "seed=-1: a seed is 0 or more"),
    ],
)
def test_mistakes(hand: str, board: str, options: dict[str, object], part: str) -> None:
    with pytest.raises(FeltError) as caught:
        strength(hand, board, **options)  # type: ignore[arg-type]
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
@pytest.mark.parametrize("samples", [0, -5])
def test_samples_must_be_some(samples: int) -> None:
    with pytest.raises(OddsError, match=f"samples={samples}"):
        sampled_expected_hs("AsKd", samples=samples)
