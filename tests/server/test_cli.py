"""`felt rank-server` from the shell: what it prints, how it ends, and mistakes."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.helpers import PATIENCE, Client

FELT = [sys.executable, "-c", "from felt.cli.app import main; main()", "rank-server"]


@contextmanager
def felt_server(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command with these options, and the first line that it prints."""
    with subprocess.Popen([*FELT, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            yield child, child.stdout.readline()
        finally:
            if child.poll() is None:
                child.kill()


def test_port_0_prints_the_port_and_ctrl_c_ends_it_well() -> None:
    with felt_server("--port", "0") as (child, line):
        said = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+) \(Ctrl-C stops\)\n", line)
        assert said, line
        with Client(int(said[1])) as client:
            assert client.ask("RANK AsKsQsJsTs") == "7462"
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (0, "stopped; requests answered: 1\n", "")


def test_json_for_scripts(tmp_path: Path) -> None:
    with felt_server("--port", "0", "--json", "--answers", str(tmp_path / "a.db")) as (child, line):
        said = json.loads(line)
        assert said["listening"] == [{"host": "127.0.0.1", "port": said["port"]}]
        with Client(said["port"]) as client:
            assert client.ask("PING") == "PONG"
        os.kill(child.pid, signal.SIGTERM)
        assert child.communicate(timeout=PATIENCE) == ("", "")
    assert child.returncode == 0


def complaint(*options: str) -> str:
    ended = subprocess.run([*FELT, *options], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    return ended.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "x"], "'x' is not a whole number"),
        (["--port", "70000"], "'70000' is too large: give 65,535 or less"),
        (["--max-clients", "0"], "'0' is too small: give 1 or more"),
        (["--max-line", "5"], "limit line bytes cannot be 5: give 64 or more"),
        (["--idle=-1"], "'-1' is too small: give 0.0 or more"),
        (["--answers", "/nowhere/at/all.db"], "there is no folder '/nowhere/at'"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(options: list[str], words: str) -> None:
    assert words in complaint("--port", "0", *options)


def test_a_foreign_answers_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be sure of it: " * 20)
    assert f"answers file '{path}' cannot be used (file is not a database)" in complaint("--answers", str(path))


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} (address already in use)" in complaint("--port", str(port))
