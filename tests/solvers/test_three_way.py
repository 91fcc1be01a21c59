"""The table of three-way all-ins: against the exact table for two, against dealt hands, and its kernel's slow twin."""

import numpy as np
import pytest

from felt.cards.combos import CLASS_NAMES, COMBO_CLASS, class_index, parse_class
from felt.cards.ranking.evaluator import rank_batch
from felt.solvers.pushfold.game import class_table
from felt.solvers.pushfold.multiway_evs import DEALS, UNITS, order_tensor, orders, threes
from felt.solvers.pushfold.multiway_game import LANES, ORDERS

ANYTHING = np.ones(169)


def only(*hands: str) -> np.ndarray:
    found = np.zeros(169)
    found[[parse_class(hand) for hand in hands]] = 1
    return found


def test_every_deal_is_there_once():
    classes, combos, shares = threes()
    first, second, third = classes.T
    same = (first == second).astype(int) + (second == third)  # they are in order
    ways = np.array([6, 3, 1])[same]
    assert int((combos.astype(np.int64) * ways).sum()) == DEALS
    assert np.allclose(shares.sum(axis=1), combos > 0, atol=1e-6)
    assert sorted(ORDERS) == sorted(set(ORDERS)) and len(ORDERS) == 13


def test_two_of_the_three_are_as_in_the_exact_table_for_two():
    table = class_table()
    for hand in ("AA", "KJs", "72o"):
        found = orders(only(hand), ANYTHING)
        met = table.chance[:, parse_class(hand)]
        assert np.allclose(found.sum(axis=1), met, atol=1e-9)
        points = sum(
            found[:, i] * (1 if order[0] < order[1] else 0.5 * (order[0] == order[1])) for i, order in enumerate(ORDERS)
        )
        assert np.allclose(points / met, table.equity[:, parse_class(hand)], atol=2 / UNITS)


@pytest.mark.parametrize("hands", [("AKo", "T9s", "22"), ("A2o", "A2o", "A2o"), ("98s", "98s", "JJ")])
def test_orders_are_those_of_dealt_hands(hands):
    """Eight thousand deals of the three classes, ranked by the package: every order within five standard errors."""
    dice = np.random.default_rng(5)
    deck = np.array([dice.permutation(52) for _ in range(1)])[0]
    held = [np.flatnonzero(COMBO_CLASS == parse_class(hand)) for hand in hands]
    pairs = [(a, b) for b in range(52) for a in range(b)]
    by_class = [[pair for pair in pairs if class_index(*pair) == parse_class(hand)] for hand in hands]
    assert [len(found) for found in by_class] == [len(found) for found in held]
    rows = []
    while len(rows) < 8_000:
        three = [found[dice.integers(len(found))] for found in by_class]
        used = {card for pair in three for card in pair}
        if len(used) == 6:
            rest = dice.permutation([card for card in deck.tolist() if card not in used])[:5]
            rows.append([[*pair, *rest] for pair in three])
    ranks = rank_batch(np.array(rows, dtype=np.uint8).reshape(-1, 7)).reshape(-1, 3).astype(np.int64)
    found = orders(only(hands[1]), only(hands[2]))[parse_class(hands[0])]
    found = found / found.sum()
    better = np.array([[sorted(set(row), reverse=True).index(rank) for rank in row] for row in ranks.tolist()])
    for share, order in zip(found, ORDERS, strict=True):
        seen = float((better == order).all(axis=1).mean())
        assert abs(seen - share) <= 5 * np.sqrt(share * (1 - share) / len(rows)) + 1e-4, (CLASS_NAMES[0], order)


@pytest.mark.no_jit
def test_the_kernel_is_a_sum_over_both_ranges():
    from felt.solvers.pushfold.kernels import add_orders

    dice = np.random.default_rng(1)
    tensor = dice.random((5, 5, 16)).astype(np.float32)
    second, third = dice.random((2, 5))
    out = np.zeros(16)
    add_orders(tensor, second, third, np.array([0, 3]), np.array([1, 2, 4]), out)
    rows, columns = second * [1, 0, 0, 1, 0], third * [0, 1, 1, 0, 1]
    assert np.allclose(out, np.einsum("j,k,jki->i", rows, columns, tensor), rtol=1e-6)


def test_the_tensor_is_as_large_as_it_says():
    assert order_tensor().shape == (169, 169, 169, len(LANES)) and order_tensor().nbytes < 155e6
