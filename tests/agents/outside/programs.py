"""Programs for the tests: the samples, and one that behaves as badly as it is told to."""

import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from felt.agents.naming import Entrant, entrant

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "examples" / "agents"
BAD = Path(__file__).with_name("bad.py")


def here(spec: str) -> Entrant:
    """An agent that plays in this process: no worker has to be started."""
    return replace(entrant(spec), named=False)


def bad(*words: str) -> str:
    """A bad program: what it does, and when."""
    return f"cmd:{shlex.join([sys.executable, '-S', str(BAD), *words])}"


def sample(language: str, folder: Path) -> str:
    """A sample, built where that is needed; skips where its language is not here."""
    if language == "python":
        return f"cmd:{shlex.quote(sys.executable)} -S {shlex.quote(str(SAMPLES / 'careful.py'))}"
    program = {"javascript": "node", "c": "cc"}[language]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    if language == "javascript":
        return f"cmd:node {shlex.quote(str(SAMPLES / 'careful.js'))}"
    built = folder / "careful"
    command = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(built), str(SAMPLES / "careful.c")]
    subprocess.run(command, check=True, timeout=60)
    return f"cmd:{shlex.quote(str(built))}"
