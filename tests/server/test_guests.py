"""Agents that whoever serves has let in: programs outside sit at tables and answer `/decide`, and are let go again."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from felt.errors import FeltError
from felt.server.agents.library import guests
from tests.server.live_helpers import BASE, Guest, refused, service
from tests.server.test_service import until

SAMPLE = Path(__file__).parents[2] / "examples" / "agents" / "careful.py"
BOT = """
import numpy as np
from felt.games import Action

class Bot:
    def act(self, view):
        return Action(2, np.int64(view.legal.raise_to[0]))  # numbers, as an engine of another kind would have them
"""


def program() -> str:
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(SAMPLE))}"


def running() -> int:
    """How many copies of the sample run."""
    found = 0
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += str(SAMPLE).encode() in line.read_bytes().split(b"\0")
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are counted in /proc, which is not here")
def test_a_program_outside_plays_a_hand_with_a_person_and_is_let_go(tmp_path):
    with service(tmp_path, guests=guests([f"careful={program()}"])) as client:
        ada = Guest(client, "Ada")
        assert "careful" in [one["name"] for one in ada.get("/agents").json()]
        table = ada.table(agents=["careful"])
        for _ in range(200):
            state = ada.state(table)
            if state["hand"] >= 2:
                break
            if state["turn"] == 0:
                ada.post(f"/tables/{table}/act", hand=state["hand"], step=state["step"], move="call")
            time.sleep(0.02)
        assert state["hand"] >= 2 and running() == 1
        assert not any("steps in" in line or "time" in line for line in state["log"])
        state = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}
        told = client.post(f"{BASE}/decide", json={"agent": "careful", "state": state}).json()
        assert told["fallback"] is None and told["action"]["move"] in ("call", "raise")
        for _ in range(100):
            if running() == 1:
                break
            time.sleep(0.05)
        assert running() == 1
    for _ in range(100):
        if running() == 0:
            break
        time.sleep(0.05)
    assert running() == 0


def test_what_was_learned_plays_at_a_table_that_tells_no_events(tmp_path):
    (tmp_path / "bot.py").write_text(
        "from felt.learning.environments import PolicyAgent\n\n\nclass Bot(PolicyAgent):\n"
        "    def __init__(self):\n        super().__init__(lambda seen, mask, dice: int(mask.nonzero()[0][-1]))\n"
    )
    with service(tmp_path / "data", guests=guests([f"bold={tmp_path / 'bot.py'}:Bot"])) as client:
        state = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}
        told = client.post(f"{BASE}/decide", json={"agent": "bold", "state": state}).json()
        assert told["fallback"] is None and told["action"]["amount"] == 200


def test_a_class_in_a_file_is_a_guest_too(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    with service(tmp_path / "data", guests=guests([f"mine={tmp_path / 'bot.py'}"])) as client:
        state = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}
        told = client.post(f"{BASE}/decide", json={"agent": "mine", "state": state}).json()
        assert told["action"]["move"] == "raise" and told["fallback"] is None
        ada = Guest(client, "Ada")
        table = ada.table(agents=["mine"])
        told = until(lambda: ada.state(table), lambda state: state["turn"] == 0 or state["hand"] > 1)
        assert any("raises" in line or "bets" in line for line in told["log"]) or told["button"] == 0
        asked = Guest(client, "Ada").post("/tables", agents=["cmd:./rock"])
        refused(asked, 400, "no_agent")  # nobody but who serves says what is run


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["rock"], "like rock=cmd:./rock"),
        (["a b=call"], "a name of letters and digits"),
        (["call=raise"], "there is an agent 'call' already"),
        (["rock=cal"], "did you mean call"),
        (["rock=acpc:127.0.0.1:7000"], "use it with felt match"),
        (["rock=cmd:./nothing-here"], "nothing-here"),
    ],
)
def test_guests_that_cannot_be(given, words):
    with pytest.raises(FeltError) as error:
        guests(given)
    assert words in str(error.value) and "\n" not in str(error.value)
