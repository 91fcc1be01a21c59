"""The wheel in an empty environment: it brings what it needs, its commands work, and the page is in it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts import lock, make_venv

ROOT = make_venv.ROOT
pytestmark = pytest.mark.long


def run(*command: str | Path, **environment: str) -> str:
    """What a command prints; it must go well."""
    ran = subprocess.run(
        command,
        cwd="/",
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    ran = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def felt(wheel: Path) -> Path:
    """The command, in an environment that had nothing in it."""
    place = wheel.parent / "empty"
    run(sys.executable, "-m", "venv", "--without-pip", place)
    pip, environment = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python")], {}
    if make_venv.UV.exists():
        pip, environment = make_venv.uv_like(make_venv.OWN_PIP)
        environment = environment | {"VIRTUAL_ENV": str(place)}
    constraints = wheel.parent / "constraints.txt"
    constraints.write_text("\n".join(map(lock.requirement_of, make_venv.locked(*lock.SETS))))
    run(*pip, "install", "--quiet", wheel, "--constraint", constraints, **environment)  # and all that it says it needs
    return place / "bin" / "felt"


def test_the_page_and_the_tables_are_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src" / "felt"
    for folder in (package / "server" / "web" / "static", package / "data", package / "games" / "variants"):
        files = {path.relative_to(ROOT / "src").as_posix() for path in folder.rglob("*") if path.is_file()}
        files = {name for name in files if "__pycache__" not in name}
        assert files and files <= names
    assert not any(name.startswith(("tests/", "web/", "docs/")) for name in names)


def test_it_answers_in_an_empty_environment(felt: Path) -> None:
    assert "equity" in run(felt, "--help")
    question = ["equity", "AsKs", "QQ", "--board", "QhJs2c", "--json"]
    here = json.loads(run(sys.executable, "-c", f"from felt.cli.app import main; main({question!r})"))
    there = json.loads(run(felt, *question))
    assert there["players"] == here["players"]


def test_what_needs_an_extra_says_so(felt: Path) -> None:
    ran = subprocess.run([felt, "serve"], cwd="/", capture_output=True, text=True, timeout=120)
    assert ran.returncode != 0 and "Traceback" not in ran.stderr
    assert "server" in ran.stderr and "pip install" in ran.stderr
