"""Compiling ahead: every kernel is reached, and one that is not is named."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from felt import _jit, _warm


@pytest.mark.parametrize("room", _warm.rooms())
def test_the_questions_of_a_room_reach_all_its_kernels(room: str, capsys: pytest.CaptureFixture[str]) -> None:
    _warm.ask_room(room)
    assert capsys.readouterr().out.splitlines() == list(_warm.rooms()[room])
    assert [name for name in _warm.cold() if room_of(name) == room] == []


def room_of(kernel: str) -> str:
    """The innermost room that a kernel lies in and that has questions of its own."""
    return max((room for room in _warm.rooms() if kernel.startswith(f"felt.{room}.")), key=len, default="")


def test_rooms_inside_rooms_are_asked_too_and_in_their_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in ("arena", "solvers", "solvers/pushfold", "games"):
        (tmp_path / room).mkdir(exist_ok=True)
        (tmp_path / room / "_warm.py").touch()
    monkeypatch.setattr(_jit, "PACKAGE", tmp_path)
    monkeypatch.setattr(importlib, "import_module", lambda name: SimpleNamespace(steps=lambda: {name: print}))
    assert list(_warm.rooms()) == ["games", "solvers", "solvers.pushfold", "arena"]
    assert list(_warm.rooms()["solvers.pushfold"]) == ["felt.solvers.pushfold._warm"]


def test_a_kernel_that_no_question_reaches_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "felt.cards.ranking.kernels.rank_hands-0.bin").touch()
    forgotten = _jit.kernel(lambda cards: cards.sum())
    monkeypatch.setattr(_jit, "kernel_folder", lambda source: tmp_path)
    monkeypatch.setattr(_warm, "compile_apart", lambda *_: True)
    monkeypatch.setattr(_warm, "kernels", lambda: {"felt.cards.ranking.kernels.forgotten": forgotten})
    with pytest.raises(SystemExit, match="1"):
        _warm.main(strict=True)
    assert "felt.cards.ranking.kernels.forgotten" in capsys.readouterr().err
    forgotten(np.arange(5))
    _warm.main(strict=True)
    assert not capsys.readouterr().err


def test_a_room_that_fails_is_told() -> None:
    failed = subprocess.run([sys.executable, "-m", "felt._warm", "--room", "cellar"], capture_output=True, timeout=120)
    assert failed.returncode == 1


def test_every_kernel_of_the_package_is_known() -> None:
    assert "felt.cards.ranking.kernels.rank_hands" in _warm.kernels()
