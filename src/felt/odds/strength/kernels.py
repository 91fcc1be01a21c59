# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled hand strength: every runout, every hand an opponent may hold; and look-ups of what was counted before."""

import numpy as np

from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_MASKS, START, key_value
from felt.odds.equity.exact_kernels import mask_key


@kernel
def runout_strength(hero, boards, size, hands, ends, weights, power, tables, matrix, sums):
    """Follow hero's hand and every opposing hand to each of `boards`, whole boards of `size` cards.

    `hands` are the opponent's: those that trail hero now, those level with hero, those that lead; ``ends`` is where
    each group ends. ``matrix[now, then]`` (0 ahead, 1 level, 2 behind, seen from hero) sums the weights. ``sums`` adds
    up, over boards and weighted by how many hands the opponent may hold there: 1, hero's strength, its square, its
    `power`-th power.
    """
    hero_key = mask_key(hero) + START[size + 2]
    keys = np.empty(len(hands), dtype=np.uint64)
    for i in range(len(hands)):
        keys[i] = mask_key(hands[i])
    for j in range(len(boards)):
        board = boards[j]
        board_key = mask_key(board)
        own = key_value(board_key + hero_key, board | hero, tables)
        board_key += START[size + 2]
        begin = 0
        won, level, total = 0.0, 0.0, 0.0
        for now in range(3):
            ahead, tied, met = 0.0, 0.0, 0.0
            for i in range(begin, ends[now]):  # without branches: they would be guessed wrong too often
                value = key_value(board_key + keys[i], board | hands[i], tables)
                weight = 0.0 if hands[i] & board else weights[i]
                met += weight
                ahead += weight if own > value else 0.0
                tied += weight if own == value else 0.0
            begin = ends[now]
            matrix[now, 0] += ahead
            matrix[now, 1] += tied
            matrix[now, 2] += met - ahead - tied
            won += ahead
            level += tied
            total += met
        if total > 0:
            strength = (won + level / 2) / total
            sums[0] += total
            sums[1] += total * strength
            sums[2] += total * strength * strength
            sums[3] += total * strength**power


@kernel
def hand_values(board, size, hands, tables, values):
    """Value of each hand on one board of `size` cards."""
    key = mask_key(board) + START[size + 2]
    for i in range(len(hands)):
        values[i] = key_value(key + mask_key(hands[i]), board | hands[i], tables)


@kernel
def look_up(holes, boards, card_permutations, board_id, renaming, wide, out):
    """Entry of `wide` (canonical boards by combos: see `BoardClasses`) for each row of hole cards and board.

    Returns the first row that uses a card twice, or -1.
    """
    size = boards.shape[1]
    choose = np.zeros((52, size), dtype=np.int64)  # ways to choose i + 1 cards below this one
    for card in range(52):
        ways = 1
        for i in range(size):
            ways = ways * (card - i) // (i + 1)
            choose[card, i] = ways
    for row in range(len(holes)):
        first, second = holes[row, 0], holes[row, 1]
        seen = CARD_MASKS[first] | CARD_MASKS[second]
        clash = first == second
        number = 0
        for i in range(size):
            card = boards[row, i]
            clash |= (seen & CARD_MASKS[card]) != 0
            seen |= CARD_MASKS[card]
            place = 0  # among the cards of the board in ascending order: cheaper than sorting them
            for j in range(size):
                place += boards[row, j] < card
            number += choose[card, place]
        if clash:
            return row
        p = renaming[number]
        a = np.int64(card_permutations[p, first])
        b = np.int64(card_permutations[p, second])
        low, high = min(a, b), max(a, b)
        out[row] = wide[board_id[number], high * (high - 1) // 2 + low]
    return -1
