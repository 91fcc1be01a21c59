"""Programs that do wrong are contained, counted and named, and nobody else is harmed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from felt.agents import Agent, AgentError, check_or_call, check_or_fold, entrant
from felt.agents.dice import Dice
from felt.agents.outside import talk
from felt.arena import Match, play
from felt.errors import FeltError
from felt.games import Hand, load
from tests.agents.outside.programs import BAD, bad, here

EVERY = 7


class Replaced(Agent):
    """What the bad program comes to: it calls, and the rule decides where the program does wrong."""

    remembers = False

    def act(self, view):
        wrong = self.dice.getrandbits(53) % EVERY == 0
        return check_or_fold(view) if wrong else check_or_call(view)


def result_of(agent, hands=10, **options):
    """Played in this process: no worker has to be started."""
    return play(Match.of([here(agent), "call"], load("nlhe"), **{"timeout": 5.0, **options}), hands=hands, workers=1)


def listed() -> list[str]:
    """Bad programs that run, and their children."""
    found = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in found if f"-S {BAD}" in line or "-c import time; time.sleep(600)" in line]


def processes() -> set[int]:
    """Their numbers."""
    return {int(line.split()[0]) for line in listed()}


@pytest.mark.parametrize(
    ("what", "fault", "words"),
    [
        ("garbage", "illegal", "it said 'I think that I call', which is no JSON object"),
        ("endless", "illegal", "a line of more than 65,536 bytes, 'xxx"),
        ("seat", "illegal", "it answered for seat"),
        ("other", "illegal", "and nobody asked that question"),
        ("move", "illegal", "'move': 'think'}: a move is fold, call, raise, exchange"),
        ("amount", "illegal", "move 2 with amount 1000000000"),
        ("exit", "errors", "it exited with code 3; its last words: 'no more cards for me'"),
        pytest.param("kill", "errors", "its process was ended by SIGKILL", marks=pytest.mark.long),
        pytest.param("close", "errors", "it closed its output", marks=pytest.mark.long),
        ("child", "errors", "it exited with code 4"),
    ],
)
def test_what_goes_wrong_is_counted_and_told(what, fault, words):
    there = processes()
    result = result_of(bad(what, str(EVERY)))
    counts = result.conduct.counts[0]
    expected = play(Match.of([Replaced, "call"], load("nlhe")), hands=10)
    assert (result.totals == expected.totals).all(), "the rule decided at the same places, and nowhere else"
    assert counts[fault] == sum(counts.values()) > 0
    assert not any(result.conduct.counts[1].values())
    assert words in result.conduct.incidents[0].message
    assert processes() <= there, "nobody is left"
    own = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "stat,args"], capture_output=True, text=True).stdout
    assert not [line for line in own.splitlines() if line.startswith("Z")], "nor are there any dead to be buried"


def test_cards_that_it_does_not_hold_are_illegal_at_one_table_and_at_many():
    said = []
    for remembers in (False, True):
        program = here(bad("cards", "1", json.dumps({"remembers": remembers})))
        result = play(Match.of([program, "call"], load("badugi")), hands=4, workers=1)
        counts = result.conduct.counts[0]
        assert counts["illegal"] == sum(counts.values()) == 12
        said.append([(one.message, one.details) for one in result.conduct.incidents])
    assert said[0] == said[1] and said[0][0] == ("it does not hold As", "")


def test_what_a_program_says_does_not_command_the_terminal():
    result = result_of(bad("colours"), 1)
    incident = result.conduct.incidents[0]
    assert incident.message == r"it exited with code 5; its last words: '\x1b[31mred\x07'"
    assert incident.details == "\\x1b[2Jfirst\n\\x1b[31mred\\x07"
    with pytest.raises(FeltError, match=r"it plays \\x1b\[31mnlhe$") as caught:
        Match.of([bad("good", "1", json.dumps({"games": ["\x1b[31mnlhe"]})), "call"], load("nlhe"))
    assert str(caught.value).isprintable()


def test_who_hangs_is_ended_after_the_time_for_a_decision():
    began = time.monotonic()
    result = result_of(bad("hang", "11"), 6, timeout=0.2)
    counts = result.conduct.counts[0]
    assert counts["timeouts"] == sum(counts.values()) > 0
    assert result.conduct.incidents[0].message == "no answer within 0.2 s"
    assert time.monotonic() - began < 20


@pytest.mark.long
def test_two_workers_and_two_programs_play_the_same_match():
    specs = [bad("exit", "40"), bad("garbage", "50")]
    one, two = (play(Match.of(specs, load("nlhe")), hands=40, workers=count) for count in (1, 2))
    assert (one.totals == two.totals).all() and one.conduct.counts == two.conduct.counts
    assert all(sum(count.values()) for count in one.conduct.counts)


def test_who_breaks_too_often_is_not_asked_any_more(monkeypatch):
    monkeypatch.setattr(talk, "MOST_STARTS", 3)
    agent = entrant(bad("exit")).make()
    agent.dice = Dice(1)
    view = Hand.new(load("nlhe"), players=2).view(1)
    said = []
    for _ in range(6):
        with pytest.raises(Exception) as caught:
            agent.act(view)
        said.append(str(caught.value))
    assert [one.startswith("it exited with code 3") for one in said] == [True] * 4 + [False] * 2
    assert said[-1].startswith("not asked: it was started again 3 times; lastly, it exited with code 3")


def test_a_program_that_remembers_and_one_that_listens_are_contained_too():
    plain = {"remembers": True, "events": ["hand_started", "hand_over"]}
    for more in (plain, {"events": ["action_seen"]}):
        result = result_of(bad("exit", str(EVERY), json.dumps(more)), on_error="call")
        counts = result.conduct.counts[0]
        assert counts["errors"] == sum(counts.values()) > 0
        assert (result.totals == play(Match.of(["call", "call"], load("nlhe")), hands=10).totals).all()


def test_who_hangs_up_is_called_again():
    """A program over TCP that answers three questions on each connection."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                one, _ = server.accept()
            except OSError:
                return
            with one, one.makefile("rw") as lines:
                for asked in map(json.loads, lines):
                    if asked["type"] == "act":
                        lines.write(json.dumps({"id": asked["id"], "move": "call"}) + "\n")
                    elif asked["type"] == "hello":
                        lines.write('{"type":"hello","protocol":1,"name":"three","remembers":true}\n')
                    lines.flush()
                    if asked.get("id", 0) % 4 == 3:
                        break

    threading.Thread(target=serve, daemon=True).start()
    try:
        result = result_of(f"tcp:127.0.0.1:{server.getsockname()[1]}", 5, on_error="call")
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    counts = result.conduct.counts[0]
    assert counts["errors"] == sum(counts.values()) > 0
    assert result.conduct.incidents[0].message == "it closed the connection"
    assert (result.totals == play(Match.of(["call", "call"], load("nlhe")), hands=5).totals).all()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cmd:", "name a program, like cmd:./my-bot"),
        ("cmd:./no-such-bot", "there is no program './no-such-bot' here"),
        ("cmd:'./bot", "is no command: no closing quotation"),
        ("cmd:./text", "'./text' cannot be executed: give it leave to (chmod +x ./text)"),
        ("cmd:./rubbish", "it cannot be started: exec format error"),
        ("cmd:true", "it exited with code 0"),
        ("cmd:echo hello", "it said 'hello', which is no JSON object"),
        ("cmd:cat", 'it said \'{"type":"hello","protocol":1,"protocols":[1,2],"felt":'),
        ("tcp:localhost", "'localhost' is no address: write tcp:HOST:PORT"),
        (f"cmd:{'a' * 300}", "there is no program 'aaa"),
        (f"cmd:./{'a' * 300}", "there is no program './aaa"),
        ("tcp:a..b:7000", "'a..b:7000' is no address"),
        (f"tcp:127.0.0.1:{'1' * 5000}", "is no address: write tcp:HOST:PORT"),
        ("tcp:127.0.0.1:1", "127.0.0.1:1 cannot be reached: connection refused"),
    ],
)
def test_a_program_that_cannot_play_is_refused_in_one_line(spec, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("hello")
    Path("rubbish").write_bytes(b"\0\1\2")
    Path("rubbish").chmod(0o755)
    with pytest.raises(AgentError) as caught:
        entrant(spec)
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"agent {spec!r}: ")


def test_a_change_of_any_file_that_a_program_is_given_is_noticed(tmp_path):
    script, weights = tmp_path / "bot.py", tmp_path / "weights"
    script.write_text(BAD.read_text())
    digests = []
    for text in ("1", "2"):
        weights.write_text(text)
        spec = f"cmd:{sys.executable} -S {script} good 1 '{{}}' {weights}"
        assert set(entrant(spec).program_files) == {Path(sys.executable), script, weights}
        digests.append(entrant(spec).digest)
    script.write_text(BAD.read_text() + "\n")
    assert len({*digests, entrant(spec).digest}) == 3


@pytest.mark.parametrize("events", ["all", ["dealt"], [1]])
def test_a_hello_that_asks_for_what_there_is_not_is_refused(events):
    with pytest.raises(AgentError, match="events out of hand_started, action_seen"):
        entrant(bad("good", "1", json.dumps({"events": events})))


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_when_felt_is_killed_its_programs_end(by):
    """Those that do not read that their input has ended, and their children too."""
    program = f"import sys; sys.path[:] = {sys.path!r}\n" + (
        "from felt.arena import Match, play\nfrom felt.games import load\n"
        f"print('ready', flush=True)\nplay(Match.of([{bad('family')!r}, 'call'], load('nlhe')), hands=100)"
    )
    there = processes()
    felt = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert felt.stdout is not None
    felt.stdout.readline()
    _until(lambda: any("-c import time" in line for line in listed() if int(line.split()[0]) not in there))
    os.kill(felt.pid, by)
    felt.wait()
    felt.stdout.close()
    _until(lambda: processes() <= there)


def _until(done, seconds=20.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
