"""Run a case and write down what it printed, without what differs from run to run by nature."""

import hashlib
import io
import json
import os
import re
import shlex
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from felt.cli.app import run
from felt.solvers.strategy import load_strategy
from tests.baselines.cases import ARCHIVES, CASES, INPUTS

WIDTH, SHORT = 120, 50
"""Of a recorded line, and of what shares a line with others."""

RECORDED = Path(__file__).parent / "recorded"
FILES = Path(__file__).parent / "files"
"""Strategy files and logs that releases wrote (`tests/baselines/make_files.py`)."""

MEASURED = re.compile(r"seconds|per_second$|^(version|about|sentence)$")
"""Keys of JSON objects whose values are times, versions and sentences for people."""

DATE = re.compile(r"\d{4}-\d\d-\d\dT")


def run_case(name: str, folder: Path) -> list[dict[str, Any]]:
    """Run the lines of a case in an empty folder; the line, the exit code and the output of each are returned."""
    for file, text in INPUTS.items():
        (folder / file).write_text(text, encoding="utf-8")
    for beginning, archive in ARCHIVES.items():
        if name.startswith(beginning):
            unpack(archive, folder)
    with _working_in(folder):
        return [_run_line(line) for line in CASES[name]]


def unpack(archive: str, folder: Path) -> None:
    """Lay the files of a release into a folder."""
    with zipfile.ZipFile(FILES / archive) as files:
        files.extractall(folder)


def hash_arrays(file: Path) -> dict[str, str]:
    """What a strategy file has in its arrays, as a short hash of each."""
    arrays = load_strategy(file, trust=True).arrays
    return {
        name: hashlib.sha256(f"{array.dtype} {array.shape}".encode() + array.tobytes()).hexdigest()[:16]
        for name, array in sorted(arrays.items())
    }


def to_text(results: list[dict[str, Any]]) -> str:
    """The text of a recorded file."""
    return _spread(results) + "\n"


def _spread(value: Any, indent: str = "") -> str:
    """JSON in lines that a difference can be read from: what fits on a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + " "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_spread(item, inner)}" for key, item in value.items()]
    else:
        items = [_spread(item, inner) for item in value]
    rows = [items[0]]
    for item in items[1:]:
        if len(item) <= SHORT and len(inner) + len(rows[-1]) + len(item) <= WIDTH and "\n" not in rows[-1]:
            rows[-1] += f", {item}"
        else:
            rows.append(item)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}{closing}"


def _run_line(line: str) -> dict[str, Any]:
    command, _, target = line.partition(" > ")
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(output), redirect_stderr(errors):
        code = run(shlex.split(command))
    text, complaint = (stream.buffer.getvalue().decode() for stream in (output, errors))  # type: ignore[attr-defined]
    if target:
        Path(target).write_text(text, encoding="utf-8")
        text = ""
    result: dict[str, Any] = {"line": f"felt {line}", "exit": code}
    if code:
        result["errors"] = complaint
    return result | {
        "output": _without_measures(json.loads(text)) if "--json" in command and text else text.splitlines()
    }


def _without_measures(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "…" if MEASURED.search(key) else _without_measures(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_measures(item) for item in value]
    return "…" if isinstance(value, str) and DATE.match(value) else value


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    """A folder of its own, and no strategies that other tests have solved before, perhaps further."""
    before = Path.cwd()
    os.chdir(folder)
    cache = patch("felt.solvers.pushfold.lookup.cache_folder", lambda: folder / "cache")
    try:
        with patch.dict(os.environ, COLUMNS="120"), cache:
            yield
    finally:
        os.chdir(before)
        sys.stdout.flush()
