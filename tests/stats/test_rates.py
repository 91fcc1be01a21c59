"""Win rates: exact sums, Student's intervals, and that they cover the truth as often as they say."""

import math
import random
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.errors import FeltError
from felt.stats.means import SMALL, t_quantile
from felt.stats.rates import Rate, Tally, friendly, hands_for, rate, sentence

INT64 = st.integers(-(2**63), 2**63 - 1)

# Two-sided 95 % and 99 % points as printed in the usual tables (Abramowitz & Stegun, table 26.10).
TABLE = {1: (12.706, 63.657), 2: (4.303, 9.925), 5: (2.571, 4.032), 10: (2.228, 3.169), 30: (2.042, 2.750),
         60: (2.000, 2.660), 120: (1.980, 2.617)}  # fmt: skip


@pytest.mark.parametrize("df", TABLE)
def test_quantiles_are_those_of_the_tables(df):
    assert (round(t_quantile(df), 3), round(t_quantile(df, 0.99), 3)) == TABLE[df]


def test_one_and_two_degrees_of_freedom_have_closed_forms():
    for share in (0.1, 0.5, 0.95, 0.999):
        assert t_quantile(1, share) == pytest.approx(math.tan(math.pi * share / 2), rel=1e-12)
        assert t_quantile(2, share) == pytest.approx(share * math.sqrt(2 / (1 - share**2)), rel=1e-12)


def test_the_two_ways_to_a_quantile_meet():
    """The series takes over above SMALL: the steps from one df to the next must go on smoothly there."""
    around = [t_quantile(df) for df in range(SMALL - 3, SMALL + 5)]
    assert np.abs(np.diff(around, n=4)).max() < 1e-8 and (np.diff(around) < 0).all()


def test_quantiles_are_scipys():
    stats = pytest.importorskip("scipy.stats")
    dfs = [*range(1, 300), 1000, 12_345, 10**6, 10**9]
    for confidence in (0.5, 0.9, 0.95, 0.99):
        ours = [t_quantile(df, confidence) for df in dfs]
        np.testing.assert_allclose(ours, stats.t.ppf((1 + confidence) / 2, dfs), rtol=1e-8)


def test_a_large_sample_is_nearly_normal():
    assert t_quantile(10**9) == pytest.approx(statistics.NormalDist().inv_cdf(0.975), abs=1e-8)


@pytest.mark.parametrize(("df", "confidence"), [(0, 0.95), (5, 1.0), (5, -0.1)])
def test_quantiles_of_nothing_are_refused(df, confidence):
    with pytest.raises(ValueError, match="t_quantile"):
        t_quantile(df, confidence)


@given(st.lists(INT64, min_size=2, max_size=30))
def test_any_whole_chips_are_summed_exactly(totals):
    tally = Tally(3, 7).add(np.array(totals, dtype=np.int64))
    assert tally.total == sum(totals) << 32
    assert tally.squares == sum(x * x for x in totals) << 64
    told = tally.rate()
    assert told.mbb == float(Fraction(1000 * sum(totals), len(totals) * 21))
    spread = statistics.stdev(map(Fraction, totals))
    expected = t_quantile(len(totals) - 1) * spread / math.sqrt(len(totals)) * 1000 / 21
    assert told.half == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), st.randoms(use_true_random=False))
def test_chunks_in_any_order_give_the_same_bits(totals, dice):
    whole = rate(np.array(totals), 2, 100)
    assert whole.mbb == pytest.approx(statistics.fmean(totals) * 5, abs=1e-8)
    dice.shuffle(totals)
    cut = dice.randrange(len(totals))
    tally = Tally(2, 100).add(np.array(totals[cut:])).add(np.array(totals[:cut]))
    assert tally.rate() == whole
    parts = [Tally(2, 100).add(np.array([total])) for total in totals]
    assert sum(parts[1:], parts[0]).rate() == whole


def test_more_than_a_block_is_summed_exactly():
    totals = np.full(2**20 + 5, 2**62 + 12345)
    totals[::2] *= -1
    tally = Tally(1, 2).add(totals)
    assert tally.total == int(totals[-1]) << 32 and tally.squares == (2**20 + 5) * (2**62 + 12345) ** 2 << 64


@pytest.mark.parametrize("value", [0, -150, 1, 10**9 + 7])
@pytest.mark.parametrize("units", [2, 3, 1000])
def test_equal_sets_have_no_width_at_all(value, units):
    told = rate(np.full(units, value, dtype=np.int32), 2, 100)
    assert told.half == 0.0 and told.mbb == value * 5 and told.ci95 == (told.low, told.high) == (told.mbb, told.mbb)


def test_fractions_of_chips_and_whole_chips_mix():
    mixed = Tally(1, 2).add(np.array([1, 3])).add(np.array([2.5], dtype=np.float32)).rate()
    assert mixed == rate(np.array([1.0, 3.0, 2.5]), 1, 2)


def test_too_few_sets_have_no_interval():
    nothing, one = rate(np.array([]), 2, 100), rate(np.array([50]), 2, 100)
    assert math.isnan(nothing.mbb) and nothing.hands == 0 and nothing.ci95 is None
    assert (one.mbb, one.half, one.low, one.high, one.ci95, one.units, one.hands) == (250, None, None, None, None, 1, 2)
    assert not one.settled


@pytest.mark.parametrize("bad", [np.array([1.0, np.nan]), np.array([np.inf]), np.array([1e30]), np.array(["x"])])
def test_what_is_not_a_number_of_chips_is_refused(bad):
    with pytest.raises(FeltError, match="a rate needs numbers"):
        rate(bad, 1, 2)


def test_sets_and_stakes_must_be_something_and_agree():
    with pytest.raises(FeltError, match="at least one of each"):
        Tally(0, 2)
    with pytest.raises(FeltError, match="do not add up"):
        Tally(1, 2) + Tally(2, 2)


def poker_like(dice: np.random.Generator, sets: int) -> np.ndarray:
    """Chips per set: mostly a blind or a small pot, now and then a stack; the mean is exactly 3 chips."""
    size = dice.choice([100, 50, 250, 900, 10_000], p=[0.4, 0.3, 0.2, 0.08, 0.02], size=sets)
    return size * dice.choice([-1, 1], size=sets) + 3


@pytest.mark.parametrize(("sets", "repeats"), [(400, 4000), (3000, 2000)])
def test_intervals_cover_the_truth_95_times_in_100(sets, repeats):
    dice = np.random.default_rng(7)
    covered = 0
    for _ in range(repeats):
        told = rate(poker_like(dice, sets), 2, 100)
        covered += told.low <= 15.0 <= told.high
    error = math.sqrt(0.95 * 0.05 / repeats)
    assert abs(covered / repeats - 0.95) < 3 * error


def test_intervals_of_few_sets_cover_too_where_sets_are_normal():
    dice, covered, repeats = np.random.default_rng(8), 0, 4000
    for _ in range(repeats):
        told = rate(dice.normal(10, 40, size=4), 1, 10)
        covered += told.low <= 1000 <= told.high
    assert abs(covered / repeats - 0.95) < 3 * math.sqrt(0.95 * 0.05 / repeats)


def test_the_hands_that_are_said_to_settle_it_do():
    """With the same spread and mean, that many hands bring the interval just clear of zero."""
    totals = np.array(([130] * 4 + [-100] * 5) * 20)
    now = rate(totals, 1, 10)
    assert not now.settled
    copies = hands_for(now, abs(now.mbb)) / now.hands
    assert rate(np.tile(totals, math.ceil(copies * 1.02)), 1, 10).settled
    assert not rate(np.tile(totals, math.floor(copies * 0.95)), 1, 10).settled


SENTENCES = [
    (Rate(math.nan, None, 0, 0), "Not settled: a against b has no set so far (0 hands); an interval needs two."),
    (Rate(5.0, None, 1, 2), "Not settled: a against b has one set so far (2 hands); an interval needs two."),
    (Rate(0.0, 0.0, 9, 18), "Settled: a comes out exactly even against b in every set (18 hands)."),
    (Rate(-750.0, 0.0, 9, 18), "Settled: a loses 750 ± 0.0 mbb/hand against b (95 % interval, 18 hands)."),
    (Rate(1234.5, 99.95, 900, 1800), "Settled: a wins 1,234 ± 100.0 mbb/hand against b (95 % interval, 1,800 hands)."),
    (
        Rate(20.0, 20.0, 900, 1800),
        "Not settled: a is ahead of b by 20.0 ± 20.0 mbb/hand after 1,800 hands; "
        "at this rate about 1 more hand would settle it.",
    ),
    (
        Rate(-20.0, 100.0, 900, 1800),
        "Not settled: a is behind b by 20.0 ± 100 mbb/hand after 1,800 hands; "
        "at this rate about 43,000 more hands would settle it.",
    ),
    (
        Rate(0.0, 0.7, 900, 1800),
        "Not settled: a against b is within 0.7 mbb/hand of even after 1,800 hands; "
        "to see a difference of 0.2 mbb/hand takes about 22,000 hands in all.",
    ),
]


@pytest.mark.parametrize(("told", "words"), SENTENCES, ids=range(len(SENTENCES)))
def test_a_result_is_put_into_plain_words(told, words):
    assert sentence(told, "a", "b") == words


def test_without_an_opponent_nobody_is_named():
    assert "against" not in sentence(Rate(0.1, 9.0, 5, 10), "a") + sentence(Rate(30.0, 9.0, 5, 10), "a")
    assert sentence(Rate(5.0, 9.0, 5, 10), "a").startswith("Not settled: a is ahead by 5.0 ± 9.0 mbb/hand")


def test_numbers_are_said_with_two_digits():
    said = [friendly(n) for n in (1, 99, 101, 995, 999_999, 1_049_999, 45_600_000, 999_999_999, 7_230_000_000)]
    assert said == ["1", "99", "100", "1,000", "1 million", "1 million", "46 million", "1 billion", "7.2 billion"]


def test_a_rate_prints_itself():
    assert str(Rate(-12.34, 5.0, 9, 9)) == "-12.3 ± 5.0 mbb/hand" and str(Rate(250.0, None, 1, 2)) == "+250 mbb/hand"


def test_random_hands_of_whole_chips_agree_with_the_standard_library():
    dice = random.Random(3)
    totals = [dice.randrange(-400, 400) for _ in range(500)]
    told = rate(np.array(totals), 6, 4)
    half = t_quantile(499) * statistics.stdev(totals) / math.sqrt(500) * 1000 / 24
    assert told.mbb == statistics.mean(map(Fraction, totals)) * 1000 / 24 and told.half == pytest.approx(half)
