"""Every variant of the catalogue is solved once, cut down to a small tree."""

from dataclasses import replace

import pytest

from felt.games import GameRules, Move, load, names
from felt.games.rules import Rake
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.tree import GameTree
from tests.kinds import each_kind
from tests.solvers.variants import CUTS

ITERATIONS = 150


def test_no_variant_is_left_out() -> None:
    assert set(CUTS) == set(names())


@pytest.mark.parametrize("name", each_kind(names()))
def test_it_is_solved(name: str) -> None:
    rules = CUTS[name].of(name)
    tree = build_tree(rules)
    assert_kept(name, rules, tree)
    before = evaluate(tree, tree.infosets.uniform())
    solver = Solver(tree, "dcfr")
    solver.run(ITERATIONS)
    found = evaluate(tree, solver.average())
    assert sum(found.values) == pytest.approx(0, abs=1e-9)
    assert found.exploitability < before.exploitability / 20
    assert found.exploitability < 3e-4 * tree.range_of_payoffs


def assert_kept(name: str, rules: GameRules, tree: GameTree) -> None:
    """Of what makes a game, something is left: cards are drawn, and there is a round after the first."""
    whole = load(name)
    assert len(rules.rounds) >= min(2, len(whole.rounds))
    assert any(part.up for part in rules.rounds) == any(part.up for part in whole.rounds)
    exchanged = any(action.move == Move.EXCHANGE and action.cards for action in tree.infosets.actions)
    assert exchanged == whole.has_draws


def test_with_a_rake_everybody_together_loses_it() -> None:
    rules = replace(CUTS["nlhe"].of("nlhe"), rake=Rake(share=0.25, cap=1, no_flop_no_drop=False))
    tree = build_tree(rules)
    solver = Solver(tree, "dcfr")
    solver.run(ITERATIONS)
    found = evaluate(tree, solver.average())
    assert -1 <= sum(found.values) < -0.1
    assert found.exploitability < 3e-4 * tree.range_of_payoffs
