"""The same opponent has the same name in every hand, whatever the seat; nobody learns more by it."""

import json
import pickle
import sys

import pytest

from felt.agents import Agent, Tables, check_or_call
from felt.agents.basic.call import Call
from felt.arena import Match, play
from felt.arena.match.spec import seen_names
from felt.arena.ring import Ring, play_rings
from felt.arena.tournament import Tournament, play_tournaments
from felt.games import Hand, load
from tests.agents.outside.programs import here

SEEN: list[tuple] = []


class Looker(Agent):
    """Notes who sits where, in every call that it gets."""

    def look(self, view):
        SEEN.append((view.seat, view.names))

    hand_started = hand_over = showdown = look

    def action_seen(self, view, event):
        self.look(view)

    def act(self, view):
        self.look(view)
        return check_or_call(view)


class BatchLooker(Call):
    """The same at many tables at once; no agent that plain tables ask."""

    def act_batch(self, tables: Tables):
        for row in range(len(tables)):
            SEEN.append((int(tables.seat[row]), tuple(tables.names[row])))
            assert tables.view(row).names == tuple(tables.names[row])
        return super().act_batch(tables)


@pytest.fixture(autouse=True)
def seen():
    SEEN.clear()
    return SEEN


def check(own: str, names: set[str], size: int) -> None:
    assert SEEN
    assert all(len(there) == size and there[seat] == own and set(there) <= names for seat, there in SEEN)
    assert {name for _, there in SEEN for name in there} == names


def test_match_of_agents_that_remember():
    play(Match.of([Looker, "call", "call"], load("nlhe")), 12, workers=1)
    check("Looker", {"Looker", "call", "call#2"}, 3)
    assert {seat for seat, _ in SEEN} == {0, 1, 2}


def test_match_in_step():
    play(Match.of([BatchLooker, "call", "fold"], load("nlhe")), 60, workers=1)
    check("BatchLooker", {"BatchLooker", "call", "fold"}, 3)
    assert {seat for seat, _ in SEEN} == {0, 1, 2}


def test_tournament_and_ring():
    play_tournaments(Tournament.of([Looker, "call*3"], load("nlhe"), stack=5, table_size=4), 1, workers=1)
    names = {"Looker", "call", "call#2", "call#3"}
    assert SEEN and all(there[seat] == "Looker" and set(there) <= names for seat, there in SEEN)
    SEEN.clear()
    play_rings(Ring.of([Looker, "call*2"], load("nlhe"), rounds=5, table_size=3), 1, workers=1)
    assert SEEN and all(there[seat] == "Looker" for seat, there in SEEN)
    assert {name for _, there in SEEN for name in there} == {"Looker", "call", "call#2"}


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": VERSION, "name": "x", "remembers": REMEMBERS}), flush=True)
    elif asked["type"] == "act":
        names = asked["view"].get("names")
        good = names is not None and names[asked["seat"]] == "prog" if VERSION > 1 else names is None
        print(json.dumps({"id": asked["id"], "move": "call" if good else "nothing"}), flush=True)
"""


@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize("version", [1, 2])
def test_programs_outside(tmp_path, version, remembers):
    file = tmp_path / "prog.py"
    file.write_text(
        PROGRAM.replace("VERSION", str(version)).replace("REMEMBERS", str(remembers)).replace('"prog"', "ME")
    )
    spec = f"cmd:{sys.executable} {file}"
    match = Match.of([here(spec), "call"], load("nlhe"))
    file.write_text(file.read_text().replace("ME", json.dumps(seen_names(match.entrants)[0])))
    assert play(match, 8, workers=1).conduct.clean


def test_a_version_that_felt_does_not_speak(tmp_path):
    file = tmp_path / "prog.py"
    file.write_text(PROGRAM.replace("VERSION", "3").replace("REMEMBERS", "True"))
    from felt.agents.naming import AgentError

    with pytest.raises(AgentError, match="it speaks version 3 of the protocol: this Felt speaks 1 and 2"):
        here(f"cmd:{sys.executable} {file}")


def test_a_hand_that_nobody_named_is_anonymous():
    hand = Hand.new(load("nlhe"), players=3)
    assert hand.view(0).names == () and hand.copy().names == ()
    hand.names = ("Ada", "Bo", "Cem")
    assert hand.copy().view(1).names == pickle.loads(pickle.dumps(hand)).names == ("Ada", "Bo", "Cem")


def test_what_programs_are_given_is_nobody_elses_business():
    from felt.agents.naming import Entrant

    assert seen_names([Entrant("cmd:python3 /x/bot.py --key=1 -v", None)]) == ("cmd:python3 bot.py",)


class Watchful(Agent):
    """Bets against who folds often: twenty lines, and it plays better the longer it plays."""

    def __init__(self):
        self.folds, self.bets = {}, {}

    def action_seen(self, view, event):
        name = view.names[event.seat]
        if event.seat != view.seat and event.kind in ("fold", "call", "raise"):
            self.bets[name] = self.bets.get(name, 0) + 1
            self.folds[name] = self.folds.get(name, 0) + (event.kind == "fold")

    def act(self, view):
        (other,) = (name for seat, name in enumerate(view.names) if seat != view.seat)
        often = self.folds.get(other, 0) / max(self.bets.get(other, 0), 1)
        if often > 0.1 and self.bets[other] >= 40 and view.legal.raise_to:
            from felt.agents import raise_to

            return raise_to(view, 0)
        return check_or_call(view)


def test_an_agent_that_counts_folds_plays_better_later():
    result = play(Match.of([Watchful, "fold"], load("nlhe"), seed=3), 400, workers=1)
    won = result.totals[:, 0]
    assert result.conduct.clean
    assert won[:5].mean() < won[100:].mean() and (won[100:] > 0).all()  # it bets every hand, and is never called
