"""Checks that run at the same time: both are waited for, what they print stays apart, and either can fail."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKE = """#!/bin/sh
shift
for target; do
    echo "$target begins"
    if [ "$target" = slow ]; then sleep 0.2; fi
    echo "$target ends"
    if [ "$target" = broken ]; then exit 2; fi
done
"""


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [("slow", "lint docs", 0), ("slow broken", "lint docs", 1), ("slow", "broken docs", 1)],
)
def test_both_are_shown_whole_and_either_can_fail(first: str, second: str, code: int, tmp_path: Path) -> None:
    make = tmp_path / "make"
    make.write_text(MAKE)
    make.chmod(0o755)
    ran = subprocess.run(
        ["sh", "scripts/side_by_side.sh", first, second],
        cwd=ROOT, env=os.environ | {"MAKE": str(make)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ran.returncode != 0) == (code != 0)
    run = [*first.split(), *(second.split() if "broken" not in second else ["broken"])]
    assert ran.stdout.splitlines() == [line for target in run for line in (f"{target} begins", f"{target} ends")]
