"""`make test` brings a Chromium to a CI machine that can install one, and touches no other."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "get_chromium.sh"


def program(folder: Path, name: str, lines: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{lines}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("ci", "user", "programs", "asked"),
    [
        ("1", 0, ["apt-get"], True),
        ("", 0, ["apt-get"], False),
        ("1", 1000, ["apt-get"], False),
        ("1", 0, [], False),
        ("1", 0, ["apt-get", "chromium"], False),
    ],
    ids=["CI", "not CI", "not root", "no apt-get", "there is one"],
)
@pytest.mark.parametrize("works", [True, False])
def test_who_gets_one(tmp_path, ci, user, programs, asked, works):
    log = tmp_path / "log"
    program(tmp_path, "id", f"echo {user}")
    for name in programs:
        program(tmp_path, name, f'echo "$@" >> {log}\n{"true" if works else "false"}')
    ran = subprocess.run(
        [shutil.which("sh"), SCRIPT], env={"PATH": str(tmp_path), "CI": ci}, capture_output=True, text=True
    )
    assert ran.returncode == 0
    assert log.exists() == asked
    if asked and works:
        assert log.read_text() == "update\ninstall -y --no-install-recommends chromium\n"
    assert ("could not be installed" in ran.stderr) == (asked and not works)
