"""Duplicate competitions: who meets whom in which seats, what is remembered, and who wins by which rule."""

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

from felt.agents import Agent, check_or_call
from felt.arena.competition import Standings, play_competition, table_match
from felt.arena.conductor.conduct import Conduct
from felt.arena.match.result import Result
from felt.arena.match.spec import Match, SeatingPlan
from felt.arena.report.competition import competition_page
from felt.errors import FeltError
from felt.games import load
from tests.arena.players import Learner

KUHN = load("kuhn", players=3)


def test_every_deal_is_played_in_all_seatings_and_the_button_goes_round():
    """Section 7.2.1: in each seating the button moves one seat to the left after every hand."""
    plan = SeatingPlan(3, duplicate=True, seed=4, turning=True)
    assert plan.seatings(0) == tuple(permutations(range(3)))
    for number in range(7):
        assert sorted(plan.seatings(number)) == sorted(permutations(range(3)))
    lane = [plan.seatings(number)[1] for number in range(4)]  # 0 2 1: the small blind becomes the button
    assert lane == [(0, 2, 1), (2, 1, 0), (1, 0, 2), (0, 2, 1)]
    assert SeatingPlan(3, duplicate=True, seed=4).seatings(1) == tuple(permutations(range(3))), (
        "matches are as they were"
    )


def test_five_seats_have_rotations_in_a_new_order_for_each_deal():
    plan = SeatingPlan(5, duplicate=True, seed=4, turning=True)
    for number in range(3):
        seatings = np.array(plan.seatings(number))
        assert seatings.shape == (5, 5) and (np.sort(seatings, axis=0).T == np.arange(5)).all()


def test_memories_are_reset_for_every_seating_of_every_match():
    seen = []

    class Witness(Agent):
        def __init__(self):
            self.hands = []
            seen.append(self.hands)

        def hand_started(self, view):
            self.hands.append((view.own, view.seat))

        def act(self, view):
            return check_or_call(view)

    found = play_competition(Match.of([Witness, "call", "fold", "raise"], KUHN, seats=3), 3, 60)
    memories = [hands for hands in seen if hands]
    assert len(found.results) == 4 and len(memories) == 3 * 6, "three matches with it, six seatings each"
    for hands in memories:
        assert len(hands) == 10 and {seat for _, seat in hands} == {0, 1, 2}
    first = Counter(hands[0] for hands in memories[:6])
    assert sorted(first.values()) == [2, 2, 2], "each hand of the first deal twice, in both orders of the others"


def result_of(match, totals):
    totals = np.array(totals)
    return Result(match, totals, totals.astype(float), Conduct.of(match.players), 0, 1.0, totals.size)


def standings(bankrolls):
    """Made up: what each of four agents won in each match, in two equal sets."""
    everybody = Match.of(["call", "fold", "raise", "random"], KUHN, seats=3)
    results = {}
    for number, table in enumerate(combinations(range(4), 3), 1):
        won = bankrolls[table]
        results[table] = result_of(table_match(everybody, table, number), [won, won])
    return Standings(everybody.names, results, 0)


def test_the_two_rules_may_name_two_winners():
    """Agent 2 lives on agent 3, which is dropped first."""
    found = standings({(0, 1, 2): (5, 1, -6), (0, 1, 3): (3, 2, -5), (0, 2, 3): (0, 30, -30), (1, 2, 3): (1, 20, -21)})
    assert [found.bankroll(agent) for agent in range(4)] == [16, 8, 88, -112]
    assert found.table == [2, 0, 1, 3] and found.run_off_table == [0, 1, 2, 3]
    first, last = found.run_off
    assert first.dropped == 3 and last.dropped is None and last.agents == (0, 1, 2)
    assert first.lead.mbb == pytest.approx(found.overall(1).mbb - found.overall(3).mbb)
    told = found.as_dict()
    assert told["winners"] == {"total_bankroll": ["raise"], "instant_run_off": ["call"]}
    assert [one["place"] for one in told["players"]] == [1, 2, 3, 4]
    assert [one["run_off_place"] for one in told["players"]] == [3, 1, 2, 4]
    assert found.first.lead.mbb == pytest.approx(found.overall(2).mbb - found.overall(0).mbb)
    assert found.run_off_first.lead.mbb == pytest.approx(last.rates[0].mbb - last.rates[1].mbb)
    assert told["leads"]["total_bankroll"] == {
        "mbb_per_hand": found.first.lead.mbb,
        "ci95": list(found.first.lead.ci95),
        "settled": True,
    }


def test_equals_share_their_places_and_win_together():
    """Agents 0 and 1 have the most by both rules, and 2 and 3 the same in all matches."""
    found = standings({(0, 1, 2): (4, 4, -8), (0, 1, 3): (4, 4, -8), (0, 2, 3): (2, 1, -3), (1, 2, 3): (2, -3, 1)})
    assert [found.bankroll(agent) for agent in range(4)] == [20, 20, -20, -20]
    assert found.places == [1, 1, 3, 3] and found.run_off_places == [1, 1, 3, 4], "of equals at the end one is dropped"
    told = found.as_dict()
    assert told["winners"] == {"total_bankroll": ["call", "fold"], "instant_run_off": ["call", "fold"]}
    assert told["leads"]["instant_run_off"]["mbb_per_hand"] == 0 and not told["leads"]["instant_run_off"]["settled"]
    assert [(one["place"], one["run_off_place"]) for one in told["players"]] == [(1, 1), (1, 1), (3, 3), (3, 4)]
    page = competition_page(found, "felt competition …", plots=[])
    assert "&lt;" not in page
    assert "By total bankroll call and fold share the first place." in page and page.count("1. <") == 2
    alike = standings(dict.fromkeys(combinations(range(4), 3), (0, 0, 0)))
    assert alike.places == [1, 1, 1, 1] and alike.first.describe("abcd") == "a, b, c and d share the first place"


def test_the_lead_has_the_interval_of_a_difference():
    found = play_competition(Match.of(["call", "raise", "random", "fold"], KUHN, seats=3, seed=3), 3, 600)
    first = found.run_off[0]
    one, other = first.agents[-2:]
    gaps = found.overall(one).mbb - found.overall(other).mbb
    assert first.lead.mbb == pytest.approx(gaps)
    assert 0 < first.lead.half < found.overall(one).half + found.overall(other).half
    assert sum(found.bankroll(agent) for agent in range(4)) == 0
    first, second = found.table[:2]
    assert found.first.lead.mbb == pytest.approx(found.overall(first).mbb - found.overall(second).mbb)
    assert 0 < found.first.lead.half < found.overall(first).half + found.overall(second).half


@pytest.mark.long
def test_agents_with_a_memory_learn_the_same_in_processes():
    file = f"{Path(__file__).parent / 'players.py'}:Learner"
    there = play_competition(Match.of([file, "call", "raise"], KUHN, seats=3), 3, 120, workers=2)
    here = play_competition(Match.of([Learner, "call", "raise"], KUHN, seats=3), 3, 120)
    assert np.array_equal(there.results[0, 1, 2].totals, here.results[0, 1, 2].totals)


def test_workers_change_nothing_and_the_page_has_it_all():
    everybody = Match.of(["random", "ehs", "call", "raise"], KUHN, seats=3, seed=2)
    one, two = (play_competition(everybody, 3, 120, workers=workers) for workers in (1, 2))
    for table, result in one.results.items():
        assert np.array_equal(result.totals, two.results[table].totals)
    page = competition_page(one, "felt competition …", plots=[])
    assert "Instant run-off" in page and page.count("<h2") == 5 and "By total bankroll" in page


def test_mistakes_are_told():
    everybody = Match.of(["call", "fold"], load("nlhe"))
    with pytest.raises(FeltError, match="3 players at a table: with 2 agents"):
        play_competition(everybody, 3)
