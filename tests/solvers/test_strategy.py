"""Strategies on disk: the same when they come back, refused when they are not whole, never half written."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import Action, Move, load
from felt.solvers import files
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    solver = Solver(build_tree(load("leduc")), "predictive")
    solver.run(20)
    save_strategy(tmp_path / "leduc.felt", solver, evaluate(solver.tree, solver.average()))
    return tmp_path / "leduc.felt"


def test_a_strategy_comes_back(saved: Path) -> None:
    strategy = load_strategy(saved)
    assert strategy.rules == load("leduc")
    assert (strategy.algorithm, strategy.iterations, strategy.infosets) == ("predictive", 20, 288)
    assert isinstance(strategy.chances, np.memmap)
    found = evaluate(strategy.tree(), strategy.chances)
    assert found.exploitability == pytest.approx(strategy.exploitability, abs=1e-12)
    assert found.values == pytest.approx(strategy.values)
    chances = strategy.at(1, "Q r2 c [J] c")
    assert chances is not None and set(chances) == {Action(Move.CALL), Action(Move.RAISE, 4)}
    assert sum(chances.values()) == pytest.approx(1)
    assert strategy.at(1, "Q r3") is None


@pytest.mark.parametrize("method", ["cfr", "cfr+", "linear", "dcfr", "predictive"])
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_solving_goes_on_as_if_it_had_never_stopped(tmp_path: Path, method: str, kind: str) -> None:
    tree = build_tree(load("kuhn", cards=5))
    whole, part = Solver(tree, method, kind=kind), Solver(tree, method, kind=kind)
    whole.run(30)
    part.run(13)
    save_strategy(tmp_path / "kuhn.felt", part, evaluate(tree, part.average()))
    again = load_strategy(tmp_path / "kuhn.felt").solver()
    again.run(17)
    assert again.iterations == 30
    np.testing.assert_array_equal(again.state.regrets, whole.state.regrets)
    np.testing.assert_array_equal(again.average(), whole.average())


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.3, 0.9999])
def test_a_file_that_was_cut_is_refused(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(FeltError, match=r"not whole|no strategy of Felt"):
        load_strategy(saved)


def test_a_byte_that_changed_is_found(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    for at in (20, 200, len(content) // 2, len(content) - 5000):
        damaged = content.copy()
        damaged[at] ^= 1
        saved.write_bytes(damaged)
        with pytest.raises(FeltError, match=r"is damaged|not whole"):
            load_strategy(saved)


def test_other_files_are_refused(tmp_path: Path) -> None:
    for content, told in ((b"hello", "no strategy of Felt"), (b"felt strategy 9\n" + bytes(90), "another version")):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(FeltError, match=told):
            load_strategy(tmp_path / "x")
    with pytest.raises(FeltError, match=r"cannot read .*no such file"):
        load_strategy(tmp_path / "nothing")
    with pytest.raises(FeltError, match="cannot read"):
        load_strategy(tmp_path)


def test_addresses_in_a_file_are_never_followed(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "x.felt", {}, {"chances": np.zeros(8)})
    content = (tmp_path / "x.felt").read_bytes()
    head = content[files.HEAD :].replace(b'"<f8"', b'"|O8"')
    length = int.from_bytes(content[files.HEAD - 8 : files.HEAD], "little")
    digest = hashlib.sha256(head[:length]).digest()
    (tmp_path / "x.felt").write_bytes(files.MAGIC + digest + length.to_bytes(8, "little") + head)
    with pytest.raises(FeltError, match=r"has arrays of object in it, not of numbers"):
        load_strategy(tmp_path / "x.felt", verify=False)


def test_on_a_full_disk_the_old_file_stays_whole(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()
    solver = load_strategy(saved).solver()
    solver.run(1)

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(FeltError, match=r"cannot write .*no space left"):
        save_strategy(saved, solver, evaluate(solver.tree, solver.average()))
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    solver = Solver(build_tree(load("kuhn")))
    with pytest.raises(FeltError, match=r"cannot write .*no such file"):
        save_strategy(tmp_path / "no" / "x", solver, evaluate(solver.tree, solver.average()))
