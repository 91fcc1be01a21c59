"""Counting exactly, kernel by kernel: values of hands on boards, and the places of boards in tables."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from felt.cards.card import parse_cards
from felt.cards.combos import COMBO_CARDS, COMBO_COUNT
from felt.cards.isomorphism import CARD_PERMUTATIONS, board_number
from felt.cards.ranking.evaluator import rank_cards, tables
from felt.cards.ranking.hashing import CARD_MASKS
from felt.odds.equity.exact_kernels import value_rows
from felt.odds.strength.build_kernels import add_points, board_points

pytestmark = pytest.mark.no_jit

BLOCKED = np.int16(-7)


def mask(cards: tuple[int, ...]) -> np.uint64:
    return np.uint64(sum(int(CARD_MASKS[card]) for card in cards))


@pytest.mark.parametrize("first", ["8s7s", "AcKh", "2d3d"], ids=str)
@pytest.mark.parametrize("texts", [("9sTsJs2c2d", "KcQcJcTc2c", "3h4h5h6h8h"), ("9sTsJs", "KcQcJc")], ids=len)
def test_values_of_hands_on_boards_whatever_hand_comes_first(first, texts):
    """Flushes and straight flushes among them; the first hand may share a card with the first board."""
    hands = [parse_cards(text) for text in (first, "AsKs", "9c8c", "2c7h", "QhQd") if text]
    boards = [parse_cards(text) for text in texts]
    rows = np.zeros((len(hands), len(boards)), dtype=np.int16)
    value_rows(
        np.array([mask(board) for board in boards]), np.array([mask(hand) for hand in hands]), tables(), BLOCKED, rows
    )
    for i, hand in enumerate(hands):
        for j, board in enumerate(boards):
            assert rows[i, j] == (BLOCKED if set(hand) & set(board) else rank_cards(hand + board)), (hand, board)


@pytest.mark.parametrize("size", [3, 4], ids=["flops", "turns"])
def test_points_of_a_board_are_added_to_each_smaller_board_in_it(size):
    """Every smaller board has a row of its own here, with a column for each combo, and no suit is renamed."""
    board, orbit = parse_cards("2c7d9hTcAs"), 6
    smaller = list(combinations(sorted(board), size))
    board_id = np.full(comb(52, size), -1, dtype=np.int64)
    for row, cards in enumerate(smaller):
        board_id[board_number(cards)] = row
    base, local = COMBO_COUNT * np.arange(len(smaller) + 1), np.tile(np.arange(COMBO_COUNT), (len(smaller), 1))
    sums, squares = np.zeros((2, len(smaller) * COMBO_COUNT), dtype=np.int64)
    renaming, boards = np.zeros(len(board_id), dtype=np.int64), np.array([mask(board)])
    arguments = (COMBO_CARDS, tables(), CARD_PERMUTATIONS, board_id, renaming, base, local, sums, squares)
    add_points(size, boards, np.array([orbit]), *arguments)
    values, points = np.empty(COMBO_COUNT, dtype=np.int16), np.zeros(COMBO_COUNT, dtype=np.int64)
    board_points(boards[0], COMBO_CARDS, tables(), values, points)
    counted = np.where(values > 0, points, 0)
    for row in range(len(smaller)):
        assert (sums[base[row] : base[row + 1]] == orbit * counted).all()
        assert (squares[base[row] : base[row + 1]] == orbit * counted**2).all()
