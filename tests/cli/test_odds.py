"""`felt odds`."""

import json

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake


def answer(capsys, *args: str) -> dict:
    assert run(["odds", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys, *args: str) -> str:
    assert run(["odds", *args]) == 0
    return capsys.readouterr().out


def test_a_draw_on_the_flop(capsys):
    found = answer(capsys, "5h4h", "--board", "Kh6s3h")
    assert found["hand"] == "5h4h"
    assert found["board"] == "Kh6s3h"
    assert 0 < found["hs"] < found["expected_hs"] < 1
    assert found["made"] == "high card, king-six-five-four-three"
    assert len(found["outs"]) == 21
    assert found["start"]["class"] == "54s"
    assert (found["start"]["chen"], found["start"]["group"]) == (6, 6)


def test_before_the_flop_there_is_no_present_strength(capsys):
    found = answer(capsys, "AsKd")
    assert found["hs"] is None and found["made"] is None and found["outs"] == []
    assert found["expected_hs"] == pytest.approx(0.653, abs=0.001)
    text = shown(capsys, "AsKd")
    assert "AKo: Chen 10, group 2" in text
    assert "E[HS]" in text and "PPot" not in text


def test_the_turn_has_outs_and_one_card_to_come(capsys):
    text = shown(capsys, "7h6h", "--board", "AhJh2s8c")
    assert "flush: K♥ Q♥ T♥ 9♥ 8♥ 5♥ 4♥ 3♥ 2♥" in text
    assert "by the river" not in text


def test_the_river_has_none(capsys):
    text = shown(capsys, "7h6h", "--board", "AhJh2s8c3d")
    assert "HS" in text and "outs" not in text


def test_power_and_true_values_are_named_apart(capsys):
    text = shown(capsys, "5h4h", "--board", "Kh6s3h", "--opponents", "2")
    for label in ("HS^2", "EHS with HS^2", "E[HS^2]", "3-way HS", "3-way equity"):
        assert label in text
    assert "3-way" not in shown(capsys, "5h4h", "--board", "Kh6s3h")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["AhAh"], "'AhAh'"),
        (["ZZ"], "'ZZ'"),
        ([""], "''"),
        (["As"], "'As'"),
        (["AsKdQh"], "'AsKdQh'"),
        (["AsKd", "--board", "AsKh2c"], "As"),
        (["AsKd", "--board", "2c"], "'2c'"),
        (["AsKd", "--board", "2c3c4c5c6c7c8c9cTc"], "'2c3c4c5c6c7c8c9cTc'"),
        (["AsKd", "--opponents", "0"], "0"),
        (["AsKd", "--opponents", "23"], "23"),
        (["AsKd", "--opponents", "some"], "'some'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(args, words, capsys):
    assert words in mistake(capsys, "odds", *args)
