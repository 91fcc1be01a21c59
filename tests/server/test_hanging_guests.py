"""Guests that do not answer hold up nobody but their own tables, and not the end of the service either."""

import logging
import shlex
import sys
import threading
from contextlib import contextmanager

import pytest

from felt.server.agents.asking import MOST_STUCK, AgentThreads
from felt.server.agents.library import guests
from felt.server.agents.thinking import GUESTS
from tests.server.live_helpers import BASE, Guest, refused, service
from tests.server.test_service import until

PROGRAM = """
import os, sys, time
asked, end = sys.argv[1:]
print('{"type":"hello","protocol":1,"name":"sleepy","remembers":true}' if sys.stdin.readline() else "", flush=True)
for line in sys.stdin:
    if '"act"' in line:
        open(asked, "a").write("asked\\n")
        while not os.path.exists(end):
            time.sleep(0.01)
        break
"""
CLASS = """
import threading
awake = threading.Event()
class Bot:
    asked = 0
    def act(self, view):
        Bot.asked += 1
        awake.wait(60)
        raise ValueError("too late")
"""
STATE = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}


@contextmanager
def hanging(folder):
    """A service with two guests that never answer, and the class of one; they wake up when it has ended."""
    folder.mkdir(exist_ok=True)
    (folder / "asked").touch()
    (folder / "sleepy.py").write_text(PROGRAM)
    (folder / "bot.py").write_text(CLASS)
    words = [sys.executable, "-S", *(str(folder / name) for name in ("sleepy.py", "asked", "end"))]
    found = guests([f"sleepy=cmd:{shlex.join(words)}", f"stuck={folder / 'bot.py'}"])
    kind = found["stuck"].kind
    try:
        with service(folder / "data", guests=found, brains=AgentThreads(2)) as client:
            yield client, kind
    finally:
        (folder / "end").touch()
        kind.act.__globals__["awake"].set()
        for thread in threading.enumerate():
            if thread.name.startswith(GUESTS):
                thread.join(10)


def call(player, table):
    """Call, if it is the player's turn; whether it was."""
    state = player.state(table)
    if state["turn"] != 0:
        return False
    return player.post(f"/tables/{table}/act", hand=state["hand"], step=state["step"], move="call").status_code == 200


@pytest.mark.parametrize(("name", "least"), [("sleepy", 3), ("stuck", 2)])  # a class has 2 threads for one player
def test_a_good_table_keeps_its_pace_beside_them(tmp_path, name, least):
    with hanging(tmp_path) as (client, kind):
        eve, ada = Guest(client, "Eve"), Guest(client, "Ada")
        bad = [eve.table(agents=[name], time_limit=60) for _ in range(3)]
        until(
            lambda: [call(eve, table) for table in bad],
            lambda _: kind.asked + len((tmp_path / "asked").read_text().split()) >= least,
        )
        good = ada.table(agents=["call"], time_limit=60)
        for _ in range(15):
            until(lambda: call(ada, good), bool, seconds=5)
        told = client.post(f"{BASE}/decide", json={"agent": "call", "state": STATE, "time_limit": 5}).json()
        assert told["fallback"] is None


def test_a_class_is_not_asked_again_at_its_table_and_at_last_not_offered(tmp_path, caplog):
    with hanging(tmp_path) as (client, kind):
        eve, limit = Guest(client, "Eve"), 0.05
        table = eve.table(agents=["stuck"], time_limit=limit)

        def log():
            call(eve, table)
            return eve.state(table)["log"]

        until(log, lambda lines: any("is not asked any more" in line for line in lines))
        assert kind.asked == 1
        asked = {"agent": "stuck", "state": STATE, "time_limit": limit}
        for _ in range(MOST_STUCK - 1):
            assert "did not answer in time" in client.post(f"{BASE}/decide", json=asked).json()["fallback"]
        assert kind.asked == MOST_STUCK  # each was a new copy
        assert "stuck" not in [one["name"] for one in eve.get("/agents").json()]
        refused(eve.post("/tables", agents=["stuck"]), 400, "no_agent")
        refused(client.post(f"{BASE}/decide", json=asked), 400, "no_agent")
        assert "stuck holds 4 threads: it is not offered any more" in caplog.text


@pytest.mark.parametrize("where", ["__init__", "plays"])
def test_a_class_that_hangs_before_it_plays_is_refused(tmp_path, monkeypatch, where):
    monkeypatch.setattr("felt.server.agents.asking.MAKE_WITHIN", 0.1)
    monkeypatch.setattr("felt.server.agents.library.MAKE_WITHIN", 0.1)
    with hanging(tmp_path) as (client, kind):
        wait = kind.act.__globals__["awake"].wait
        monkeypatch.setattr(kind, where, lambda *_: wait(60) and None, raising=False)
        refused(Guest(client).post("/tables", agents=["stuck"]), 400, "no_agent")
        refused(client.post(f"{BASE}/decide", json={"agent": "stuck", "state": STATE}), 400, "no_agent")
        told = client.post(f"{BASE}/decide", json={"agent": "call", "state": STATE}).json()
        assert told["fallback"] is None


def test_a_program_that_is_being_asked_is_let_go_when_the_service_ends(tmp_path, caplog):
    with hanging(tmp_path) as (client, _):
        eve = Guest(client, "Eve")
        table = eve.table(agents=["sleepy"], time_limit=60)
        until(lambda: call(eve, table), lambda _: (tmp_path / "asked").read_text())
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR], caplog.text
