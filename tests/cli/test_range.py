"""`felt range`."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake


def answer(capsys, *args: str) -> dict:
    assert run(["range", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json(capsys):
    assert answer(capsys, "TT+, AKs:0.5") == {
        "range": "TT+,AKs:0.5",
        "combos": 32.0,
        "share": 32 / 1326,
        "dead": "",
        "classes": {"AA": 1.0, "AKs": 0.5, "KK": 1.0, "QQ": 1.0, "JJ": 1.0, "TT": 1.0},
    }


def test_dead_cards_leave_the_range(capsys):
    found = answer(capsys, "AA", "--dead", "As")
    assert found["combos"] == 3
    assert found["dead"] == "As"
    assert found["classes"] == {"AA": 0.5}


def test_the_ranking_decides_what_top_means(capsys):
    assert answer(capsys, "top 10%")["classes"] != answer(capsys, "top 10%", "--ranking", "chen")["classes"]


def test_the_spelling_of_another_program(capsys):
    assert answer(capsys, "JJ+, AKs:0.5", "--style", "gto+")["range"] == "AA-JJ,[50.0]AKs[/50.0]"


def test_brackets_are_printed_as_they_stand(capsys):
    assert run(["range", "[50]AKs[/50]", "--style", "gto+"]) == 0
    assert "[50.0]AKs[/50.0]" in capsys.readouterr().out


def test_the_chart_and_the_text(capsys):
    assert run(["range", "TT+,AKs:0.5"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split()[:3] == ["A", "AA", "50%"]
    assert "32 combos, 2.41% of all hands" in out
    assert out.splitlines()[-1] == "TT+,AKs:0.5"


def test_the_svg_file(tmp_path, capsys):
    path = tmp_path / "range.svg"
    assert run(["range", "TT+,AKs:0.5", "--svg", str(path)]) == 0
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert [p.name for p in tmp_path.iterdir()] == ["range.svg"]


def test_an_svg_that_cannot_be_written(tmp_path, capsys):
    path = tmp_path / "nowhere" / "range.svg"
    assert f"cannot write {str(path)!r}" in mistake(capsys, "range", "TT+", "--svg", str(path))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([""], "''"),
        ([" , "], "' , '"),
        (["ZZ"], "'ZZ'"),
        (["AhAh"], "AhAh"),
        (["TT+,ZZ"], "ZZ"),
        (["AA:2"], "2"),
        (["120%"], "120"),
        (["AA", "--dead", "AsAhAd"], "no hand of 'AA' is left without 'AsAhAd'"),
        (["AA", "--dead", "AsAs"], "'AsAs'"),
        (["AA", "--dead", "ZZ"], "'ZZ'"),
        (["20%", "--ranking", "luck"], "'luck'"),
        (["AA", "--style", "cursive"], "'cursive'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(args, words, capsys):
    assert words in mistake(capsys, "range", *args)
