"""Compiled expectation of hands whose betting ended before their last card: the rest is dealt in other ways."""

import numpy as np

import felt.games.fields as f
from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.cards.kernels import CARD_KEYS, FLUSH_BITS, START, flush_suit, ranks_value, suited_ranks
from felt.games.showdown_kernels import CARD_BITS, PLAIN, count_bits, pay, settle

QUICK = 3
"""Players whose showdowns are told apart by who beats whom."""
RESULTS = 27
"""As many as three pairs can stand to each other."""


@kernel
def expect_many(numbers, cards, g, tables, extra, closed, rows, seeds, counted, samples, won):
    """What each player can expect to be paid in the hands of `rows`, into the rows of `won`.

    Every way to deal what was dealt after the last decision is counted where there are at most `counted` of them and
    all of it went to the board; else `samples` are dealt from `seeds`.
    """
    values = np.empty((3, 10), dtype=np.int64)
    scratch = np.empty((2, 16), dtype=np.uint8)
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
        wanted, size = _to_come(h, k, closed[i], places, pool)
        board = h[f.BOARD_COUNT] - closed[i, 1]
        ways = 1
        for step in range(wanted):
            ways = ways * (size - step) // (step + 1)
        won[row, :] = 0
        quick = _is_quick(h, g, board == wanted)
        if quick:
            _sum_keys(h, k, closed[i, 1], keys)
            results[:] = 0
        if board == wanted and ways <= counted:
            for step in range(wanted):
                chosen[step] = step
            for _ in range(ways):
                for step in range(wanted):
                    k[places[step]] = pool[chosen[step]]
                if quick:
                    results[_compare(h, k, closed[i, 1], keys, tables[0], scratch[0])] += 1
                else:
                    _add_payment(h, k, g, tables, extra, values, scratch, won, row)
                _next_choice(chosen, wanted, size)
        else:
            ways, state = samples, seeds[row]
            for _ in range(ways):
                for step in range(wanted):
                    state += GOLDEN
                    other = step + below(random_bits(state), size - step)
                    pool[step], pool[other] = pool[other], pool[step]
                    k[places[step]] = pool[step]
                if quick:
                    results[_compare(h, k, closed[i, 1], keys, tables[0], scratch[0])] += 1
                else:
                    _add_payment(h, k, g, tables, extra, values, scratch, won, row)
        if quick:
            _pay_results(h, g, results, values, won, row)
        for seat in range(h[f.PLAYERS]):
            won[row, seat] /= ways


@kernel
def _is_quick(h, g, all_board):
    """Whether a deal can be told by who beats whom: two or three players, one kind of hand, cards through the hash."""
    plain = g[f.SCALARS, f.GAME_KINDS] == 1 and g[f.METHOD, 0] == PLAIN and g[f.SCALARS, f.GAME_HOLE_EXACTLY] == 0
    suits = g[f.SCALARS, f.GAME_ODD_BY_SUIT]
    return plain and all_board and not suits and g[f.SCALARS, f.GAME_SIZE] == 5 and count_bits(h[f.LIVE]) <= QUICK


@kernel
def _sum_keys(h, k, board, keys):
    """For each live player the key (`felt.cards.kernels`) of what is known: their own cards and the board so far."""
    for seat in range(h[f.PLAYERS]):
        held = k[f.COUNT + seat]
        key = START[held + h[f.BOARD_COUNT]]
        for i in range(held):
            key += CARD_KEYS[k[f.CARDS + f.CARDS_EACH * seat + i]]
        for i in range(board):
            key += CARD_KEYS[k[f.BOARD + i]]
        keys[seat] = key


@kernel
def _compare(h, k, board, keys, tables, cards):
    """Who beats whom on a board, as one number: for each pair of live players 0, 1 or 2 for less, equal, more."""
    rest = keys[0] - keys[0]
    for i in range(board, h[f.BOARD_COUNT]):
        rest += CARD_KEYS[k[f.BOARD + i]]
    first, second, result, weight = -1, -1, 0, 1
    for seat in range(h[f.PLAYERS]):
        if not h[f.LIVE] >> seat & 1:
            continue
        key = keys[seat] + rest
        if key & FLUSH_BITS and len(tables[2]) > 0:
            held = k[f.COUNT + seat]
            for i in range(held):
                cards[i] = k[f.CARDS + f.CARDS_EACH * seat + i]
            for i in range(h[f.BOARD_COUNT]):
                cards[held + i] = k[f.BOARD + i]
            value = int(tables[2][suited_ranks(cards[: held + h[f.BOARD_COUNT]], flush_suit(key))])
        else:
            value = int(ranks_value(key, tables[0], tables[1]))
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
        one, two, three = (
            result % 3 - 1,
            result // 3 % 3 - 1,
            result // 9 - 1,
        )  # first-second, first-third, second-third
        place = 0
        values[:] = 0
        for seat in range(h[f.PLAYERS]):
            h[f.WON + seat] = 0
            h[f.STACKS + seat] = 0
            if h[f.LIVE] >> seat & 1:
                better = one + two if place == 0 else three - one if place == 1 else -two - three
                values[0, seat] = (4 + better) << CARD_BITS
                place += 1
        if count_bits(h[f.LIVE]) == 2:
            place = 0
            for seat in range(h[f.PLAYERS]):
                if h[f.LIVE] >> seat & 1:
                    values[0, seat] = (4 + (one if place == 0 else -one)) << CARD_BITS
                    place += 1
        h[f.RAKE] = 0
        pay(h, g, values)
        for seat in range(h[f.PLAYERS]):
            won[row, seat] += h[f.WON + seat] * results[result]


@kernel
def _to_come(h, k, closed, places, pool):
    """Where the cards lie that came after the last decision, and which might have come. Returns how many of each."""
    wanted, size = 0, 0
    for card in range(closed[1], h[f.BOARD_COUNT]):
        places[wanted] = f.BOARD + card
        wanted += 1
    for seat in range(h[f.PLAYERS]):
        if h[f.LIVE] >> seat & 1:
            for card in range(closed[2 + seat], k[f.COUNT + seat]):
                places[wanted] = f.CARDS + f.CARDS_EACH * seat + card
                wanted += 1
    for step in range(wanted):
        pool[size] = k[places[step]]
        size += 1
    for card in range(h[f.DECK_AT], h[f.DECK_COUNT]):
        pool[size] = k[f.DECK + card]
        size += 1
    return wanted, size


@kernel
def _add_payment(h, k, g, tables, extra, values, scratch, won, row):
    for seat in range(h[f.PLAYERS]):
        h[f.WON + seat] = 0
        h[f.STACKS + seat] = 0
    h[f.RAKE] = 0
    settle(h, k, g, tables, extra, values, scratch)
    for seat in range(h[f.PLAYERS]):
        won[row, seat] += h[f.WON + seat]


@kernel
def _next_choice(chosen, wanted, size):
    """The next set of `wanted` places out of `size`, in order."""
    at = wanted - 1
    while at >= 0 and chosen[at] == size - wanted + at:
        at -= 1
    if at < 0:
        return
    chosen[at] += 1
    for later in range(at + 1, wanted):
        chosen[later] = chosen[later - 1] + 1
