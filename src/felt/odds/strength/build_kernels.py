# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled builders of the shipped tables: all of them walk the 134,459 five-card boards that differ."""

import numpy as np

from felt._jit import kernel
from felt.cards.iso_kernels import next_subset
from felt.cards.ranking.kernels import CARD_KEYS, CARD_MASKS, START, key_value
from felt.odds.equity.exact_kernels import BLOCKED, compare_rows, value_rows


@kernel
def board_points(mask, combo_cards, tables, values, points):
    """On a full board: each combo's value, and twice its wins plus ties against the 990 hands it may meet.

    Combos that touch the board get value 0. No sorting: hands below are counted by value, and those among
    them that share a card are taken off by comparing with the 51 hands that hold that card.
    """
    key = START[7]
    for card in range(52):
        if mask & CARD_MASKS[card]:
            key += CARD_KEYS[card]
    by_card = np.full((52, 52), BLOCKED, dtype=np.int16)
    below = np.zeros(7464, dtype=np.int32)
    for combo in range(1326):
        a, b = combo_cards[combo, 0], combo_cards[combo, 1]
        own = CARD_MASKS[a] | CARD_MASKS[b]
        values[combo] = 0
        if own & mask:
            continue
        value = key_value(key + CARD_KEYS[a] + CARD_KEYS[b], mask | own, tables)
        values[combo] = value
        by_card[a, b] = value
        by_card[b, a] = value
        below[value + 1] += 1
    for value in range(1, 7464):
        below[value] += below[value - 1]
    for combo in range(1326):
        value = values[combo]
        if value == 0:
            continue
        less = np.int16(0)
        same = np.int16(0)
        row_a, row_b = by_card[combo_cards[combo, 0]], by_card[combo_cards[combo, 1]]
        for card in range(52):
            less = np.int16(less + np.int16(row_a[card] < value) + np.int16(row_b[card] < value))
            same = np.int16(same + np.int16(row_a[card] == value) + np.int16(row_b[card] == value))
        wins = below[value] - less
        ties = below[value + 1] - below[value] - same + 1  # the hand itself was taken off twice
        points[combo] = 2 * wins + ties


@kernel
def add_points(size, boards, orbits, combo_cards, tables, card_permutations, board_id, renaming, base, local, sums,
               squares):  # fmt: skip
    """Add every board's points, and their squares, to the flops (`size` 3) or turn boards (4) that it came from."""
    values = np.empty(1326, dtype=np.int16)
    points = np.zeros(1326, dtype=np.int64)
    cards = np.empty(5, dtype=np.int64)
    subset = np.empty(size, dtype=np.int64)
    for i in range(len(boards)):
        board_points(boards[i], combo_cards, tables, values, points)
        count = 0
        for card in range(52):
            if boards[i] & CARD_MASKS[card]:
                cards[count] = card
                count += 1
        subset[:] = np.arange(size)
        more = True
        while more:
            number = 0
            for place in range(size):  # the combinatorial number system, as `cards.isomorphism.board_number`
                ways = 1
                for k in range(place + 1):
                    ways = ways * (cards[subset[place]] - k) // (k + 1)
                number += ways
            board = board_id[number]
            _add(
                values, points, orbits[i], combo_cards, card_permutations[renaming[number]],
                local[board], base[board], sums, squares,
            )  # fmt: skip
            more = next_subset(subset, 5)


@kernel
def _add(values, points, orbit, combo_cards, renamed, local, base, sums, squares):
    for combo in range(1326):
        if values[combo] == 0:
            continue
        a, b = renamed[combo_cards[combo, 0]], renamed[combo_cards[combo, 1]]
        if a > b:
            a, b = b, a
        index = base + local[np.int64(b) * (np.int64(b) - 1) // 2 + a]
        sums[index] += orbit * points[combo]
        squares[index] += orbit * points[combo] * points[combo]


@kernel
def add_matchups(boards, hands, tables, block, orbit, wins, not_lost):
    """Boards on which each combo beats each other one, and on which it does not lose."""
    rows_a = np.empty((len(hands), block), dtype=np.int16)
    rows_b = np.empty((len(hands), block), dtype=np.int16)
    for begin in range(0, len(boards), block):
        part = boards[begin : begin + block]
        value_rows(part, hands, tables, np.int16(0), rows_a)
        value_rows(part, hands, tables, BLOCKED, rows_b)
        for i in range(len(hands)):
            row = rows_a[i, : len(part)]
            for j in range(len(hands)):
                if not (hands[i] & hands[j]):
                    above, level = compare_rows(row, rows_b[j, : len(part)])
                    wins[i, j] += orbit * above
                    not_lost[i, j] += orbit * level


@kernel
def add_ranks(boards, orbits, combo_cards, combo_class, tables, counts, sums, least, most):
    """For each value of seven cards and class of hole cards: how often, points in all, fewest and most points."""
    values = np.empty(1326, dtype=np.int16)
    points = np.zeros(1326, dtype=np.int64)
    for i in range(len(boards)):
        board_points(boards[i], combo_cards, tables, values, points)
        for combo in range(1326):
            value = values[combo]
            if value > 0:
                cell = combo_class[combo]
                counts[value, cell] += orbits[i]
                sums[value, cell] += orbits[i] * points[combo]
                least[value, cell] = min(least[value, cell], points[combo])
                most[value, cell] = max(most[value, cell], points[combo])
