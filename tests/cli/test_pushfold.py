"""`felt pushfold`: what it prints, draws and refuses."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from felt.cards.combos import CLASS_NAMES
from felt.cli.app import run
from felt.errors import FeltError
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.multiway_game import MultiPushFold
from tests.cli.test_app import mistake


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("FELT_CACHE", str(tmp_path_factory.mktemp("cache")))


def answer(capsys, *args: str) -> dict:
    assert run(["pushfold", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_that_scripts_rely_on(capsys):
    found = answer(capsys, "--stack", "10")
    assert {"value_sb_bb", "exploitability_bb", "iterations", "seconds", "shove", "call"} <= set(found)
    assert list(found["shove"]) == list(found["call"]) == list(CLASS_NAMES)
    assert found["exploitability_bb"] < 1e-5
    assert found["value_sb_bb"] == pytest.approx(-0.045371, abs=1e-5)
    assert found["shove"]["AA"] == 1 and found["shove"]["72o"] == 0


def test_the_second_time_it_is_looked_up(capsys):
    first = answer(capsys, "--stack", "7.5")
    again = answer(capsys, "--stacks", "7.5,30")
    assert (first["algorithm"], again["algorithm"]) == ("fictitious", "looked up")
    assert again["shove"] == first["shove"]
    assert answer(capsys, "--stack", "7.5", "--algorithm", "cfr+")["algorithm"] == "cfr+"


def test_blinds_antes_and_rake(capsys):
    chips = answer(capsys, "--stacks", "1500,2300", "--sb", "50", "--bb", "100", "--ante", "10", "--bb-ante", "100")
    assert chips["effective_bb"] == 15
    raked = answer(capsys, "--stack", "10", "--rake", "5%", "--rake-cap", "0.3")
    assert raked["value_sb_bb"] + raked["value_bb_bb"] < -0.01


def test_prizes(capsys):
    bubble = answer(capsys, "--stacks", "10,10,10,2", "--payouts", "50,30,20")
    assert bubble["call_share"] < 0.25 and bubble["exploitability_bb"] < 1e-5
    assert run(["pushfold", "--stacks", "10,10,10,2", "--payouts", "50,30,20"]) == 0
    assert "everybody but the blinds has folded" in capsys.readouterr().out


def test_charts_for_people(capsys, tmp_path: Path):
    picture = tmp_path / "chart.svg"
    assert run(["pushfold", "--stack", "10", "--chart", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "Small blind shoves 58.3% of hands" in out and "Big blind calls 37.4% of hands" in out
    assert "exploitability" in out and "chart written to" in out
    ElementTree.parse(picture)
    assert run(["pushfold", "--stack", "10"]) == 0
    assert "solved before" in capsys.readouterr().out


def test_a_scan(capsys, tmp_path: Path):
    picture = tmp_path / "scan.svg"
    found = answer(capsys, "scan", "--from", "2", "--to", "6", "--step", "0.5", "--chart", str(picture))
    assert found["solved"] == 9
    assert found["shove"]["AA"] == [[2, 6]]
    assert found["shove"]["43s"][0][1] < 3 < 4 < found["shove"]["43s"][1][0]
    ElementTree.parse(picture)
    assert run(["pushfold", "scan", "--to", "2", "--step", "0.5"]) == 0
    assert "at least half of the time" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "--stack 10"),
        (["--stack", "0"], "stack 0"),
        (["--stack", "-3"], "'-3' is too small"),
        (["--stack", "x"], "'x' is not a number"),
        (["--stack", "1", "--ante", "1"], "ante 1 leaves"),
        (["--stacks", "10,x"], "'10,x'"),
        (["--stacks", "10"], "stacks 10"),
        (["--stack", "1", "--stacks", "1,2"], "exclude each other"),
        (["--stack", "1", "--algorithm", "magic"], "'magic'"),
        (["--stack", "1", "--target", "0"], "target 0"),
        (["--stack", "1", "--payouts", "a"], "--payouts 'a'"),
        (["--stack", "1", "--payouts", "1,2"], "payouts '1,2'"),
        (["--stack", "1", "--bb", "0"], "big blind 0"),
        (["scan", "--from", "3", "--to", "2"], "stacks from 3 to 2"),
        (["scan", "--step", "0"], "step 0"),
        (["--stack", "10", "scan"], "--stack before scan"),
        (["--stack", "10", "--target", "nan"], "'nan' is not a number"),
        (["--stack", "10", "--target", "inf"], "'inf' is too large"),
    ],
)
def test_mistakes(capsys, args, told):
    assert told in mistake(capsys, "pushfold", *args)


BEYOND = ["1e308", "inf", "nan", "-1e308", "-3", "1e18", "1e7", "1e-9", "1e-308"]
"""Amounts that nobody plays for: the first printed nan and succeeded."""


@pytest.mark.parametrize(
    "args",
    [
        *(["--stack", text] for text in BEYOND),
        *(["--stack", text, "--players", "3"] for text in BEYOND),
        *(["--stacks", f"10,10,{text}"] for text in BEYOND),
        *(["--stack", "10", "--bb", text] for text in BEYOND if text != "1e7"),
        *(["--stack", "10", option, "1e308"] for option in ("--sb", "--ante", "--bb-ante", "--rake")),
        ["--stacks", "10,10,10", "--payouts", "1e308,1e308"],
        ["--stacks", "10,10,10", "--payouts", "1e-320"],
        ["scan", "--to", "1e308"],
        ["scan", "--bb", "1e308"],
        ["scan", "--step", "1e-300"],
    ],
)
def test_amounts_beyond_reason_are_refused_in_one_line(capsys, args):
    assert mistake(capsys, "pushfold", *args)


def test_python_refuses_amounts_beyond_reason():
    for text in BEYOND:
        for stacks in ((float(text), 10), (10, float(text)), (10, 10, float(text))):
            kind = PushFold if len(stacks) == 2 else MultiPushFold
            with pytest.raises(FeltError, match="stack"):
                kind(stacks)
            with pytest.raises(FeltError, match="blind"):
                kind((10,) * len(stacks), big_blind=float(text))


@pytest.mark.parametrize("args", [["--stack", "10"], ["scan", "--to", "2"]])
def test_no_file_is_left_where_none_can_be(capsys, tmp_path: Path, args):
    told = mistake(capsys, "pushfold", *args, "--chart", str(tmp_path / "absent" / "chart.svg"))
    assert "cannot write" in told
    assert not list(tmp_path.iterdir())


def test_three_players(capsys, tmp_path: Path):
    found = answer(capsys, "--stack", "10", "--players", "3", "--target", "1e-3")
    assert found["exact"] and found["exploitability_bb"] <= 1e-3
    assert list(found["shove"]) == ["BTN", "SB"]
    assert list(found["call"]) == ["SB after BTN", "BB after BTN", "BB after SB", "BB after BTN,SB"]
    assert list(found["shove"]["BTN"]) == list(CLASS_NAMES) and found["shove"]["BTN"]["AA"] == 1
    assert sum(found["values_bb"].values()) == pytest.approx(0, abs=1e-4)
    picture = tmp_path / "table.svg"
    assert run(["pushfold", "--stacks", "10,10,10", "--target", "1e-3", "--chart", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "BB calls BTN and SB" in out and "nothing guarantees an equilibrium" in out and "solved before" in out
    ElementTree.fromstring(picture.read_text(encoding="utf-8"))


def test_larger_tables_say_what_they_leave_out(capsys):
    assert run(["pushfold", "--stack", "6", "--players", "4", "--target", "0.01"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "At most three go all in, and cards that others folded are not counted (values sum to" in out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--stack", "10", "--players", "10"), "--players 10: push/fold is solved for 2 to 9"),
        (("--stacks", "10,10", "--players", "3"), "--stacks '10,10' for --players 3"),
        (("--stack", "10", "--players", "3", "--rake", "5%"), "--rake with 3 players"),
        (("--stack", "10", "--players", "3", "--algorithm", "fictitious"), "--algorithm 'fictitious' with 3 players"),
    ],
)
def test_mistakes_with_more_players(capsys, args, told):
    assert told in mistake(capsys, "pushfold", *args)
