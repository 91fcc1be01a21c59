"""Games in which antes leave nobody a choice: the cards still fall, and all forms of solving agree on what they pay."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from felt.abstraction.abstraction import Abstraction
from felt.games import GameRules, load
from felt.games.trees.tree import first_deals
from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
from felt.solvers.cfr.solver import FORMS, Solver
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.registry import begin
from felt.solvers.sampling.betting import betting_of
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree, size_of
from felt.solvers.trees.tree import GameTree
from felt.solvers.whole_game import whole_game
from tests.solvers.small_games import cut_holdem

Stacks = Sequence[int] | int

LEDUC = load("leduc")
BLIND = replace(LEDUC, name="blind", rounds=(replace(LEDUC.rounds[0], betting=None), LEDUC.rounds[1]))
"""Nothing is bet before the board lies: the first choice comes after a deal of the second round."""


def won_squared(tree: GameTree) -> float:
    """A number that tells deals apart where what is won is 0 on average."""
    chance = tree.chance.copy()
    for node in range(1, len(tree)):
        chance[node] *= chance[tree.parent[node]]
    return float(chance[tree.terminals] @ tree.payoffs[:, 0] ** 2)


@pytest.mark.parametrize("stacks", [1, (1, 5), (5, 1)], ids=str)
@pytest.mark.parametrize("rules", [LEDUC, load("kuhn"), cut_holdem(2, 4)], ids=lambda rules: rules.name)
def test_every_deal_is_paid(rules: GameRules, stacks: Stacks) -> None:
    tree = build_tree(rules, stacks)
    every = [(chance, hand.payoffs) for chance, hand in first_deals(rules, stacks)]
    assert tree.infosets.count == 0 and size_of(rules, stacks).nodes == len(tree)
    assert won_squared(tree) == pytest.approx(sum(chance * paid[0] ** 2 for chance, paid in every))
    for form in FORMS:
        assert Solver(tree, form=form).measure().values == pytest.approx((0, 0), abs=1e-12)


@pytest.mark.parametrize("stacks", [1, (1, 5), (5, 1)], ids=str)
def test_each_hand_of_a_public_tree_wins_what_it_should(stacks: Stacks) -> None:
    found = VectorSolver(vector_tree(LEDUC, stacks)).measure()
    for number, rank in enumerate((9, 10, 11)):
        held = [
            (chance, hand.payoffs[0]) for chance, hand in first_deals(LEDUC, stacks) if hand.cards(0)[0] >> 2 == rank
        ]
        expected = sum(chance * won for chance, won in held) / sum(chance for chance, _ in held)
        assert found.hands[0, number] == pytest.approx(expected)
    assert found.values == pytest.approx((0, 0), abs=1e-12)


MADE: dict[str, Callable[[], Any]] = {
    "predictive": lambda: Solver(build_tree(LEDUC, 1), "predictive", kind="float32"),
    "ranks": lambda: Solver(build_tree(LEDUC, 1, abstraction=Abstraction(cards="ranks"))),
    "forgetful": lambda: ForgetfulSolver(
        build_tree(LEDUC, 1, abstraction=Abstraction(history="street", forget=True))
    ),
    "vector": lambda: VectorSolver(vector_tree(LEDUC, 1)),
    "vector in 16 bits": lambda: VectorSolver(vector_tree(LEDUC, 1), "predictive", kind="int16"),
    "sampled": lambda: begin(LEDUC, "sampled", stacks=1),
    "external": lambda: begin(LEDUC, "external", stacks=1),
    "outcome": lambda: begin(LEDUC, "outcome", stacks=1),
    "public-chance": lambda: begin(build_tree(LEDUC, 1), "public-chance"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MADE)
def test_each_form_runs_and_is_saved(tmp_path: Path, kind: str) -> None:
    solver = MADE[kind]()
    solver.run(3)
    save_strategy(tmp_path / "x.felt", solver, None)
    again = load_strategy(tmp_path / "x.felt").solver()
    again.run(2)
    assert again.iterations == 5 and len(again.average()) == 0
    if isinstance(solver.tree, GameTree):
        assert whole_game(solver.tree).measure(solver.average()).values == pytest.approx((0, 0), abs=1e-12)


def test_a_board_may_fall_before_the_first_choice() -> None:
    whole, other = build_tree(BLIND), build_tree(BLIND, abstraction=Abstraction())
    assert sorted(whole.infosets.labels) == sorted(other.infosets.labels)
    assert list(betting_of(BLIND).infosets.labels) == list(whole.infosets.labels)
    solvers = [Solver(whole), Solver(other), VectorSolver(vector_tree(BLIND))]
    for solver in solvers:
        solver.run(50)
    found = [solver.measure() for solver in solvers]
    for one in found[1:]:
        np.testing.assert_allclose(one.values, found[0].values, atol=1e-9)
        np.testing.assert_allclose(one.best, found[0].best, atol=1e-9)
