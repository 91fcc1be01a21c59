"""Matches: exact where they must be, the same however they are played."""

import numpy as np
import pytest

from felt.agents.api import EVENTS
from felt.arena import Match, play
from felt.arena.match.hands import MatchWorkplace
from felt.arena.schedule.tasks import Task
from felt.errors import FeltError
from felt.games import load, names
from tests.arena.players import Caller, Chancer, Learner, Listener, Saver

HERE = __file__.replace("test_match.py", "players.py")
NLHE = load("nlhe")


def match(agents, game="nlhe", **options):
    return Match.of(agents, load(game) if isinstance(game, str) else game, **options)


# What must come out


@pytest.mark.parametrize("duplicate", [False, True])
def test_always_fold_loses_exactly_750_to_always_raise(duplicate):
    rules = load("nlhe", small_blind=50, big_blind=100)
    result = play(match(["fold", "raise"], rules, duplicate=duplicate), hands=500)
    assert result.hands == 500
    for player, mbb in ((0, -750.0), (1, 750.0)):
        assert result.rate(player).mbb == mbb and result.rate(player).half == 0.0
        assert result.adjusted_rate(player).ci95 == (mbb, mbb)


@pytest.mark.parametrize("agent", ["call", "raise", "allin"])
@pytest.mark.parametrize(("game", "players"), [("nlhe", 2), ("nlhe", 4), ("stud", 3), ("plo", 3)])
def test_in_duplicate_sets_an_agent_against_itself_is_exactly_even(game, players, agent):
    result = play(match([agent] * players, game, duplicate=True), hands=120)
    assert (result.totals == 0).all() and (result.adjusted == 0).all()
    assert [rate.half for rate in result.rates] == [0.0] * players


def test_with_six_players_the_sample_of_seatings_is_fair_and_even_too():
    result = play(match(["call"] * 6, duplicate=True), hands=120)
    assert result.sets == 20 and (result.totals == 0).all()


def test_hands_are_rounded_up_to_whole_sets():
    assert play(match(["call"] * 3, duplicate=True), hands=7).hands == 12
    assert play(match(["call"] * 3), hands=7).hands == 9


# The same however it is played


def totals(agents, hands=400, game="nlhe", **options):
    workers = options.pop("workers", 1)
    return play(match(agents, game, **options), hands=hands, workers=workers)


@pytest.mark.parametrize("game", names())
def test_agents_play_the_same_in_step_and_one_by_one(game):
    class Plain(Chancer):
        pass

    players = max(2, load(game).min_players)
    others = ["random"] * (players - 1)
    in_step = match(["random", *others], game, seed=5)
    one_by_one = match([Plain, *others], game, seed=5)
    assert in_step.in_step and not one_by_one.in_step
    one, other = play(in_step, hands=60), play(one_by_one, hands=60)
    assert (one.totals == other.totals).all() and (one.adjusted == other.adjusted).all()
    assert one.actions == other.actions and np.any(one.totals)
    assert one.conduct.clean and other.conduct.clean


def test_workers_change_no_result_in_step():
    one, two = (totals(["random", "raise", "call"], 60_000, workers=workers, duplicate=True) for workers in (1, 3))
    assert (one.totals == two.totals).all() and (one.adjusted == two.adjusted).all()


@pytest.mark.parametrize("name", [pytest.param("Chancer", marks=pytest.mark.long), "Learner"])
def test_workers_change_no_result_in_processes_or_in_this_one(name):
    spec = f"{HERE}:{name}"
    here = totals([{"Chancer": Chancer, "Learner": Learner}[name], "random"], 600, duplicate=True)
    one, two = (totals([spec, "random"], 600, workers=workers, duplicate=True) for workers in (1, 2))
    assert (one.totals == here.totals).all() and (two.totals == here.totals).all()
    assert (one.adjusted == two.adjusted).all()


def test_the_same_seed_plays_the_same_match_and_another_does_not():
    one, again, other = (totals(["random", "call"], seed=seed) for seed in (1, 1, 2))
    assert (one.totals == again.totals).all()
    assert (one.totals != other.totals).any()


def test_agents_with_a_memory_play_their_hands_in_order_and_never_meet_a_deal_twice():
    duplicate = match([Learner, "call"], duplicate=True)
    assert duplicate.remembers and not duplicate.in_step
    assert duplicate.lanes == (range(1), range(1, 2))
    assert match([Learner, "call"]).lanes == (range(2),)
    assert match([Caller, "call"], duplicate=True).lanes == (range(2),)


# Events


def test_agents_hear_what_happens_and_not_what_is_hidden():
    heard = []

    class Kept(Listener):
        def match_over(self):
            super().match_over()
            heard.append(self.told)

    play(match([Kept, "random"], "five-card-draw", seed=2), hands=2)
    (told,) = heard
    assert {"started", "seen", "over", "act", "match over"} <= {one[0] for one in told}
    assert [one[0] for one in told].count("started") == [one[0] for one in told].count("over") == 2
    exchanges = [one for one in told if one[0] == "seen" and one[1] == "draw"]
    assert exchanges, "draws are seen"
    seen_seats = {one[2] for one in told if one[0] == "seen"}
    assert seen_seats == {0, 1}


def test_only_agents_that_listen_are_told():
    table, _ = MatchWorkplace(match([Caller, Listener]))._seat(Task(0, 1))
    assert all(list(table._listeners[name]) == [1] for name in EVENTS)


def test_what_the_other_throws_away_stays_hidden():
    heard = []

    class Kept(Listener):
        def action_seen(self, view, event):
            if event.seat != view.seat:
                heard.append(event)

    play(match([Kept, "random"], "five-card-draw", seed=3), hands=30)
    thrown = [event for event in heard if event.kind == "draw" and event.cards]
    assert thrown and all(card == -1 for event in thrown for card in event.cards)


# How long


def test_until_plays_until_the_interval_is_narrow_enough_whatever_the_workers():
    one, two = (play(match(["random", "call"], duplicate=True), until=600, workers=workers) for workers in (1, 3))
    assert one.hands == two.hands and (one.totals == two.totals).all()
    assert all(rate.half <= 600 for rate in one.rates)
    assert one.ended == "its interval was narrow enough"
    earlier = play(match(["random", "call"], duplicate=True), hands=int(one.hands / 1.06))
    assert earlier.rate(0).half > 600


def test_no_seating_is_left_behind_when_nobody_says_how_many_hands_there_are():
    """One who plays them all has to take turns: the width is looked at where all seatings are done."""

    def progress(ledger):
        assert ledger.hands < 5000

    result = play(match([Learner, "call"], duplicate=True), until=10_000, workers=1, progress=progress)
    assert result.hands == 200 and result.ended


def test_hands_are_the_most_that_until_plays():
    result = play(match(["random", "call"]), hands=300, until=0.001)
    assert result.hands == 300 and result.ended == ""


def test_saved_memory_is_used():
    assert Saver().save() == b"0 0"
    saver = Saver()
    saver.load(b"5 7")
    assert (saver.won, saver.hands) == (5, 7)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hands": 0}, "at least one"),
        ({}, "how long"),
        ({"until": -1.0}, "more than 0"),
        ({"hands": 10, "workers": 0}, "workers=0"),
    ],
)
def test_bad_lengths_are_refused(options, words):
    with pytest.raises(FeltError, match=words):
        play(match(["call", "call"]), **options)


def test_bad_matches_are_refused():
    with pytest.raises(FeltError, match="2 to 10 players, not 12"):
        match(["call"] * 12)
    with pytest.raises(FeltError, match="on_error='cry'"):
        match(["call", "call"], on_error="cry")
    with pytest.raises(FeltError, match="timeout"):
        match(["call", "call"], timeout=0)
    with pytest.raises(FeltError, match="did you mean"):
        match(["cal", "call"])
    with pytest.raises(FeltError, match="agent 'chen' does not play stud"):
        match(["chen", "call"], "stud")


def test_worker_processes_print_nothing_of_their_own(capfd):
    play(match([f"{HERE}:Chancer", "call"]), hands=4, workers=1)
    assert capfd.readouterr().err == ""
