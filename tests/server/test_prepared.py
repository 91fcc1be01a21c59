"""Before a clock starts all is compiled and imported: live tables and `/decide` wait for it, and lose no time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from felt.games import names
from felt.server.agents import preparing
from tests.server.live_helpers import BASE, Guest, service
from tests.server.test_service import until

ROOT = Path(__file__).parents[2]


def late(folder: Path, *games: str) -> list[list[str]]:
    """What a service imported or loaded, and in which thread, while it played hands with all agents."""
    command = [sys.executable, "-m", "tests.server.plays_prepared", str(folder), *games]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr
    found: list[list[str]] = json.loads(ran.stdout)
    return found


@pytest.mark.long
def test_nothing_is_imported_for_the_first_time_in_the_middle_of_a_hand(tmp_path):
    assert late(tmp_path, "nlhe") == []


@pytest.mark.long
def test_nothing_is_imported_or_compiled_in_the_middle_of_a_hand_of_any_game(tmp_path):
    assert late(tmp_path, *names()) == []


@pytest.fixture
def prepared(monkeypatch):
    """What was prepared, in order."""
    found = []

    def note(rules, agents, **_):
        found.append((rules.name, [getattr(agent, "spec", agent) for agent in agents]))

    monkeypatch.setattr(preparing, "is_prepared", lambda *_, **more: False)
    monkeypatch.setattr(preparing, "prepare", note)
    return found


def test_decide_compiles_before_its_clock_starts(tmp_path, prepared):
    with service(tmp_path) as client:
        state = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}
        answer = client.post(f"{BASE}/decide", json={"agent": "ehs", "state": state})
        assert answer.status_code == 200, answer.text
    assert ("nlhe", ["ehs"]) in prepared


def test_a_table_compiles_before_it_deals(tmp_path, prepared, monkeypatch):
    with service(tmp_path) as client:
        guest = Guest(client)
        table = guest.table(game="badugi", agents=["tag"])
        until(lambda: guest.state(table)["hand"], lambda hand: hand >= 1, 60.0)
    assert ("badugi", ["tag"]) in prepared


def test_a_failure_to_prepare_closes_no_table(tmp_path, monkeypatch):
    def fail(*_, **more):
        raise ZeroDivisionError

    monkeypatch.setattr(preparing, "is_prepared", lambda *_, **more: False)
    monkeypatch.setattr(preparing, "prepare", fail)
    with service(tmp_path) as client:
        guest = Guest(client)
        table = guest.table(agents=["call"])
        until(lambda: guest.state(table)["hand"], lambda hand: hand >= 1, 60.0)
