"""Ends of the betting that are paid for many deals, and public cards that are drawn for many walks: each anew."""

from dataclasses import replace

import pytest

from felt.games import load
from felt.games.rules import Rake
from felt.solvers.sampling.public_chance import PublicChanceSampling
from felt.solvers.trees.build import build_tree

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize(("rake", "taken"), [(Rake(), 0), (Rake(0.5, 1, False), 1)], ids=["no rake", "capped rake"])
def test_the_rake_of_one_deal_is_not_that_of_the_next(rake, taken):
    """Pots of two and of four chips, of which the house takes half and never more than one."""
    tree = build_tree(replace(load("kuhn"), rake=rake))
    assert set(tree.payoffs.sum(axis=1).tolist()) == {-taken}


def test_every_walk_draws_the_public_cards_anew():
    solver = PublicChanceSampling(build_tree(load("leduc", ranks=2, raises=1)), seed=3)
    for _ in range(5):
        before = dict(solver.dice_state)
        solver.run(1)
        assert (solver._drawn == -1).all()
        assert solver.dice_state != before
