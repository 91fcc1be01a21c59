"""`make mutate`: which changes it makes to kernels, how it names them, and what it says of explanations."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.mutation.__main__ import EQUAL, Result, main, read_equal, report
from scripts.mutation.copies import callers_of, reached_rooms
from scripts.mutation.places import changes_of, choose

from tests.conftest import ROOT

SOURCE = '''"""Text with 1 < 2 in it."""

LIMIT = 3


@kernel
def clamp(x, low):
    """More of it: 1 < 2."""
    room = np.zeros(8, dtype=np.int64)
    if x < low and not x == 4:  # 1 < 2
        x += -low * 2
    return min(x, LIMIT)
'''

EXPECTED = {
    ("condition", "if (not (x < low and not x == 4)):"),
    ("comparison", "if x <= low and not x == 4:"),
    ("comparison", "if x >= low and not x == 4:"),
    ("and/or", "if x < low or not x == 4:"),
    ("sign", "if x < low and x == 4:"),
    ("comparison", "if x < low and not x != 4:"),
    ("number", "if x < low and not x == 5:"),
    ("number", "if x < low and not x == 3:"),
    ("arithmetic", "x -= -low * 2"),
    ("sign", "x += low * 2"),
    ("arithmetic", "x += -low + 2"),
    ("number", "x += -low * 3"),
    ("number", "x += -low * 1"),
    ("min/max", "return max(x, LIMIT)"),
}


def kernel_sources() -> dict[str, str]:
    package = ROOT / "src" / "felt"
    return {path.relative_to(package).as_posix(): path.read_text() for path in sorted(package.rglob("*kernels.py"))}


def test_every_operator_condition_and_number_of_a_function_is_a_place():
    changes = changes_of(SOURCE, "x_kernels.py")
    assert {(change.kind, change.becomes) for change in changes} == EXPECTED
    for change in changes:
        assert change.apply(SOURCE) != SOURCE
        compile(change.apply(SOURCE), "x_kernels.py", "exec")


def test_a_change_keeps_its_name_when_lines_move_and_equal_lines_are_told_apart():
    twice = SOURCE.replace("    return min", "    x += -low * 2\n    return min")
    moved = changes_of('"""\nMore lines.\n"""\n\n' + twice, "x_kernels.py")
    assert {change.key for change in changes_of(SOURCE, "x_kernels.py")} < {change.key for change in moved}
    assert len({change.key for change in moved}) == len(moved)
    assert {change.nth for change in moved if change.line == "x += -low * 2"} == {1, 2}


def test_changes_are_chosen_by_seed_from_every_file_and_never_two_at_a_place():
    changes = [change for file, source in kernel_sources().items() for change in changes_of(source, file)]
    chosen = choose(changes, count=200, seed=1, least=2)
    assert len(chosen) == len({(change.file, change.begin, change.end) for change in chosen}) == 200
    assert {change.file for change in chosen} == {change.file for change in changes}
    assert choose(changes, count=200, seed=1, least=2) == chosen != choose(changes, count=200, seed=2, least=2)
    others = [change for change in changes if change.file != chosen[0].file]
    kept = set(choose(others, count=200, seed=1, least=2)) & set(chosen)
    assert len(kept) > 180  # a file that changes leaves the choice elsewhere as it is


def test_who_calls_a_kernel_is_read_through_imports_and_other_names():
    sources = {
        "a_kernels.py": "def low(x):\n    return x\n\n\ndef high(x):\n    return low(x)\n",
        "b/kernels.py": "from felt.a_kernels import high as top\n\n\ndef use(x):\n    return top(x)\n",
    }
    callers = callers_of(sources)
    assert callers == {"felt.a_kernels.low": {"felt.a_kernels.high"}, "felt.a_kernels.high": {"felt.b.kernels.use"}}
    assert reached_rooms(ROOT / "src" / "felt", "cards/ranking/kernels.py") >= {"cards", "games", "odds"}


def test_explanations_name_a_change_that_can_be_made_and_give_a_reason():
    keys = {change.key for file, source in kernel_sources().items() for change in changes_of(source, file)}
    entries = tomllib.loads(EQUAL.read_text(encoding="utf-8")).get("equal", [])
    assert [key for key in read_equal(EQUAL) if key not in keys] == []
    assert len(read_equal(EQUAL)) == len(entries)  # or one is there twice
    assert all(len(entry["reason"]) > 20 for entry in entries)


def test_survivors_and_explanations_that_do_not_hold_are_reported(capsys):
    first, second, third = (change.key for change in changes_of(SOURCE, "x_kernels.py")[:3])
    caught = Result(first, "condition", "caught", "compiled", "tests/test_x.py", "")
    explained = replace(caught, key=second, outcome="explained", step="", test="")
    survived = replace(explained, key=third, outcome="survived")
    assert report([caught, explained], {second: "why"}, [], False) == 0
    assert report([caught, explained, survived], {second: "why"}, [], False) == 1
    assert f"survives: x_kernels.py, clamp\n    {third[2]}\n    {third[3]}" in capsys.readouterr().out
    assert report([caught], {first: "why"}, [], False) == 1
    assert "explained as equal, but caught: x_kernels.py" in capsys.readouterr().out
    assert report([caught], {}, [second], False) == 1
    assert "explained as equal, but no longer there: x_kernels.py" in capsys.readouterr().out
    assert report([caught, survived], {}, [second], True) == 1
    printed = json.loads(capsys.readouterr().out)
    assert [row["outcome"] for row in printed["results"]] == ["caught", "survived"]
    assert printed["stale"] == [list(second)]


@pytest.mark.long
def test_a_change_is_caught_in_a_copy_and_the_sources_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    before = kernel_sources()
    results = tmp_path / "results.json"
    arguments = ["--file", "conductor/step", "--count", "1", "--quick", "--results", str(results), "--json"]
    assert main(arguments) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert (row["outcome"], row["key"][0]) == ("caught", "arena/conductor/step_kernels.py")
    assert "tests/arena/test_step_kernels.py" in row["test"]
    assert kernel_sources() == before
    assert json.loads(results.read_text())[0] == row
