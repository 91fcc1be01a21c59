"""The independent chip model, and push/fold for prizes."""

from itertools import permutations

import numpy as np
import pytest

from felt.solvers.pushfold.game import PushFold, PushFoldError
from felt.solvers.pushfold.headsup import share, solve
from felt.solvers.pushfold.icm import IcmError, icm


def slow_icm(stacks, payouts):
    """Every order of finishing."""
    worth = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for seat in order:
            chance *= stacks[seat] / left
            left -= stacks[seat]
        for seat, prize in zip(order, payouts, strict=False):
            worth[seat] += chance * prize
    return worth


@pytest.mark.parametrize("payouts", [[1], [50, 30, 20], [50, 30, 20, 0], [4, 3, 2, 1]])
def test_it_is_the_sum_over_all_orders(payouts):
    stacks = [1200, 340, 5600, 77, 2000]
    assert icm(stacks, payouts) == pytest.approx(slow_icm(stacks, payouts), rel=1e-12)


def raced_icm(stacks, payouts):
    """Another way to the same model: a race in which everybody's time is exponential with their chips as its rate.

    Who has been overtaken by how many is counted by integration; stacks are small whole numbers, so that what is
    integrated is a polynomial and the sum over nodes is exact.
    """
    nodes, weights = np.polynomial.legendre.leggauss(sum(stacks))
    u, weights = (nodes + 1) / 2, weights / 2
    worth = []
    for seat, stack in enumerate(stacks):
        ahead = np.zeros((len(stacks), len(u)))  # how many of the others are faster
        ahead[0] = 1
        for other, rate in enumerate(stacks):
            if other != seat:
                faster = 1 - u**rate
                ahead[1:] = ahead[1:] * (1 - faster) + ahead[:-1] * faster
                ahead[0] *= 1 - faster
        density = stack * u ** (stack - 1) * weights
        worth.append(sum(prize * float(ahead[place] @ density) for place, prize in enumerate(payouts)))
    return worth


@pytest.mark.parametrize(
    ("stacks", "payouts"),
    [([5, 3, 2], [70, 30]), ([12, 3, 8, 1, 6], [50, 30, 20]), ([7] * 6 + [1, 20], [5, 4, 3, 2, 1])],
)
def test_it_is_a_race(stacks, payouts):
    assert icm(stacks, payouts) == pytest.approx(raced_icm(stacks, payouts), rel=1e-9)


def test_worked_by_hand():
    """Half, three tenths and a fifth of the chips for 70 and 30: the first has 70/2 + 30 (.3 × .5/.7 + .2 × .5/.8)."""
    assert [round(prize, 2) for prize in icm([50, 30, 20], [70, 30])] == [45.18, 32.25, 22.57]


def test_known_values():
    """The example that textbooks use: 5,000, 3,000 and 2,000 chips for 50, 30 and 20."""
    assert icm([5000, 3000, 2000], [50, 30, 20]) == pytest.approx([38.3929, 32.75, 28.8571], abs=1e-4)
    assert icm([1, 1, 1], [50, 30, 20]) == pytest.approx([100 / 3] * 3)
    assert icm([10, 30], [70, 30]) == pytest.approx([40, 60])


PUBLISHED = [
    # PrimeDope's ICM deal calculator, as the tests of two programs by others quote it
    ([1500, 1200], [100, 76], [89.33, 86.67]),
    ([1500, 1200, 975], [100, 76], [67.06, 58.73, 50.21]),
    ([1500, 1500, 975], [100, 76], [64.44, 64.44, 47.12]),
    ([1500, 1200, 975, 350], [100, 76], [61.05, 52.68, 44.73, 17.54]),
    ([1500, 1200, 975, 350, 275], [100, 76], [57.08, 48.82, 41.28, 16.08, 12.74]),
    ([150000, 98750, 45500], [425, 280, 130], [332.99, 290.56, 211.45]),
    ([150000, 98750, 45500, 13250], [425, 280, 130, 75], [323.20, 278.12, 195.79, 112.89]),
    # worked examples on the pages of two more calculators
    ([5000, 3000, 1500, 500], [500, 300, 200], [377.78, 312.89, 225.60, 83.73]),
    ([6000, 4000, 2000], [500, 300, 200], [385.00, 340.00, 275.00]),
]


def test_published_examples():
    for stacks, payouts, worth in PUBLISHED:
        assert [round(prize, 2) for prize in icm(stacks, payouts)] == worth


def test_all_prizes_are_paid_and_who_has_nothing_is_last():
    for stacks in ([5, 3, 2], [5, 0, 5], [0, 7, 0]):
        assert sum(icm(stacks, [50, 30, 20])) == pytest.approx(100)
    assert icm([5, 0, 5], [50, 30, 20])[1] == 20
    assert icm([0, 7, 0], [50, 30, 20]) == pytest.approx((25, 50, 25))


@pytest.mark.parametrize(
    ("stacks", "payouts", "told"),
    [
        ([], [1], "0 stacks"),
        ([1] * 16, [1], "16 stacks"),
        ([1, -2], [1], "stack -2"),
        ([0, 0], [1], "nobody has chips"),
        ([1, 2], [], "payouts ''"),
        ([1, 2], [5, 3, 1], "payouts '5,3,1'"),
        ([1, 2], [3, 5], "payouts '3,5'"),
        ([1, 2], [0, 0], "payouts '0,0'"),
    ],
)
def test_no_tournaments(stacks, payouts, told):
    with pytest.raises(IcmError) as caught:
        icm(stacks, payouts)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("payouts", [(100,), (100, 0, 0)])
def test_for_a_single_prize_chips_are_prizes(payouts):
    chips = solve(PushFold(stacks=(10, 13)), target=1e-8)
    prizes = solve(PushFold(stacks=(10, 13), payouts=payouts, others=(20,)), target=1e-8)
    assert prizes.values == pytest.approx(chips.values, abs=1e-7)
    assert np.allclose(prizes.shove, chips.shove, atol=1e-6) and np.allclose(prizes.call, chips.call, atol=1e-6)


def test_heads_up_prizes_change_the_stakes_and_not_the_ranges():
    chips = solve(PushFold(stacks=(10, 10)), target=1e-8)
    prizes = solve(PushFold(stacks=(10, 10), payouts=(70, 30)), target=1e-8)
    assert np.allclose(prizes.shove, chips.shove, atol=1e-5)
    assert prizes.values[0] == pytest.approx(chips.values[0] * 0.4, abs=1e-7)


def test_on_the_bubble_the_big_blind_calls_less_and_is_shoved_on_more():
    chips = solve(PushFold(stacks=(10, 10)))
    bubble = solve(PushFold(stacks=(10, 10), payouts=(50, 30, 20), others=(10, 2)))
    assert bubble.exploitability <= 1e-5
    assert share(bubble.call) < 0.6 * share(chips.call)
    assert share(bubble.shove) > share(chips.shove)
    assert sum(bubble.values) < 0  # the others profit from whoever goes all in


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"others": (5,)}, "stacks of others 5"),
        ({"payouts": (5, 3, 1)}, "payouts '5,3,1'"),
        ({"payouts": (5, 3), "rake": 0.1}, "rake 0.1 with payouts"),
        ({"payouts": (5, 3), "others": (0,)}, "stack 0 of the others"),
    ],
)
def test_tournaments_that_nobody_can_play(options, told):
    with pytest.raises((PushFoldError, IcmError)) as caught:
        PushFold(stacks=(10, 10), **options)
    assert str(caught.value).startswith(told)
