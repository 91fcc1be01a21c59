"""The command line as a whole: help, version, exit codes, what is loaded, what a mistake looks like."""

import os
import signal
import subprocess
import sys
import time

import pytest

import felt
from felt.cli.app import run

COMMANDS = ["rank", "equity", "odds", "range", "pot", "tables", "rank-server", "tour"]


def felt_process(*args: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", "from felt.cli.app import main; main()", *args],
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def mistake(capsys, *args: str) -> str:
    """Run a command that must fail: exit code 2, nothing on stdout, one line on stderr, which is returned."""
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("felt: ")
    assert err.count("\n") == 1 and err.endswith("\n")
    return err


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"felt {felt.__version__}\n"


def test_help_names_every_command(capsys):
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f" {command} " in shown for command in COMMANDS)


def test_felt_alone_shows_the_help(capsys):
    assert run([]) == 0
    assert "Usage: felt" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(command, capsys):
    assert run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Example" in shown
    assert f"felt {command}" in shown.split("Example", 1)[1]


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "tour"])
def test_commands_take_json(command, capsys):
    run([command, "--help"])
    assert "--json" in capsys.readouterr().out


def loaded_by(*args: str) -> set[str]:
    """The modules of this list that a command has loaded when it is done."""
    code = (
        "import sys; from felt.cli.app import run; code = run(sys.argv[1:]); "
        "print('loaded', *[m for m in ('numba', 'numpy', 'rich') if m in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.splitlines()[-1].split()[1:])


def test_help_loads_no_numpy():
    assert loaded_by("--help") <= {"rich"}


@pytest.mark.parametrize(
    "args",
    [
        ["rank", "AsKsQsJsTs", "--json"],
        ["range", "TT+,AQs+", "--json"],
        ["equity", "AsAd", "KsKd", "--json"],
        ["equity", "TT+,AQs+", "random", "--json"],
        ["pot", "--pot", "100", "--call", "50", "--json"],
    ],
    ids=" ".join,
)
def test_a_command_with_nothing_to_compile_never_loads_numba_and_json_needs_no_rich(args):
    assert loaded_by(*args) <= {"numpy"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["shuffle"], "No such command 'shuffle'"),
        (["rank"], "Missing argument 'CARDS"),
        (["equity", "AsAd", "--smaples", "3"], "--smaples"),
        (["equity", "AsAd", "--samples", "many"], "'many' is not a whole number"),
        (["equity", "AsAd", "--stderr", "small"], "'small' is not a number"),
        (["equity", "AsAd", "--seed"], "--seed"),
        (["equity", "AsAd", "--exact", "--samples", "10"], "--exact and --samples exclude each other"),
        (["equity", "AsAd", "--samples", "10", "--stderr", "0.1"], "--samples and --stderr exclude each other"),
        (["equity", "AsAd", "--opponents", "-1"], "'-1' is too small: give 0 or more"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_one_line_and_code_2(args, words, capsys):
    assert words in mistake(capsys, *args)


def test_a_usage_error_points_to_the_help_of_the_command(capsys):
    assert mistake(capsys, "equity", "AsAd", "--seed", "x").endswith("(see felt equity --help)\n")


def test_a_reader_that_goes_away_is_no_error():
    code = "from felt.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "rank", "AsKsQsJsTs", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        complaint = process.stderr.read()
        process.wait(timeout=60)
    assert complaint == b""
    assert process.returncode == 0


def test_an_output_that_knows_no_suits_still_prints():
    done = felt_process("rank", "AsKsQsJsTs", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "royal flush" in done.stdout


def test_a_command_does_not_pay_for_scipy():
    code = "import sys, felt.cli.app as a\ntry: a.main()\nfinally: print(sys.modules['scipy'])"
    done = subprocess.run(
        [sys.executable, "-c", code, "equity", "AA", "KK", "--board", "2c7d9h"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and done.stdout.endswith("None\n")


def test_ctrl_c_ends_with_130_and_no_traceback():
    code = "import felt.cli.app as a, time; print('ready', flush=True); a.main()"
    slow = ["equity", "AA", "KK", "QQ", "--samples", "1000000000000"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.readline()
        for _ in range(60):  # pressed again where the first came in the middle of an import that forgot it
            time.sleep(1.0)
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGINT)
        else:
            process.kill()
        _, complaint = process.communicate(timeout=60)
    assert "Traceback" not in complaint
    assert process.returncode == 130
