"""`felt agents`."""

import json

from felt.agents import BUILT_IN
from felt.cli.app import run
from felt.games import names
from tests.cli.test_app import mistake


def test_the_table_names_every_agent_with_its_parameters(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "240")
    assert run(["agents"]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert [line.split()[0] for line in lines[2 : 2 + len(BUILT_IN)]] == list(BUILT_IN)
    assert "opponents=none, samples=200" in shown
    assert "\nchen plays cap-holdem, limit-holdem" in shown
    assert lines[-1] == "pushfold plays nlhe, preflop-nolimit"


def test_json_has_defaults_and_games(capsys):
    assert run(["agents", "--json"]) == 0
    found = {agent["name"]: agent for agent in json.loads(capsys.readouterr().out)["agents"]}
    assert list(found) == list(BUILT_IN)
    assert found["ehs"]["parameters"] == {"opponents": None, "samples": 200}
    assert found["ehs"]["games"] == list(names())
    assert "plo" not in found["chen"]["games"] and "nlhe" in found["chen"]["games"]
    assert all(agent["about"].endswith(".") for agent in found.values())


def test_help_has_an_example(capsys):
    assert run(["agents", "--help"]) == 0
    assert "felt agents" in capsys.readouterr().out.split("Example", 1)[1]


def test_there_is_nothing_to_give(capsys):
    assert "unexpected extra argument" in mistake(capsys, "agents", "ehs")
