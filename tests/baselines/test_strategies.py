"""Strategy files that a release wrote: they load, are what they were, and go on.

How well they do, how they go on and how they play is told by the cases `0.1-strategy-…` of `test_runs.py`.
"""

import json
from pathlib import Path

import pytest

from felt.errors import FeltError
from felt.solvers.best_response import evaluate
from felt.solvers.strategy import load_strategy
from tests.baselines.make_files import SOLVED
from tests.baselines.running import FILES, hash_arrays, unpack

ARRAYS = json.loads((FILES / "arrays-0.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files lie."""
    place = tmp_path_factory.mktemp("strategies")
    unpack("strategies-0.1.0.zip", place)
    return place / "strategies"


@pytest.mark.parametrize("name", ARRAYS)
def test_its_arrays_are_the_same(name, folder):
    assert hash_arrays(folder / f"{name}.felt") == ARRAYS[name]


def test_every_form_has_a_file(folder):
    assert {file.stem for file in folder.iterdir()} == set(ARRAYS) > set(SOLVED)
    strategies = [load_strategy(file, trust=True) for file in folder.iterdir()]
    assert {strategy.form for strategy in strategies} == {"ends", "levels", "vector", "forgetful", "sampling"}


@pytest.mark.parametrize(
    ("name", "trust", "exploitability"),
    [("own-hook", True, 0.13759743871043778), ("own-key", False, 0.005786156646083979)],
)
def test_functions_that_a_file_names_are_found_again(name, trust, exploitability, folder):
    solver = load_strategy(folder / f"{name}.felt", trust=trust).solver()
    solver.run(10)
    assert solver.iterations == 30 and evaluate(solver.tree, solver.average()).exploitability == exploitability


def test_functions_of_somebodys_own_need_trust(folder):
    with pytest.raises(FeltError, match=r"names the function 'tests\.baselines\.hooks:pair_or_high'"):
        load_strategy(folder / "own-hook.felt")
