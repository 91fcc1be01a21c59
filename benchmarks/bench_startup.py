"""What it costs to begin: imports, commands from the shell, and compiling with nothing kept on disk."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import peers
from benchmarks.machine import own_seconds
from benchmarks.rows import Row, Section, Target, figure, rows_beside
from benchmarks.words import amount

TIMED_IMPORT = "import time; began = time.perf_counter(); import {}; print(time.perf_counter() - began)"


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 11
    rows = [*imports(rounds), *commands(rounds)]
    if not quick:
        rows += [*empty_cache(2)]
    return Section(
        "Starting up",
        tuple(rows),
        note="Every run is a process of its own; files are in the operating system's cache. Imports are timed inside"
        " the process, commands from outside, with the start of Python in them.",
        order=40,
    )


def imports(rounds: int) -> list[Row]:
    """Importing us and others, taking turns."""
    ours = {"import felt": "felt", "import felt.cards, felt.odds": "felt.cards, felt.odds"}
    theirs = [name for name in ("eval7", "phevaluator.evaluator", "treys", "pokerkit") if peers.installed(name)]
    seconds: dict[str, list[float]] = {modules: [] for modules in (*ours.values(), *theirs)}
    for number in range(rounds + 1):
        for modules, runs in seconds.items():
            found = float(_output([sys.executable, "-c", TIMED_IMPORT.format(modules)]))
            if number:  # the first round reads files from the disk
                runs.append(found)
    rows: list[Row] = []
    for name, modules in ours.items():
        others = {f"import {peer}": figure(seconds[peer], "s") for peer in theirs}
        rows += rows_beside(name, figure(seconds[modules], "s"), others, Target(0.3, "under"))
    return rows


def commands(rounds: int) -> list[Row]:
    """Commands as a user types them, the second time."""
    under = Target(1.5, "under")
    asked: dict[str, tuple[Sequence[str], Target | None]] = {
        "python, doing nothing": ([sys.executable, "-c", "pass"], None),
        "felt --help": ([*felt(), "--help"], None),
        "felt rank AsKsQsJsTs": ([*felt(), "rank", "AsKsQsJsTs"], Target(0.3, "under")),
        "felt equity AsKs QQ": ([*felt(), "equity", "AsKs", "QQ"], under),
        "felt equity AsKs QQ --board 2c7dTh": (
            [*felt(), "equity", "AsKs", "QQ", "--board", "2c7dTh"],
            Target(0.8, "under"),
        ),
        "felt equity 22+,AT+ KJ+,T9s --board 2c7dTh": (
            [*felt(), "equity", "22+,AT+", "KJ+,T9s", "--board", "2c7dTh"],
            Target(0.8, "under"),
        ),
        "felt equity AsAd --opponents 9": ([*felt(), "equity", "AsAd", "--opponents", "9"], under),
        "felt odds 5h4h --board Kh6s3h": ([*felt(), "odds", "5h4h", "--board", "Kh6s3h"], None),
    }
    seconds: dict[str, list[float]] = {name: [] for name in asked}
    for number in range(rounds + 1):
        for name, (command, _) in asked.items():
            found = _wall(command)
            if number:  # the first is not the second
                seconds[name].append(found)
    notes = {
        "felt equity AsKs QQ": "from the table",
        "felt equity AsKs QQ --board 2c7dTh": "counted without kernels",
        "felt equity 22+,AT+ KJ+,T9s --board 2c7dTh": "needs kernels",
    }
    return [
        Row(name, figure(seconds[name], "s"), target=target, note=notes.get(name, ""))
        for name, (_, target) in asked.items()
    ]


def empty_cache(rounds: int) -> list[Row]:
    """All kernels, and one question that needs a few of them, with nothing compiled before."""
    asked = {
        "all kernels compiled, empty cache (part of make setup)": (
            [sys.executable, "-m", "felt._warm"],
            Target(60, "under"),
        ),
        "felt equity AsKs QQ --board 2c7dTh, empty cache": (
            [*felt(), "equity", "AsKs", "QQ", "--board", "2c7dTh"],
            None,
        ),
    }
    rows = []
    for name, (command, target) in asked.items():
        runs, processor = [], own_seconds()
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="felt-bench-") as folder:
                runs.append(_wall(command, FELT_CACHE=folder))
        busy = (own_seconds() - processor) / rounds  # what it would take with a core to itself
        rows.append(Row(name, figure(runs, "s"), target=target, note=f"{amount(busy, 's')} of processor time"))
    return rows


def felt() -> list[str]:
    """The installed command, or the same by way of Python where it is not installed."""
    script = Path(sys.executable).with_name("felt")
    return [str(script)] if script.exists() else [sys.executable, "-c", "from felt.cli.app import main; main()"]


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout


def _wall(command: Sequence[str], **environment: str) -> float:
    began = time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=600)
    seconds = time.perf_counter() - began
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}: {(ran.stderr or ran.stdout).strip()}")
    return seconds
