"""Seatings: everybody gets every seat as often as everybody else."""

from collections import Counter

import numpy as np
import pytest

from felt.arena.match.spec import SeatingPlan


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("players", range(2, 11))
def test_in_every_set_everybody_has_every_seat_equally_often(players, duplicate):
    plan = SeatingPlan(players, duplicate, seed=3)
    for number in range(20):
        seatings = plan.seatings(number)
        assert len(seatings) == len(set(seatings)) == plan.size
        assert all(sorted(seating) == list(range(players)) for seating in seatings)
        counts = Counter((seat, player) for seating in seatings for seat, player in enumerate(seating))
        assert set(counts.values()) == {plan.size // players} and len(counts) == players**2


def test_up_to_four_players_all_seatings_are_played():
    assert [SeatingPlan(players, duplicate=True, seed=0).size for players in (2, 3, 4, 5, 10)] == [2, 6, 24, 5, 10]


def test_a_duplicate_set_is_one_deal_and_another_set_has_other_deals():
    plan = SeatingPlan(3, duplicate=True, seed=0)
    deals, _ = plan.arrays(4, 2)
    assert deals.tolist() == [4] * 6 + [5] * 6
    plain, _ = SeatingPlan(3, duplicate=False, seed=0).arrays(4, 2)
    assert plain.tolist() == list(range(12, 18))
    assert [plan.deal(4, place) for place in range(3)] == [4, 4, 4]


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("duplicate", [False, True])
def test_sets_are_the_same_one_by_one_and_many_at_once(players, duplicate):
    plan = SeatingPlan(players, duplicate, seed=9)
    _, seatings = plan.arrays(10, 5)
    one_by_one = [row for number in range(10, 15) for row in plan.seatings(number)]
    assert seatings.tolist() == [list(row) for row in one_by_one]


def test_who_acts_behind_whom_is_left_to_chance():
    """With rotations of one order a player would always sit behind the same neighbour."""
    plan = SeatingPlan(6, duplicate=False, seed=1)
    _, seatings = plan.arrays(0, 600)
    behind = Counter(map(tuple, np.stack([seatings[:, 0], seatings[:, 1]], axis=1).tolist()))
    assert len(behind) == 30
    assert max(behind.values()) < 2 * min(behind.values())
