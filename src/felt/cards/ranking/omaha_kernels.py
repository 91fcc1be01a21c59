# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled Omaha: exactly two hole cards with three of the board.

Five cards are cut into a pair of ranks (91 of them) and three ranks (455), so all values of unsuited hands
fit a table of 83 kB, of which one choice from the board reads one short row. `tables` everywhere is
``(pairs, triples, values, flushes)``: `felt.cards.ranking.evaluator.omaha_tables`.
"""

import numpy as np

from felt._jit import kernel
from felt.cards.ranking.kernels import rank_bit

PAIRS = 91
MOST_PAIRS = 15
"""Pairs of six hole cards."""


@kernel
def _rank(card):
    return int(card) >> 2


@kernel
def hole_pairs(hole, numbers, out):
    """Write the number of every pair of hole cards to `out` (room for 15); returns how many there are."""
    count = 0
    for a in range(1, len(hole)):
        for b in range(a):
            out[count] = numbers[13 * _rank(hole[a]) + _rank(hole[b])]
            count += 1
    return count


@kernel
def suit_of_three(board):
    """The suit that three cards of the board share or more; -1 for none."""
    counts = 0
    for card in board:
        counts += 1 << 4 * (int(card) & 3)
    for suit in range(4):
        if counts >> 4 * suit & 15 >= 3:
            return suit
    return -1


@kernel
def suited_value(hole, board, suit, flushes):
    """The best flush of one suit with two hole cards and three of the board; 0 for none."""
    best = 0
    for a in range(1, len(hole)):
        for b in range(a):
            if hole[a] & 3 == suit and hole[b] & 3 == suit:
                two = rank_bit(hole[a]) | rank_bit(hole[b])
                best = max(best, _completed(two, board, suit, flushes))
    return best


@kernel
def _completed(two, board, suit, flushes):
    """The best flush that any three of the board make with two ranks of its suit."""
    best = 0
    for i in range(2, len(board)):
        for j in range(1, i):
            for k in range(j):
                if board[i] & 3 == suit and board[j] & 3 == suit and board[k] & 3 == suit:
                    ranks = two | rank_bit(board[i]) | rank_bit(board[j]) | rank_bit(board[k])
                    best = max(best, int(flushes[ranks]))
    return best


@kernel
def omaha_value(hole, pairs, count, board, triples, values, flushes):
    """Value of hole cards, of which `hole_pairs` made `count` `pairs`, on a board.

    For kinds where a flush is never worse than the same ranks unsuited, or has no value at all. (Arrays one
    by one: a tuple of them costs a third of the time here.)
    """
    best = 0
    for i in range(2, len(board)):
        for j in range(1, i):
            for k in range(j):
                row = PAIRS * int(triples[13 * (13 * _rank(board[i]) + _rank(board[j])) + _rank(board[k])])
                for p in range(count):
                    best = max(best, int(values[row + pairs[p]]))
    if len(flushes) > 0:
        suit = suit_of_three(board)
        if suit >= 0:
            best = max(best, suited_value(hole, board, suit, flushes))
    return best


@kernel
def rank_omahas(holes, boards, tables, out):
    """Omaha value of each row of hole cards on the same row of boards, or on the only one."""
    numbers, triples, values, flushes = tables
    pairs = np.empty(MOST_PAIRS, dtype=np.int64)
    last = len(boards) - 1
    for i in range(len(holes)):
        count = hole_pairs(holes[i], numbers, pairs)
        out[i] = omaha_value(holes[i], pairs, count, boards[min(i, last)], triples, values, flushes)
