"""The example learns: what it won before and what it wins after are apart by more than chance."""

import importlib.util
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from felt.learning.environments import PokerEnv
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def example() -> Any:
    return _loaded(ROOT / "examples" / "learn_leduc.py")


def _loaded(path: Path) -> Any:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[path.stem] = module  # dataclasses look there
    found.loader.exec_module(module)
    return module


def test_the_example_learns_to_beat_the_policy_that_it_began_with(example: Any) -> None:
    env, dice = PokerEnv("leduc", opponents="random"), Random(1)
    env.reset(seed=1)
    policy = example.Softmax(env.playing.menu.size)
    before = example.measure(env, policy, 800, dice)
    example.learn(env, policy, 3_000, dice, step=0.1)
    after = example.measure(env, policy, 800, dice)
    assert before.high < after.low, f"{before}, then {after}"
    against = example.duel(policy, 1_000)
    assert against.settled and against.mbb > 0, str(against)
