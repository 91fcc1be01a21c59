"""`felt replay` and `felt convert`."""

import json

import pytest

from felt.cli.app import run
from felt.interop.formats import read_hands
from tests.cli.test_app import mistake
from tests.interop.samples import ACPC, PHH, POKERSTARS


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.txt"
    path.write_text(POKERSTARS + "\n\n" + POKERSTARS[:500].replace("#101", "#102"), encoding="utf-8")
    return path


def test_a_check_counts_and_lists(capsys, session):
    assert run(["replay", str(session), "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (problem,) = found.pop("problems")
    assert found == {"hands": 2, "ok": 1, "mismatched": 0, "unreadable": 1}
    assert set(problem) == {"file", "hand", "why"} and problem["hand"] == "102"
    assert run(["replay", str(session), "--check"]) == 0
    assert "2 hands: 1 ok, 0 mismatched, 1 unreadable" in capsys.readouterr().out


def test_a_hand_that_differs_is_told_and_exits_with_one(capsys, tmp_path):
    path = tmp_path / "a.phh"
    path.write_text(PHH.replace("[50, 300, 300]", "[51, 299, 300]"))
    assert run(["replay", str(path), "--check", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["mismatched"] == 1 and "the record with 51, 299, 300" in found["problems"][0]["why"]


def test_a_score_that_differs_is_told(capsys, tmp_path):
    path = tmp_path / "a.log"
    path.write_text(ACPC.replace("SCORE:300|-300", "SCORE:301|-301"))
    assert run(["replay", str(path), "--check", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] == 2 and found["problems"][0]["hand"] == "SCORE"


def test_a_file_without_hands_is_unreadable_in_a_check_and_a_mistake_without(capsys, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("hello")
    assert run(["replay", str(path), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unreadable"] == 1
    assert "holds no hands" in mistake(capsys, "replay", str(path))
    assert "no such file" in mistake(capsys, "replay", str(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    assert "no files of hands" in mistake(capsys, "replay", str(tmp_path / "empty"))


def test_hands_are_shown_street_by_street(capsys, session):
    assert run(["replay", str(session), "--hand", "101"]) == 0
    shown = capsys.readouterr().out
    for words in ("hand 101 · No-limit Texas hold'em · blinds 0.50/1", "Ann raises to 3", "Q♠ 7♥ 2♣", "rake 2 of it"):
        assert words in shown
    assert run(["replay", str(session), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands"][0]["players"] == ["Bob: the 2nd", "Cleo", "Ann"] and told["unreadable"][0]["hand"] == "102"


def test_converting_there_and_back(capsys, session, tmp_path):
    there, back = tmp_path / "out.phhs", tmp_path / "back.txt"
    assert run(["convert", str(session), str(there)]) == 0
    assert "1 hand written to" in capsys.readouterr().out
    assert run(["convert", str(there), str(back)]) == 0
    assert read_hands(back).hands[0].finishing == read_hands(session).hands[0].finishing
    assert run(["convert", str(session), f"{tmp_path}/single/"]) == 0
    assert [path.name for path in (tmp_path / "single").iterdir()] == ["101.phh"]


def test_what_cannot_be_converted(capsys, session, tmp_path):
    assert "end it with .phh" in mistake(capsys, "convert", str(session), "out.doc")
    assert "can be written" in mistake(capsys, "convert", str(session), str(tmp_path / "out.log"))
    assert "choose another place" in mistake(capsys, "convert", str(session), str(tmp_path / "no" / "out.txt"))
