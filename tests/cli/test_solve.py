"""`felt solve` and `felt exploitability`."""

import json
from pathlib import Path
from typing import Any

import pytest

from felt.cli.app import run


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert run([*args, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_solve_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "solve", "kuhn", "--algorithm", "cfr+", "--iterations", "500")
    assert list(found)[:8] == [
        "game", "algorithm", "infosets", "iterations", "seconds", "seconds_per_iteration", "exploitability", "values",
    ]  # fmt: skip
    assert (found["game"], found["algorithm"], found["infosets"], found["iterations"]) == ("kuhn", "cfr+", 12, 500)
    assert found["values"][0] == pytest.approx(-1 / 18, abs=1e-3)


def test_a_target_and_more_players(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "solve", "kuhn", "--players", "3", "--set", "cards=4", "--target", "0.001")
    assert found["exploitability"] <= 0.001 and len(found["values"]) == 3
    assert run(["solve", "kuhn", "--players", "3", "--set", "cards=4"]) == 0
    assert "With more than two players nothing guarantees an equilibrium" in capsys.readouterr().out


def test_save_measure_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "leduc.felt")
    found = told(capsys, "solve", "leduc", "--iterations", "30", "--save", file)
    assert told(capsys, "exploitability", file)["exploitability"] == pytest.approx(found["exploitability"], abs=1e-12)
    on = told(capsys, "solve", file, "--iterations", "200", "--save", file)
    assert on["iterations"] == 200 and on["exploitability"] < found["exploitability"]
    assert run(["exploitability", file]) == 0
    assert "200 iterations" in capsys.readouterr().out


def test_sampled_deals(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "solve", "kuhn", "--algorithm", "sampled", "--iterations", "2000")
    assert found["iterations"] == 2000 and 0 < found["exploitability"] < 0.1
    large = told(capsys, "solve", "kuhn", "--players", "8", "--set", "cards=13", "--algorithm", "sampled",
                 "--iterations", "20")  # fmt: skip
    assert large["exploitability"] is None and large["infosets"] == 13312
    assert run(["solve", "kuhn", "--algorithm", "sampled", "--iterations", "100"]) == 0
    assert "100 in " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", "kuhn", "--algorithm", "sampled", "--target", "1"], "has no --target and no --save"),
        (["solve", "kuhnn"], "did you mean 'kuhn'?"),
        (["solve", "nlhe"], "more than the 4 GB allowed"),
        (["solve", "kuhn", "--algorithm", "x"], "there is no algorithm 'x'"),
        (["solve", "kuhn", "--target", "0"], "a target of 0"),
        (["solve", "kuhn", "--iterations", "0"], "0 iterations"),
        (["solve", "leduc", "--sizes", "big"], "--sizes 'big'"),
        (["solve", "kuhn", "--float", "16"], "--float 16"),
        (["solve", "kuhn", "--stack", "0"], "each must be 1 chip or more"),
        (["exploitability", "nothing.felt"], "cannot read 'nothing.felt'"),
    ],
)
def test_mistakes_are_told_in_one_line(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_place_that_cannot_be_written_is_told_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "kuhn", "--save", str(tmp_path / "no" / "x")]) == 2
    assert "cannot write" in capsys.readouterr().err
