"""`felt competition`: what it prints, writes and says to mistakes, and that it goes on from its log."""

import json

import pytest

from felt.cli.app import run

SMALL = ("call", "raise", "random", "fold", "--game", "kuhn", "--hands", "60", "--workers", "1")


def felt(capsys, *words):
    code = run(["competition", *words])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def test_json_and_log_and_report(capsys, tmp_path):
    words = (*SMALL, "--seed", "5", "--log", str(tmp_path / "log"), "--json", "--report", str(tmp_path / "c.html"))
    told = json.loads(felt(capsys, *words))
    assert told["seats"] == 3 and told["hands"] == 240 and len(told["matches"]) == 4
    assert sorted(one["name"] for one in told["players"]) == ["call", "fold", "raise", "random"]
    assert sum(one["bankroll"] for one in told["players"]) == 0
    assert [len(one["players"]) for one in told["run_off"]] == [4, 3]
    assert "Instant run-off" in (tmp_path / "c.html").read_text()
    again = json.loads(felt(capsys, *words))
    for one in (told, again):
        for match in one["matches"]:
            match.pop("hands_per_second")
    assert again == told


def test_the_words_name_both_winners(capsys):
    shown = felt(capsys, *SMALL)
    assert "Run-off, count 1: fold is dropped" in shown and "\nTotal bankroll: raise wins, " in shown
    assert "4 matches of 60 hands (every deal in 6 seatings)" in shown
    alike = felt(capsys, "call", "call", "call", "--hands", "6", "--workers", "1")
    assert "Total bankroll: call, call#2 and call#3 share the first place." in alike and "wins" not in alike
    places = [(line.split()[0], line.split()[-1]) for line in alike.splitlines() if "+0.0  " in line]
    assert places == [("1", "1")] * 3, "by bankroll and by run-off"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("call", "fold"), "2 agents for tables of 3: name 3 or more"),
        (("call", "fold", "raise", "--on-error", "forfeit"), "--on-error 'forfeit': choose call or fold"),
        (("call", "fold", "raise", "--hands", "0"), "'0' is too small"),
        (("call", "fold", "nobody"), "there is no agent 'nobody'"),
    ],
)
def test_mistakes(capsys, words, told):
    assert run(["competition", *words]) == 2
    assert told in capsys.readouterr().err
