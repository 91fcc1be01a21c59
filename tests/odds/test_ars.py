"""Average Rank Strength: the tables against the means that they are said to hold."""

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest

from felt import _tables
from felt.cards.card import format_cards, parse_cards
from felt.cards.combos import CLASS_NAMES, COMBO_CARDS, class_index
from felt.cards.isomorphism import CLASS_REPRESENTATIVE
from felt.cards.ranking.evaluator import rank_batch, rank_cards
from felt.errors import FeltError
from felt.odds import ars, expected_hs_batch, rank_strength, strength
from felt.odds.strength.ars import SCALE, ars_batch

STEP = 1 / SCALE


@pytest.mark.parametrize("name", ["AA", "AKs", "T9o", "72o"])
def test_flop_every_cell_of_a_starting_hand(name: str) -> None:
    """All 19,600 flops of one hand, grouped by rank: mean, least and most of their exact E[HS]."""
    which = CLASS_NAMES.index(name)
    hole = COMBO_CARDS[CLASS_REPRESENTATIVE[which]]
    flops = np.array(list(combinations(sorted(set(range(52)) - set(hole.tolist())), 3)))
    holes = np.broadcast_to(hole, (len(flops), 2))
    ranks, strengths = rank_batch(np.hstack([holes, flops])), expected_hs_batch(holes, flops)
    table = _tables.load_archive("ars_flop")
    for value in range(1, 7463):
        here = strengths[ranks == value]
        for statistic, found in ((np.mean, "mean"), (np.min, "least"), (np.max, "most")):
            expected = float(statistic(here)) if len(here) else 0.0
            assert abs(table[found][value, which] / SCALE - expected) <= STEP / 2 + 1e-9


@pytest.mark.parametrize(
    ("hand", "board"),
    [("KsQs", "JsTs9s2c"), ("7c7d", "7h7s2c3d"), ("AcAd", "AhKsKdKc"), ("3h2h", "6h5h4hKd")],
)
def test_turn_cells_of_rare_hands(hand: str, board: str) -> None:
    """The mean over every turn board on which these hole cards have this rank (few, so they can be counted)."""
    hole, cards = parse_cards(hand), parse_cards(board)
    rest = sorted(set(range(52)) - set(hole))
    boards = np.array(list(combinations(rest, 4)))
    ranks = rank_batch(np.hstack([np.broadcast_to(hole, (len(boards), 2)), boards]))
    alike = boards[ranks == rank_cards(hole + cards)]
    strengths = [strength(hand, format_cards(b)).expected_hs for b in alike.tolist()]
    found = rank_strength(hand, board)
    assert 0 < len(alike) < 600
    assert found.mean == pytest.approx(fmean(strengths), abs=STEP)
    assert (found.least, found.most) == (
        pytest.approx(min(strengths), abs=STEP),
        pytest.approx(max(strengths), abs=STEP),
    )


def test_river_royal_flush() -> None:
    """With AKs of spades: QsJsTs and any two of 47 cards (1,081 boards, always won), or a royal flush of another
    suit on the board (3 boards, always shared)."""
    found = rank_strength("AsKs", "QsJsTs2c3d")
    assert found.mean == pytest.approx((1081 + 3 * 0.5) / 1084, abs=STEP)
    assert (found.least, found.most) == (pytest.approx(0.5, abs=STEP), 1.0)


def test_river_four_sevens() -> None:
    """With A7o the rank "four sevens, ace kicker" means three sevens on the board and any two of 47 cards."""
    hole, sevens = parse_cards("Ac7d"), parse_cards("7c7h7s")
    rest = [card for card in range(52) if card not in hole + sevens]
    boards = [(*sevens, *two) for two in combinations(rest, 2)]
    assert len({rank_cards(hole + board) for board in boards}) == 1
    strengths = [strength("Ac7d", format_cards(board)).expected_hs for board in boards]
    found = rank_strength("Ac7d", format_cards(boards[0]))
    assert found.mean == pytest.approx(fmean(strengths), abs=STEP)
    assert found.least == pytest.approx(min(strengths), abs=STEP)
    assert found.most == pytest.approx(max(strengths), abs=STEP)


def test_cells_that_no_hand_reaches_are_empty() -> None:
    for street in ("flop", "turn", "river"):
        table = _tables.load_archive(f"ars_{street}")
        assert {name: part.shape for name, part in table.items()} == dict.fromkeys(
            ("mean", "least", "most"), (7463, 169)
        )
        assert not table["mean"][0].any()
        royal_flush = table["mean"][7462, class_index(*parse_cards("7c2d"))]
        assert royal_flush == (32768 if street == "river" else 0)  # only when all of it lies on the board
        assert (table["least"] <= table["mean"]).all()
        assert (table["mean"] <= table["most"]).all()


@pytest.mark.no_jit
def test_opponents_are_a_power() -> None:
    one = ars("AsAd", "2c5hTh")
    assert one == rank_strength("AsAd", "2c5hTh").mean
    assert ars("AsAd", "2c5hTh", 3) == pytest.approx(one**3)


@pytest.mark.no_jit
def test_a_random_part_of_the_error_stays_within_what_is_known() -> None:
    found, chance = rank_strength("AsAd", "2c5hTh"), np.random.default_rng(0)
    moved = [ars("AsAd", "2c5hTh", rng=chance) for _ in range(200)]
    assert min(moved) >= found.least
    assert max(moved) <= found.most
    assert len(set(moved)) > 100
    assert ars("AsAd", "2c5hTh", rng=np.random.default_rng(0)) == moved[0]


@pytest.mark.parametrize(("street", "size"), [("flop", 5), ("turn", 6), ("river", 7)])
def test_batches_are_single_hands(street: str, size: int) -> None:
    chance = np.random.default_rng(size)
    cards = np.array([chance.choice(52, size, replace=False) for _ in range(50)])
    classes = np.array([class_index(*hole) for hole in cards[:, :2].tolist()])
    found = ars_batch(rank_batch(cards), classes, street)
    single = [ars(format_cards(hand[:2]), format_cards(hand[2:])) for hand in cards.tolist()]
    assert found == pytest.approx(np.array(single))


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hand", "board", "opponents", "part"),
    [
        ("AsAd", "", 1, "'AsAd' on ''"),
        ("AsAd", "2c3c", 1, "'AsAd' on '2c3c'"),
        ("AsAdAc", "2c3c4c", 1, "two hole cards"),
        ("AsAd", "2c3c4c5c6c7c", 1, "3 to 5 board cards"),
        ("AsAd", "As3c4c", 1, "As is in the hand"),
        ("AsAd", "2c3cJk", 1, "Jk cannot be ranked"),
        ("JkAd", "2c3c4c", 1, "Jk cannot be ranked"),
        ("AsAd", "2c3c4c", 0, "opponents=0"),
    ],
)
def test_mistakes(hand: str, board: str, opponents: int, part: str) -> None:
    with pytest.raises(FeltError) as caught:
        ars(hand, board, opponents)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
def test_a_street_without_a_board_is_refused() -> None:
    with pytest.raises(FeltError, match="'preflop' is not a street"):
        ars_batch(np.array([1]), np.array([1]), "preflop")
