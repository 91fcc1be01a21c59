"""`felt match` and `felt league`: what they print, and what they say to mistakes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from felt.cli.app import run
from felt.cli.arena.match import MatchOptions
from felt.cli.arena.options import chips, until_width
from felt.errors import FeltError
from felt.games import load

FELT = [sys.executable, "-c", "from felt.cli.app import main; main()"]


def felt(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = run(words)
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = run(words)
    shown = capsys.readouterr()
    assert code == 2 and shown.out == "" and shown.err.count("\n") == 1 and shown.err.startswith("felt: ")
    return shown.err


def test_json_has_what_programs_read(capsys):
    told = json.loads(felt(capsys, "match", "call", "random", "--hands", "60", "--seed", "3", "--json"))
    assert list(told)[:5] == ["game", "hands", "seed", "players", "hands_per_second"]
    assert (told["game"], told["hands"], told["seed"]) == ("nlhe", 60, 3) and told["hands_per_second"] > 0
    for player, name in zip(told["players"], ("call", "random"), strict=True):
        assert player["name"] == name
        low, high = player["ci95"]
        assert low < player["mbb_per_hand"] < high
        low, high = player["adjusted_ci95"]
        assert low < player["adjusted_mbb_per_hand"] < high
        assert (player["illegal"], player["timeouts"], player["errors"]) == (0, 0, 0)


def test_one_set_has_no_interval(capsys):
    told = json.loads(felt(capsys, "match", "call", "random", "--hands", "2", "--duplicate", "--json"))
    assert told["players"][0]["ci95"] is None
    assert "an interval needs two" in felt(capsys, "match", "call", "random", "--hands", "2")


def test_people_get_a_table_a_sentence_and_how_it_was_played(capsys):
    shown = felt(capsys, "match", "fold", "raise", "--hands", "100", "--stack", "50")
    assert re.search(r"raise\s+\+750\.0\s+\+750\.0 to \+750\.0", shown)
    assert "Settled: raise wins 750 ± 0.0 mbb/hand against fold" in shown
    assert "50 big blinds, 100 hands (50 rounds of 2 deals), seed 0" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ehss", "call"], "there is no agent 'ehss'; did you mean ehs"),
        (["call"], "at least two agents"),
        ([], "at least two agents"),
        (["call"] * 11, "11 agents: nlhe is for 2 to 10 players"),
        (["call", "./nowhere.py:Bot"], "there is no file 'nowhere.py'"),
        (["call", "call", "--game", "nhle"], "there is no game 'nhle'"),
        (["chen", "call", "--game", "stud"], "agent 'chen' does not play stud"),
        (["call", "call", "--stack", "0.3"], "0.6 chips, no whole number"),
        (["call", "call", "--until", "narrow"], "--until 'narrow': write a width like 20mbb"),
        (["call", "call", "--on-error", "cry"], "on_error='cry': choose fold, call, forfeit"),
        (["call", "call", "--hands", "many"], "'many' is not a whole number"),
        (["call:brave=1", "call"], "agent 'call:brave=1' has no parameter 'brave'"),
    ],
)
def test_mistakes_get_one_line(words, said, capsys):
    assert said in complaint(capsys, "match", *words)


SET_PLAYERS = "--set players=3 makes kuhn a game for 3 players: leave it out"


@pytest.mark.parametrize(
    ("words", "counted"),
    [
        (["match", "call", "raise", "--game", "kuhn"], "2 agents, and "),
        (["league", "call", "raise", "--game", "kuhn"], "a league has two at a table, and "),
        (["competition", "call", "raise", "--game", "kuhn", "--players-per-table", "2"], "--players-per-table 2, and "),
        (["acpc", "deal", "kuhn", "call", "raise"], "2 players, and "),
        (["solve", "kuhn", "--players", "2"], "--players 2, and "),
        (["game", "play", "kuhn", "--players", "2"], "--players 2, and "),
        (["game", "tree", "kuhn", "--players", "2"], "--players 2, and "),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_a_number_of_players_that_is_set_and_another_that_is_there(words, counted, capsys):
    assert counted + SET_PLAYERS in complaint(capsys, *words, "--set", "players=3")


def test_as_many_players_as_agents_play_a_game_whose_number_is_a_parameter(capsys):
    for words in ([], ["--set", "players=3"]):
        told = json.loads(felt(capsys, "match", "call", "raise", "fold", "--game", "kuhn", "-n", "6", "--json", *words))
        assert len(told["players"]) == 3


def test_an_agent_file_with_a_syntax_error_says_where(tmp_path, capsys):
    (tmp_path / "bot.py").write_text("class Bot:\n    def act(self, view)\n        return 1\n")
    said = complaint(capsys, "match", f"{tmp_path}/bot.py:Bot", "call")
    assert "bot.py, line 2: expected ':': 'def act(self, view)'" in said


def test_what_an_agent_prints_is_no_part_of_the_answer(tmp_path):
    (tmp_path / "bot.py").write_text(
        "from felt.agents import *\n\nclass Bot(Agent):\n    def act(self, view):\n"
        "        print('hm')\n        import scipy_is_not_hidden as _\n"
    )
    told = json.loads(shell(tmp_path, "match", "./bot.py", "call", "--hands", "4", "--json"))
    assert told["players"][0]["errors"] > 0
    assert "scipy_is_not_hidden" in told["players"][0]["incidents"][0]["traceback"]


def shell(folder: Path, *words: str) -> str:
    done = subprocess.run([*FELT, *words], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "Warning" not in done.stderr, done.stderr
    return done.stdout


def test_a_league_is_a_table_and_json(capsys):
    shown = felt(capsys, "league", "call", "raise", "fold", "--hands", "40", "--duplicate")
    assert shown.splitlines()[2].split()[1] == "raise" and "3 matches of 40 hands" in shown
    told = json.loads(felt(capsys, "league", "call", "raise", "fold", "--hands", "40", "--duplicate", "--json"))
    assert [player["name"] for player in told["players"]] == ["raise", "call", "fold"]
    assert told["players"][2]["against"]["raise"] == -750.0 and len(told["matches"]) == 3
    assert "at least two agents" in complaint(capsys, "league", "call")


def test_the_command_that_plays_it_again_says_no_more_than_it_must():
    agents = ["a", "b"]
    assert (
        MatchOptions(agents=agents, hands=5, duplicate=True).again() == "felt match a b --hands 5 --duplicate --seed 0"
    )
    line = MatchOptions(agents=agents, game="stud", settings=["ante=1"], stack=20.0, on_error="call").again()
    assert line == "felt match a b --game stud --set ante=1 --stack 20 --seed 0 --on-error call"
    for stack in (1234567.0, 12.3456789, 1 / 3, 2.0**40):
        words = MatchOptions(agents=agents, stack=stack).again().split()
        assert float(words[words.index("--stack") + 1]) == stack, "no digit is lost"
    assert "1234567" in MatchOptions(agents=agents, stack=1234567.0).again()


def test_widths_and_stacks_are_read():
    assert until_width("20mbb") == until_width(" 20 MBB ") == until_width("20") == 20.0
    assert until_width(None) is None
    with pytest.raises(FeltError, match="more than 0"):
        until_width("0mbb")
    assert chips(12.5, load("nlhe")) == 25 and chips(None, load("nlhe")) is None


def test_games_that_are_made_for_a_number_of_players_are_made_for_these(capsys):
    told = json.loads(felt(capsys, "match", "call", "call", "call", "--game", "kuhn", "--hands", "30", "--json"))
    assert len(told["players"]) == 3
