"""Scoring formulas: reading, walking and running them, and every way in which one can be wrong."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import rank
from felt.games.catalogue import load
from felt.games.rules import RulesError, Score, Showdown
from felt.games.scoring.expressions import FormulaError, bounds, evaluate, evaluate_exactly, parse_formula
from felt.games.scoring.formulas import compile_scoring, score, score_batch, score_name

Meaning = Callable[[Sequence[int]], int]


def value(text: str, cards: str = "2cKdAs") -> int:
    return evaluate(parse_formula(text, cards=3), parse_cards(cards))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("100 / 7 / 2", 7),
        ("-7 / 2", -4),
        ("-7 % 3", 2),
        ("2 * -3", -6),
        ("--3", 3),
        ("$c1.rank", 0),
        ("$c2.rank", 11),
        ("$c3", 12),
        ("$c3.value", 12),
        ("$c3.suit", 3),
        ("$C2.Suit", 1),
        ("1 < 2", 1),
        ("2 <= 1", 0),
        ("3 > 2", 1),
        ("3 >= 4", 0),
        ("3 == 3", 1),
        ("3 != 3", 0),
        ("3 <> 4", 1),
        ("1 + 1 == 2", 1),
        ("1 == 1 and 2 == 2", 1),
        ("1 == 1 AND 2 == 3", 0),
        ("0 or 7", 1),
        ("0 || 0", 0),
        ("5 && 6", 1),
        ("not 1 == 2", 1),
        ("!0 + 1", 2),
        ("not 0 and 0", 0),
        ("1 or 0 and 0", 1),
        ("1 ? 2 : 3", 2),
        ("0 ? 2 : 3", 3),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("1 ? 0 ? 1 : 2 : 3", 2),
        ("1 ? 2 : 3 + 10", 2),
        ("(1 ? 2 : 3) + 10", 12),
        ("$c3.rank == 12 ? $c2.rank * 100 : 0", 1100),
        ("  1\n\t+\r\n1 ", 2),
        ("3 × 4 − 2", 10),
    ],
)
def test_values(text: str, expected: int) -> None:
    assert value(text) == expected
    showdown = Showdown(size=3, scoring=(Score("all", 0, text, default=True, sort=False),))
    hand = np.array([parse_cards("2cKdAs")])
    zero = Showdown(size=3, scoring=(Score("all", 0, "0", default=True),))
    assert int(score_batch(showdown, hand)[0] - score_batch(zero, hand)[0]) == expected


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 0, "the formula is empty"),
        ("   ", 3, "the formula is empty"),
        ("1 +", 3, "the end of the formula where a number, a card such as $c1.rank or '(' is wanted"),
        ("1 + * 2", 4, "'*' where a number"),
        (") 1", 0, "')' where a number"),
        ("1 2", 2, "'2' where an operator such as '+', '==' or '?' is wanted"),
        ("1)", 1, "')' where an operator"),
        ("(1 + 2", 6, "the end of the formula where ')' is wanted: the bracket at 1 is open"),
        ("1 = 2", 2, "'=' compares nothing: write '=='"),
        ("1 ? 2 = 3 : 4", 6, "'=' compares nothing: write '=='"),
        ("1 < 2 < 3", 6, "comparisons cannot be chained: join two of them with 'and'"),
        ("1 == 2 != 3", 7, "comparisons cannot be chained"),
        ("1 ? 2", 5, "the end of the formula where ':' is wanted: every '?' needs its ':'"),
        ("1 ? 2 3", 6, "'3' where ':' is wanted: every '?' needs its ':' (test ? one value : another)"),
        ("1 : 2", 2, "':' where an operator"),
        ("$c4.rank", 0, "'$c4.rank' is no card of the hand: use $c1 to $c3 with .rank or .suit"),
        ("$c0.rank", 0, "'$c0.rank' is no card"),
        ("1 + $c1.colour", 4, "'$c1.colour' is no card"),
        ("$", 0, "'$' is no card"),
        ("rank", 0, "'rank' means nothing here: write $c1.rank for a card"),
        ("exit()", 0, "'exit' means nothing here"),
        ("1.5", 0, "1.5 is not a whole number"),
        ("1 ^ 2", 2, "'^' is not part of the language"),
        ("1 & 2", 2, "'&' is not part of the language"),
        ("1234567890123456", 0, "the number 123456789012345… is too long"),
        ("(" * 61 + "1" + ")" * 61, 60, "nested more than 60 deep"),
        ("-" * 100 + "1", 60, "nested more than 60 deep"),
        ("1" + "+1" * 301, 601, "the formula has 301 operators: use up to 300"),
        ("1" * 20_001, 0, "the formula has 20001 characters"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(text: str, at: int, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, cards=3)
    assert message in str(caught.value)
    assert caught.value.at == at


def test_the_pair_formula_as_printed_lacks_a_colon() -> None:
    """Its last choice has two values side by side (Teófilo 2016, appendix C.5); with the colon it is right."""
    printed = (
        "$c5.rank == $c4.rank ? $c5.rank * 100000 + $c3.rank : $c3.rank == $c2.rank ? $c3.rank * 100000 + $c1.rank "
        "$c2.rank * 100000 + $c3.rank"
    )
    with pytest.raises(FormulaError, match=r"^'\$c2.rank' where ':' is wanted: every '\?' needs its ':'"):
        parse_formula(printed, cards=5)
    mended = printed.replace("$c1.rank $c2", "$c1.rank : $c2")
    assert evaluate(parse_formula(mended, cards=5), parse_cards("2c2d5h9sAs")) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / $c1.rank", "the number right of '/' can be 0: it must be 1 or more"),
        ("1 % ($c1.rank - 1)", "the number right of '%' can be -1"),
        ("99999999 * 99999999", "can reach 9999999800000001: stay within 2^46"),
        ("0 - 99999999 * 99999999", "can reach"),
        ("999999999999999", "999999999999999 is too large: stay within 2^46"),
    ],
)
def test_formulas_that_could_go_wrong_when_they_run_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        bounds(parse_formula(text, cards=2))
    assert message in str(caught.value)


def test_parameters() -> None:
    known = {"big": Fraction(3), "small": Fraction(1, 2)}
    assert evaluate_exactly(parse_formula("big / 2 + small", names=known), known) == 2
    assert evaluate_exactly(parse_formula("1.25 * big", names=known), known) == Fraction(15, 4)
    with pytest.raises(FormulaError, match="'ante' means nothing here: the parameters here are big, small"):
        parse_formula("ante", names=known)
    with pytest.raises(FormulaError, match="stands for a card; here only parameters are known"):
        parse_formula("$c1", names=known)
    with pytest.raises(FormulaError, match="divides by 0"):
        evaluate_exactly(parse_formula("1 / (small + small - 1)", names=known), known)


def _joined(sign: str, left: Meaning, right: Meaning) -> Meaning:
    """What a sign means, in Python's own words."""
    return {
        "+": lambda c: left(c) + right(c),
        "-": lambda c: left(c) - right(c),
        "*": lambda c: left(c) * right(c),
        "==": lambda c: int(left(c) == right(c)),
        "!=": lambda c: int(left(c) != right(c)),
        "<": lambda c: int(left(c) < right(c)),
        "<=": lambda c: int(left(c) <= right(c)),
        ">": lambda c: int(left(c) > right(c)),
        ">=": lambda c: int(left(c) >= right(c)),
        "and": lambda c: int(left(c) != 0 and right(c) != 0),
        "or": lambda c: int(left(c) != 0 or right(c) != 0),
    }[sign]


Pair = tuple[str, Meaning]
leaves = st.one_of(
    st.integers(0, 20).map(lambda n: (str(n), lambda c: n)),
    st.integers(0, 2).map(lambda i: (f"$c{i + 1}.rank", lambda c: c[i] // 4)),
    st.integers(0, 2).map(lambda i: (f"$c{i + 1}.suit", lambda c: c[i] % 4)),
)
SIGNS = ["+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "and", "or"]


def _grown(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    return st.one_of(
        st.tuples(st.sampled_from(SIGNS), inner, inner).map(
            lambda t: (f"({t[1][0]} {t[0]} {t[2][0]})", _joined(t[0], t[1][1], t[2][1]))
        ),
        st.tuples(inner, inner, inner).map(
            lambda t: (f"({t[0][0]} ? {t[1][0]} : {t[2][0]})", lambda c: t[1][1](c) if t[0][1](c) else t[2][1](c))
        ),
        inner.map(lambda p: (f"(not {p[0]})", lambda c: int(not p[1](c)))),
        inner.map(lambda p: (f"(-{p[0]})", lambda c: -p[1](c))),
        inner.map(lambda p: (f"({p[0]} / 3)", lambda c: p[1](c) // 3)),
        inner.map(lambda p: (f"({p[0]} % 5)", lambda c: p[1](c) % 5)),
    )


formulas = st.recursive(leaves, _grown, max_leaves=12)


@given(formulas, st.lists(st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True), min_size=1, max_size=4))
@settings(max_examples=150)
def test_trees_and_programs_mean_what_the_formula_says(formula: Pair, hands: list[list[int]]) -> None:
    text, meaning = formula
    tree = parse_formula(text, cards=3)
    try:
        least, most = bounds(tree)
    except FormulaError:
        return  # too large: refused when the rules are built
    showdown = Showdown(size=3, scoring=(Score("all", 0, text, default=True, sort=False),))
    values = score_batch(showdown, np.array(hands))
    for hand, fast in zip(hands, values, strict=True):
        expected = meaning(hand)
        assert evaluate(tree, hand) == expected
        assert least <= expected <= most
        assert int(fast) == score(showdown, hand)


CLASSIC = Showdown(
    size=5,
    scoring=(
        Score("high card", 0, "$c5 * 28561 + $c4 * 2197 + $c3.rank * 169 + $c2.rank * 13 + $c1.rank", default=True),
        Score(
            "pair",
            1,
            "$c5.rank == $c4.rank ? $c5.rank * 10000 + $c3.rank * 169 + $c2.rank * 13 + $c1.rank :"
            "$c4.rank == $c3.rank ? $c4.rank * 10000 + $c5.rank * 169 + $c2.rank * 13 + $c1.rank :"
            "$c3.rank == $c2.rank ? $c3.rank * 10000 + $c5.rank * 169 + $c4.rank * 13 + $c1.rank :"
            "$c2.rank * 10000 + $c5.rank * 169 + $c4.rank * 13 + $c3.rank",
            ("$c5 == $c4 or $c4 == $c3 or $c3 == $c2 or $c2 == $c1",),
        ),
        Score(
            "two pair",
            2,
            "$c4.rank * 169 + $c2.rank * 13 + ($c5 != $c4 ? $c5 : $c3 != $c4 and $c3 != $c2 ? $c3 : $c1)",
            ("($c5 == $c4 and ($c3 == $c2 or $c2 == $c1)) or ($c4 == $c3 and $c2 == $c1)",),
        ),
        Score(
            "trips",
            3,
            "$c3 * 169 + ($c5 == $c3 ? $c2 * 13 + $c1 : $c4 == $c3 ? $c5 * 13 + $c1 : $c5 * 13 + $c4)",
            ("$c5 == $c3 or $c4 == $c2 or $c3 == $c1",),
        ),
        Score(
            "straight",
            4,
            "$c1 == 0 and $c5 == 12 ? 3 : $c5",
            ("($c1+1 == $c2 and $c2+1 == $c3 and $c3+1 == $c4) and ($c4+1 == $c5 or $c1 == 0 and $c5 == 12)",),
        ),
        Score(
            "flush",
            5,
            "(($c5 * 13 + $c4) * 13 + $c3) * 169 + $c2 * 13 + $c1",
            ("$c1.suit == $c2.suit", "$c2.suit == $c3.suit", "$c3.suit == $c4.suit && $c4.suit == $c5.suit"),
        ),
        Score("full house", 6, "$c3 * 13 + ($c3 == $c5 ? $c1 : $c5)",
              ("$c1 == $c2 and $c4 == $c5 and ($c3 == $c2 or $c3 == $c4)",)),
        Score("quads", 7, "$c3 * 13 + ($c1 == $c3 ? $c5 : $c1)", ("$c1 == $c4 or $c2 == $c5",)),
        Score(
            "straight flush",
            8,
            "$c1 == 0 and $c5 == 12 ? 3 : $c5",
            ("$c1+1 == $c2 and $c2+1 == $c3 and $c3+1 == $c4 and ($c4+1 == $c5 or $c1 == 0 and $c5 == 12)",
             "not ($c1.suit != $c2.suit or $c2.suit != $c3.suit or $c3.suit != $c4.suit or $c4.suit != $c5.suit)"),
        ),
    ),
)  # fmt: skip
"""The classic hands, written as formulas."""


def test_the_classic_hands_as_formulas_compare_as_the_ranks_do() -> None:
    chance = random.Random(3)
    hands = [chance.sample(range(52), 5) for _ in range(3000)]
    hands += [chance.sample(range(0, 52, 4), 5) for _ in range(200)]
    hands += [chance.sample(range(20), 5) for _ in range(600)]
    values = score_batch(CLASSIC, np.array(hands))
    pairs = sorted({(rank(hand), int(value)) for hand, value in zip(hands, values, strict=True)})
    assert [value for _, value in pairs] == sorted({value for _, value in pairs})
    assert len({ranked for ranked, _ in pairs}) == len(pairs)


@pytest.mark.no_jit
def test_the_best_choice_of_seven_cards() -> None:
    chance = random.Random(4)
    for _ in range(12):
        cards = chance.sample(range(52), 7)
        best = max(score(CLASSIC, five) for five in combinations(cards, 5))
        assert score(CLASSIC, cards) == best == score_batch(CLASSIC, np.array([cards]))[0]


@pytest.mark.no_jit
def test_cards_as_dealt() -> None:
    first = Showdown(size=2, scoring=(Score("first card", 0, "$c1.rank * 100 + $c2.rank", default=True, sort=False),))
    for cards in ("2cAs5d", "As2c5d", "5dAs2c"):
        found = parse_cards(cards)
        expected = max(100 * (a // 4) + b // 4 for a, b in combinations(found, 2))
        zero = score(Showdown(size=2, scoring=(Score("zero", 0, "0", default=True),)), "2c3c")
        assert score(first, cards) - zero == expected
        assert score_batch(first, np.array([found]))[0] - zero == expected


def test_some_categories_sorted_and_some_not() -> None:
    mixed = Showdown(
        size=2,
        scoring=(
            Score("down", 1, "$c1.rank", ("$c1.rank > $c2.rank",), sort=False),
            Score("up", 0, "$c2.rank", default=True),
        ),
    )
    hands = np.array([parse_cards(text) for text in ("2cAs", "As2c", "9h9d", "Ks3d")])
    values = score_batch(mixed, hands)
    assert [score_name(mixed, int(value)) for value in values] == ["up", "down", "up", "down"]
    assert [score(mixed, hand) for hand in hands] == list(values)


def test_the_default_takes_what_is_left_whatever_its_rank() -> None:
    worst = Showdown(
        size=1,
        scoring=(
            Score("red", 0, "$c1.rank", ("$c1.suit == 1 or $c1.suit == 2",)),
            Score("black", 1, "$c1.rank", default=True),
        ),
    )
    values = {text: score(worst, text) for text in ("Ad", "2s", "As", "2h")}
    assert sorted(values, key=values.__getitem__) == ["2h", "Ad", "2s", "As"]
    assert score_batch(worst, np.array([parse_cards(t) for t in values])).tolist() == list(values.values())


def test_negative_formulas_stay_within_their_category() -> None:
    low = Showdown(
        size=1,
        scoring=(Score("ace", 1, "-1000000", ("$c1.rank == 12",)), Score("low", 0, "1000000 - $c1.rank", default=True)),
    )
    assert score(low, "As") > score(low, "2s") > score(low, "Ks") > 0
    assert score_name(low, score(low, "As")) == "ace"
    assert score_name(low, score(low, "Ks")) == "low"


def test_names_of_values() -> None:
    brag = load("brag").showdown
    named = {"3s3d3h": "prial", "As2s3s": "running flush", "AsKsQd": "run", "AsKs9s": "flush", "AsAdKh": "pair"}
    values = [score(brag, cards) for cards in (*named, "AsKd9h")]
    assert [score_name(brag, value) for value in values] == [*named.values(), "high card"]
    assert values == sorted(values, reverse=True)
    for wrong in (0, -1, 1 << 60):
        with pytest.raises(RulesError, match="is not the value of a hand in this game"):
            score_name(brag, wrong)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("3s3d3h", "AsAdAh"), ("AsAdAh", "KsKdKh"), ("2s2d2h", "As2s3s"), ("As2s3s", "AsKsQs"), ("AsKsQs", "KsQsJs"),
        ("2s3s4s", "As2s3d"), ("2s3d4s", "AsKsJs"), ("4s3s2d", "AsKsJs"), ("5s3s2s", "AsAdKs"), ("2s2dAs", "2s2dKs"),
        ("3s3d2s", "2s2dAs"), ("2s2d3s", "AsKdJs"), ("AsKdJs", "AsKdTs"),
    ],
)  # fmt: skip
def test_hands_of_brag(better: str, worse: str) -> None:
    brag = load("brag").showdown
    assert score(brag, better) > score(brag, worse)


def test_too_few_cards_are_refused() -> None:
    brag = load("brag").showdown
    with pytest.raises(RulesError, match="2 cards are no hand here: give 3 or more"):
        score(brag, "AsAd")
    with pytest.raises(RulesError, match="give one hand a row, 3 to 16 cards each"):
        score_batch(brag, np.array([[1, 2]]))


def test_games_without_a_scoring_have_an_empty_program() -> None:
    plain = Showdown()
    assert len(compile_scoring(plain)[2]) == 0
    assert score_batch(plain, np.arange(5).reshape(1, 5))[0] == 0
    with pytest.raises(RulesError, match="this game has no scoring of its own"):
        score(plain, "AsKsQsJsTs")


def test_equal_rules_share_their_program() -> None:
    assert compile_scoring(CLASSIC) is compile_scoring(replace(CLASSIC))
