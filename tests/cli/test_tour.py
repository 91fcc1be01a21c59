"""The tour, driven through a terminal as a visitor would, and through a pipe as CI would."""

import io
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from rich.console import Console

from felt.cli.app import run
from felt.cli.service import tour

PATIENCE = 60.0
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Visitor:
    """A process on a terminal of 80 × 24: reads what is shown, types answers."""

    def __init__(self, process: subprocess.Popen, terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self._shown = b""
        self._seen = 0

    def expect(self, words: str) -> str:
        """Read until `words` are shown; all that was shown before them since the last time."""
        deadline = time.monotonic() + PATIENCE
        while True:
            unseen = self._text()[self._seen :]
            if words in unseen:
                break
            waiting = self._read(0.2) or self.process.poll() is None
            assert waiting and time.monotonic() < deadline, f"{words!r} never came: {unseen}"
        before = unseen.partition(words)[0]
        self._seen += len(before) + len(words)
        return before

    def type(self, line: str) -> None:
        self.press(line.encode() + b"\n")

    def press(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def leave(self) -> int:
        """Wait for the process to end; its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(0.1) or self.process.poll() is None:
            assert time.monotonic() < deadline, f"it does not end: {self._text()[self._seen :]}"
        return self.process.returncode

    def _text(self) -> str:
        return ESCAPES.sub("", self._shown.decode(errors="ignore"))

    def _read(self, seconds: float) -> bool:
        """Take in what has been shown; False when there is nothing (or nobody there to show it)."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self._terminal, 65536)
        except OSError:  # the other end has closed
            return False
        self._shown += more
        return bool(more)


@contextmanager
def visit(*args: str, **environment: str) -> Iterator[Visitor]:
    outside, inside = pty.openpty()
    termios.tcsetwinsize(outside, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-c", "from felt.cli.app import main; main()", "tour", *args],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "", "LINES": "", **environment},
        start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
    )
    os.close(inside)
    try:
        yield Visitor(process, outside)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait(timeout=PATIENCE)
        os.close(outside)


MENU = "Where to?"


@pytest.mark.long
def test_every_stop_and_back():
    with visit("--seed", "5") as visitor:
        visitor.expect(MENU)
        visitor.type("1")
        visitor.expect("Your cards")
        visitor.type("As Ad 5h 5c Kd 7s 2c")
        visitor.expect("two pair, aces and fives, king kicker")
        visitor.type("AsAs")
        visitor.expect("card As stands twice")
        visitor.type("m")
        visitor.expect(MENU)
        visitor.type("2")
        visitor.expect("Your guess in %:")
        visitor.type("fifty")
        visitor.expect("'fifty' is not a percentage")
        visitor.type("50")
        visitor.expect("Exactly")
        visitor.type("m")
        visitor.expect(MENU)
        visitor.type("3")
        visitor.expect("Your range")
        visitor.type("TT+, AKs:0.5")
        visitor.expect("32 of 1,326 combos")
        visitor.type("ZZ")
        visitor.expect("ZZ")
        visitor.type("m")
        visitor.expect(MENU)
        visitor.type("4")
        visitor.expect("Your two cards")
        visitor.type("AsAd")
        visitor.expect("85.20%")
        for street in ("flop", "turn", "river"):
            visitor.expect(f"Enter for the {street}:")
            visitor.type("")
        visitor.expect("Your opponent shows")
        visitor.type("m")
        visitor.expect(MENU)
        visitor.type("5")
        visitor.expect("Call or fold (c/f)?")
        visitor.type("c")
        visitor.expect("of 1.")
        visitor.type("m")
        visitor.expect(MENU)
        visitor.type("6")
        visitor.expect("Which game")
        visitor.type("chess")
        visitor.expect("there is no game 'chess'")
        visitor.type("kuhn")
        visitor.expect("c check")
        visitor.type("c")
        visitor.type("q")
        visitor.expect("See you.")
        visitor.expect(MENU)
        visitor.type("q")
        visitor.expect("Thank you for coming")
        assert visitor.leave() == 0


def test_an_unknown_stop_is_asked_again():
    with visit() as visitor:
        visitor.expect(MENU)
        visitor.type("9")
        visitor.expect("'9' is not on the menu")
        visitor.expect(MENU)
        visitor.type("q")
        assert visitor.leave() == 0


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("stop", ["", "1"])
def test_keys_that_end_it(key, stop):
    with visit() as visitor:
        visitor.expect(MENU)
        if stop:
            visitor.type(stop)
            visitor.expect("Your cards")
        time.sleep(0.3)  # nobody is as quick as the moment between the prompt and the wait for a key
        visitor.press(key)
        visitor.expect("Thank you for coming")
        assert visitor.leave() == 0


def test_without_colour_nothing_is_lost():
    with visit("--seed", "5", NO_COLOR="1", TERM="dumb") as visitor:
        visitor.expect("Rank a hand")
        visitor.expect(MENU)
        visitor.type("3")
        visitor.expect("Your range")
        visitor.type("AKs:0.5")
        assert "50%" in visitor.expect("2 of 1,326 combos")
        visitor.type("q")
        assert visitor.leave() == 0


def test_in_a_pipe_it_shows_itself_and_ends(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["tour"]) == 0
    shown = capsys.readouterr().out
    for words in ("two pair, aces and fives", "Exactly", "combos", "calling is worth", "Thank you for coming"):
        assert words in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_demonstration_is_the_same_every_time(capsys, monkeypatch):
    shows = []
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        run(["tour"])
        shows.append(capsys.readouterr().out)
    assert shows[0] == shows[1]


def scripted(stop: str, *answers: str, seed: int = 1) -> str:
    """What a stop shows to a visitor who gives these answers and leaves."""
    console = Console(file=io.StringIO(), width=80)
    guide = tour.Guide(console, random.Random(seed), iter(answers))
    with pytest.raises(tour.Leave):
        tour.STOPS[stop][2](guide)
    return console.file.getvalue()


def test_the_trainer_agrees_with_the_value_of_the_call():
    for seed in range(12):
        for answer in ("c", "f"):
            shown = scripted("5", answer, seed=seed)
            ev = float(re.search(r"worth ([+-][\d.]+) chips", shown)[1])
            right = "Right." in shown
            if ev != 0:
                assert right == ((answer == "c") == (ev > 0))


def test_the_quiz_keeps_score():
    shown = scripted("2", "0", "100")
    assert "over 1." in shown
    assert "over 2." in shown


def test_agents_play_and_mistakes_are_asked_about_again():
    shown = scripted("7", "fold raise", "tag", "tag esh", "")
    assert "fold" in shown and "-750 ± 0.0 mbb/hand" in shown and "names 1 agent" in shown
    assert "did you mean ehs" in shown and "tag" in shown.rpartition("did you mean")[2]
