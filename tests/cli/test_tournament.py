"""`felt tournament`: what it prints and writes, what it says to mistakes, and that it goes on after a kill."""

import json
import subprocess
import sys
import time

import pytest

from felt.cli.app import run
from felt.store.log.matches import read_runs
from tests.arena.pages import Page
from tests.store.logs import rows_of

FELT = [sys.executable, "-c", "from felt.cli.app import main; main()"]
SMALL = ("random*3", "call*2", "--stack", "10", "--workers", "1")


def felt(capsys, *words):
    code = run(["tournament", *words])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def test_json_has_what_programs_read(capsys):
    told = json.loads(felt(capsys, *SMALL, "--repeat", "30", "--seed", "2", "--players-per-table", "3", "--json"))
    assert (told["game"], told["repeats"], told["players"], told["table_size"]) == ("nlhe", 30, 5, 3)
    assert {agent["name"]: agent["entries"] for agent in told["agents"]} == {"random": 3, "call": 2}
    for agent in told["agents"]:
        assert agent["payout"]["ci95"][0] < agent["payout"]["mean"] < agent["payout"]["ci95"][1]
        assert agent["roi"]["mean"] == pytest.approx(agent["payout"]["mean"] - 1)
        assert [one["place"] for one in agent["places"]] == [1, 2, 3, 4, 5]
        assert sum(one["share"] for one in agent["places"]) == pytest.approx(1)
        assert agent["errors"] == 0 and agent["incidents"] == []
    assert 0 <= told["uniform"]["p"] <= 1 and told["uniform"]["df"] == 4
    assert told["agents"][0]["icm"]["mean"] > 0 and told["hands_per_tournament"]["mean"] > 3


def test_options_and_the_report(capsys, tmp_path):
    page = tmp_path / "t.html"
    shown = felt(
        capsys, *SMALL, "--repeat", "5", "--blinds", "5/10,10/20/2", "--hands-per-level", "3", "--payouts", "60,40",
        "--report", str(page), "--plots", str(tmp_path / "plots"),
    )  # fmt: skip
    assert "5 tournaments of" in shown and "2 paid" in shown
    assert "Between the agents, there are too few tournaments to compare places: it takes 13." in shown
    text = page.read_text()
    tables = Page(text).tables
    assert len(tables["Finishing places"]) >= 2 and len(tables["Payouts"]) >= 2
    assert "5/10/0, 10/20/2" in text and "Finishing places" in text and "60,40" in text
    assert "10 big blinds (100 chips)" in text
    assert {file.name for file in (tmp_path / "plots").iterdir()} == {
        f"{name}.{kind}" for name in ("returns", "places") for kind in ("svg", "png")
    }
    kuhn = felt(capsys, "random*4", "--game", "kuhn", "--stack", "5", "--levels", "1,2", "--repeat", "3", "-w", "1")
    assert "Kuhn poker, 4 players at 1 table" in kuhn
    leduc = "random*7", "--game", "leduc", "--set", "ranks=3", "--stack", "5", "--repeat", "2", "-w", "1"
    assert "7 players at 2 tables" in felt(capsys, *leduc), "there are cards for five"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["call"], "2 to 10,000 players, here is 1"),
        (["call*2", "--repeat", "0"], "'0' is too small"),
        (["call*2", "--blinds", "1/2", "--levels", "1"], "--blinds and --levels"),
        (["call*2", "--blinds", "1/2", "--ante", "0.1"], "--ante 0.1"),
        (["call*2", "--payouts", "half"], "payouts 'half'"),
        (["call*2", "--game", "kuhn", "--set", "players =3"], "--set players"),
        (["call*2", "--game", "leduc", "--set", "ranks=3", "--players-per-table", "6"], "leduc is for 2 to 5"),
        (["call*2", "--game", "kuhn", "--set", "cards=2"], "cards is '2'"),
        (["call*2", "--on-error", "forfeit"], "choose fold or call"),
        (["cal*2"], "there is no agent 'cal'"),
    ],
)
def test_mistakes_get_one_line(capsys, words, told):
    code = run(["tournament", *words])
    shown = capsys.readouterr()
    assert code == 2 and shown.err.count("\n") == 1 and told in shown.err


def test_who_interrupts_it_is_told_how_to_go_on(capsys, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    for command, play in (("tournament", "tournament.play_tournaments"), ("ring", "ring.play_rings")):
        monkeypatch.setattr(f"felt.arena.{play}", interrupted)
        words = ["call", "fold", "--repeat", "7", "--seed", "3"]
        assert run([command, *words, "--log", str(tmp_path / command)]) == 130
        written = json.loads((tmp_path / command / "match=0001" / "match.json").read_text())["command"]
        assert written.startswith(f"felt {command} call fold") and written.endswith(f"--log {tmp_path / command}")
        assert f"go on with {written}" in capsys.readouterr().err


@pytest.mark.long
def test_after_a_kill_it_goes_on_and_the_log_is_the_same(capsys, tmp_path):
    words = [*SMALL, "--repeat", "1200", "--seed", "4", "--json"]
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    process = subprocess.Popen(
        [*FELT, "tournament", *words, "--log", str(cut)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not [*cut.glob("match=0001/runs/*.parquet")]:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert 0 < len(list(read_runs(cut))) < 1200, "it was not killed in time"
    first = json.loads(felt(capsys, *words, "--log", str(cut)))
    second = json.loads(felt(capsys, *words, "--log", str(whole)))
    assert list(read_runs(cut)) == list(read_runs(whole)) and rows_of(cut) == rows_of(whole)
    first.pop("tournaments_per_second"), second.pop("tournaments_per_second")
    assert first == second
    again = json.loads(felt(capsys, *words, "--log", str(whole)))
    assert again["tournaments_per_second"] is None, "nothing was played again"
