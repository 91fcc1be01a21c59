"""The registry of solvers: its rows say what is true of the solvers, and the docs and the commands say what it says."""

import re
from pathlib import Path

import pytest

from felt.cli.app import run
from felt.errors import FeltError
from felt.games import load
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.registry import BETTING, HISTORY, METHODS, PUBLIC, SAVED_FORMS, begin, find_method
from felt.solvers.sampling.betting import betting_of
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree

ROOT = Path(__file__).parents[2]
TREES = {HISTORY: build_tree, PUBLIC: vector_tree, BETTING: betting_of}
ROWS = [(name, form, tree) for name in METHODS for form, row in METHODS[name].forms.items() for tree in row.trees]


@pytest.mark.parametrize(("name", "form", "tree"), ROWS)
def test_a_row_makes_a_solver_that_is_saved_under_its_form_and_goes_on(name, form, tree, tmp_path):
    method = METHODS[name]
    row = method.forms[form]
    options = {"form": form} if "form" in row.options else {}
    given = [] if method.samples else [method.algorithm]
    solver, other = (row.make(TREES[tree](load("kuhn")), *given, **options) for _ in range(2))
    assert solver.form == form
    assert (solver.dice_state is not None) == method.samples
    assert solver.tree.lists_deals == (tree != BETTING)
    solver.run(6)
    other.run(3)
    if not form:
        with pytest.raises(FeltError, match="cannot be saved yet"):
            save_strategy(tmp_path / "x.felt", solver, None)
        return
    save_strategy(tmp_path / "x.felt", other, None)
    again = load_strategy(tmp_path / "x.felt").solver()
    assert type(again) is type(solver)
    again.run(3)
    assert again.average().tolist() == solver.average().tolist()


def test_begin_makes_a_solver_of_every_method():
    assert [begin(load("kuhn"), name).algorithm for name in METHODS] == [row.algorithm for row in METHODS.values()]


def test_a_name_that_is_not_listed_is_refused_with_the_nearest():
    with pytest.raises(FeltError, match="did you mean external"):
        find_method("externl")


def test_the_docs_list_every_method():
    pages = "".join((ROOT / "docs/solve" / name).read_text(encoding="utf-8") for name in ("solving.md", "sampling.md"))
    listed = set(re.findall(r"^\| `([\w+-]+)` \|", pages, re.MULTILINE))
    assert set(METHODS) - {"pruned"} <= listed
    assert '"pruned"' in pages


def test_the_command_names_every_method_and_form(capsys):
    assert run(["solve", "--help"]) == 0
    text = capsys.readouterr().out
    shown = {word.strip(".,;│") for word in text.split()}
    assert set(METHODS) <= shown
    assert set(SAVED_FORMS) - {"forgetful", "sampling"} <= shown
