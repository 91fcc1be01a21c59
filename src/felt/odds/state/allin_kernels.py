# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled expectation of hands whose betting ended before their last card: the rest is dealt in other ways."""

import numpy as np

import felt.cards.ranking.kernels as ranking
import felt.games.engine.fields as f
from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.cards.iso_kernels import next_subset
from felt.games.engine.showdown_kernels import CARD_BITS, count_bits, pay_pots, settle
from felt.games.views.facts_layout import CLOSED_BOARD, CLOSED_CARDS

QUICK = 3
"""Up to so many players, a showdown is known by who beats whom."""
RESULTS = 27
"""Ways in which three pairs of players can compare: less, equal or more each."""


@kernel
def expect_many(numbers, cards, g, tables, extra, closed, rows, seeds, counted, samples, won):
    """What each player can expect to be paid in the hands of `rows`, into the rows of `won`.

    Every way to deal what was dealt after the last decision is counted where there are at most `counted` of them and
    all of it went to the board; else `samples` are dealt from `seeds`.
    """
    values = np.empty(f.VALUE_ROOM, dtype=np.int64)
    scratch = np.empty(f.CARD_ROOM, dtype=np.uint8)
    places = np.empty(64, dtype=np.int64)
    pool = np.empty(64, dtype=np.uint8)
    chosen = np.empty(64, dtype=np.int64)
    keys = np.empty(f.SEATS, dtype=np.uint64)
    results = np.empty(RESULTS, dtype=np.int64)
    h = np.empty(f.NUMBERS, dtype=np.int32)
    k = np.empty(f.BYTES, dtype=np.uint8)
    for row in range(len(rows)):
        i = rows[row]
        h[:], k[:] = numbers[i], cards[i]
        missing, size = _to_come(h, k, closed[i], places, pool)
        board = h[f.BOARD_COUNT] - closed[i, CLOSED_BOARD]
        ways = 1
        for step in range(missing):
            ways = ways * (size - step) // (step + 1)
        won[row, :] = 0
        quick = _is_quick(h, g, board == missing)
        if quick:
            _sum_keys(h, k, closed[i, CLOSED_BOARD], keys)
            results[:] = 0
        counting, state = board == missing and ways <= counted, seeds[row]
        for step in range(missing):
            chosen[step] = step
        if not counting:
            ways = samples
        for _ in range(ways):
            for step in range(missing):
                if not counting:
                    state += GOLDEN
                    other = step + below(random_bits(state), size - step)
                    pool[step], pool[other] = pool[other], pool[step]
                k[places[step]] = pool[chosen[step]]
            if quick:
                results[_compare(h, k, closed[i, CLOSED_BOARD], keys, tables[0], scratch[f.ALL_CARDS])] += 1
            else:
                _add_payment(h, k, g, tables, extra, values, scratch, won, row)
            if counting:
                next_subset(chosen[:missing], size)
        if quick:
            _pay_results(h, g, results, values, won, row)
        for seat in range(h[f.PLAYERS]):
            won[row, seat] /= ways


@kernel
def _is_quick(h, g, all_board):
    """Whether a deal can be told by who beats whom: two or three players, one kind of hand, cards through the hash."""
    plain = g[f.SCALARS, f.GAME_KINDS] == 1 and g[f.METHOD, 0] == f.PLAIN and g[f.HOLE_EXACTLY, 0] == 0
    suits = g[f.SCALARS, f.GAME_ODD_BY_SUIT]
    return plain and all_board and not suits and g[f.SCALARS, f.GAME_SIZE] == 5 and count_bits(h[f.LIVE]) <= QUICK


@kernel
def _sum_keys(h, k, board, keys):
    """For each live player the key (`cards.ranking.kernels`) of what is known: their own cards and the board so far."""
    for seat in range(h[f.PLAYERS]):
        held = k[f.COUNT + seat]
        key = ranking.START[held + h[f.BOARD_COUNT]]
        for i in range(held):
            key += ranking.CARD_KEYS[k[f.CARDS + f.CARDS_EACH * seat + i]]
        for i in range(board):
            key += ranking.CARD_KEYS[k[f.BOARD + i]]
        keys[seat] = key


@kernel
def _compare(h, k, board, keys, tables, cards):
    """Who beats whom on a board, as one number: for each pair of live players 0, 1 or 2 for less, equal, more."""
    rest = keys[0] - keys[0]
    for i in range(board, h[f.BOARD_COUNT]):
        rest += ranking.CARD_KEYS[k[f.BOARD + i]]
    first, second, result, weight = -1, -1, 0, 1
    for seat in range(h[f.PLAYERS]):
        if not h[f.LIVE] >> seat & 1:
            continue
        key = keys[seat] + rest
        if key & ranking.FLUSH_BITS and len(tables[ranking.FLUSHES]) > 0:
            held = k[f.COUNT + seat]
            for i in range(held):
                cards[i] = k[f.CARDS + f.CARDS_EACH * seat + i]
            for i in range(h[f.BOARD_COUNT]):
                cards[held + i] = k[f.BOARD + i]
            value = int(
                tables[ranking.FLUSHES][ranking.suited_ranks(cards[: held + h[f.BOARD_COUNT]], ranking.flush_suit(key))]
            )
        else:
            value = int(ranking.ranks_value(key, tables[ranking.OFFSETS], tables[ranking.VALUES]))
        if first >= 0:
            result += weight * (1 + (first > value) - (first < value))
            weight *= 3
        if second >= 0:
            result += weight * (1 + (second > value) - (second < value))
            weight *= 3
        if first < 0:
            first = value
        else:
            second = value
    return result


@kernel
def _pay_results(h, g, results, values, won, row):
    """Pay the pot for every way in which the players can stand to each other, as often as it came up."""
    for result in range(len(results)):
        if results[result] == 0:
            continue
        a_b, a_c, b_c = result % 3 - 1, result // 3 % 3 - 1, result // 9 - 1  # -1, 0, 1 for each pair of players
        place = 0
        values[:] = 0
        for seat in range(h[f.PLAYERS]):
            h[f.WON + seat] = 0
            h[f.STACKS + seat] = 0
            if h[f.LIVE] >> seat & 1:
                better = a_b + a_c if place == 0 else b_c - a_b if place == 1 else -a_c - b_c
                values[0, seat] = (4 + better) << CARD_BITS
                place += 1
        if count_bits(h[f.LIVE]) == 2:
            place = 0
            for seat in range(h[f.PLAYERS]):
                if h[f.LIVE] >> seat & 1:
                    values[0, seat] = (4 + (a_b if place == 0 else -a_b)) << CARD_BITS
                    place += 1
        h[f.RAKE] = 0
        pay_pots(h, g, values)
        for seat in range(h[f.PLAYERS]):
            won[row, seat] += h[f.WON + seat] * results[result]


@kernel
def _to_come(h, k, closed, places, pool):
    """Where the cards lie that came after the last decision, and which might have come. Returns how many of each."""
    missing, size = 0, 0
    for card in range(closed[CLOSED_BOARD], h[f.BOARD_COUNT]):
        places[missing] = f.BOARD + card
        missing += 1
    for seat in range(h[f.PLAYERS]):
        if h[f.LIVE] >> seat & 1:
            for card in range(closed[CLOSED_CARDS + seat], k[f.COUNT + seat]):
                places[missing] = f.CARDS + f.CARDS_EACH * seat + card
                missing += 1
    for step in range(missing):
        pool[size] = k[places[step]]
        size += 1
    for card in range(h[f.DECK_AT], h[f.DECK_COUNT]):
        pool[size] = k[f.DECK + card]
        size += 1
    return missing, size


@kernel
def _add_payment(h, k, g, tables, extra, values, scratch, won, row):
    for seat in range(h[f.PLAYERS]):
        h[f.WON + seat] = 0
        h[f.STACKS + seat] = 0
    h[f.RAKE] = 0
    settle(h, k, g, tables, extra, values, scratch)
    for seat in range(h[f.PLAYERS]):
        won[row, seat] += h[f.WON + seat]
