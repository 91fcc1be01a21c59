"""`felt ring`: what it prints and writes, and what it says to mistakes."""

import json
import shutil

import pytest

from felt.cli.app import run

SMALL = ("random@whole*2", "call", "--bankroll", "40,60", "--buy-in", "20", "--rounds", "20", "--workers", "1")


def felt(capsys, *words):
    code = run(["ring", *words])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def test_json_and_the_report_and_the_log(capsys, tmp_path):
    words = (*SMALL, "--repeat", "6", "--log", str(tmp_path / "log"), "--report", str(tmp_path / "r.html"), "--json")
    told = json.loads(felt(capsys, *words))
    assert {one["name"]: one["players"] for one in told["agents"]} == {"random@whole": 2, "call@buyins": 1}
    assert {one["bankroll"] for one in told["agents"]} == {80, 120} and told["repeats"] == 6
    assert "Gambler" in (tmp_path / "r.html").read_text()
    assert json.loads(felt(capsys, *words)) == told, "all of it is in the log"


def test_the_table(capsys):
    shown = felt(capsys, *SMALL, "--repeat", "3")
    assert "random@whole" in shown and "theory" in shown and "3 histories of up to 20 rounds" in shown
    leduc = felt(capsys, "call*2", "--game", "leduc", "--rounds", "5", "--repeat", "2", "--workers", "1")
    assert "Leduc hold'em, 2 histories" in leduc


def test_an_old_log_with_a_line_that_is_no_history(capsys, tmp_path):
    words = (*SMALL, "--repeat", "2", "--log", str(tmp_path))
    felt(capsys, *words)
    about = json.loads((tmp_path / "match=0001" / "match.json").read_text())
    shutil.rmtree(tmp_path / "match=0001")
    (tmp_path / "competition.json").write_text(json.dumps({**about, "format": 1}))
    (tmp_path / "runs.jsonl").write_text('{"run":0}\n')
    assert run(["ring", *words]) == 2
    assert "line 1 of" in (told := capsys.readouterr().err) and "is damaged" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("call", "fold", "--bankroll", "1,2,3"), "3 bankrolls for 2 agents"),
        (("call", "fold", "--bankroll", "much"), "--bankroll 'much'"),
        (("call", "fold", "--bankroll", "nan"), "--bankroll 'nan'"),
        (("call", "fold", "--bankroll", "5,inf"), "--bankroll '5,inf'"),
        (("call", "fold", "--bankroll", "-3"), "--bankroll '-3'"),
        (("call@lucky", "fold"), "there is no policy 'lucky'"),
        (("call", "fold", "--repeat", "0"), "'0' is too small"),
    ],
)
def test_mistakes(capsys, words, told):
    assert run(["ring", *words]) == 2
    assert told in capsys.readouterr().err
