"""The kernels of push/fold beside NumPy that says the same in a line."""

import numpy as np
import pytest

from felt.solvers.pushfold import kernels

pytestmark = pytest.mark.no_jit


@pytest.fixture
def game():
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 6, 6))
    return a, rng.normal(size=6), b, rng.normal(size=6)


def test_gains_and_exploitability(game):
    a, u, b, v = game
    shove, call = np.random.default_rng(6).random((2, 6))
    call[2] = 0
    out = np.empty(6)
    kernels.gains(a, u, call, out)
    assert np.allclose(out, call @ a + u)
    small, big = call @ a + u, shove @ b + v
    wanted = (np.maximum(small, 0).sum() - shove @ small + np.maximum(big, 0).sum() - call @ big) / 2
    assert kernels.exploitability(a, u, b, v, shove, call, out) == pytest.approx(wanted)


def test_fictitious_play_is_best_responses_averaged(game):
    a, u, b, v = game
    shove, call = np.full((2, 6), 0.5)
    work = np.zeros((7, 6))
    work[2], work[3] = u, v
    kernels.fictitious_play(a, u, b, v, 0.0, 40, 0, shove, call, work)
    s, c = np.full((2, 6), 0.5)
    for done in range(1, 41):
        part = 2 / (done + 1)
        s = s + part * ((c @ a + u > 0) - s)
        c = c + part * ((s @ b + v > 0) - c)
    assert np.allclose(shove, s) and np.allclose(call, c)


def test_cfr_plus_is_regret_matching_with_floors(game):
    a, u, b, v = game
    shove, call = np.full((2, 6), 0.5)
    work = np.zeros((7, 6))
    work[5:] = 0.5
    kernels.cfr_plus(a, u, b, v, 0.0, 30, 10, 0, shove, call, work)
    s, c = np.full((2, 6), 0.5)
    now = [np.full(6, 0.5), np.full(6, 0.5)]
    regrets = np.zeros((2, 2, 6))
    for done in range(1, 31):
        for player in (0, 1):
            gain = now[1] @ a + u if player == 0 else now[0] @ b + v
            both = np.stack([(1 - now[player]) * gain, -now[player] * gain])
            regrets[player] = np.maximum(regrets[player] + both, 0)
            total = regrets[player].sum(axis=0)
            with np.errstate(invalid="ignore"):
                now[player] = np.where(total > 0, regrets[player][0] / total, now[player])
        part = 2 / (done + 1)
        s, c = s + part * (now[0] - s), c + part * (now[1] - c)
    assert np.allclose(shove, s) and np.allclose(call, c)


def test_a_best_response_folds_what_gains_nothing_and_tells_the_opponent_of_changes_only(game):
    a, _, _, _ = game
    mean = np.array([1.0, 0.0, -1.0, 2.0, 0.0, -2.0])
    own = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.25])
    theirs = np.arange(6.0)
    change = np.array([0, -1, -1, 1, 0, -0.25])
    kernels.respond(a, mean, own, theirs)
    assert own.tolist() == [1, 0, 0, 1, 0, 0]
    assert np.allclose(theirs, np.arange(6.0) + change @ a)


def test_loops_stop_at_the_target_or_after_so_many_iterations(game):
    a, u, b, v = game
    start = kernels.exploitability(a, u, b, v, *np.full((2, 6), 0.5), np.empty(6))
    for most, target, expected in [(7, 0.0, 7), (7, 1e9, 0), (7, start, 0)]:
        shove, call = np.full((2, 6), 0.5)
        work = np.zeros((7, 6))
        work[2], work[3] = u, v
        done, reached = kernels.fictitious_play(a, u, b, v, target, most, 3, shove, call, work)
        assert done == expected
        assert reached == pytest.approx(kernels.exploitability(a, u, b, v, shove, call, np.empty(6)))
        shove, call = np.full((2, 6), 0.5)
        work = np.zeros((7, 6))
        work[5:] = 0.5
        done, reached = kernels.cfr_plus(a, u, b, v, target, most, 5, 3, shove, call, work)
        assert done == -(-expected // 5) * 5  # looks once in five
        assert reached == pytest.approx(kernels.exploitability(a, u, b, v, shove, call, np.empty(6)))
