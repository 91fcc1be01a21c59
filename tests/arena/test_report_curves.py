"""The curves of reports against what they are made of."""

import numpy as np
import pytest

from felt.arena.report import curves
from felt.arena.report.curves import thin
from felt.stats.rates import rate

DICE = np.random.default_rng(5)
SIZE, BIG_BLIND = 6, 20
TOTALS = np.rint(DICE.standard_t(3, 4000) * 300 + 15).astype(np.int64)


@pytest.mark.parametrize("totals", [TOTALS, TOTALS + DICE.random(4000) / 3, TOTALS[:1]], ids=["whole", "parts", "one"])
def test_a_bankroll_goes_from_nothing_to_the_total(totals):
    line = curves.bankroll(1, totals, SIZE, BIG_BLIND)
    assert (line.x[0], line.y[0]) == (0, 0)
    assert line.x[-1] == len(totals) * SIZE
    assert line.y[-1] == pytest.approx(totals.sum() / BIG_BLIND, rel=1e-12)


def test_every_point_of_a_thinned_bankroll_is_a_point_of_the_bankroll():
    line = curves.bankroll(0, TOTALS, SIZE, BIG_BLIND, most=100)
    assert len(line.x) <= 102
    for hands, won in zip(line.x.astype(int), line.y, strict=True):
        assert won == TOTALS[: hands // SIZE].sum() / BIG_BLIND


def test_thinning_keeps_ends_and_extremes():
    values = np.cumsum(DICE.standard_normal(1_000_000))
    values[[123_456, 765_432]] = 1e6, -1e6
    kept = thin(values)
    assert len(kept) <= 1502 and (np.diff(kept) > 0).all()
    assert {0, 123_456, 765_432, 999_999} <= set(kept.tolist())


def test_thinning_lives_with_gaps_and_leaves_short_curves_alone():
    assert thin(np.arange(7), most=7).tolist() == list(range(7))
    gaps = np.full(100, np.nan)
    gaps[[20, 21]] = 1.0, 2.0
    assert {0, 20, 21, 99} <= set(thin(gaps, most=10).tolist())


def test_the_band_is_the_interval_of_the_sets_played_by_then():
    band = curves.bankroll_band(0, TOTALS, SIZE, BIG_BLIND)
    assert band.x[0] == curves.FIRST_BAND * SIZE and band.x[-1] == len(TOTALS) * SIZE
    for place in (0, 1, 57, len(band.x) - 1):
        sets = int(band.x[place]) // SIZE
        then = rate(TOTALS[:sets], SIZE, BIG_BLIND)
        in_blinds = sets * SIZE / 1000
        assert band.low[place] == pytest.approx(then.low * in_blinds, rel=1e-9)
        assert band.high[place] == pytest.approx(then.high * in_blinds, rel=1e-9)


def test_sets_that_are_all_the_same_have_a_band_without_width():
    band = curves.bankroll_band(0, np.full(1000, -150), 2, 100)
    assert (band.low == band.high).all()
    assert curves.bankroll_band(0, TOTALS[:1], SIZE, BIG_BLIND) is None


def test_a_moving_average_is_the_rate_of_the_last_sets():
    window = curves.window_sets(len(TOTALS), SIZE)
    assert window == 167  # 1,002 hands
    line = curves.moving_average(0, TOTALS, SIZE, BIG_BLIND, window)
    assert line.x[0] == window * SIZE and line.x[-1] == len(TOTALS) * SIZE
    for place in (0, 3, len(line.x) // 2, -1):
        end = int(line.x[place]) // SIZE
        assert line.y[place] == pytest.approx(rate(TOTALS[end - window : end], SIZE, BIG_BLIND).mbb, rel=1e-9)


@pytest.mark.parametrize(
    ("sets", "size", "window", "slow"),
    [(50_000, 2, 500, 2500), (1000, 2, 500, None), (999, 2, 99, None), (2, 2, 1, None), (5, 5000, 1, None)],
)
def test_windows_are_a_thousand_hands_and_less_in_short_matches(sets, size, window, slow):
    assert curves.window_sets(sets, size) == window
    assert curves.slow_sets(sets, size) == slow


def test_shares_are_summed_or_by_stretch_with_gaps_where_there_was_no_chance():
    counts = np.array([[1, 2], [0, 0], [3, 4]])
    alone = curves.shares(0, counts, 2500, summed=False)
    summed = curves.shares(0, counts, 2500, summed=True)
    assert alone.x.tolist() == summed.x.tolist() == [1000, 2000, 2500]
    np.testing.assert_array_equal(alone.y, [0.5, np.nan, 0.75])
    assert summed.y.tolist() == [0.5, 0.5, 4 / 6]
