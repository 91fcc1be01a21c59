"""The sample programs, in every language the same player; and what is written to them."""

import json
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest

from felt.agents import Agent, entrant
from felt.agents.contract import check_agent
from felt.agents.outside.view_json import Scribe, writes
from felt.arena import Match, play
from felt.arena.conductor.conduct import Conduct, Penalty
from felt.arena.conductor.lockstep import Lockstep
from felt.games import load, names
from tests.agents.outside.programs import SAMPLES, bad, here, sample
from tests.agents.outside.sessions import recorded

LANGUAGES = ("python", "javascript", "c")


@pytest.fixture(scope="module", params=LANGUAGES)
def program(request, tmp_path_factory):
    return sample(request.param, tmp_path_factory.mktemp("built"))


def test_a_sample_is_short(program):
    assert all(len(path.read_text().splitlines()) < 60 for path in SAMPLES.iterdir() if path.is_file())


def test_a_sample_keeps_the_contract(program):
    assert check_agent(program, ["nlhe", "badugi"], players=(3,), hands=3).games == ("nlhe", "badugi")


def test_a_sample_plays_sensibly(program, reference):
    """Better than those who never think, and in every language the same."""
    result = play(Match.of([here(program), "random"], load("nlhe"), duplicate=True), hands=2000, workers=1)
    assert result.conduct.clean
    rate = result.rate(0)
    assert rate.ci95 is not None and rate.ci95[0] > 0
    reference.append(result.totals)
    assert (result.totals == reference[0]).all()


@pytest.fixture(scope="module")
def reference():
    return []


class Watching(Agent):
    """Compares what would be written with what a view says."""

    remembers = False
    seen = 0

    def __init__(self):
        self.scribe = Scribe()
        self.agent = entrant("random").make()

    def act_batch(self, tables):
        for row, (seat, own, text) in enumerate(self.scribe.views(tables)):
            view = tables.view(row)
            assert text == json.dumps(view.as_dict(), separators=(",", ":"))
            assert (seat, own) == (view.seat, view.as_dict()["seats"][seat]["cards"])
            Watching.seen += 1
        return self.agent.act_batch(tables)


@pytest.mark.parametrize("game", [name for name in names() if writes(load(name))])
@pytest.mark.parametrize("stack", [None, 9])
def test_what_is_written_quickly_is_what_a_view_says(game, stack):
    rules = load(game)
    players = min(rules.max_players, 2 if stack else 4)
    conduct, hands = Conduct.of(players), np.arange(12)
    stack = None if stack is None else stack * rules.big_blind
    before, kinds = Watching.seen, [Watching() for _ in range(players)]
    chips = stack or play(Match.of(["call"] * players, rules), hands=players).match.stack
    lockstep = Lockstep(rules, kinds, chips, 3, Penalty.FOLD, 60, conduct)
    lockstep.play(hands, hands, np.tile(np.arange(players), (12, 1)))
    assert conduct.clean, conduct.incidents[0]
    assert Watching.seen > before + 12


def test_games_with_other_cards_are_written_the_slow_way():
    slow = [name for name in names() if not writes(load(name))]
    assert "stud" in slow and "badugi" in slow and "nlhe" not in slow


def test_a_program_over_tcp_plays_the_same_match():
    spec = sample("python", SAMPLES)
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(30)
    served = []

    def serve():
        while True:
            try:
                one, _ = server.accept()
            except OSError:
                return
            command = [sys.executable, "-S", str(SAMPLES / "careful.py")]
            served.append(subprocess.Popen(command, stdin=one, stdout=one))
            one.close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        by_wire = play(Match.of([here(f"tcp:127.0.0.1:{server.getsockname()[1]}"), "call"], load("nlhe")), 40)
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    assert by_wire.conduct.clean
    assert (by_wire.totals == play(Match.of([here(spec), "call"], load("nlhe")), 40).totals).all()
    assert [one.wait(20) for one in served] == [0, 0], "once to say hello, once to play"


def test_several_questions_are_on_their_way_at_once_unless_a_program_does_not_want_that():
    for more, first in (({}, "→→→"), ({"several": False}, "→←→")):
        with recorded() as said:
            play(Match.of([here(bad("good", "1", json.dumps(more))), "call"], load("nlhe")), 6, workers=1)
        acts = [line[0] for line in said if '"act"' in line or '"move"' in line]
        assert "".join(acts[:3]) == first


@pytest.mark.parametrize("more", [{"several": False}, {"remembers": True}, {"events": ["hand_over"]}])
def test_whatever_a_program_wants_it_plays_the_same_hands(more):
    result = play(Match.of([here(bad("good", "1", json.dumps(more))), "random"], load("nlhe")), 30, workers=1)
    assert result.conduct.clean
    assert (result.totals == play(Match.of(["call", "random"], load("nlhe")), 30).totals).all()


def test_a_program_is_found_from_any_folder_and_a_change_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot").write_text((SAMPLES / "careful.py").read_text())
    (tmp_path / "bot").chmod(0o755)
    one = entrant("cmd:./bot --brave 'two words'")
    assert one.place == f"cmd:{tmp_path}/bot --brave 'two words'"
    assert not one.remembers and not one.listens and one.batch and not one.trusted
    assert entrant(f"cmd:{sys.executable} bot").place == f"cmd:{sys.executable} {tmp_path}/bot"
    before = one.digest
    with (tmp_path / "bot").open("a") as file:
        file.write("# changed\n")
    assert entrant("cmd:./bot").digest != before
    assert Match.of([one, "call"], load("nlhe")).names == ("cmd:bot --brave 'two words'", "call")


def test_a_hello_says_what_the_program_wants():
    more = {"remembers": True, "events": ["hand_over"], "games": ["nlhe"]}
    one = entrant(bad("good", "1", json.dumps(more)))
    assert one.remembers and one.listens and not one.batch
    assert one.reason_not_to_play(load("stud"), 2) == "it plays nlhe"
    assert one.reason_not_to_play(load("nlhe"), 2) is None
