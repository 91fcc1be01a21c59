"""What results mean: narrower with duplicate seating, and right 95 times in 100."""

import pytest

from felt.arena import Match, play
from felt.arena.match.league import pair_match, play_league
from felt.games import load


def test_duplicate_seating_narrows_the_interval(capsys):
    plain, duplicate = (
        play(Match.of(["potodds", "ehs"], load("nlhe"), duplicate=kind), hands=6000).rate(1) for kind in (False, True)
    )
    ratio = plain.half / duplicate.half
    with capsys.disabled():
        print(f"\npotodds against ehs, 6,000 hands: {plain} alone, {duplicate} duplicate; {ratio:.2f} times narrower")
    assert ratio > 1.1


@pytest.mark.long
@pytest.mark.parametrize("duplicate", [pytest.param(False, marks=pytest.mark.long), True])
def test_intervals_cover_the_truth_95_times_in_100(duplicate):
    """Two that play alike win nothing from each other in the long run; so the truth is 0, raw and adjusted."""
    repetitions, raw, adjusted = 250, 0, 0
    for seed in range(repetitions):
        result = play(
            Match.of(["random", "random"], load("nlhe"), seed=seed, duplicate=duplicate), hands=200, workers=1
        )
        raw += abs(result.rate(0).mbb) <= result.rate(0).half
        adjusted += abs(result.adjusted_rate(0).mbb) <= result.adjusted_rate(0).half
    for covered in (raw, adjusted):
        assert 0.908 < covered / repetitions < 0.992, "three standard errors about 0.95"


@pytest.mark.parametrize("other", ["call", "raise", "random"])
def test_the_ehs_agent_beats_the_simple_ones(other):
    result = play(Match.of(["ehs", other], load("nlhe"), duplicate=True), hands=4000)
    assert result.rate(0).low > 0 and result.adjusted_rate(0).low > 0
    assert result.conduct.clean


def test_a_league_is_all_matches_and_a_table():
    everybody = Match.of(["call", "raise", "fold"], load("nlhe"), duplicate=True, seats=2)
    league = play_league(everybody, 400)
    assert len(league.results) == 3 and league.hands == 1200
    for one in range(3):
        for other in range(3):
            if one != other:
                assert league.rate(one, other).mbb == -league.rate(other, one).mbb
    alone = play(pair_match(everybody, (0, 1), 1), hands=400)
    assert (alone.totals == league.results[0, 1].totals).all()
    told = league.as_dict()
    assert [player["name"] for player in told["players"]] == [league.names[place] for place in league.table]
    fold = next(player for player in told["players"] if player["name"] == "fold")
    assert fold["against"]["raise"] == -750.0
    assert sum(player["mbb_per_hand"] for player in told["players"]) == pytest.approx(0)
