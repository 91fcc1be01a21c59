# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled hand strength: every runout, every hand an opponent may hold; and look-ups of what was counted before.

On the turn and the river hands are counted by ranks: most hands that an opponent may hold differ in suits that no
longer matter, so they are counted 91 pairs of ranks at a time, and only flushes by their cards.
"""

import numpy as np

import felt.cards.ranking.kernels as ranking
from felt._jit import kernel
from felt.cards.ranking.hashing import RANK_KEYS, SUIT_BITS
from felt.odds.equity.exact_kernels import mask_key

RANK_SUMS = np.array(RANK_KEYS, dtype=np.uint64)


@kernel
def runout_strength(hero, boards, size, hands, ends, weights, power, tables, matrix, sums):
    """Follow hero's hand and every opposing hand to each of `boards`, whole boards of `size` cards.

    `hands` are the opponent's: those that trail hero now, those level with hero, those that lead; ``ends`` is where
    each group ends. ``matrix[now, then]`` (0 ahead, 1 level, 2 behind, seen from hero) sums the weights. ``sums`` adds
    up, over boards and weighted by how many hands the opponent may hold there: 1, hero's strength, its square, its
    `power`-th power.
    """
    hero_key = mask_key(hero) + ranking.START[size + 2]
    keys = np.empty(len(hands), dtype=np.uint64)
    for i in range(len(hands)):
        keys[i] = mask_key(hands[i])
    for j in range(len(boards)):
        board = boards[j]
        board_key = mask_key(board)
        own = ranking.key_value(board_key + hero_key, board | hero, tables)
        board_key += ranking.START[size + 2]
        begin = 0
        won, level, total = 0.0, 0.0, 0.0
        for now in range(3):
            ahead, tied, met = 0.0, 0.0, 0.0
            for i in range(begin, ends[now]):  # without branches: they would be guessed wrong too often
                value = ranking.key_value(board_key + keys[i], board | hands[i], tables)
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
    key = mask_key(board) + ranking.START[size + 2]
    for i in range(len(hands)):
        values[i] = ranking.key_value(key + mask_key(hands[i]), board | hands[i], tables)


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
        seen = ranking.CARD_MASKS[first] | ranking.CARD_MASKS[second]
        clash = first == second
        number = 0
        for i in range(size):
            card = boards[row, i]
            clash |= (seen & ranking.CARD_MASKS[card]) != 0
            seen |= ranking.CARD_MASKS[card]
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


@kernel
def count_points(holes, boards, tables, out):
    """Twice the wins plus the ties of each hand against every hand that one opponent may hold.

    Rows of five board cards are counted as they are, rows of four with each of the 46 river cards. Returns the first
    row that uses a card twice, or -1.
    """
    size = boards.shape[1]
    left = np.empty(13, dtype=np.int64)
    for row in range(len(holes)):
        first, second = holes[row, 0], holes[row, 1]
        hole, hole_key = (
            ranking.CARD_MASKS[first] | ranking.CARD_MASKS[second],
            ranking.CARD_KEYS[first] + ranking.CARD_KEYS[second],
        )
        board, board_key = np.uint64(0), ranking.START[7]
        left[:] = 4
        left[first >> 2] -= 1
        left[second >> 2] -= 1
        clash = first == second
        for i in range(size):
            card = boards[row, i]
            clash |= ((hole | board) & ranking.CARD_MASKS[card]) != 0
            board |= ranking.CARD_MASKS[card]
            board_key += ranking.CARD_KEYS[card]
            left[card >> 2] -= 1
        if clash:
            return row
        if size == 5:
            out[row] = _points_on(hole, hole_key, board, board_key, left, tables)
        else:
            out[row] = _points_to_come(hole, hole_key, board, board_key, left, tables)
    return -1


@kernel
def _points_to_come(hole, hole_key, board, board_key, left, tables):
    """Points on a board of four cards, summed over the river cards.

    A river card with which its suit has fewer than three cards on the board counts by its rank alone.
    """
    points = 0
    for rank in range(13):
        known = np.int64(-1)
        for card in range(4 * rank, 4 * rank + 4):
            if (hole | board) & ranking.CARD_MASKS[card]:
                continue
            plain = _count_of_suit(board_key, card & 3) < 2
            if plain and known >= 0:
                points += known
                continue
            left[rank] -= 1
            river = board | ranking.CARD_MASKS[card]
            on_river = _points_on(hole, hole_key, river, board_key + ranking.CARD_KEYS[card], left, tables)
            left[rank] += 1
            points += on_river
            if plain:
                known = on_river
    return points


@kernel
def _count_of_suit(key, suit):
    """How many cards of a suit a key counts."""
    return np.int64((key >> np.uint64(SUIT_BITS + 4 * suit)) & np.uint64(15)) - 3


@kernel
def _points_on(hole, hole_key, board, board_key, left, tables):
    """Points on a full board; `left` are the unseen cards of each rank."""
    own = np.int64(ranking.key_value(board_key + hole_key, board | hole, tables))
    suit, shared = _suit_of_board(board_key)
    lane = np.uint64(16 * suit)
    suited = (
        np.int64((~(board | hole) >> lane) & ranking.SUIT_MASK) if shared >= 3 else 0
    )  # unseen cards of the suit, by rank
    points = 0
    if shared < 5:
        points = _without_flush(own, board_key, left, suited, shared, tables)
    if shared >= 3:
        points += _with_flush(
            own, np.int64((board >> lane) & ranking.SUIT_MASK), left, suited, shared, tables[ranking.FLUSHES]
        )
    return points


@kernel
def _suit_of_board(board_key):
    """The suit of which three cards of the board or more are, and how many; (0, 0) where there is none."""
    for suit in range(4):
        count = _count_of_suit(board_key, suit)
        if count >= 3:
            return suit, count
    return 0, 0


@kernel
def _without_flush(own, board_key, left, suited, shared, tables):
    """Points against the hands that make no flush."""
    offsets, values = tables[ranking.OFFSETS], tables[ranking.VALUES]
    points = 0
    for a in range(13):
        flush_a = suited >> a & 1
        ways_a = left[a] - flush_a if shared == 4 else left[a]
        if ways_a == 0:
            continue
        key = board_key + RANK_SUMS[a]
        for b in range(a):
            flush_b = suited >> b & 1
            ways = ways_a * (left[b] - flush_b) if shared == 4 else ways_a * left[b] - flush_a * flush_b
            value = ranking.ranks_value(key + RANK_SUMS[b], offsets, values)
            points += ways * (int(own > value) + int(own >= value))
        if ways_a > 1:
            value = ranking.ranks_value(key + RANK_SUMS[a], offsets, values)
            points += (ways_a * (ways_a - 1) >> 1) * (int(own > value) + int(own >= value))
    return points


@kernel
def _with_flush(own, board_ranks, left, suited, shared, flushes):
    """Points against the hands that make a flush with `shared` cards of the board."""
    others = 0
    for rank in range(13):
        others += left[rank] - (suited >> rank & 1)
    points = 0
    for a in range(13):
        if not suited >> a & 1:
            continue
        ranks = board_ranks | 1 << a
        for b in range(a):
            if suited >> b & 1:
                value = np.int64(flushes[ranks | 1 << b])
                points += int(own > value) + int(own >= value)
        if shared >= 4:
            value = np.int64(flushes[ranks])
            points += others * (int(own > value) + int(own >= value))
    if shared == 5:
        value = np.int64(flushes[board_ranks])
        points += (others * (others - 1) >> 1) * (int(own > value) + int(own >= value))
    return points
