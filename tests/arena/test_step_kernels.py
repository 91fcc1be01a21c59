"""The compiled checks of moves at many tables, against the rules told one table at a time."""

from itertools import product

import numpy as np
import pytest

from felt.arena.conductor.step_kernels import find_illegal, replace_moves
from felt.games import Move

pytestmark = pytest.mark.no_jit

FOLD, CALL, RAISE, EXCHANGE = map(int, Move)

# What may be done, as the engine says it: fold, chips to call, least and most raise to, least and most exchanged.
LEGALS = {
    "check or bet": (0, 0, 2, 9, -1, -1),
    "fold, call or raise": (1, 4, 8, 30, -1, -1),
    "call or fold": (1, 4, 0, 0, -1, -1),
    "check or fold": (1, 0, 0, 0, -1, -1),
    "one size of raise": (1, 2, 4, 4, -1, -1),
    "draw up to three": (0, -1, 0, 0, 0, 3),
    "discard one": (0, -1, 0, 0, 1, 1),
    "pass two": (0, -1, 0, 0, 2, 2),
}


def is_legal(legal: tuple[int, ...], held: int, move: int, amount: int) -> bool:
    fold, call, least, most, fewest, many = legal
    if move == FOLD:
        return fold == 1
    if move == CALL:
        return call >= 0
    if move == RAISE:
        return least > 0 and amount in range(least, most + 1)
    chosen_cards = {position for position in range(12) if amount >> position & 1}
    return fewest >= 0 and amount >= 0 and chosen_cards <= set(range(held)) and fewest <= len(chosen_cards) <= many


def test_exactly_the_illegal_moves_are_marked():
    cases = list(
        product(LEGALS.values(), (2, 5), (*map(int, Move), 4), (-1, 0, 1, 2, 3, 4, 7, 8, 9, 10, 15, 30, 31, 32))
    )
    legal, held, moves, amounts = (np.array(column, dtype=np.int64) for column in zip(*cases, strict=True))
    wrong = np.zeros(len(cases), dtype=np.bool_)
    count = find_illegal(legal, held, moves, amounts, wrong)
    expected = [
        move not in tuple(Move) or not is_legal(legal, held, move, amount) for legal, held, move, amount in cases
    ]
    assert wrong.tolist() == expected
    assert count == sum(expected)
    assert 0 < count < len(cases)


@pytest.mark.parametrize("call", [False, True], ids=["fold", "call"])
def test_wrong_moves_are_replaced_by_the_penalty_and_others_left_alone(call):
    legal = np.array(list(LEGALS.values()), dtype=np.int64)
    where = np.ones(len(legal), dtype=np.bool_)
    where[1] = False
    moves, amounts = np.full(len(legal), RAISE), np.full(len(legal), 77)
    replace_moves(legal, where, call, moves, amounts)
    give_up = CALL if call else FOLD
    assert dict(zip(LEGALS, zip(moves.tolist(), amounts.tolist(), strict=True), strict=True)) == {
        "check or bet": (CALL, 0),
        "fold, call or raise": (RAISE, 77),
        "call or fold": (give_up, 0),
        "check or fold": (CALL, 0),
        "one size of raise": (give_up, 0),
        "draw up to three": (EXCHANGE, 0),
        "discard one": (EXCHANGE, 0b1),
        "pass two": (EXCHANGE, 0b11),
    }
