"""Ring games: chips that stay, policies that are obeyed, ruin as theory has it, and histories that are the same."""

from math import exp
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.agents import Agent, check_or_call
from felt.arena.report.ring import ring_page, ring_plots
from felt.arena.ring import BuyIns, Kelly, Never, Offer, Ring, RingResult, Whole, play_rings
from felt.arena.ring.play import moments
from felt.arena.ring.policies import policy
from felt.arena.ring.spec import split
from felt.arena.ring.theory import ruin_at_last, ruin_by
from felt.arena.schedule.executors import Processes, Threads, executor_for
from felt.arena.schedule.runs import play_runs, run_plan
from felt.errors import FeltError
from felt.games import load
from felt.store.log.matches import open_runs, read_runs
from tests.arena.policies import Wrong
from tests.store.logs import cut_runs, rows_of

HERE = __file__
POLICIES = str(Path(__file__).with_name("policies.py"))
NLHE = load("nlhe")
LEVELS = [Offer(0, 2, 80, 200, ()), Offer(1, 4, 160, 400, ("call",)), Offer(2, 10, 400, 1000, ("tag",))]


class Coward(Agent):
    """Plays on, and remembers."""

    def act(self, view):
        return check_or_call(view)


class Alternating:
    """A policy with a memory: sits at both levels in turn, and leaves after every hand."""

    def __init__(self):
        self.times = 0

    def sit(self, bankroll, offers):
        self.times += 1
        place = self.times % 2 if len(offers) > 1 else 0
        return place, min(bankroll, offers[place].most)

    def go_on(self, bankroll, stack, table):
        return None


# Policies


def test_the_named_policies_choose_stakes_by_the_bankroll():
    assert Never().sit(50, LEVELS) == (0, 50) and Never(level=2).sit(500, LEVELS) == (1, 400)
    assert Never(level=5).sit(500, LEVELS) is None
    assert Whole().sit(700, LEVELS) == (2, 700)
    assert BuyIns(count=4).sit(4000, LEVELS) == (2, 1000) and BuyIns(count=4).sit(1700, LEVELS) == (1, 400)
    assert BuyIns(count=20).sit(500, LEVELS) == (0, 200), "too poor for any: the smallest"
    assert Kelly(0.1).sit(3900, LEVELS) == (1, 390) and Kelly(0.1).sit(300, LEVELS) == (0, 80)
    lonely = [LEVELS[0], Offer(1, 4, 160, 400, ()), Offer(2, 10, 400, 1000, ())]
    assert BuyIns(4).sit(4000, lonely) == (2, 1000), "nobody anywhere: where it would like to play"
    assert BuyIns(4).sit(4000, [Offer(0, 2, 80, 200, ("tag",)), *lonely[1:]]) == (0, 200), "where somebody is"


def test_the_named_policies_leave_in_time():
    table = LEVELS[1]
    assert BuyIns(10).go_on(2000, 300, table) == 0 and BuyIns(10).go_on(2500, 150, table) == 250
    assert BuyIns(10).go_on(1500, 300, table) is None and BuyIns(10).go_on(8000, 300, table) is None
    assert Kelly(0.1).go_on(1600, 500, table) is None and Kelly(0.1).go_on(1600, 200, table) == 0
    assert Never().go_on(900, 0, table) == 400 and Never().go_on(900, 5, table) == 0
    assert Whole().go_on(900, 100, table) == 300 and Whole().go_on(900, 100, LEVELS[0]) is None


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: policy("nothing"), "there is no policy 'nothing': choose buyins"),
        (lambda: policy("kelly:part=1"), "policy 'kelly:part=1' has no parameter 'part'"),
        (lambda: policy("kelly:fraction=2"), "fraction=2"),
        (lambda: policy("./none.py:Mine"), "there is no file"),
        (lambda: policy(f"{HERE}:Nobody"), "has no class 'Nobody'"),
        (lambda: policy(Coward), "has no method sit"),
        (lambda: Ring.of(["call"], NLHE), "a ring is for 2"),
        (lambda: Ring.of(["call*2"], NLHE, levels=(2, 1)), "levels"),
        (lambda: Ring.of(["call*2"], NLHE, levels=()), "levels"),
        (lambda: Ring.of(["call*2"], NLHE, bankroll=0), "bankrolls of 0"),
        (lambda: Ring.of(["call*2"], NLHE, bankroll=float("nan")), "a bankroll of nan big blinds"),
        (lambda: Ring.of(["call*2"], NLHE, bankroll=float("inf")), "a bankroll of inf big blinds"),
        (lambda: Ring.of(["call*2"], NLHE, bankroll=1e200), "a bankroll of 1e.200 big blinds"),
        (lambda: Ring.of(["call*2"], NLHE, bankroll=(1, 2)), "2 bankrolls for 1 agents"),
        (lambda: Ring.of(["call*2"], NLHE, rounds=0), "rounds=0"),
        (lambda: Ring.of(["call*2"], NLHE, table_size=1), "1 players at a table"),
    ],
)
def test_mistakes_are_told(make, told):
    with pytest.raises(FeltError, match=told):
        make()


@pytest.mark.parametrize("method", ["sit", "go_on"])
@pytest.mark.parametrize(
    ("what", "fault", "told"),
    [
        ("raise", "errors", "KeyError: 'mine' (policies.py, line"),
        ("exit", "errors", "SystemExit: 3 (policies.py, line"),
        ("nonsense", "illegal", ""),
        ("dawdle", "timeouts", "no answer within 0.05 s"),
    ],
)
def test_a_policy_that_does_wrong_is_counted_and_waits_or_leaves(method, what, fault, told):
    def kind():
        return Wrong(method, what)

    ring = Ring.of([("call", kind), "call@never*2"], NLHE, rounds=6, timeout=0.05)
    result = play_rings(ring, 1)
    own, others = result.conduct.counts
    asked = 1 if what == "dawdle" else 6
    assert own == {"illegal": 0, "timeouts": 0, "errors": 0, fault: asked} and not any(others.values())
    assert told in (said := result.conduct.incidents[0].message) and said.startswith(f"policy 'kind', {method}: ")
    (record,) = result.records
    sat = 0 if method == "sit" else 1 if what == "dawdle" else 6
    assert record["sat"] == [sat, 1, 1] and record["played"][0][0][0] == sat and result.hands == 6


def test_a_policy_that_cannot_be_made_is_told():
    def exits():
        raise SystemExit(3)

    with pytest.raises(FeltError, match="policy 'exits' cannot be made: SystemExit: 3"):
        Ring.of([("call", exits), "call"], NLHE)


HANGS = f"call@{POLICIES}:Wrong:method=go_on,what=hang"


def test_a_policy_in_a_file_has_a_process_that_can_be_ended():
    """Although its agent is one of ours, and there is one worker."""
    assert isinstance(executor_for(run_plan(Ring.of([HANGS, "call"], NLHE)), 1), Processes)
    assert isinstance(executor_for(run_plan(Ring.of(["call", "call"], NLHE)), 1), Threads)
    assert isinstance(executor_for(run_plan(Ring.of([("call", Never)] * 2, NLHE)), 2), Threads)


@pytest.mark.long
def test_a_policy_in_a_file_that_hangs_is_interrupted():
    ring = Ring.of([HANGS, "call@never*2"], NLHE, rounds=6, timeout=0.3)
    result = play_rings(ring, 1, workers=1)
    assert result.conduct.counts[0] == {"illegal": 0, "timeouts": 1, "errors": 0} and result.hands == 6
    assert "policy 'policies.py:Wrong:method=go_on,what=hang', go_on: no answer" in result.conduct.incidents[0].message


@pytest.mark.long
def test_a_policy_in_a_file_that_ends_its_process_is_known():
    ring = Ring.of([f"call@{POLICIES}:Wrong:method=sit,what=die", "call@never*2"], NLHE, rounds=6)
    result = play_rings(ring, 2, workers=1)
    assert result.conduct.counts[0] == {"illegal": 0, "timeouts": 0, "errors": 2} and result.hands == 12
    assert "its process ended with exit code 5" in result.conduct.incidents[0].message


def test_a_policy_is_named_behind_the_agent():
    ring = Ring.of(["call@kelly:fraction=0.1*2", "call"], NLHE)
    assert ring.names == ("call@kelly:fraction=0.1", "call@buyins") and ring.copies == (2, 1)
    assert split("./bot.py:Bot@./mine.py:Mine") == ("./bot.py:Bot", "./mine.py:Mine")


def test_bankrolls_are_in_big_blinds_of_the_smallest_stakes():
    ring = Ring.of(["call", "tag"], NLHE, bankroll=(100, 12.5), levels=(2, 4))
    assert ring.bankrolls == (100 * ring.big_blind(0), 50) and ring.big_blind(0) == 4


# Histories


@given(st.integers(2, 16), st.integers(2, 6), st.integers(0, 99))
def test_chips_stay_in_the_ring(players, size, number):
    named = ("never", "whole", "kelly:fraction=0.3", "buyins:count=2")
    agents = [f"random@{named[place % 4]}" for place in range(players)]
    ring = Ring.of(agents, NLHE, bankroll=60, buy_in=20, levels=(1, 2, 4), table_size=size, rounds=25, seed=number)
    (record,) = play_runs(ring, 1, first=number, workers=1)
    curve = np.array(record["curve"])
    assert (curve.sum(axis=1) == ring.chips).all() and (curve >= 0).all() and len(curve) == len(moments(25))
    for player in range(players):
        won = sum(won for _, won, _ in record["played"][player])
        assert curve[-1][player] == 120 + won
        assert (record["out"][player] is None) == (curve[-1][player] > 0)


def test_agents_move_between_stakes_and_tables_break():
    ring = Ring.of(["allin@buyins:count=2*7", "call@whole*6"], NLHE, bankroll=100, buy_in=20, rounds=60, table_size=4)
    result = play_rings(ring, 3, workers=1)
    levels = np.array([[[hands for hands, *_ in player] for player in one["played"]] for one in result.records])
    assert (levels.sum(axis=(0, 1)) > 0).sum() >= 3, "several stakes were played"
    assert result.hands > 60 and max(max(one["sat"]) for one in result.records) > 1


def test_policies_and_agents_may_remember():
    ring = Ring.of([(Coward, Alternating), (Coward, Alternating)], NLHE, bankroll=400, rounds=10, levels=(1, 2))
    (record,) = play_runs(ring, 1)
    assert record["sat"] == [10, 10] and record["played"][0][0][0] == record["played"][0][1][0] == 5


RANDOM = Ring.of(["random@whole*4", "call@never*2"], NLHE, bankroll=40, buy_in=20, rounds=20, seed=3)


def test_a_log_that_was_cut_is_filled_up_with_the_same_rows(tmp_path):
    kept = open_runs(tmp_path, RANDOM.describe())
    play_rings(RANDOM, 6, workers=1, log=kept)
    kept.close()
    records, rows = list(read_runs(tmp_path)), rows_of(tmp_path)
    assert 0 < cut_runs(tmp_path, 2) < 6
    result = play_rings(RANDOM, 6, workers=1, log=open_runs(tmp_path, RANDOM.describe()))
    assert list(read_runs(tmp_path)) == records and rows_of(tmp_path) == rows
    assert 0 < result.known < 6 == len(records)


@pytest.mark.long
def test_workers_change_nothing():
    assert play_runs(RANDOM, 6, workers=2) == play_runs(RANDOM, 6, workers=1)


def test_kuhn_is_for_rings_too():
    ring = Ring.of(["random*3", "call"], [load("kuhn", players=n) for n in (2, 3, 4)], table_size=4, rounds=30)
    assert play_rings(ring, 2, workers=1).conduct.clean


# Ruin


def test_theory_against_its_own_limits():
    assert ruin_at_last(3, 0.0, 1.0, 12) == 0.75 and ruin_at_last(3, -0.1, 1.0) == 1
    assert ruin_at_last(3, 0.1, 2.0) == pytest.approx(exp(-0.3))
    assert ruin_at_last(3, 0.1, 2.0, 1000) == pytest.approx(exp(-0.3))
    assert ruin_at_last(3, -0.1, 2.0, 12) == pytest.approx(1 - ruin_at_last(9, 0.1, 2.0, 12))
    for drift in (-0.05, 0.0, 0.05):
        late = ruin_by(1e6, 6, drift, 1.0, 15)
        assert late == pytest.approx(ruin_at_last(6, drift, 1.0, 15), abs=1e-9)
        times = [ruin_by(hands, 6, drift, 1.0, 15) for hands in (0.01, 0.02, 0.03, 1, 10, 20, 50, 100, 300)]
        assert times == sorted(times) and times[0] < 1e-9
        assert ruin_by(20, 6, drift, 1.0, 1e4) == pytest.approx(ruin_by(20, 6, drift, 1.0), abs=1e-6)


def test_theory_against_a_walk_that_is_played_out():
    """A million steps of plus or minus one are a walk with drift; ruin within 200 steps."""
    chance = np.random.default_rng(5)
    steps = np.where(chance.random((4000, 400)) < 0.49, 1, -1).cumsum(axis=1)
    ruined = (steps.min(axis=1) <= -20).mean()
    assert ruin_by(400, 20, -0.02, 1 - 0.02**2) == pytest.approx(ruined, abs=0.03)


def test_a_fair_game_ruins_by_the_share_of_chips():
    """Two callers who never move: a symmetric walk. One is ruined with the other one's share of all chips."""
    ring = Ring.of(["call", "call"], NLHE, bankroll=(3, 6), policy="never", rounds=10_000, levels=(1,))
    result = play_rings(ring, 400, workers=1)
    for agent, expected in ((0, 6 / 9), (1, 3 / 9)):
        share, (low, high) = result.ruin(agent)
        assert low <= expected <= high and result.walk(agent).drift == 0
        assert result.theory(agent) == pytest.approx(expected, abs=1e-3) and low <= share <= high
    assert result.ruin(0)[0] + result.ruin(1)[0] == 1


def test_an_edge_ruins_as_the_walk_with_that_drift_does():
    """Not equals: over time and in the end, ruin is within its interval where theory has it."""
    ring = Ring.of(["random", "call"], load("limit-holdem"), bankroll=(12, 20), policy="never", rounds=60, levels=(1,))
    result = play_rings(ring, 150, workers=1)
    assert result.walk(0).drift < -0.05 and result.walk(1).drift == -result.walk(0).drift
    for agent in (0, 1):
        for by in (40, 60):
            share, (low, high) = result.ruin(agent, by)
            assert low <= result.theory(agent, by) <= high, (agent, by, share)
    assert 0.6 < result.theory(0) < 0.8 and 0.2 < result.theory(1) < 0.4


def test_results_are_told_and_drawn():
    result = play_rings(Ring.of(["random*3", "call@never"], NLHE, bankroll=50, buy_in=50, rounds=30), 8, workers=1)
    told = result.as_dict()
    assert [one["players"] for one in told["agents"]] in ([3, 1], [1, 3])
    for one in told["agents"]:
        assert one["ruin"]["ci95"][0] <= one["ruin"]["share"] <= one["ruin"]["ci95"][1]
        assert one["ruin"]["theory_ci95"][0] <= one["ruin"]["theory"] <= one["ruin"]["theory_ci95"][1]
        assert one["walk"]["ci95"][0] < one["walk"]["mbb_per_hand"] < one["walk"]["ci95"][1]
        assert len(one["ruin_curve"]) == len(told["moments"]) == len(one["bankroll_quantiles_bb"][0])
    page = ring_page(result, "felt ring …")
    assert "&lt;" not in page, "something was put in as text that is markup"
    assert "beside its theory" in page and page.count("<svg") == 4
    for panel in ring_plots(result)[1].panels:
        low, high, _, theory = (line.y for line in panel.lines)
        assert (low <= theory).all() and (theory <= high).all(), "between what the ends of its drift give"


def test_a_rate_has_an_interval_over_histories():
    """It holds the drift of many histories in about 19 of 20 small rings, and is as wide as their rates differ."""
    ring = Ring.of(["random", "call"], load("limit-holdem"), bankroll=(12, 20), policy="never", rounds=60, levels=(1,))
    result = play_rings(ring, 240, workers=1)
    parts = [RingResult(ring, result.records[first : first + 12], 1.0, 0).walk(0) for first in range(0, 240, 12)]
    drift = result.walk(0).drift
    assert 16 <= sum(part.ends[0] <= drift <= part.ends[1] for part in parts) <= 20
    wide = np.std([part.drift for part in parts]) * 2.2  # Student's t of 12 histories
    assert np.mean([part.ends[1] - part.drift for part in parts]) == pytest.approx(wide, rel=0.4)
    low, high = result.theory_ends(0)
    assert low < result.theory(0) < high and high - low < 0.3
    assert RingResult(ring, result.records[:1], 1.0, 0).walk(0).ends is None
