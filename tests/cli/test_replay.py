"""`felt replay`: shown street by street, or checked and counted."""

import json

from felt.cli.app import run
from tests.cli import test_app
from tests.interop.samples import ACPC, PHH
from tests.interop.test_rooms_absent import SOLD

LEDUC = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def mistake(capsys, *args: object) -> str:
    return test_app.mistake(capsys, *map(str, args))


def test_a_check_counts_and_lists(capsys, session):
    assert run(["replay", str(session), "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (problem,) = found.pop("problems")
    counts = {"hands": 2, "ok": 1, "compared": 1, "only_played": 0, "mismatched": 0, "unreadable": 1, "cashed_out": 0}
    assert found == counts
    assert set(problem) == {"file", "line", "hand", "why"} and problem["hand"] == "102"
    assert run(["replay", str(session), "--check"]) == 0
    assert "2 hands: 1 ok, 0 mismatched, 1 unreadable" in capsys.readouterr().out


def test_a_check_tells_hands_that_were_compared_from_those_that_could_only_be_played(capsys, tmp_path):
    path = tmp_path / "a.phhs"
    silent = PHH.replace("finishing_stacks = [50, 300, 300]\n", "")
    path.write_text(f"[1]\n{PHH}\n[2]\n{silent}\n[3]\n{PHH.replace('[50, 300', '[51, 299')}")
    assert run(["replay", str(path), "--check", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["compared"], found["only_played"], found["mismatched"]) == (2, 2, 1, 1)
    assert run(["replay", str(path), "--check"]) == 1
    assert "unreadable (2 compared with a recorded result, 1 only played)" in capsys.readouterr().out


def test_problems_in_json_carry_the_line_of_the_file(capsys, tmp_path):
    path = tmp_path / "a.phhs"
    differs, breaks, cut = (
        PHH.replace("[50, 300", "[51, 299"),
        PHH.replace("min_bet", "x"),
        PHH.replace("hand = 7", "hand ="),
    )
    path.write_text(f"[1]\n{differs}\n[2]\n{breaks}\n[3]\n{cut}")
    assert run(["replay", str(path), "--check", "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert {problem["why"].split(":")[0]: problem["line"] for problem in problems} == {
        "the engine ends with stacks of 50, 300, 300, the record with 51, 299, 300": 2,
        "the field 'min_bet' is missing": 14,
        "line 34": 34,
    }


def test_a_hand_without_players_is_shown_to_its_end(capsys, tmp_path):
    path = tmp_path / "a.phh"
    path.write_text(PHH.replace('players = ["Ann", "Bob", "Cleo"]\n', ""))
    assert run(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "seat 2 folds" in shown and "2♣ 7♥ 9♠, seat 0 bets 10" in shown


def test_a_cash_out_is_shown_and_counted(capsys, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(SOLD)
    assert run(["replay", str(path)]) == 0
    assert "Bob cashed out for 980" in capsys.readouterr().out
    assert run(["replay", str(path), "--check"]) == 0
    assert "1 hand with a cash-out: compared is the pot, not what the room paid" in capsys.readouterr().out


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
    for words in ("hand 101 · No-limit Texas hold'em · blinds 0.50/1", "Ann raises to 3", "Q♠ 7♥ 2♣", "rake 2"):
        assert words in shown
    assert run(["replay", str(session), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands"][0]["players"] == ["Bob: the 2nd", "Cleo", "Ann"] and told["unreadable"][0]["hand"] == "102"


def test_a_hand_that_is_not_there_is_a_mistake(capsys, session):
    assert "no hand '999' in" in mistake(capsys, "replay", session, "--hand", "999")
    assert "no hand '999' in" in mistake(capsys, "replay", session, "--hand", "999", "--check", "--json")


def test_a_folder_is_shown_whatever_else_lies_in_it(capsys, session):
    (session.parent / "note.txt").write_text("hello")
    assert run(["replay", str(session.parent)]) == 0
    shown = capsys.readouterr().out
    assert "hand 101" in shown and "not read:" in shown and "holds no hands" in shown


def test_the_game_of_a_log_can_be_given(capsys, tmp_path):
    log, game = tmp_path / "a.log", tmp_path / "leduc.game"
    log.write_text("STATE:0:rc/cc:Ks|Qh/Qs:-3|3:ann|bob\n")
    game.write_text(LEDUC)
    assert run(["replay", str(log), "--game", str(game), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "hands": 1,
        "ok": 1,
        "compared": 1,
        "only_played": 0,
        "mismatched": 0,
        "unreadable": 0,
        "cashed_out": 0,
        "problems": [],
    }
    assert "nope.game" in mistake(capsys, "replay", log, "--game", tmp_path / "nope.game")
    assert "FILE" in mistake(capsys, "replay")
