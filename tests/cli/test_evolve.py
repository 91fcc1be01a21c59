"""`felt evolve`: what it prints and writes, and what it says to mistakes."""

import json

import pytest

from felt.cli.app import run

SMALL = (
    "dials", "--game", "limit-holdem", "--population", "6", "--generations", "2", "--deals", "2", "--yardstick", "2",
    "--workers", "1",
)  # fmt: skip


def felt(capsys, *words):
    code = run(["evolve", *words])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def test_json_and_the_report_and_the_log(capsys, tmp_path):
    words = (*SMALL, "--log", str(tmp_path / "log"), "--report", str(tmp_path / "e.html"), "--json")
    told = json.loads(felt(capsys, *words))
    assert [one["generation"] for one in told["generations"]] == [0, 1] and len(told["agents"]) == 6
    assert told["best"] == told["agents"][0]["agent"] and told["best"].startswith("dials:edge=")
    assert len(told["crossing"]) == 6 and told["crossing"][0][0] is None
    assert "The fittest" in (tmp_path / "e.html").read_text()
    assert json.loads(felt(capsys, *words)) == told, "all of it is in the log"


def test_the_table(capsys):
    shown = felt(capsys, *SMALL)
    assert "The fittest" in shown and "dials:edge=" in shown and "6 agents at tables of 2" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tag",), "agent 'tag' has no genes"),
        (("dials", "--population", "7"), "a population of 7"),
        (("dials", "--eliminate", "much"), "'much' is not a number"),
        (("dials", "--reproduction", "none"), "reproduction='none'"),
        (("dials", "--game", "kuhn", "--set", "players = 3"), "--set players: give --players-per-table instead"),
    ],
)
def test_mistakes(capsys, words, told):
    assert run(["evolve", *words]) == 2
    assert told in capsys.readouterr().err
