"""Rank values in words: one name for each class, as players would say it."""

import subprocess
import sys

import numpy as np
import pytest

from felt.cards.ranking.kinds import KINDS, find_kind, hand_classes
from felt.cards.ranking.names import RANK_WORDS, category, describe, rank_words
from felt.errors import FeltError

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_classes_share_a_name(kind: str) -> None:
    classes = find_kind(kind).classes
    assert len({describe(value, kind) for value in range(1, classes + 1)}) == classes


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_plain_words(kind: str) -> None:
    for value in range(1, find_kind(kind).classes + 1):
        name = describe(value, kind)
        assert name == name.strip()
        assert "\n" not in name
        assert ", ," not in name and "()" not in name and "--" not in name


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (7462, "royal flush"),
        (7461, "straight flush, king high"),
        (7453, "straight flush, five high"),
        (7452, "four of a kind, aces, king kicker"),
        (7297, "four of a kind, twos, three kicker"),
        (7296, "full house, aces full of kings"),
        (7141, "full house, twos full of threes"),
        (7140, "flush, ace-king-queen-jack-nine"),
        (5864, "flush, seven-five-four-three-two"),
        (5863, "straight, ace high"),
        (5854, "straight, five high"),
        (5853, "three of a kind, aces, king-queen kickers"),
        (4996, "three of a kind, twos, four-three kickers"),
        (4995, "two pair, aces and kings, queen kicker"),
        (4907, "two pair, aces and fives, king kicker"),
        (4138, "two pair, threes and twos, four kicker"),
        (4137, "pair of aces, king-queen-jack kickers"),
        (1278, "pair of twos, five-four-three kickers"),
        (1277, "high card, ace-king-queen-jack-nine"),
        (1, "high card, seven-five-four-three-two"),
    ],
)
def test_high_hands_at_the_borders_of_their_families(value: int, name: str) -> None:
    assert describe(value) == name


@pytest.mark.parametrize(
    ("kind", "value", "name"),
    [
        ("low-a5", 6175, "wheel (5-4-3-2-A)"),
        ("low-a5", 6174, "six-four low (6-4-3-2-A)"),
        ("low-a5", 4888, "pair of aces, four-three-two kickers"),
        ("low-a5", 1, "four of a kind, kings, queen kicker"),
        ("low-27", 7462, "seven-five low (7-5-4-3-2)"),
        ("low-27", 1, "straight flush, ace high"),
        ("low-8", 56, "wheel (5-4-3-2-A)"),
        ("low-8", 1, "eight-seven low (8-7-6-5-4)"),
        ("low-8", 0, "no low"),
        ("badugi", 1092, "four-card badugi, 4-3-2-A"),
        ("badugi", 377, "three-card hand, 3-2-A"),
        ("badugi", 91, "two-card hand, 2-A"),
        ("badugi", 1, "one-card hand, K"),
        ("short", 1404, "royal flush"),
        ("short", 1399, "straight flush, nine high"),
        ("short", 1326, "flush, ace-king-queen-jack-nine"),
        ("short", 1206, "full house, aces full of kings"),
        ("short-trips", 1134, "three of a kind, aces, king-queen kickers"),
        ("high-4", 1820, "four of a kind, aces"),
        ("high-3", 443, "three of a kind, twos"),
        ("high-3", 442, "pair of aces, king kicker"),
        ("high-2", 78, "high card, ace-king"),
        ("high-1", 13, "high card, ace"),
        ("low-a5-4", 1820, "four-three low (4-3-2-A)"),
        ("low-a5-2", 91, "two-ace low"),
        ("low-a5-1", 13, "ace low"),
    ],
)
def test_other_kinds(kind: str, value: int, name: str) -> None:
    assert describe(value, kind) == name


@pytest.mark.parametrize("kind", KINDS)
def test_the_family_begins_the_name(kind: str) -> None:
    for value in range(1, find_kind(kind).classes + 1):
        family, name = category(value, kind), describe(value, kind)
        assert family == str(hand_classes(kind)[value - 1].category)
        assert name.startswith(family) or family in ("high card", "low", "badugi") or name == "royal flush"


def test_no_low_is_a_family_too() -> None:
    assert category(0, "low-8") == "no low"


def test_values_from_arrays() -> None:
    assert describe(np.uint16(7462)) == "royal flush"


def test_the_plural_of_six() -> None:
    assert [rank_words(rank) for rank in (0, 4, 12)] == ["twos", "sixes", "aces"]
    assert [RANK_WORDS[rank] for rank in (0, 4, 12)] == ["two", "six", "ace"]


@pytest.mark.parametrize(
    ("value", "kind"), [(0, "high"), (7463, "high"), (-1, "low-8"), (57, "low-8"), (1, "middling")]
)
def test_values_that_name_nothing(value: int, kind: str) -> None:
    with pytest.raises(FeltError) as caught:
        describe(value, kind)
    assert repr(kind) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_need_no_compiler() -> None:
    code = "import sys, felt.cards.ranking.names as n; n.describe(7462); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
