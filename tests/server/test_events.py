"""Agents at live tables hear the events of every hand: in order, once, after a restart from its beginning."""

import shutil
import sys

import pytest

from felt.server.agents import asking
from felt.server.agents.library import guests
from tests.server.live_helpers import Guest, plain_move, service
from tests.server.test_service import until

LISTENER = """
import pathlib
from felt.agents.api import Agent, check_or_call

FILE = pathlib.Path(__file__).with_suffix(".log")


class Bot(Agent):
    def note(self, *words):
        with FILE.open("a") as file:
            print(*words, file=file)

    def hand_started(self, view):
        self.note("hand_started", len(view.own), sum(len(seat.cards) for seat in view.seats))
        if FAILS:
            raise ValueError("it is told something that it does not like")

    def action_seen(self, view, event):
        self.note("action_seen", event.kind, event.seat)

    def showdown(self, view):
        self.note("showdown", len(view.shown) > 0)

    def hand_over(self, view):
        self.note("hand_over", sum(view.payoffs))

    def act(self, view):
        self.note("act", view.seat)
        return check_or_call(view)
"""

PROGRAM = """
import json, pathlib, sys

FILE = pathlib.Path(__file__).with_suffix(".log").open("a")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello = {"type": "hello", "protocol": 1, "name": "listener"}
        hello["events"] = ["hand_started", "action_seen", "hand_over"]
        print(json.dumps(hello), flush=True)
    elif message["type"] == "act":
        print("act", file=FILE, flush=True)
        print(json.dumps({"id": message["id"], "move": "call"}), flush=True)
    elif message["type"] in ("hand_started", "action_seen", "hand_over"):
        print(message["type"], file=FILE, flush=True)
"""


def hands_in(log):
    """What an agent has written down, hand by hand."""
    hands = []
    for line in log.read_text().splitlines():
        if line.startswith("hand_started"):
            hands.append([])
        hands[-1].append(line.split())
    return hands


def play_hands(guest, table, count):
    """Check or call until so many hands are over."""
    while True:
        state = until(lambda: guest.state(table), lambda told: told["turn"] == 0 or told["hand"] > count)
        if state["hand"] > count:
            return
        guest.post(f"/tables/{table}/act", **plain_move(guest.state(table)))


@pytest.fixture
def listener(tmp_path):
    def write(fails=False):
        file = tmp_path / "listener.py"
        file.write_text(LISTENER.replace("FAILS", str(fails)))
        return guests([f"ear={file}:Bot"]), file.with_suffix(".log")

    return write


@pytest.mark.parametrize("fails", [False, True])
def test_an_agent_hears_every_hand_in_order_whatever_it_makes_of_it(tmp_path, listener, fails):
    known, log = listener(fails)
    with service(tmp_path / "data", guests=known) as client:
        ada = Guest(client)
        table = ada.table(agents=["ear", "call"], seats=3)
        play_hands(ada, table, 3)
    hands = hands_in(log)[:3]
    assert len(hands) == 3
    for hand in hands:
        kinds = [line[0] for line in hand]
        assert hand[0] == ["hand_started", "2", "2"]  # its own two cards, and nobody else's
        assert kinds[-2:] == ["showdown", "hand_over"] and hand[-1][1] == "0"
        assert kinds.count("hand_started") == kinds.count("hand_over") == 1
        seen = [line[2] for line in hand if line[0] == "action_seen"]
        assert set(seen) == {"0", "1", "2"} and len(seen) >= 12  # three players check or call on four streets
        acts = [place for place, kind in enumerate(kinds) if kind == "act"]
        assert all(hand[place + 1] == ["action_seen", "call", hand[place][1]] for place in acts)  # its own moves too


def test_a_program_outside_hears_events_too(tmp_path):
    file = tmp_path / "listener.py"
    file.write_text(PROGRAM)
    with service(tmp_path / "data", guests=guests([f"ear=cmd:{sys.executable} {file}"])) as client:
        ada = Guest(client)
        table = ada.table(agents=["ear"], seats=2)
        play_hands(ada, table, 2)
    hands = hands_in(file.with_suffix(".log"))[:2]
    for hand in hands:
        kinds = [line[0] for line in hand]
        assert kinds[-1] == "hand_over" and kinds.count("action_seen") == 8 and kinds.count("act") == 4


def test_after_a_restart_a_hand_is_heard_from_its_beginning(tmp_path, listener):
    known, log = listener()
    first, second = tmp_path / "first", tmp_path / "second"
    with service(first, guests=known) as client:
        ada = Guest(client)
        table = ada.table(agents=["ear"], seats=2, time_limit=600)
        for _ in range(3):
            until(lambda: ada.state(table), lambda told: told["turn"] == 0)
            ada.post(f"/tables/{table}/act", **plain_move(ada.state(table)))
        before = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        shutil.copytree(first, second)  # what a process that is killed now leaves
    told_before = hands_in(log)[0]
    log.unlink()
    with service(second, guests=known) as client:
        ada.client = client
        play_hands(ada, table, before["hand"])
    hand = hands_in(log)[0]
    heard = [line for line in told_before if line[0] == "action_seen"]
    assert hand[0][0] == "hand_started" and [line for line in hand if line[0] == "action_seen"][: len(heard)] == heard
    assert hand[-1][0] == "hand_over"


def test_nobody_is_told_what_was_not_stored(tmp_path, listener, monkeypatch):
    from felt.store.database.db import Store

    known, log = listener()
    with service(tmp_path / "data", guests=known) as client:
        ada = Guest(client)
        table = ada.table(agents=["ear"], seats=2, time_limit=600)
        until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        whole = Store.keep_table

        def full(*args, **options):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Store, "keep_table", full)
        assert ada.post(f"/tables/{table}/act", **plain_move(ada.state(table))).status_code >= 500
        monkeypatch.setattr(Store, "keep_table", whole)
        play_hands(ada, table, 1)
    hand = hands_in(log)[0]
    assert sum(line[0] == "action_seen" and line[2] != "1" for line in hand) == 4  # each of Ada's four moves once


def test_a_hand_that_ends_because_its_table_is_closed_is_heard_to_its_end(tmp_path, listener):
    known, log = listener()
    with service(tmp_path / "data", guests=known) as client:
        ada = Guest(client)
        table = ada.table(agents=["ear"], seats=2, time_limit=600)
        until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        assert ada.post(f"/tables/{table}/close").status_code < 300
        until(lambda: log.exists() and log.read_text(), lambda text: text and "hand_over" in text)
    assert hands_in(log)[-1][-1][0] == "hand_over"


SLOW = """
import time
from felt.agents.api import Agent, check_or_call


class Bot(Agent):
    def hand_over(self, view):
        WHAT

    def act(self, view):
        return check_or_call(view)
"""


@pytest.mark.parametrize("what", ["time.sleep(0.3)", "raise SystemExit(3)"])
def test_who_is_slow_to_learn_is_asked_again(tmp_path, monkeypatch, what):
    monkeypatch.setattr("felt.server.agents.conductor.WAIT_SECONDS", 0.05)
    file = tmp_path / "slow.py"
    file.write_text(SLOW.replace("WHAT", what))
    with service(tmp_path / "data", guests=guests([f"slow={file}:Bot"])) as client:
        ada = Guest(client)
        table = ada.table(agents=["slow"], seats=2, time_limit=30)
        play_hands(ada, table, 3)
        assert not any("not asked" in line or "thinking" in line for line in ada.state(table)["log"])


def test_who_never_ends_hearing_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("felt.server.agents.conductor.WAIT_SECONDS", 0.05)
    monkeypatch.setattr(asking, "HEAR_WITHIN", 0.2)
    file = tmp_path / "slow.py"
    file.write_text(SLOW.replace("WHAT", "time.sleep(5)"))
    with service(tmp_path / "data", guests=guests([f"slow={file}:Bot"])) as client:
        ada = Guest(client)
        table = ada.table(agents=["slow"], seats=2, time_limit=1)
        play_hands(ada, table, 1)
        until(lambda: ada.state(table)["hand"], lambda number: number >= 3, 4.0)  # though its thread sleeps for 5 s
