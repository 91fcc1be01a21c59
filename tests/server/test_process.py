"""The server as a process: signals, and what survives them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.helpers import HAND, PATIENCE, Client
from tests.server.test_answers import wait_until_written

ROOT = Path(__file__).parents[2]


@contextmanager
def process(
    value: float, *, seconds: float = 0, answers: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process and its port; killed at the end if the test has not ended it."""
    command = [sys.executable, "-m", "tests.server.serve_fakes", str(value), str(seconds)]
    if answers is not None:
        command.append(str(answers))
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            yield child, int(child.stdout.readline())
        finally:
            if child.poll() is None:
                child.kill()


def ended(child: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and what is left of stdout, of a process that has said nothing on stderr."""
    out, err = child.communicate(timeout=PATIENCE)
    assert err == ""
    return child.returncode, out.strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_work_finish_and_ends_with_0(number: signal.Signals) -> None:
    with process(0.25, seconds=0.4) as (child, port), Client(port) as client:
        client.send(f"HS {HAND} 3", "PING", f"#t RANK {HAND}")
        assert client.read() == "#t 1"
        os.kill(child.pid, number)
        assert client.read_to_end() == ["0.250000", "PONG"]
        client.close()
        assert ended(child) == (0, "3")


def test_a_second_signal_hurries() -> None:
    with process(0.25, seconds=PATIENCE) as (child, port), Client(port) as client:
        client.send(f"HS {HAND} 3", "#t PING")
        assert client.read() == "#t PONG"
        os.kill(child.pid, signal.SIGTERM)
        os.kill(child.pid, signal.SIGINT)
        assert ended(child)[0] == 0


def test_idle_clients_do_not_hold_up_the_end() -> None:
    with process(0.25) as (child, port), Client(port) as client:
        assert client.ask("PING") == "PONG"
        os.kill(child.pid, signal.SIGTERM)
        assert client.read_to_end() == []
        client.close()
        assert ended(child)[0] == 0


def test_answers_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    with process(0.25, answers=path) as (child, port), Client(port) as client:
        assert client.ask(f"EHS {HAND} 2") == "0.250000"
        os.kill(child.pid, signal.SIGTERM)
        client.close()
        assert ended(child)[0] == 0
    with process(0.75, answers=path) as (_, port), Client(port) as client:
        assert client.ask(f"EHS {HAND} 2") == "0.250000", "kept"
        assert client.ask(f"EHS {HAND} 3") == "0.750000", "computed"


def test_answers_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    with process(0.25, answers=path) as (child, port), Client(port) as client:
        assert client.ask(f"EHS {HAND} 2") == "0.250000"
        wait_until_written(path, 1)
        os.kill(child.pid, signal.SIGKILL)
        child.wait(PATIENCE)
    with process(0.75, answers=path) as (_, port), Client(port) as client:
        assert client.ask(f"EHS {HAND} 2") == "0.250000", "kept"
