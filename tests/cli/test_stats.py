"""`felt stats`: figures of players from files of hands."""

import json

import pytest

from felt.cli.app import run
from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phhs
from felt.stats.records import from_records
from tests.cli.test_app import mistake
from tests.interop.samples import FULL_TILT, PHH, POKERSTARS
from tests.interop.test_rooms_absent import SOLD


@pytest.fixture
def folder(tmp_path):
    """Three files of hands of Ann and others, one of them broken."""
    (tmp_path / "a.phh").write_text(PHH)
    (tmp_path / "b.txt").write_text(POKERSTARS + "\n\n" + POKERSTARS.replace("#101", "#102").replace("Ah Qd", "Ah Ah"))
    (tmp_path / "c.txt").write_text(FULL_TILT)
    (tmp_path / "d.txt").write_text("hello")
    return tmp_path


def figures(capsys, *args) -> dict:
    assert run(["stats", *map(str, args), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_felt_stats_of_files(capsys, folder):
    found = figures(capsys, folder)
    assert (found["hands"], found["skipped"], found["unreadable"], found["players_in_files"]) == (3, 0, 2, 4)
    assert found["players"]["Ann"]["hands"] == 3 and found["players"]["Bob"]["hands"] == 1
    (hand,) = read_phh(PHH).hands
    alone = figures(capsys, folder / "a.phh")
    assert alone["players"]["Bob"]["vpip"]["num"] == 1 and alone["players"]["Bob"]["mbb"] == 75_000
    told = json.loads(json.dumps(from_records([hand]).table.as_dict()))
    assert {
        name: {k: v for k, v in one.items() if not k.startswith("mbb")} for name, one in alone["players"].items()
    } == told
    lines = {problem["file"].rsplit("/")[-1]: problem["line"] for problem in found["problems"]}
    assert lines == {"b.txt": 41, "d.txt": None}


def test_players_that_are_asked_for_and_those_with_most_hands(capsys, folder):
    assert list(figures(capsys, folder, "--top", 1)["players"]) == ["Ann"]
    assert set(figures(capsys, folder, "-p", "Bob", "-p", "Cleo")["players"]) == {"Bob", "Cleo"}
    assert run(["stats", str(folder), "--top", "1"]) == 0
    shown = capsys.readouterr().out
    assert (
        "won, mbb/hand" in shown and "1 of 4 players shown" in shown and "2 hands or files could not be read" in shown
    )
    assert run(["stats", str(folder), "--by", "position", "-p", "Ann"]) == 0
    assert "BTN" in capsys.readouterr().out


def test_win_rates_over_hands_of_other_stakes_are_in_big_blinds(capsys, tmp_path):
    (hand,) = read_phh(PHH).hands
    cents = PHH.replace("150", "1.50").replace("200", "2.00").replace("300", "3.00").replace("[50,", "[0.50,")
    cents = cents.replace("[1, 2, 0]", "[0.01, 0.02, 0]").replace("min_bet = 2", "min_bet = 0.02")
    cents = cents.replace("cbr 6", "cbr 0.06").replace("cbr 10", "cbr 0.10").replace("cbr 144", "cbr 1.44")
    path = tmp_path / "a.phhs"
    path.write_text(write_phhs([hand]) + "\n[2]\n" + cents)
    found = figures(capsys, path)
    assert found["players"]["Bob"]["mbb"] == 75_000 and found["players"]["Bob"]["mbb_ci95"] == [75_000, 75_000]


def test_players_without_names_are_the_seats_that_messages_speak_of(capsys, tmp_path):
    anonymous = tmp_path / "anonymous.phh"
    anonymous.write_text(
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n"
        "actions = ['d dh p1 AsAh', 'd dh p2 KsKh', 'p2 f']\n"
    )
    assert run(["stats", str(anonymous)]) == 0
    first = capsys.readouterr().out.splitlines()[0].split()
    assert first == ["seat", "0", "seat", "1"]
    assert run(["replay", str(anonymous)]) == 0
    assert "seat 0 +1, seat 1 −1" in capsys.readouterr().out


def test_cash_outs_are_told(capsys, tmp_path):
    path = tmp_path / "sold.txt"
    path.write_text(SOLD)
    assert figures(capsys, path)["cashed_out"] == 1 and figures(capsys, path, "--player", "Ann")["hands"] == 1
    assert run(["stats", str(path)]) == 0
    assert "1 hand with a cash-out: won is from the pot, not what the room paid" in capsys.readouterr().out


def test_mistakes_are_one_line(capsys, folder):
    assert "plays in no hand: the players with the most hands are Ann" in mistake(
        capsys, "stats", str(folder), "-p", "Zoe"
    )
    assert "no hand to count in 1 file" in mistake(capsys, "stats", str(folder / "d.txt"))
    assert "--by 'colour' is no way to divide" in mistake(capsys, "stats", str(folder), "--by", "colour")
    assert "no such file or folder" in mistake(capsys, "stats", str(folder / "absent"))
