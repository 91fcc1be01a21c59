"""Compiling ahead: every kernel is reached, and one that is not is named."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from felt import _jit, _warm


@pytest.mark.parametrize("room", _warm.rooms())
def test_the_questions_of_a_room_reach_all_its_kernels(room: str, capsys: pytest.CaptureFixture[str]) -> None:
    _warm.ask_room(room)
    assert capsys.readouterr().out.splitlines() == list(_warm.rooms()[room])
    assert [name for name in _warm.cold() if name.startswith(f"felt.{room}.")] == []


def test_a_kernel_that_no_question_reaches_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "felt.cards.kernels.rank_hands-0.bin").touch()
    forgotten = _jit.kernel(lambda cards: cards.sum())
    monkeypatch.setattr(_jit, "_FOLDER", tmp_path)
    monkeypatch.setattr(_warm, "compile_rooms", lambda: True)
    monkeypatch.setattr(_warm, "kernels", lambda: {"felt.cards.kernels.forgotten": forgotten})
    with pytest.raises(SystemExit, match="1"):
        _warm.main(strict=True)
    assert "felt.cards.kernels.forgotten" in capsys.readouterr().err
    forgotten(np.arange(5))
    _warm.main(strict=True)
    assert not capsys.readouterr().err


def test_a_room_that_fails_is_told() -> None:
    failed = subprocess.run([sys.executable, "-m", "felt._warm", "--room", "cellar"], capture_output=True, timeout=120)
    assert failed.returncode == 1


def test_every_kernel_of_the_package_is_known() -> None:
    assert "felt.cards.kernels.rank_hands" in _warm.kernels()
