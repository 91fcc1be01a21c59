"""Compiled telling of hands: every action with the public state in which it was taken."""

import numpy as np

import felt.games.fields as f
from felt._jit import kernel
from felt.games.facts_layout import (
    ADDED,
    AMOUNT,
    COLUMNS,
    LEAST,
    LIVE,
    MOST,
    MOVE,
    NUMBER,
    POT,
    SEAT,
    STREET,
    TO_CALL,
)
from felt.games.kernels import EXCHANGE, SHOWDOWN, apply, legal, pot
from felt.games.showdown_kernels import settle

CARD_BITS = 8
"""A pack of cards has a byte for each, the first in the lowest: the card's number plus one, 0 for none."""


@kernel
def pack(cards, begin, count):
    """Up to eight cards in one number."""
    packed = np.int64(0)
    for i in range(count):
        packed |= np.int64(cards[begin + i] + 1) << (CARD_BITS * i)
    return packed


@kernel
def trace_many(numbers, cards, g, first, codes, shown, tables, extra, facts, boards, ups, counts, held, closed):
    """Play the hands of `numbers` and `cards` on by their moves, and tell of each what the table was like before it.

    The moves of hand i are ``codes[first[i]:first[i + 1]]``: the amount times four plus the move. Rows of `facts` are
    those of `felt.games.facts_layout`, then stacks and bets by seat; `ups` and `counts` have no columns where the game
    shows no cards and exchanges none. `held` gets the cards that each player held last, `closed` how many cards lay
    where when the last decision was made: street, board, by seat; its street is -1 where that was about cards.
    """
    out = np.empty(6, dtype=np.int64)
    values = np.empty((3, 10), dtype=np.int64)
    scratch = np.empty((2, 16), dtype=np.uint8)
    for i in range(len(numbers)):
        h, k = numbers[i], cards[i]
        players = h[f.PLAYERS]
        closed[i, 0], closed[i, 1] = 0, g[f.BOARD_IN, 0]
        for seat in range(players):
            closed[i, 2 + seat] = g[f.DOWN_IN, 0] + g[f.UP_IN, 0]
        for a in range(first[i], first[i + 1]):
            move, amount, seat = codes[a] & 3, codes[a] >> 2, h[f.TURN]
            if facts.shape[1] > 0:
                legal(h, k, g, out)
                _tell(h, k, out, facts, boards, ups, counts, a, a - first[i], move, amount)
            if a == first[i + 1] - 1:
                closed[i, 0] = -1 if move == EXCHANGE else h[f.STREET]
                closed[i, 1] = h[f.BOARD_COUNT]
                for other in range(players):
                    closed[i, 2 + other] = k[f.COUNT + other]
            before = h[f.PUT + seat]
            apply(h, k, g, move, amount, shown)
            if facts.shape[1] > 0:
                facts[ADDED, a] = h[f.PUT + seat] - before
        for seat in range(players):
            held[i, seat] = pack(k, f.CARDS + f.CARDS_EACH * seat, k[f.COUNT + seat])
        if h[f.PHASE] == SHOWDOWN:
            settle(h, k, g, tables, extra, values, scratch)


@kernel
def _tell(h, k, out, facts, boards, ups, counts, a, number, move, amount):
    seat, players = h[f.TURN], h[f.PLAYERS]
    facts[NUMBER, a] = number
    facts[STREET, a] = h[f.STREET]
    facts[SEAT, a] = seat
    facts[MOVE, a] = move
    facts[AMOUNT, a] = amount
    facts[TO_CALL, a] = max(out[1], 0)
    facts[LEAST, a] = out[2]
    facts[MOST, a] = out[3]
    facts[POT, a] = pot(h, k)
    facts[LIVE, a] = h[f.LIVE]
    for other in range(players):
        facts[COLUMNS + other, a] = h[f.STACKS + other] + h[f.ASIDE + other]
        facts[COLUMNS + players + other, a] = h[f.BETS + other]
    boards[a] = pack(k, f.BOARD, h[f.BOARD_COUNT])
    for other in range(ups.shape[0]):
        up, packed, place = k[f.UP + other], np.int64(0), 0
        for card in range(k[f.COUNT + other]):
            if up >> card & 1:
                packed |= np.int64(k[f.CARDS + f.CARDS_EACH * other + card] + 1) << (CARD_BITS * place)
                place += 1
        ups[other, a] = packed
    for other in range(counts.shape[0]):
        counts[other, a] = k[f.COUNT + other]
