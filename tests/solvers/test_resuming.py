"""Solving that stops and goes on: every kind of tree and algorithm, to the last bit; and saves that are killed."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from felt.abstraction.abstraction import Abstraction
from felt.errors import FeltError
from felt.games import Hand, load
from felt.games.views.keys import information
from felt.solvers.cfr.algorithm import ALGORITHMS, discounted
from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
from felt.solvers.cfr.solver import FORMS, Solver
from felt.solvers.files import StrategyFileError, read_arrays, write_arrays
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.registry import begin
from felt.solvers.sampling.deals import SampledSolver
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree
from tests.solvers.small_games import cut_holdem


def last_street(hand: Hand, seat: int) -> str:
    """A key that a file can name: the cards, and the moves."""
    return "known " + information(hand, seat, suits=False)


def raised() -> Hand:
    hand = Hand.new(load("leduc"), deck="KsQsJhQhJsKh", button=0)
    hand.raise_to(2)
    hand.call()
    return hand


LEDUC = build_tree(load("leduc"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ALGORITHMS)
def test_each_algorithm_goes_on_to_the_last_bit(tmp_path: Path, method: str, form: str) -> None:
    goes_on(tmp_path, lambda: Solver(LEDUC, method, form=form))


MADE: dict[str, Callable[[], Any]] = {
    "from a state": lambda: Solver(build_tree(raised()), "predictive"),
    "fewer cards": lambda: Solver(build_tree(load("leduc-one-raise"), abstraction=Abstraction(cards="ehs:3")), "dcfr"),
    "forgetting": lambda: ForgetfulSolver(
        build_tree(load("leduc"), abstraction=Abstraction(history="street", forget=True)), "predictive"
    ),
    "one's own key": lambda: Solver(build_tree(load("leduc"), key=last_street), "cfr+"),
    "from a state, with a menu": lambda: Solver(build_tree(raised(), sizes=[0.5]), "cfr+", kind="float32"),
    "public tree, predictive": lambda: VectorSolver(vector_tree(load("leduc")), "predictive"),
    "public tree, in float32": lambda: VectorSolver(vector_tree(cut_holdem(3, 3)), "predictive", kind="float32"),
    "public tree, in 16 bits": lambda: VectorSolver(vector_tree(load("leduc")), "dcfr", kind="int16"),
    "public tree, suits are names": lambda: VectorSolver(vector_tree(cut_holdem(2, 3, boards=(2, 2))), "cfr+"),
    "sampled": lambda: SampledSolver(load("leduc"), seed=3),
    "external": lambda: begin(load("leduc"), "external", seed=3),
    "external, whole": lambda: begin(LEDUC, "external", seed=3),
    "outcome": lambda: begin(load("leduc"), "outcome", seed=3),
    "public chance": lambda: begin(LEDUC, "public-chance", seed=3),
}


@pytest.mark.parametrize("kind", MADE)
def test_each_tree_is_built_again(tmp_path: Path, kind: str) -> None:
    goes_on(tmp_path, MADE[kind])


def goes_on(folder: Path, make: Callable[[], Any]) -> None:
    """300 iterations are 120, saved and loaded, and 180 more."""
    whole, part = make(), make()
    whole.run(300)
    part.run(120)
    save_strategy(folder / "x.felt", part, None)
    again = load_strategy(folder / "x.felt", trust=True).solver()
    assert type(again) is type(whole) and again.iterations == 120
    again.run(180)
    for name in ("regrets", "averages", "strategy", "predicted"):
        np.testing.assert_array_equal(getattr(again.state, name), getattr(whole.state, name))
    np.testing.assert_array_equal(again.average(), whole.average())
    for name, array in getattr(whole, "kept", dict)().items():
        np.testing.assert_array_equal(again.stored_arrays()[name], array, err_msg=name)


@pytest.mark.parametrize("method", ["cfr+", "predictive"])
def test_forms_go_on_from_each_other(tmp_path: Path, method: str) -> None:
    tree, public = build_tree(load("leduc")), vector_tree(load("leduc"))
    whole, one, two = Solver(tree, method), Solver(tree, method), VectorSolver(public, method)
    whole.run(60)
    for solver, name in ((one, "ends"), (two, "vector")):
        solver.run(25)
        save_strategy(tmp_path / name, solver, None)
    for again in (load_strategy(tmp_path / "ends").vector_solver(), load_strategy(tmp_path / "vector").solver(tree)):
        again.run(35)
        np.testing.assert_allclose(again.average(), whole.average(), rtol=0, atol=1e-9)


def test_an_algorithm_of_ones_own_is_asked_for_again(tmp_path: Path) -> None:
    own = discounted(2.0)
    solver, whole = Solver(LEDUC, own), Solver(LEDUC, own)
    solver.run(5)
    whole.run(10)
    save_strategy(tmp_path / "x.felt", solver, None)
    strategy = load_strategy(tmp_path / "x.felt")
    with pytest.raises(FeltError, match="an algorithm of one's own, 'dcfr': give it again"):
        strategy.solver()
    again = strategy.solver(method=own)
    again.run(5)
    np.testing.assert_array_equal(again.average(), whole.average())


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(FeltError, match="what linear CFR finds here cannot be saved yet"):
        save_strategy(tmp_path / "x.felt", begin(LEDUC, "pruned"), None)


def test_functions_that_no_file_can_name_are_refused(tmp_path: Path) -> None:
    tree = build_tree(load("kuhn"), key=lambda hand, seat: information(hand, seat))
    with pytest.raises(FeltError, match="cannot be imported, so no file can name it"):
        save_strategy(tmp_path / "x.felt", Solver(tree), None)
    assert not list(tmp_path.iterdir())


SAVES = """
import sys
from pathlib import Path
import numpy as np
from felt.solvers.files import write_arrays
for number in range(10**9):
    write_arrays(Path(sys.argv[1]), {"number": number}, {"a": np.full(300_000, number), "b": np.arange(9)})
    print(number, flush=True)
"""


def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    file, dice = tmp_path / "x.felt", np.random.default_rng(1)
    write_arrays(file, {"number": -1}, {"a": np.full(3, -1)})
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", SAVES, str(file)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(dice.random() * 0.05)
            child.send_signal(signal.SIGKILL)
        about, arrays = read_arrays(file)
        assert (arrays["a"] == about["number"]).all()
        for part in tmp_path.glob(".x.felt.*.tmp"):
            try:  # whole, if it was killed just before it was put in place
                about, arrays = read_arrays(part)
                assert (arrays["a"] == about["number"]).all()
            except StrategyFileError:
                pass
    (tmp_path / ".x.felt.abc.tmp").write_bytes(b"half")
    for part in tmp_path.glob(".x.felt.*.tmp"):
        os.utime(part, (0, 0))
    other = tmp_path / ".y.felt.abc.tmp"
    other.write_bytes(b"of another file")
    os.utime(other, (0, 0))
    write_arrays(file, {"number": 5}, {"a": np.full(3, 5)})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".y.felt.abc.tmp", "x.felt"]


def test_a_file_that_becomes_too_large_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.felt"
    write_arrays(file, {"number": 1}, {"a": np.full(3, 1)})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        with pytest.raises(FeltError, match=r"cannot write .*x\.felt' \(file too large\): name another file"):
            write_arrays(file, {"number": 2}, {"a": np.full(30_000, 2)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert read_arrays(file)[0] == {"number": 1} and list(tmp_path.iterdir()) == [file]
