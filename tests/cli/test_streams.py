"""Standard streams that are closed or full: one line and an exit code, from every command."""

import subprocess
import sys
from pathlib import Path

import pytest

from felt.cli.app import run
from felt.cli.output import complain, is_write_error
from tests.cli.commands import commands, is_group

FELT = [sys.executable, "-c", "from felt.cli.app import main; main()"]
FULL = Path("/dev/full")
CANNOT_WRITE = "felt: cannot write ({}): make room, or send the output somewhere else\n"

needs_full = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")

QUICK = [
    ["--version"], ["agents"], ["rank", "AsKd"], ["rank", "AsKd", "--json"], ["range", "AA"],
    ["equity", "AsAd", "KsKd"], ["odds", "AsKd"], ["pot", "--pot", "100", "--call", "50"], ["game", "list"],
    ["game", "show", "kuhn"], ["game", "tree", "kuhn"], ["game", "play", "kuhn"],
    ["match", "call", "fold", "--hands", "2", "--workers", "1"],
]  # fmt: skip


@needs_full
@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_what_cannot_be_written_is_one_line_and_code_1(words, monkeypatch, capsys):
    with FULL.open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert run(words) == 1
    assert capsys.readouterr().err == CANNOT_WRITE.format("no space left on device")


@needs_full
def test_the_help_of_every_command_that_cannot_be_written_is_one_line_and_code_1(built_once, monkeypatch, capsys):
    for words, _ in commands():
        with FULL.open("w") as full:
            monkeypatch.setattr("sys.stdout", full)
            assert run([*words, "--help"]) == 1
        assert capsys.readouterr().err == CANNOT_WRITE.format("no space left on device")


@pytest.mark.parametrize(
    ("closed", "code", "told"),
    [(">&-", 1, CANNOT_WRITE.format("bad file descriptor")), ("2>&-", 0, ""), ("<&-", 0, ""), ("<&- >&- 2>&-", 1, "")],
)
def test_a_closed_stream_is_no_traceback(closed, code, told):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *FELT, "rank", "AsKd", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (code, told)


@needs_full
def test_a_mistake_that_cannot_be_told_still_has_its_code():
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>/dev/full', "sh", *FELT, "rank", "xx"], capture_output=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_closed_input_is_an_empty_one(tmp_path):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *FELT, "verify-deal", "-"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2 and done.stderr.startswith("felt: ") and done.stderr.count("\n") == 1


def test_every_group_alone_shows_its_help(built_once, capsys):
    for words, command in commands():
        if is_group(command) and words != ("pushfold",):  # which is a command too, and says what it needs
            assert run(words) == 0
            assert f"Usage: {' '.join(('felt', *words))} " in capsys.readouterr().out


def test_no_help_speaks_of_python_types(built_once, capsys):
    for words, _ in commands():
        assert run([*words, "--help"]) == 0
        shown = capsys.readouterr().out
        assert "<" not in shown and "list[" not in shown, words


def test_a_file_that_the_system_refuses_is_one_line_that_names_it(tmp_path, monkeypatch, capsys):
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "here"))

    monkeypatch.setattr("felt.games.catalogue.names", refused)
    assert run(["game", "show", "kuhn"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("felt: cannot use ") and str(tmp_path / "here") in told and told.count("\n") == 1


def test_an_error_of_writing_has_no_name():
    assert is_write_error(OSError(28, "No space left on device"))
    assert not is_write_error(OSError(28, "No space left on device", "file"))
    assert not is_write_error(ConnectionRefusedError(111, "Connection refused"))


def test_a_complaint_to_a_closed_stream_is_lost(monkeypatch, tmp_path):
    with (tmp_path / "log").open("w") as closed:
        monkeypatch.setattr("sys.stderr", closed)
    complain("nobody reads this")
    assert (tmp_path / "log").read_text() == ""
