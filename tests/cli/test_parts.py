"""The small parts under the commands: options, output, files, the progress bar, the chart."""

import io
import os
import stat
import sys

import numpy as np
import pytest
import typer
from rich.console import Console

from felt._files import write_text
from felt.cli import output
from felt.cli.cards.range_ import range_chart
from felt.cli.options import only_one_of, share, whole_number
from felt.cli.output import progress_bar
from felt.errors import FeltError


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("50,000", 50_000), ("50_000", 50_000), ("0", 0)])
def test_whole_numbers(text, value):
    assert whole_number(text) == value


@pytest.mark.parametrize("text", ["", "x", "1.5", "1e3"])
def test_what_is_no_whole_number_is_quoted(text):
    with pytest.raises(typer.BadParameter, match=f"{text!r} is not a whole number"):
        whole_number(text)


@pytest.mark.parametrize(("text", "value"), [("0.3", 0.3), ("30%", 0.3), (" 5 % ", 0.05), (".5", 0.5)])
def test_shares(text, value):
    assert share(text) == pytest.approx(value)


def test_options_that_exclude_each_other_are_named():
    only_one_of(samples=None, std_err=0)
    with pytest.raises(FeltError, match="--samples and --std-err exclude each other"):
        only_one_of(samples=1, std_err=0)


def test_json_is_one_line_and_knows_no_infinity(capsys):
    output.print_json({"a": [1.5, float("inf")], "b": "♠"})
    assert capsys.readouterr().out == '{"a": [1.5, null], "b": "♠"}\n'


@pytest.mark.parametrize(
    ("value", "text"), [(4.0, "4"), (-0.5, "-0.5"), (1234.567, "1,234.57"), (float("inf"), "no amount is enough")]
)
def test_chips(value, text):
    assert output.chips(value) == text


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "chart.svg"
    path.write_text("old")
    write_text(path, "new ♠")
    assert path.read_text(encoding="utf-8") == "new ♠"
    assert [p.name for p in tmp_path.iterdir()] == ["chart.svg"]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


@pytest.mark.parametrize("name", ["missing/chart.svg", "folder"])
def test_a_place_that_cannot_be_written_is_quoted_and_left_clean(name, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(FeltError, match="cannot write") as error:
        write_text(tmp_path / name, "x")
    assert name in str(error.value)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_link_keeps_pointing_where_it_does(tmp_path):
    link, target = tmp_path / "link.svg", tmp_path / "target.svg"
    target.touch()
    link.symlink_to(target)
    write_text(link, "x")
    assert (link.is_symlink(), target.read_text()) == (True, "x")


def test_a_loop_of_links_is_a_mistake(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(FeltError, match="cannot write"):
        write_text(tmp_path / "a", "x")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "♠")
    assert (os.read(reader, 100).decode(), pipe.is_fifo()) == ("♠", True)
    os.close(reader)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_progress_bar_where_nobody_sees_it(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar("dealing") as report:
        assert report is None


def test_the_progress_bar_waits_two_seconds(monkeypatch):
    now = 100.0
    monkeypatch.setattr("felt.cli.output.time.monotonic", lambda: now)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar("dealing") as report:
        now = 101.9
        report(1, 10)
        assert sys.stderr.getvalue() == ""
        now = 102.1
        report(4, 10)
        report(5, 10)
    assert "dealing" in sys.stderr.getvalue()
    assert "50%" in sys.stderr.getvalue()


def test_the_chart_reads_without_colour():
    weights = np.zeros(169)
    weights[0], weights[1], weights[13], weights[168] = 1, 0.5, 0.001, 0.9999
    console = Console(file=io.StringIO(), width=80, no_color=True)
    console.print(range_chart(weights))
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert lines[0] == list("AKQJT98765432")
    assert lines[1] == ["A", "AA", "50%", *"···········"]
    assert lines[2] == ["K", "1%", *"············"]
    assert lines[13][-1] == "22"
    assert max(map(len, console.file.getvalue().splitlines())) <= 79
