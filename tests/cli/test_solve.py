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
    found = told(capsys, "solve", "kuhn", "--players", "3", "--target", "0.001")
    assert found["infosets"] == 48  # the game of the literature has four cards
    assert found["exploitability"] <= 0.001 and len(found["values"]) == 3
    assert run(["solve", "kuhn", "--players", "3"]) == 0
    assert "With more than two players nothing guarantees an equilibrium" in capsys.readouterr().out


def test_an_agent_is_measured_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exploitability", "random", "--game", "leduc", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["exploitability"] == pytest.approx(4.747222222222222 / 2, abs=1e-9) and data["infosets"] == 288
    assert data["agent"] == "random" and sum(data["values"]) == pytest.approx(0, abs=1e-12)
    assert run(["exploitability", "tag", "--game", "kuhn"]) == 0
    assert "tag in Kuhn poker" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ehs"], "to measure an agent, say in which game, like --game leduc"),
        (["chen", "--game", "leduc"], "agent 'chen' does not play leduc"),
        (["ehs", "--game", "leduc", "--deals", "5"], "--deals 5: an agent is measured over the whole tree"),
        (["leduc.felt", "--players", "3"], "--players: a strategy has its game and players"),
        (["ehs", "--game", "nlhe", "--memory", "100MB"], "more than the 100 MB allowed"),
    ],
)
def test_agents_that_cannot_be_measured(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exploitability", *words]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_save_measure_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "leduc.felt")
    found = told(capsys, "solve", "leduc", "--iterations", "30", "--save", file)
    assert told(capsys, "exploitability", file)["exploitability"] == pytest.approx(found["exploitability"], abs=1e-12)
    on = told(capsys, "solve", file, "--iterations", "200", "--save", file)
    assert on["iterations"] == 200 and on["exploitability"] < found["exploitability"]
    assert run(["exploitability", file]) == 0
    assert "200 iterations" in capsys.readouterr().out


def test_going_on_without_a_number_does_as_many_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "kuhn.felt")
    told(capsys, "solve", "kuhn", "--iterations", "1500", "--save", file)
    assert told(capsys, "solve", file)["iterations"] == 2500


def test_bytes_after_the_end_of_a_file_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kuhn.felt"
    told(capsys, "solve", "kuhn", "--iterations", "10", "--save", str(file))
    file.write_bytes(file.read_bytes() + b"more")
    assert run(["exploitability", str(file)]) == 2
    assert "has 4 bytes after its end" in capsys.readouterr().err


def test_threads_change_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "leduc.felt")
    one = told(capsys, "solve", "leduc", "--iterations", "60", "--threads", "1")
    told(capsys, "solve", "leduc", "--iterations", "30", "--threads", "2", "--save", file)
    assert told(capsys, "solve", file, "--iterations", "60", "--threads", "3")["gains"] == one["gains"]
    told(capsys, "solve", "leduc", "--algorithm", "external", "--iterations", "30", "--save", file)
    assert run(["solve", file, "--threads", "2"]) == 2
    assert "--threads share out sweeps over ends" in capsys.readouterr().err


def test_what_is_too_large_to_be_measured_has_an_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from felt.cli.solving import begin as solve_begin
    from felt.cli.solving import solve

    file = str(tmp_path / "leduc.felt")
    args = ["solve", "leduc", "--algorithm", "external", "--iterations", "300", "--save", file]
    exact = told(capsys, *args)["gains"]
    monkeypatch.setattr(solve_begin, "SAMPLED_MOST", 0)
    monkeypatch.setattr(solve, "_too_large", lambda strategy, memory: True)
    monkeypatch.setattr(solve_begin, "MOST", 2000)
    for command in (args, ["exploitability", file], ["exploitability", file, "--deals", "3000"]):
        found = told(capsys, *command)
        assert found["exploitability"] is None and found["gains"] is None
        bounds = zip(found["gains_low"], exact, found["gains_high"], strict=True)
        assert all(low < gain < high for low, gain, high in bounds)
        assert found["deals_looked_at"] == (3000 if "--deals" in command else 2000)
        assert run(command) == 0
        assert "0 sampled deals, each right with 95 %" in capsys.readouterr().out


def test_the_public_tree_measures_where_the_whole_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from felt.solvers.trees import build

    file = str(tmp_path / "leduc.felt")
    exact = told(capsys, "solve", "leduc", "--form", "vector", "--iterations", "30", "--save", file)["exploitability"]
    monkeypatch.setattr(build, "MEMORY", 0)
    assert told(capsys, "exploitability", file)["exploitability"] == pytest.approx(exact)
    assert run(["exploitability", file, "--deals", "100"]) == 2
    assert "--deals 100" in capsys.readouterr().err


def test_what_cannot_be_saved_is_known(tmp_path: Path) -> None:
    from felt.errors import FeltError
    from felt.games import load
    from felt.solvers.registry import METHODS, begin
    from felt.solvers.strategy import save_strategy

    def saved(method: str) -> bool:
        try:
            save_strategy(tmp_path / "x.felt", begin(load("kuhn"), method), None)
        except FeltError:
            return False
        return True

    assert [name for name in METHODS if saved(name)] == [name for name, method in METHODS.items() if method.saved]


def test_ctrl_c_ends_a_comparison(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    from felt.solvers.cfr import base as solver

    evaluate, calls = solver.evaluate, []

    def measured(tree: Any, chances: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return evaluate(tree, chances)

    monkeypatch.setattr(solver, "evaluate", measured)
    assert run(["solve", "leduc", "--algorithm", "cfr,cfr+,dcfr", "--iterations", "100000", "--json"]) == 130
    assert [one["algorithm"] for one in json.loads(capsys.readouterr().out)["runs"]] == ["cfr"]


def test_sampled_deals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from felt.cli.solving import begin as solve_begin

    monkeypatch.setattr(solve_begin, "MOST", 200)
    found = told(capsys, "solve", "kuhn", "--algorithm", "sampled", "--iterations", "2000")
    assert found["iterations"] == 2000 and 0 < found["exploitability"] < 0.1
    large = told(capsys, "solve", "kuhn", "--players", "8", "--set", "cards=13", "--algorithm", "sampled",
                 "--iterations", "20")  # fmt: skip
    assert large["exploitability"] is None and large["infosets"] == 13312
    assert len(large["gains_low"]) == len(large["gains_high"]) == 8
    assert run(["solve", "kuhn", "--algorithm", "sampled", "--iterations", "100"]) == 0
    assert "100 in " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["solve", "kuhn", "--set", "cards=13", "--players", "8", "--algorithm", "sampled", "--target", "1"],
            "too large to be measured",
        ),
        (["solve", "kuhn", "--algorithm", "sampled", "--cards", "ranks"], "leave --cards"),
        (["solve", "kuhn", "--algorithm", "cfr,dcfr", "--save", "x.felt"], "compared, not saved"),
        (["solve", "kuhn", "--algorithm", "cfr,dfcr"], "did you mean dcfr?"),
        (["solve", "kuhn", "--form", "x"], "--form x: use one of ends, levels, vector"),
        (["solve", "kuhn", "--algorithm", "pruned", "--save", "x.felt"], "cannot be saved yet"),
        (["solve", "kuhn", "--threads", "0"], "'0' is too small"),
        (["solve", "kuhn", "--threads", "2", "--algorithm", "external"], "--threads share out sweeps over ends"),
        (["solve", "kuhn", "--threads", "2", "--form", "levels"], "--threads share out sweeps over ends"),
        (["solve", "leduc", "--threads", "2", "--history", "street"], "leave --form, --float and --threads out"),
        (["solve", "kuhn", "--plot", "x.pdf"], "ends in .svg or .png"),
        (["solve", "kuhn", "--memory", "0"], "'0' is too small"),
        (["solve", "kuhn", "--target", "nan"], "'nan' is not a number"),
        (["solve", "leduc", "--memory", "0.0001"], "more than the 100 kB allowed"),
        (["solve", "leduc", "--memory", "0.1MB"], "more than the 100 kB allowed"),
        (["solve", "leduc", "--memory", "lots"], "'lots' is not a number: write it like 4, 0.5GB or 200MB"),
        (["solve", "leduc", "--memory", "4000000000"], "give 1,000,000 or less, write it like 4, 0.5GB or 200MB"),
        (["solve", "leduc", "--cards", "rank"], "--cards rank: use one of all, ranks, suits, ehs, or a function"),
        (["solve", "leduc", "--history", "streets"], "--history streets: use one of all, street, raises"),
        (["solve", "leduc", "--cards", "ehs:x"], "give the number of steps"),
        (["solve", "leduc", "--history", "nothing:here"], "cannot be found"),
        (["solve", "razz", "--cards", "ranks"], "only where cards are dealt face down first"),
        (["solve", "kuhnn"], "did you mean 'kuhn'?"),
        (["solve", "nlhe"], "more than the 4 GB allowed"),
        (["solve", "kuhn", "--algorithm", "x"], "there is no algorithm 'x'"),
        (["solve", "kuhn", "--target", "0"], "a target of 0"),
        (["solve", "kuhn", "--iterations", "0"], "'0' is too small"),
        (["solve", "leduc", "--sizes", "big"], "--sizes 'big'"),
        (["solve", "leduc", "--sizes", "nan"], "--sizes 'nan': give shares of the pot above 0"),
        (["solve", "leduc", "--sizes", "1,-1"], "--sizes '1,-1': give shares of the pot above 0"),
        (["solve", "kuhn", "--float", "16"], "--float 16"),
        (["solve", "kuhn", "--stack", "0"], "'0' is too small"),
        (["solve", "nothing.felt"], "cannot read 'nothing.felt'"),
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


@pytest.mark.parametrize("algorithm", ["dcfr", "sampled"])
def test_ctrl_c_saves_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    import signal

    from felt.solvers import best_response
    from felt.solvers.cfr import base as solver

    calls = []

    def measured(tree: Any, chances: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return evaluate(tree, chances)

    evaluate = best_response.evaluate
    monkeypatch.setattr(solver, "evaluate", measured)
    monkeypatch.setattr(best_response, "evaluate", measured)
    file = tmp_path / "x.felt"
    args = ["solve", "leduc", "--algorithm", algorithm, "--iterations", "100000", "--save", str(file)]
    assert run(args) == 130
    shown = capsys.readouterr()
    assert "felt: interrupted after " in shown.err and f"saved to {str(file)!r}" in shown.err
    assert "Traceback" not in shown.err
    on = told(capsys, "solve", str(file), "--iterations", "1000")
    assert on["iterations"] == 1000 and on["algorithm"] == algorithm


def test_a_long_run_is_kept_from_time_to_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from felt.solvers import solving, strategy

    saved = []
    save = strategy.save_strategy
    monkeypatch.setattr(strategy, "save_strategy", lambda *args: saved.append(save(*args)))
    monkeypatch.setattr(solving.solve, "__kwdefaults__", {**solving.solve.__kwdefaults__, "every": 0.0})
    assert run(["solve", "kuhn", "--iterations", "100", "--save", str(tmp_path / "x.felt")]) == 0
    assert len(saved) > 3


def test_algorithms_side_by_side_and_their_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "x.svg"
    args = ["solve", "leduc", "--algorithm", "cfr,cfr+,sampled", "--iterations", "60"]
    found = told(capsys, *args, "--plot", str(picture))
    assert [one["algorithm"] for one in found["runs"]] == ["cfr", "cfr+", "sampled"]
    text = picture.read_text()
    assert all(word in text for word in ("CFR+", "iterations", "seconds", "exploitability, chips a hand"))
    assert run([*args, "--plot", str(tmp_path / "x.png")]) == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert "cfr+" in capsys.readouterr().out


@pytest.mark.long
def test_an_abstraction_is_measured_in_the_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "x.felt")
    found = told(capsys, "solve", "leduc", "--cards", "ehs:2", "--iterations", "500", "--save", file)
    assert found["exploitability"] < 0.01 and 0.5 < found["exploitability_whole"] < 0.8
    again = told(capsys, "exploitability", file)
    assert again["exploitability_whole"] == pytest.approx(found["exploitability_whole"], abs=1e-9)
    forgets = told(capsys, "solve", "leduc", "--history", "street", "--iterations", "50", "--save", file)
    assert forgets["exploitability"] is None and 0.5 < forgets["exploitability_whole"] < 2
    again = told(capsys, "exploitability", file)
    assert again["exploitability"] is None and again["exploitability_whole"] == forgets["exploitability_whole"]
    assert told(capsys, "solve", file, "--iterations", "60")["iterations"] == 60
    for command in (["exploitability", file], ["solve", file, "--iterations", "70"]):
        assert run(command) == 0
        shown = capsys.readouterr().out
        assert "in the whole game" in shown and shown.count("chips a hand") == 1


@pytest.mark.parametrize(("game", "method"), [("kuhn", "external"), ("leduc", "public-chance"), ("kuhn", "outcome")])
def test_sampling_methods_save_and_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, method: str
) -> None:
    file = str(tmp_path / "x.felt")
    found = told(capsys, "solve", game, "--algorithm", method, "--iterations", "300", "--seed", "5", "--save", file)
    whole = told(capsys, "solve", game, "--algorithm", method, "--iterations", "500", "--seed", "5")
    again = told(capsys, "solve", file, "--iterations", "500")
    assert found["algorithm"] == again["algorithm"] == method
    assert again["exploitability"] == whole["exploitability"] < 1.5


def test_pruning(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "solve", "leduc", "--algorithm", "pruned", "--iterations", "300")["exploitability"] < 0.1


def test_levels_are_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    ends, levels = (told(capsys, "solve", "kuhn", "--iterations", "50", "--form", form) for form in ("ends", "levels"))
    assert ends["exploitability"] == pytest.approx(levels["exploitability"], abs=1e-12)


def test_the_public_tree_with_all_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leduc.felt"
    found = told(capsys, "solve", "leduc", "--form", "vector", "--iterations", "200", "--save", str(file))
    same = told(capsys, "solve", "leduc", "--iterations", "200")
    assert found["exploitability"] == pytest.approx(same["exploitability"], rel=0.5)  # rounding decides between equals
    assert found["values"] == pytest.approx(same["values"], abs=0.01)
    on = told(capsys, "solve", str(file), "--iterations", "300")
    assert on["iterations"] == 300 and on["exploitability"] < found["exploitability"]
    assert told(capsys, "exploitability", str(file))["exploitability"] == pytest.approx(found["exploitability"])
    for args, words in (
        (["--algorithm", "external"], "--form vector is for cfr"),
        (["--players", "3"], "for two players, not 3"),
        (["--float", "8"], "--float 8: give 64, 32 or 16"),
    ):
        assert run(["solve", "leduc", "--form", "vector", *args]) == 2
        assert words in capsys.readouterr().err
