"""Compiling ahead: every kernel is reached, and one that is not is named."""

import numpy as np
import pytest

from felt import _jit, _warm


def test_the_steps_reach_every_kernel() -> None:
    for ask in _warm.steps().values():
        ask()
    assert _warm.cold() == []


def test_a_kernel_that_no_step_reaches_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forgotten = _jit.kernel(lambda cards: cards.sum())
    monkeypatch.setattr(_warm, "steps", dict)
    monkeypatch.setattr(_warm, "kernels", lambda: {"felt.cards.kernels.forgotten": forgotten})
    with pytest.raises(SystemExit, match="1"):
        _warm.main(strict=True)
    assert "felt.cards.kernels.forgotten" in capsys.readouterr().err
    forgotten(np.arange(5))
    _warm.main(strict=True)


def test_every_kernel_of_the_package_is_known() -> None:
    assert "felt.cards.kernels.rank_hands" in _warm.kernels()
