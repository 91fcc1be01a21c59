"""Seeded command lines print what Felt 0.1 printed, to the last digit.

`pytest tests/baselines -q` runs them all in half a minute. Recording anew: `tests/baselines/record.py` says when.
"""

from difflib import unified_diff

import pytest

from tests.baselines.cases import CASES, UNRECORDED
from tests.baselines.running import RECORDED, run_case, to_text
from tests.cli.commands import commands, is_group

SHOWN = 80
"""Lines of a difference that a failure shows."""


@pytest.mark.parametrize("name", CASES)
def test_the_output_is_the_recorded_one(name, tmp_path):
    recorded = (RECORDED / f"{name}.json").read_text(encoding="utf-8")
    now = to_text(run_case(name, tmp_path))
    if now != recorded:
        lines = [*unified_diff(recorded.splitlines(), now.splitlines(), "recorded", "now", lineterm="", n=1)]
        rest = f"\n… {len(lines) - SHOWN} more lines" if len(lines) > SHOWN else ""
        pytest.fail("\n".join(lines[:SHOWN]) + rest + "\nSee tests/baselines/record.py", pytrace=False)


def test_every_command_has_a_case():
    names = {" ".join(words) for words, command in commands() if words and not is_group(command)} - set(UNRECORDED)
    lines = [line for case in CASES.values() for line in case]
    assert len(CASES) >= 40 and len(names) > 20
    assert [name for name in sorted(names) if not any(f"{line} ".startswith(f"{name} ") for line in lines)] == []


def test_recorded_files_are_those_of_the_cases():
    assert {file.stem for file in RECORDED.iterdir()} == set(CASES)
