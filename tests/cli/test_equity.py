"""`felt equity`: what it prints, and how it answers bad input."""

import json

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake


def answer(capsys, *args: str) -> dict:
    assert run(["equity", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_that_scripts_rely_on(capsys):
    found = answer(capsys, "AsAd", "KsKd")
    assert list(found) == ["players", "exact", "samples", "stderr", "seconds"]
    assert [list(player) for player in found["players"]] == [["hand", "equity", "win", "tie"]] * 2
    assert [player["hand"] for player in found["players"]] == ["AsAd", "KsKd"]
    assert found["exact"] is True
    assert found["samples"] == 1_712_304
    assert found["stderr"] == 0.0
    assert found["players"][0]["equity"] == pytest.approx(0.826366, abs=1e-6)


def test_one_hand_alone_plays_a_random_one(capsys):
    found = answer(capsys, "AsAd")
    assert [player["hand"] for player in found["players"]] == ["AsAd", "random"]
    assert found["players"][0]["equity"] == pytest.approx(0.852037, abs=1e-6)


def test_opponents_are_added_to_the_hands(capsys):
    found = answer(capsys, "AsAd", "KK", "--opponents", "2", "--samples", "1000")
    assert [player["hand"] for player in found["players"]] == ["AsAd", "KK", "random", "random"]
    assert found["exact"] is False
    assert found["samples"] >= 1000
    assert 0 < found["stderr"] < 0.05


def test_a_seed_reproduces(capsys):
    args = ["AsAd", "KK", "QQ", "--samples", "2000", "--seed", "7"]
    first, second = (answer(capsys, *args, "--threads", threads) for threads in ("1", "2"))
    assert first["players"] == second["players"]


def test_the_table(capsys):
    assert run(["equity", "AsKs", "QQ+,AKs", "--board", "QhJs2c"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["hand", "equity", "win", "tie"]
    assert lines[2].split()[:2] == ["AsKs", "29.72%"]
    assert lines[4].startswith("exact: 11,880 deals")


def test_the_table_says_how_sure_it_is(capsys):
    assert run(["equity", "AsKs", "random", "random", "--stderr", "1%"]) == 0
    assert "standard error" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["AhAh", "KK"], "'AhAh'"),
        (["ZZ", "AA"], "'ZZ'"),
        (["", "AA"], "''"),
        (["AsAd", "AsKd"], "'AsKd'"),
        (["AA", "KK", "--board", "2c3c4c5c6c7c8c9cTc"], "'2c3c4c5c6c7c8c9cTc'"),
        (["AA", "KK", "--board", "2c2c4c"], "'2c2c4c'"),
        (["AA", "KK", "--board", "ZZ"], "'ZZ'"),
        (["AA", "KK", "--dead", "AsAhAd"], "'AA'"),
        (["AA", "KK", "--board", "AsAhAd"], "'AA'"),
        (["AA", "KK", "--board", "2c3c4c", "--dead", "2c"], "2c"),
        (["AA", "KK", "--samples", "-5"], "-5"),
        (["AA", "KK", "--samples", "0"], "0"),
        (["AA", "KK", "--stderr", "-0.1"], "-0.1"),
        (["AA", "KK", "--threads", "0"], "0"),
        (["AA", "KK", "--opponents", "9"], "11"),
        (["AA", "KK", "--game", "chess"], "'chess'"),
        (["AA", "KK", "--seed", "-1", "--samples", "10"], "-1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(args, words, capsys):
    assert words in mistake(capsys, "equity", *args)
