"""Ranges as values: their arithmetic, and text that reads back as the same weights."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index
from felt.cards.ranges.notation_writer import STYLES
from felt.cards.ranges.range import Range, combo_text, format_range
from felt.errors import CardError, RangeError

WEIGHT = st.one_of(
    st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.1, 0.3]),
    st.integers(0, 100).map(lambda percent: percent / 100),
    st.floats(0, 1, allow_subnormal=True),
)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Blocks of classes at a few weights, with some single combos changed, as solvers give them."""
    classes = np.zeros(169)
    for _ in range(draw(st.integers(0, 8))):
        start, step = draw(st.integers(0, 168)), draw(st.sampled_from([1, 13, 14]))
        classes[start : start + step * draw(st.integers(1, 14)) : step] = draw(WEIGHT)
    weights = classes[COMBO_CLASS]
    for combo, weight in draw(st.dictionaries(st.integers(0, 1325), WEIGHT, max_size=6)).items():
        weights[combo] = weight
    return Range(weights)


NOT_EMPTY = ranges().filter(len)


@given(NOT_EMPTY)
def test_text_reads_back_exactly(hands: Range) -> None:
    assert Range.parse(str(hands)) == hands


@given(st.lists(WEIGHT, min_size=169, max_size=169).filter(any))
def test_any_169_weights_read_back_exactly(weights: list[float]) -> None:
    hands = Range.from_classes(weights)
    assert Range.parse(str(hands)) == hands
    assert hands.class_weights().tolist() == weights


@given(NOT_EMPTY, st.sampled_from(["pio", "gto+", "equilab"]))
def test_other_spellings_read_back(hands: Range, style: str) -> None:
    again = Range.parse(format_range(hands, style))
    assert np.allclose(again.weights, hands.weights, rtol=1e-15, atol=1e-300)


@given(ranges(), ranges())
def test_set_operations_go_by_weight(one: Range, other: Range) -> None:
    either, both, left, rest = one | other, one & other, one - other, ~one
    for combo, (a, b) in enumerate(zip(one.weights.tolist(), other.weights.tolist(), strict=True)):
        assert either.weights[combo] == max(a, b)
        assert both.weights[combo] == min(a, b)
        assert abs(left.weights[combo] - max(a - b, 0)) < 1e-15
        assert abs(rest.weights[combo] - (1 - a)) < 1e-15


@given(ranges(), ranges())
def test_laws_of_sets(one: Range, other: Range) -> None:
    assert one | other == other | one and one & other == other & one
    assert one | one == one and one & one == one
    assert one | Range.empty() == one and one & Range.full() == one
    assert not (one - one).weights.any()
    assert (one | other).combos + (one & other).combos == pytest.approx(one.combos + other.combos)


@given(ranges(), st.sets(st.integers(0, 51), max_size=5))
def test_known_cards_leave_no_combo_that_holds_them(hands: Range, cards: set[int]) -> None:
    left = hands.without(cards)
    for combo, weight in hands:
        held = {4 * "23456789TJQKA".index(combo[i]) + "cdhs".index(combo[i + 1]) for i in (0, 2)}
        assert left.weights[combo_index(*held)] == (0 if held & cards else weight)
    assert len(left) <= len(hands)


def test_differences_are_tidy() -> None:
    assert str(~Range.parse("random:0.9")) == "random:0.1"
    assert str(Range.parse("AA") - Range.parse("AA:0.7")) == "AA:0.3"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AA,KK", "KK+"),
        ("QQ,KK", "KK-QQ"),
        ("AA:0.5, KK, QQ:1.0, JJ:0.5", "AA:0.5,KK-QQ,JJ:0.5"),
        ("AKs,AKo,AQs,AQo,AA", "AA,AQ+"),
        ("AK,AQ,AJs", "AJs+,AQo+"),
        ("AK:0.5, AQs, AQo:0.5", "AKs:0.5,AQs,AQo+:0.5"),
        ("A5s,A4s,A3s,A2s:0.5", "A5s-A3s,A2s:0.5"),
        ("KQ,KT,K9,K8,K6,K5", "KQ,KT-K8,K6-K5"),
        ("JTs,T9s,98s,87s,76s", "JTs-76s"),
        ("JTs,T9s,98s:0.5,87s", "JTs,T9s,98s:0.5,87s"),
        ("76s+", "AKs-76s"),
        ("AKs,AQs,KQs,QJs,JTs", "AQs+,KQs-JTs"),
        ("AsKs,AhKh,AdKd", "AsKs,AhKh,AdKd"),
        ("AsKs,AhKh,AdKd,AcKc", "AKs"),
        ("KK, KsKh:0.5", "KsKh:0.5,KsKd,KsKc,KhKd,KhKc,KdKc"),
        ("KsKh, AKs", "AKs,KsKh"),
        ("XX", "random"),
        ("*:0.25", "random:0.25"),
        (
            "22+,A2s+,K9s+,QTs+,JTs,ATo+,KTo+",
            "22+,A2s+,K9s+,QTs+,JTs,ATo+,KTo+",
        ),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Range.parse(text)) == canonical


STRONG = "QQ+, AKs:0.5, AJs, KJs-KTs, AsKd:0.25"


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("felt", "QQ+,AKs:0.5,AJs,KJs-KTs,AsKd:0.25"),
        ("pio", "AA,KK,QQ,AKs:0.5,AJs,KJs,KTs,AsKd:0.25"),
        ("gto+", "AA-QQ,AJs,KJs-KTs,[50.0]AKs[/50.0],[25.0]AsKd[/25.0]"),
        ("equilab", "QQ+,AKs@50,AJs,KJs-KTs,AsKd@25"),
    ],
)
def test_spellings(style: str, text: str) -> None:
    assert format_range(Range.parse(STRONG), style) == text


def test_texassolver_wants_whole_classes() -> None:
    assert format_range(Range.parse("QQ+,AK:0.5,72o:0.005"), "texassolver") == "AA,KK,QQ,AK:0.5"
    with pytest.raises(RangeError, match="AsKd"):
        format_range(Range.parse(STRONG), "texassolver")


def test_unknown_style() -> None:
    with pytest.raises(RangeError, match=f"'word'.*{STYLES[1]}"):
        format_range(Range.parse("AA"), "word")


def test_a_small_weight_in_per_cent_cannot_be_mistaken_for_a_share() -> None:
    text = format_range(Range.parse("AA:0.005"), "equilab")
    assert text == "AA@0.5%" and Range.parse(text).weight("AA") == 0.005


def test_counting() -> None:
    hands = Range.parse("AA, AKs:0.5, QsJs")
    assert (hands.combos, len(hands)) == (9.0, 11)
    assert hands.share == 9 / 1326
    assert [hands.weight(hand) for hand in ("AA", "AKs", "AK", "QJs", "QsJs", "22")] == [1, 0.5, 0.125, 0.25, 1, 0]
    assert "AsAh" in hands and "AKs" in hands and "AK" not in hands and "QJs" not in hands
    assert bool(hands) and not Range.empty()


def test_iteration_gives_combos_and_weights() -> None:
    assert list(Range.parse("22:0.5, AsKd")) == [
        ("AsKd", 1.0),
        *((combo, 0.5) for combo in ("2s2h", "2s2d", "2s2c", "2h2d", "2h2c", "2d2c")),
    ]


def test_the_grid_is_the_chart() -> None:
    grid = Range.parse("AA, AKs:0.5, AKo:0.25, 2s2h").grid()
    assert grid.shape == (13, 13)
    assert (grid[0, 0], grid[0, 1], grid[1, 0], grid[12, 12]) == (1, 0.5, 0.25, 1 / 6)
    assert grid.sum() == pytest.approx(1.75 + 1 / 6)


def test_the_mean_of_equal_weights_is_that_weight() -> None:
    hands = Range.full() * 0.1
    assert (hands.class_weights() == 0.1).all() and hands.weight("AKo") == 0.1


def test_ranges_are_values() -> None:
    one, other = Range.parse("TT+,AKs:0.3"), Range.parse("AKs@30 TT-AA")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != Range.parse("TT+") and one != "TT+,AKs:0.3"
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(Range(np.zeros(1326) * -1.0)) == hash(Range.empty())


@pytest.mark.parametrize("make", [lambda r: r, lambda r: pickle.loads(pickle.dumps(r)), lambda r: r | r])
def test_weights_cannot_be_changed(make) -> None:  # type: ignore[no-untyped-def]
    hands = make(Range.parse("AA"))
    with pytest.raises(ValueError, match="read-only"):
        hands.weights[0] = 1
    with pytest.raises(AttributeError):
        hands.weights = np.zeros(1326)


def test_weights_are_copied() -> None:
    weights = np.zeros(1326)
    hands = Range(weights)
    weights[0] = 1
    assert not hands.weights.any()


def test_from_hands() -> None:
    assert Range.from_hands(["AA", "AsKd", [49, 50]]) == Range.parse("AA,AsKd,AhAd")
    assert Range.from_hands({"QQ+": 1, "KK": 0.5}) == Range.parse("QQ+,KK:0.5")
    assert Range.from_hands([]) == Range.empty()
    assert Range.from_hands([(51, 45)]) == Range.parse("AsKd")


def test_top() -> None:
    assert Range.top(20, "chen") == Range.parse("20% by chen") == Range.parse("20%", ranking="chen")
    assert Range.top(100) == Range.full() and Range.top(0) == Range.empty()
    assert Range.top(3).combos == pytest.approx(39.78)


def test_repr_can_be_evaluated() -> None:
    for hands in (Range.parse("TT+,AsKd:0.5"), Range.empty()):
        assert eval(repr(hands)) == hands
    assert str(Range.empty()) == ""


def test_scaling() -> None:
    assert str(Range.parse("AA,KK:0.5") * 0.5) == "AA:0.5,KK:0.25"
    assert 2 * Range.parse("AA:0.5") == Range.parse("AA")
    with pytest.raises(RangeError, match="weight 2 of AdAc"):
        Range.parse("AA") * 2
    with pytest.raises(RangeError, match="negative"):
        Range.parse("AA").scaled(-1)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros(169), "1,326 weights"),
        (np.full(1326, 1.5), "weight 1.5 of 2d2c"),
        (np.full(1326, np.nan), "weight nan of 2d2c"),
        (np.full(1326, -0.1), "weight -0.1 of 2d2c"),
    ],
)
def test_wrong_weights(weights: np.ndarray, message: str) -> None:
    with pytest.raises(RangeError, match=message):
        Range(weights)


def test_other_mistakes() -> None:
    with pytest.raises(RangeError, match="169"):
        Range.from_classes(np.zeros(168))
    with pytest.raises(RangeError, match="weight 2 of"):
        Range.from_hands({"AA": 2})
    with pytest.raises(CardError):
        Range.full().without("Zz")


def test_combo_text() -> None:
    assert [combo_text(combo) for combo in (0, 1, 6, 1325)] == ["2d2c", "2h2c", "3c2c", "AsAh"]
    assert sorted({combo_text(i)[0] for i in range(1326)}) == sorted({name[0] for name in CLASS_NAMES})
