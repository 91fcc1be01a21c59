"""Lines: what comes too long or too often changes nothing else, and whoever is let go is gone."""

import json
import os
import time
from contextlib import suppress

import pytest

from felt.agents import entrant
from felt.agents.api import AgentFault, OutsideAgent
from felt.agents.dice import Dice
from felt.agents.outside.lines import MOST_LINE, MOST_WAITING, Lines
from felt.arena import Match, play
from felt.arena.match.hands import MatchWorkplace
from felt.games import Hand, load
from tests.agents.outside.programs import bad, here


@pytest.fixture
def pipes():
    """Lines, and the other ends: to be written and read."""
    reads, other_writes = os.pipe()
    other_reads, writes = os.pipe()
    lines = Lines(reads, writes)
    yield lines, other_writes, other_reads
    lines.close()
    os.close(other_writes)
    os.close(other_reads)


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_is_too_long_whether_it_has_an_end_or_not(pipes, end):
    lines, other, _ = pipes
    long = b"x" * (MOST_LINE + 1) + end
    os.write(other, b"one\ntwo\n" + long[:50_000])
    assert lines.pump(1) == [b"one", b"two"]
    os.write(other, long[50_000:] + b"three\n" * bool(end))
    for _ in range(2):
        with pytest.raises(AgentFault, match="a line of more than 65,536 bytes"):
            lines.pump(0.02)


def test_lines_before_one_that_is_too_long_are_heard(tmp_path):
    (tmp_path / "said").write_bytes(b"one\n" + b"x" * (MOST_LINE + 1) + b"\ntwo\n")
    lines = Lines(os.open(tmp_path / "said", os.O_RDONLY), os.open(os.devnull, os.O_WRONLY))
    assert lines.pump(1) == [b"one"]
    with pytest.raises(AgentFault, match="a line of more than 65,536 bytes"):
        lines.pump(1)
    lines.close()


def test_what_waits_is_kept_once_and_comes_in_order(pipes):
    lines, _, other = pipes
    text = b"".join(b"%09d\n" % number for number in range(500_000))
    began = time.perf_counter()
    for at in range(0, len(text), 100):
        lines.put(text[at : at + 100])
        assert time.perf_counter() - began < 3.0  # it would be copied 50,000 times
    got = b""
    while lines.waiting:
        lines.pump(0)
        got += os.read(other, 1 << 20)
    assert got == text[: len(got)] and len(text) - len(got) <= 65_536
    with pytest.raises(AgentFault, match="it does not read"):
        lines.put(b"x" * (MOST_WAITING + 100_000))


def test_an_answer_that_comes_again_changes_nothing_however_it_is_buffered():
    """At once, or so late that the next question has been asked."""
    plain = play(Match.of([here(bad("good")), "call"], load("nlhe")), hands=12, workers=1)
    for more in ({}, {"remembers": True}, {"several": False}):
        for what in ("flood", "again"):
            result = play(Match.of([here(bad(what, "5", json.dumps(more))), "call"], load("nlhe")), hands=12, workers=1)
            counts = result.conduct.counts[0]
            assert (result.totals == plain.totals).all() and (result.totals != 0).any()
            assert counts == {"illegal": 11 * (49 if what == "flood" else 1), "timeouts": 0, "errors": 0}
            assert "its first answer counts" in result.conduct.incidents[0].message


def test_who_repeats_itself_for_ever_is_ended_in_time():
    view = Hand.new(load("nlhe"), players=2).view(1)
    agent = here(bad("repeat")).make()
    agent.dice, agent.patience = Dice(1), 0.3
    agent.act(view)
    began = time.monotonic()
    with pytest.raises(AgentFault, match=r"no answer within 0.3 s"):
        agent.act(view)
    assert time.monotonic() - began < 3
    agent.dismiss()


def test_who_floods_when_let_go_or_when_we_are_interrupted_is_gone(monkeypatch):
    """Also if hearing it raises what nobody expects."""
    view = Hand.new(load("nlhe"), players=2).view(1)
    for error in (None, KeyboardInterrupt):
        agent = entrant(bad("after")).make()
        agent.dice = Dice(1)
        agent.act(view)
        visit = agent._talk._visit
        with monkeypatch.context() as patched:
            if error is not None:
                patched.setattr(visit, "_wait_until_read", lambda until, error=error: (_ for _ in ()).throw(error))
            with suppress(KeyboardInterrupt):
                agent.match_over()
        assert visit._process.returncode is not None and visit._group.guard.returncode is not None
        assert visit.lines.closed and not visit.lines._open


def test_all_are_let_go_whatever_becomes_of_one():
    match = Match.of([here(bad("good")), here(bad("good"))], load("kuhn"), duplicate=True)
    workplace, gone = MatchWorkplace(match), []

    class Leaving(OutsideAgent):
        def __init__(self, name, error=None):
            self.name, self.error = name, error

        def dismiss(self):
            gone.append(self.name)
            if self.error:
                raise self.error

    workplace._idle[0].append([Leaving("a", AgentFault("illegal", "it floods")), Leaving("b", OSError())])
    workplace._idle[1].append([Leaving("c"), Leaving("d")])
    assert workplace.close().clean and gone == ["a", "b", "c", "d"]
