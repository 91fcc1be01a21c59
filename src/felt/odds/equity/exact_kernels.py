# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled enumeration: every board, every deal, no chance.

Boards are listed once, up to the symmetries of the question, with how many boards each stands for. Then a
block of boards at a time: a row of values for each hand, and rows compared with rows, sixteen boards an
instruction.
"""

import numpy as np

from felt._jit import kernel
from felt.cards.iso_kernels import next_subset, rename_mask
from felt.cards.ranking.kernels import CARD_KEYS, CARD_MASKS, START, key_value
from felt.odds.equity.result import SHARES, TIED, WON

BLOCKED = np.int16(32767)


@kernel
def list_boards(deck, size, board_mask, renamings, masks, orbits):
    """All ways to add `size` cards of `deck` to a board, one for each orbit under `renamings`.

    Fills `masks` with the whole boards and `orbits` with the number of boards each stands for; returns how
    many there are. `renamings` must leave the deck and the board as they are.
    """
    subset = np.arange(size)
    count = 0
    more = True
    while more:
        mask = board_mask
        for i in subset:
            mask |= CARD_MASKS[deck[i]]
        unmoved = 1
        for p in range(1, len(renamings)):
            moved = rename_mask(mask, renamings[p])
            if moved < mask:
                unmoved = 0
                break
            if moved == mask:
                unmoved += 1
        if unmoved > 0:
            masks[count] = mask
            orbits[count] = len(renamings) // unmoved
            count += 1
        more = next_subset(subset, len(deck))
    return count


@kernel
def mask_key(mask):
    """The sum of the keys of a set of cards."""
    key = np.uint64(0)
    for card in range(52):
        if mask & CARD_MASKS[card]:
            key += CARD_KEYS[card]
    return key


@kernel
def value_rows(boards, hands, tables, blocked, rows):
    """Value of each hand on each board: ``rows[hand, board]``; `blocked` where they share a card."""
    size = 0
    for card in range(52):
        if (boards[0] | hands[0]) & CARD_MASKS[card]:
            size += 1
    if boards[0] & hands[0]:
        size = 2  # a shared card was counted once
        for card in range(52):
            if boards[0] & CARD_MASKS[card]:
                size += 1
    keys = np.empty(len(hands), dtype=np.uint64)
    for i in range(len(hands)):
        keys[i] = mask_key(hands[i])
    for j in range(len(boards)):
        start = START[size] + mask_key(boards[j])
        for i in range(len(hands)):
            if hands[i] & boards[j]:
                rows[i, j] = blocked
            else:
                rows[i, j] = key_value(start + keys[i], boards[j] | hands[i], tables)


@kernel
def compare_rows(row_a, row_b):
    """On how many boards the first is above the second, and on how many not below it."""
    above = np.int16(0)  # sixteen bits: one instruction compares sixteen boards
    level = np.int16(0)
    for x in range(len(row_a)):
        above = np.int16(above + np.int16(row_a[x] > row_b[x]))
        level = np.int16(level + np.int16(row_a[x] >= row_b[x]))
    return above, level


@kernel
def heads_up(boards, first, second, first_weights, second_weights, tables, block, out):
    """Sum over pairs of hands and boards: ``out[0]`` of boards the first wins, ``out[1]`` wins or ties.

    Returns how many pairs of hands go together, and the sum of their weights.
    """
    rows_a = np.empty((len(first), block), dtype=np.int16)
    rows_b = np.empty((len(second), block), dtype=np.int16)
    won, not_lost = 0.0, 0.0
    pairs, weight = 0, 0.0
    for begin in range(0, len(boards), block):
        part = boards[begin : begin + block]
        value_rows(part, first, tables, np.int16(0), rows_a)
        value_rows(part, second, tables, BLOCKED, rows_b)
        for i in range(len(first)):
            row_a = rows_a[i, : len(part)]
            won_i, not_lost_i = 0.0, 0.0
            for j in range(len(second)):
                if first[i] & second[j]:
                    continue
                if begin == 0:
                    pairs += 1
                    weight += first_weights[i] * second_weights[j]
                above, level = compare_rows(row_a, rows_b[j, : len(part)])
                won_i += second_weights[j] * above
                not_lost_i += second_weights[j] * level
            won += first_weights[i] * won_i
            not_lost += first_weights[i] * not_lost_i
    out[0] = won
    out[1] = not_lost
    return pairs, weight


@kernel
def multiway(boards, hands, ends, weights, tables, unit, block, out):
    """Like `heads_up` for any number of players, whose hands stand behind each other in `hands`.

    ``out[player]`` is (boards won alone, boards tied, shares of tied pots in `unit`-ths). `unit` is divisible
    by every number of players that may share a pot. Returns how many choices of hands go together, and the sum
    of their weights.
    """
    players = len(ends)
    deals, weight = 0, 0.0
    rows = np.empty((len(hands), block), dtype=np.int16)
    best = np.zeros((players, block), dtype=np.int16)  # of the players so far
    shared = np.zeros((players, block), dtype=np.int16)  # by so many; 0 where a hand is blocked
    chosen = np.zeros(players, dtype=np.int64)
    masks = np.zeros(players + 1, dtype=np.uint64)
    products = np.ones(players + 1, dtype=np.float64)
    for begin in range(0, len(boards), block):
        part = boards[begin : begin + block]
        width = len(part)
        value_rows(part, hands, tables, np.int16(0), rows)
        depth = 0
        chosen[0] = 0
        while depth >= 0:  # an odometer over one hand for each player
            if chosen[depth] == ends[depth]:
                depth -= 1
                if depth >= 0:
                    chosen[depth] += 1
                continue
            hand = chosen[depth]
            if hands[hand] & masks[depth]:
                chosen[depth] += 1
                continue
            row = rows[hand]
            if depth == 0:
                for x in range(width):
                    best[0, x] = row[x]
                    shared[0, x] = np.int16(row[x] > 0)
            else:
                _join(row[:width], best[depth - 1], shared[depth - 1], best[depth], shared[depth])
            masks[depth + 1] = masks[depth] | hands[hand]
            products[depth + 1] = products[depth] * weights[hand]
            if depth + 1 < players:
                depth += 1
                chosen[depth] = ends[depth - 1]
                continue
            if begin == 0:
                deals += 1
                weight += products[players]
            top, holders = best[depth, :width], shared[depth, :width]
            for k in range(1, players + 1):
                if k > 1 and not _count_equal(holders, np.int16(k)):
                    continue
                for player in range(players):
                    held = _count_held(rows[chosen[player], :width], top, holders, np.int16(k))
                    if k == 1:
                        out[player, WON] += products[players] * held
                    else:
                        out[player, TIED] += products[players] * held
                        out[player, SHARES] += products[players] * (held * (unit // k))
            chosen[depth] += 1
    return deals, weight


@kernel
def _join(row, best, shared, new_best, new_shared):
    """One more player: the best value so far and how many have it."""
    for x in range(len(row)):
        value, top, holders = row[x], best[x], shared[x]
        new_best[x] = max(value, top)
        count = np.int16(1) if value > top else (np.int16(holders + 1) if value == top else holders)
        new_shared[x] = count if value > 0 and holders > 0 else np.int16(0)


@kernel
def _count_equal(row, value):
    count = np.int16(0)
    for x in range(len(row)):
        count = np.int16(count + np.int16(row[x] == value))
    return count


@kernel
def _count_held(row, best, shared, holders):
    """On how many boards this player is one of so many who hold the best hand."""
    count = np.int16(0)
    for x in range(len(row)):
        count = np.int16(count + np.int16((row[x] == best[x]) & (shared[x] == holders)))
    return count
