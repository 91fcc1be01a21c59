"""Compiled expectation of hands whose betting ended before their last card: the rest is dealt in other ways."""

import numpy as np

import felt.games.fields as f
from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.games.showdown_kernels import settle


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
        if board == wanted and ways <= counted:
            for step in range(wanted):
                chosen[step] = step
            for _ in range(ways):
                for step in range(wanted):
                    k[places[step]] = pool[chosen[step]]
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
                _add_payment(h, k, g, tables, extra, values, scratch, won, row)
        for seat in range(h[f.PLAYERS]):
            won[row, seat] /= ways


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
