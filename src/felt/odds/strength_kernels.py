"""Compiled hand strength: every runout, every hand an opponent may hold; and look-ups of what was counted before."""

import numpy as np

from felt._jit import kernel
from felt.cards.kernels import CARD_MASKS, START, key_value
from felt.odds.exact_kernels import mask_key


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
            for i in range(begin, ends[now]):
                if hands[i] & board:
                    continue
                value = key_value(board_key + keys[i], board | hands[i], tables)
                met += weights[i]
                if own > value:
                    ahead += weights[i]
                elif own == value:
                    tied += weights[i]
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
def look_up(holes, boards, card_permutations, board_id, renaming, base, local, table, out):
    """Entry of `table` for the class (see `BoardClasses`) of each row of hole cards and board.

    Returns the first row that uses a card twice, or -1.
    """
    size = boards.shape[1]
    choose = np.zeros((52, size), dtype=np.int64)  # ways to choose i + 1 cards below this one
    for card in range(52):
        ways = 1
        for i in range(size):
            ways = ways * (card - i) // (i + 1)
            choose[card, i] = ways
    cards = np.empty(size, dtype=np.int64)
    for row in range(len(holes)):
        seen = CARD_MASKS[holes[row, 0]] | CARD_MASKS[holes[row, 1]]
        clash = holes[row, 0] == holes[row, 1]
        for i in range(size):
            card = np.int64(boards[row, i])
            clash |= (seen & CARD_MASKS[card]) != 0
            seen |= CARD_MASKS[card]
            j = i
            while j > 0 and cards[j - 1] > card:
                cards[j] = cards[j - 1]
                j -= 1
            cards[j] = card
        if clash:
            return row
        number = 0
        for i in range(size):
            number += choose[cards[i], i]
        which = board_id[number]
        p = renaming[number]
        a = np.int64(card_permutations[p, holes[row, 0]])
        b = np.int64(card_permutations[p, holes[row, 1]])
        low, high = min(a, b), max(a, b)
        out[row] = table[base[which] + local[which, high * (high - 1) // 2 + low]]
    return -1
