"""Ends by strength against all pairs of hands, and what a measurement leaves alone."""

from itertools import combinations

import numpy as np
import pytest

from felt.games import load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.kernels import LOSES, TIES, WINS, fold_and_showdown_values
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.trees.build import build_tree

pytestmark = pytest.mark.no_jit

CARDS = 7


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("shown", [0, 1])
@pytest.mark.parametrize("size", [1, 2])
def test_an_end_by_strength_is_the_sum_over_all_hands_that_share_no_card(size, shown, me):
    dice = np.random.default_rng(size)
    hands = list(combinations(range(CARDS), size))
    cards = np.array([hand if size == 2 else (*hand, CARDS) for hand in hands])
    reach, value = dice.random(len(hands)), dice.integers(0, 4, len(hands))
    alive = np.ones((1, len(hands)), dtype=np.int8)
    alive[0, 2] = 0
    reach[2] = 0  # a hand that the board has made impossible comes nowhere
    order = np.array([i for i in np.argsort(value, kind="stable") if alive[0, i]])
    pays = dice.normal(size=(1, 2, 3))
    if not shown:
        pays[:] = pays[:, :, :1]  # whoever folds, the cards do not matter
    shares = None, None  # chances and outcomes of pairs
    by_board = order[None], value[order][None], np.array([len(order)])
    ends = (None, np.array([shown]), pays, cards, alive, 0, *by_board, *shares)
    out, by_card = np.full(len(hands), 77.0), np.full(CARDS + 1, 55.0)
    fold_and_showdown_values(ends, 0, 0, me, reach, out, by_card)
    for i, own in enumerate(hands):
        expected = 0.0
        for j, other in enumerate(hands):
            if alive[0, i] and not set(own) & set(other):
                sign = int(np.sign(value[i] - value[j])) * (1 if me == 0 else -1)
                expected += reach[j] * pays[0, me, {-1: LOSES, 0: TIES, 1: WINS}[sign]]
        assert out[i] == pytest.approx(expected)


@pytest.mark.parametrize("method", ["cfr+", "predictive"])
def test_a_measurement_is_that_of_the_history_tree_and_changes_nothing(method):
    solver = VectorSolver(vector_tree(load("kuhn")), method)
    solver.run(5)
    average, current = solver.average(), solver.current()
    measured, expected = solver.measure(), evaluate(build_tree(load("kuhn")), average)
    assert measured.values == pytest.approx(expected.values, abs=1e-12)
    assert measured.best == pytest.approx(expected.best, abs=1e-12)
    assert (solver.average() == average).all() and (solver.current() == current).all()


def test_cards_that_all_see_are_swept_as_in_the_history_tree():
    """Leduc hold'em with two ranks and one raise: boards that differ by suits only are swept once for all of them."""
    rules = load("leduc", ranks=2, raises=1)
    history, public = Solver(build_tree(rules), "cfr"), VectorSolver(vector_tree(rules), "cfr")
    history.run(4)
    public.run(4)
    np.testing.assert_allclose(public.average(), history.average(), atol=1e-12)
    np.testing.assert_allclose(public.current(), history.current(), atol=1e-12)
