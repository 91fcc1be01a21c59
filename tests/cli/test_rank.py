"""`felt rank`."""

import json

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake


def hands(capsys, *args: str) -> list[dict]:
    assert run(["rank", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["hands"]


def test_one_hand(capsys):
    assert hands(capsys, "AsKsQsJsTs") == [{"hand": "AsKsQsJsTs", "rank": 7462, "name": "royal flush", "wins": True}]


def test_single_cards_make_one_hand(capsys):
    (hand,) = hands(capsys, "As", "Ad", "5h", "5c", "Kd")
    assert hand["name"] == "two pair, aces and fives, king kicker"


def test_the_winner_on_a_board(capsys):
    found = hands(capsys, "AsAd", "KhKs", "--board", "KcJh2h7c3d")
    assert [h["wins"] for h in found] == [False, True]


def test_a_split(capsys):
    assert run(["rank", "AsKd", "AhKc", "--board", "QsJh2h7c3d"]) == 0
    assert capsys.readouterr().out.count("splits") == 2


def test_the_table_names_the_winner(capsys):
    assert run(["rank", "AsAd5h5cKd", "AhAc5s5dQd"]) == 0
    out = capsys.readouterr().out
    assert "two pair, aces and fives, king kicker" in out.splitlines()[2]
    assert [line.endswith("wins") for line in out.splitlines()[2:]] == [True, False]


def test_omaha_uses_exactly_two(capsys):
    (hand,) = hands(capsys, "As2c3d4h", "--board", "KsQsJsTs9d")
    assert hand["name"].startswith("high card")  # one spade in the hand is no flush
    (hand,) = hands(capsys, "As8s3d4h", "--board", "KsQsJs2h9d")
    assert hand["name"].startswith("flush")


@pytest.mark.parametrize(
    ("kind", "cards", "name"),
    [
        ("low-a5", "Ah2c3d4s5h", "wheel (5-4-3-2-A)"),
        ("low-27", "7h5c4d3s2h", "seven-five low (7-5-4-3-2)"),
        ("low-8", "Ah2c3d4sKh", "no low"),
        ("badugi", "Ah2c3d4s", "four-card badugi, 4-3-2-A"),
        ("short", "AhKh9h8h6h", "flush, ace-king-nine-eight-six"),
    ],
)
def test_kinds(kind, cards, name, capsys):
    (hand,) = hands(capsys, cards, "--kind", kind)
    assert hand["name"] == name


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["AhAh"], "'AhAh'"),
        (["ZZ"], "'ZZ'"),
        ([""], "''"),
        (["As", "As"], "As stands twice"),
        (["A"], "'A'"),
        (["AsAd", "AsKd", "--board", "2c3c4c"], "As stands twice"),
        (["AsAd", "--board", "As3c4c"], "As stands twice"),
        (["AsAd", "--board", "2c3c4c5c6c7c8c9cTc"], "cards"),
        (["AsKsQsJsTs9s8s7s"], "8 cards"),
        (["AsKsQsJsTs", "--kind", "middle"], "'middle'"),
        (["AsKsQsJsTs", "AhKhQh"], "hands of 3 and 5 cards do not compare"),
        (["2s3s4s5s6s", "--kind", "short"], "2s"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(args, words, capsys):
    assert words in mistake(capsys, "rank", *args)
