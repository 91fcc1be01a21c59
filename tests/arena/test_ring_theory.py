"""The gambler's ruin: right for every drift, soon and late, against a walk on a grid that is followed step by step."""

from itertools import pairwise
from math import exp, inf, tanh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.arena.ring.theory import LATE, _by_reflections, _by_sines, ruin_at_last, ruin_by


def walked(grid: int, starts: tuple[int, ...], pull: float, when: list[int]) -> list[list[float]]:
    """By step and start: ruin by then, of a walk that goes one place up or down until it is at 0 or at `grid`.

    A step goes up as often as makes ruin at last that of a motion with the drift `pull` and the variance `grid`.
    """
    up = 1 / (1 + exp(-2 * pull / grid))
    there, ruined, found = np.zeros((len(starts), grid + 1)), np.zeros(len(starts)), []
    there[range(len(starts)), starts] = 1.0
    for step in range(1, when[-1] + 1):
        after = np.zeros_like(there)
        after[:, 1:] = up * there[:, :-1]
        after[:, :-1] += (1 - up) * there[:, 1:]
        ruined += after[:, 0]
        after[:, 0] = after[:, -1] = 0.0
        there = after
        if step in when:
            found.append(ruined.tolist())
    return found


def test_ruin_of_a_walk_that_is_followed_step_by_step():
    slow, fast = (0.003, 0.03, 0.2, 0.5), (0.003, 0.01, 0.02)
    for pull, grid, spreads in ((-60, 480, fast), (-12, 120, slow), (-2, 120, slow), (0, 120, slow), (8, 120, slow)):
        drift = tanh(pull / grid)  # places a step
        variance = drift / (pull / grid) if pull else 1.0
        starts, when = (grid // 10, grid // 2, grid * 5 // 6), [round(spread * grid**2) for spread in spreads]
        for steps, row in zip(when, walked(grid, starts, pull, when), strict=True):
            theory = [ruin_by(steps, start, drift, variance, grid) for start in starts]
            assert theory == pytest.approx(row, abs=0.01), (pull, steps)


@given(
    st.floats(1, 1e4), st.floats(0.01, 0.99), st.floats(1e-2, 1e3), st.floats(-1e4, 1e4), st.floats(-5, 2)
)  # fmt: skip
def test_a_chance_that_does_not_fall(total, part, variance, pull, late):
    bankroll, drift, end = part * total, pull * variance / total, 10**late * total**2 / variance
    found = [ruin_by(end * share, bankroll, drift, variance, total) for share in np.linspace(0, 1, 30)]
    assert all(0 <= one <= 1 for one in found)
    assert all(before <= after + 1e-12 for before, after in pairwise(found))
    assert found[-1] <= ruin_at_last(bankroll, drift, variance, total) + 1e-12
    one = [ruin_by(end * share, bankroll, drift, variance) for share in np.linspace(0, 1, 30)]
    assert all(two <= alone + 1e-12 for two, alone in zip(found, one, strict=True)), "one who may also win it all"


@given(st.floats(0.01, 100), st.floats(1e-2, 1e3), st.floats(-1, 1), st.floats(1, 1e4))
def test_where_the_other_end_is_far_away_it_does_not_matter(bankroll, variance, slope, hands):
    far = bankroll + 40 * (variance * hands) ** 0.5 + abs(slope * variance) * hands
    by = ruin_by(hands, bankroll, slope * variance, variance, far)
    assert by == pytest.approx(ruin_by(hands, bankroll, slope * variance, variance), rel=1e-9, abs=1e-300)


@given(st.floats(0.01, 0.99), st.floats(-1e3, 1e3))
def test_both_series_say_the_same_where_they_meet(part, pull):
    given_ = (LATE * 50**2 / 2, part * 50, pull * 2 / 50, 2.0, 50.0)
    assert _by_sines(*given_) == pytest.approx(_by_reflections(*given_), abs=1e-14)


def test_a_walk_without_any_spread_is_a_line():
    assert [ruin_by(hands, 60, -0.75, 0.0, 120) for hands in (0, 79, 80, 1e9)] == [0, 0, 1, 1]
    assert [ruin_by(hands, 60, -0.75, 1e-17, 120) for hands in (0, 79, 81, 1e9)] == [0, 0, 1, 1]
    assert ruin_by(1e9, 60, 0.75, 0.0, 120) == ruin_by(1e9, 60, 0.0, -1e-18) == 0
    assert ruin_at_last(60, -0.75, 0.0, 120) == 1 and ruin_at_last(60, 0.75, 0.0, inf) == 0


def test_strong_drifts_that_once_were_noise():
    """`fold` against `call`, `raise` and `tag`: sure losers, who are ruined late and not at once."""
    by = [ruin_by(hands, 120, -0.243, 0.5428, 240) for hands in (40, 240, 280, 320, 494, 800)]
    assert max(by[:4]) < 0.01 and by[4] == pytest.approx(0.5, abs=0.03) and by[5] > 0.999
    assert ruin_by(100, 100, -0.75, 0.0625, 200) < 1e-9 and ruin_by(200, 100, -0.75, 0.0625, 200) == pytest.approx(1)
    assert ruin_by(1000, 1000, 0.9, 12.0, 2000) < 1e-9
