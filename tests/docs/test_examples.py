"""Everything that the docs show is run: the README, the pages of the site, and the docstrings.

In Markdown, a ``python`` fence with ``>>>`` is a doctest, one without is a program that must run through,
and in a ``console`` fence every ``$ felt …`` line is run and the lines below it are compared (``...`` stands
for anything). A page is read from top to bottom with one set of names. What cannot be run belongs in a
``text`` fence. A fence with a title (``python title="bot.py"``) is written to a file of that name first, for the
commands that follow.
"""

import doctest
import importlib
import re
import shlex
import sys
import textwrap
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(
    r"""(?P<indent>[ \t]*)(?P<ticks>`{3,})[ \t]*\{?\.?(?P<language>\w*)(?:.* title="(?P<title>[\w.-]+)")?.*"""
)


@dataclass
class Block:
    """One fenced block: its language, its text without indentation, the line of its first text, and its file."""

    language: str
    text: str
    line: int
    title: str | None = None


def blocks(page: str) -> Iterator[Block]:
    lines = iter(enumerate(page.splitlines(), start=2))
    for start, line in lines:
        opened = FENCE.fullmatch(line)
        if not opened:
            continue
        inside = []
        for _, inner in lines:
            if inner.strip() == opened["ticks"]:
                break
            inside.append(inner)
        else:
            raise ValueError(f"the fence above line {start} is never closed")
        yield Block(opened["language"], textwrap.dedent("\n".join(inside)) + "\n", start, opened["title"])


def commands(block: Block) -> Iterator[tuple[str, str, int]]:
    """Each ``$`` line of a console block with the output shown below it and its line number."""
    parts = re.split(r"^\$ ", block.text.replace("\\\n", ""), flags=re.MULTILINE)
    line = block.line + parts[0].count("\n")
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        yield command.strip(), shown.rstrip() + "\n" if shown.strip() else "", line
        line += part.count("\n")


def run_doctest(test: doctest.DocTest) -> None:
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False)
    assert not results.failed, "".join(report)


def run_command(command: str) -> tuple[int, str]:
    """Run the installed ``felt`` in this process, where the kernels are already loaded."""
    (script,) = entry_points(group="console_scripts", name="felt")
    output, before = StringIO(), sys.argv
    sys.argv = shlex.split(command, comments=True)
    try:
        with redirect_stdout(output), redirect_stderr(output):
            code = script.load()()
    except SystemExit as stop:
        code = stop.code
    finally:
        sys.argv = before
    return code or 0, "\n".join(line.rstrip() for line in output.getvalue().splitlines()) + "\n"


def check_command(command: str, shown: str, place: str) -> None:
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    assert not any(set(word) <= set("|&<>;()") for word in words), f"{place}: needs a shell: use a text fence"
    code, output = run_command(command)
    expected_codes = (0, 2) if shown.strip(" .\n") else (0,)  # 2: an error message that the page shows
    assert code in expected_codes, f"{place}: {command!r} ended with {code!r}:\n{output}"
    if shown and not doctest.OutputChecker().check_output(shown, output, FLAGS):
        pytest.fail(f"{place}: {command!r} should print\n{shown}but prints\n{output}")


def run_block(block: Block, page: Path, names: dict[str, Any]) -> None:
    if block.title:
        Path(block.title).write_text(block.text, encoding="utf-8")
    if block.language in ("python", "py", "pycon") and ">>>" in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
        run_doctest(test)
        names.update(test.globs)
    elif block.language in ("python", "py"):
        with redirect_stdout(StringIO()):
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)
    elif block.language == "console":
        for command, shown, line in commands(block):
            if command.split()[0] == "felt":
                check_command(command, shown, f"{page.name}:{line}")


def test_includes_are_there() -> None:
    """What a page takes from another file. A formatter that takes such a line for Python would put spaces into it."""
    found = 0
    for page in (ROOT / "docs").rglob("*.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.strip().startswith("--8"):
                named = re.fullmatch(r' *--8<-- "([^"]+)"', line)
                assert named and (ROOT / named[1]).is_file(), f"{page.name}: {line}"
                found += 1
    assert found >= 7


def pages() -> list[Path]:
    every = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in every if "```" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for examples that write files
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        run_block(block, page, names)


def modules_with_examples() -> list[str]:
    files = [p for p in sorted((SOURCE / "felt").rglob("*.py")) if ">>> " in p.read_text(encoding="utf-8")]
    return [".".join(p.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__") for p in files]


@pytest.mark.parametrize("module", modules_with_examples())
def test_docstrings(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tests = [test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples]
    assert tests, f"{module} shows examples that doctest does not find"
    for test in tests:
        run_doctest(test)
