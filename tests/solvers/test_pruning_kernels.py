"""The review of what is pruned, case by case, in a game of two information sets one after the other."""

import numpy as np
import pytest

from felt.solvers.cfr.sweep_kernels import HARDLY, LOST, review

pytestmark = pytest.mark.no_jit

# Sequences 0, 1 and 2 are the actions of the first information set, 3 and 4 those of the second, which comes after 0;
# sequence 5 is the empty one before the first.
FIRST, PARENT = np.array([0, 3, 5]), np.array([5, 0])


def reviewed(best, totals, *, pruned=(), back_above=False, dead_above=False, scale=1.0, most=0.0, weight=1.0):
    """Regrets, totals, and the sets of sequences that are pruned, dead and back afterwards."""
    regrets, strategy, reached = np.full(6, 0.5), np.zeros(6), np.zeros(6)
    reached[5] = 1
    state = (regrets, np.zeros(6), strategy, reached, np.zeros(0))
    is_pruned, dead, back = np.zeros(6, dtype=bool), np.zeros(6, dtype=bool), np.zeros(6, dtype=bool)
    is_pruned[list(pruned)] = True
    dead[5], back[5] = dead_above, back_above
    totals = np.array(totals, dtype=float)
    best = np.array([*best, 0], dtype=float)
    review(0, 2, (FIRST, PARENT), state, best, totals, np.full(6, most), scale, weight, is_pruned, dead, back)
    sets = [set(np.flatnonzero(flags[:5]).tolist()) for flags in (is_pruned, dead, back)]
    return regrets[:5].tolist(), totals.tolist(), *sets, strategy[:5].tolist()


def test_an_action_that_cannot_come_back_is_pruned_with_all_that_follows():
    regrets, _, pruned, dead, back, strategy = reviewed([1, 4, 5, 9, 9], [4, 9])
    assert regrets == [LOST, 0.5, 0.5, 0.5, 0.5]  # what follows is not looked at, so its regrets stay
    assert (pruned, dead, back) == ({0}, {0, 3, 4}, set())
    assert strategy[:3] == [0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("most", "weight", "scale", "is_lost"),
    [(1.5, 2, 1, True), (1.5, 2.1, 1, False), (1.6, 2, 1, False), (1.5, 2, 0.9, False), (1.5, 2, 1.1, True)],
)
def test_an_action_is_pruned_only_if_the_most_that_it_can_win_does_not_lift_it(most, weight, scale, is_lost):
    """It stands at -3, which fades by `scale`, and may win `most` times `weight` until the next review."""
    regrets, _, pruned, _, _, _ = reviewed([1, 4, 4, 9, 9], [4, 9], most=most, weight=weight, scale=scale)
    assert (0 in pruned) == is_lost == (regrets[0] == LOST)


def test_an_action_as_good_as_all_that_was_won_is_never_pruned():
    _, _, pruned, _, _, _ = reviewed([4, 4, 4, 9, 9], [4, 9])
    assert pruned == set()


def test_a_pruned_action_that_may_pay_again_comes_back_with_its_gap_and_what_follows_with_best_answers():
    regrets, totals, pruned, dead, back, strategy = reviewed([3, 4, 4, 7, 8], [3.5, 99], pruned=[0], most=1.5)
    assert regrets == [-0.5, 0.5, 0.5, -1, HARDLY]
    assert totals == [3.5, 8]  # as if the best answer had been played there all the time
    assert (pruned, dead, back) == (set(), set(), {0, 3, 4})
    assert strategy == [0, 0.5, 0.5, 0, 1]


def test_a_pruned_action_that_is_still_lost_stays_away():
    regrets, _, pruned, dead, back, _ = reviewed([1, 4, 4, 7, 8], [4, 8], pruned=[0])
    assert regrets[0] == LOST
    assert (pruned, dead, back) == ({0}, {0, 3, 4}, set())


def test_all_is_dead_after_what_is_dead():
    regrets, totals, pruned, dead, back, _ = reviewed([1, 4, 4, 7, 8], [4, 8], dead_above=True, pruned=[1])
    assert regrets == [0.5] * 5
    assert totals == [4, 8]
    assert (pruned, dead, back) == ({1}, {0, 1, 2, 3, 4}, set())


def test_after_what_is_back_everything_is_back_but_for_what_is_lost():
    regrets, totals, pruned, dead, back, _ = reviewed([1, 6, 4, 7, 8], [2, 2], back_above=True, pruned=[1])
    assert totals == [6, 2]
    assert regrets[:3] == [LOST, HARDLY, LOST]
    assert (pruned, dead) == ({0, 2}, {0, 2, 3, 4})
    assert back == {0, 1, 2}
