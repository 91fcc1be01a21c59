# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled telling of hands: every action with the public state in which it was taken."""

import numpy as np

import felt.games.engine.fields as f
import felt.games.views.facts_layout as column
from felt._jit import kernel
from felt.games.engine.kernels import apply, legal, pot
from felt.games.engine.showdown_kernels import settle
from felt.games.moves import EXCHANGE, MOVE_BITS, MOVE_MASK, SHOWDOWN

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
def trace_many(numbers, cards, g, first, codes, shown, tables, extra, facts, boards, ups, counts, holes, held, closed):
    """Play the hands of `numbers` and `cards` on by their moves, and tell of each what the table was like before it.

    The moves of hand i are ``codes[first[i]:first[i + 1]]`` (`felt.games.moves.encode_move`). Rows of `facts` are those
    of `facts_layout`, then stacks and bets by seat; `ups` and `counts` have no columns if the game shows no cards and
    exchanges none. `holes` gets the cards of the player who acts, `held` those that each player held last, `closed` how
    many cards lay where when the last decision was made.
    """
    out = np.empty(len(f.LEGAL_FIELDS), dtype=np.int64)
    values = np.empty(f.VALUE_ROOM, dtype=np.int64)
    scratch = np.empty(f.CARD_ROOM, dtype=np.uint8)
    for i in range(len(numbers)):
        h, k = numbers[i], cards[i]
        players = h[f.PLAYERS]
        closed[i, column.CLOSED_STREET], closed[i, column.CLOSED_BOARD] = 0, g[f.BOARD_IN, 0]
        for seat in range(players):
            closed[i, column.CLOSED_CARDS + seat] = g[f.DOWN_IN, 0] + g[f.UP_IN, 0]
        for a in range(first[i], first[i + 1]):
            move, amount, seat = codes[a] & MOVE_MASK, codes[a] >> MOVE_BITS, h[f.TURN]
            if facts.shape[1] > 0:
                legal(h, k, g, out)
                _tell(h, k, out, facts, boards, ups, counts, holes, a, a - first[i], move, amount)
            if a == first[i + 1] - 1:
                closed[i, column.CLOSED_STREET] = -1 if move == EXCHANGE else h[f.STREET]
                closed[i, column.CLOSED_BOARD] = h[f.BOARD_COUNT]
                for other in range(players):
                    closed[i, column.CLOSED_CARDS + other] = k[f.COUNT + other]
            before = h[f.PUT + seat]
            apply(h, k, g, move, amount, shown)
            if facts.shape[1] > 0:
                facts[column.ADDED, a] = h[f.PUT + seat] - before
        for seat in range(players):
            held[i, seat] = pack(k, f.CARDS + f.CARDS_EACH * seat, k[f.COUNT + seat])
        if h[f.PHASE] == SHOWDOWN:
            settle(h, k, g, tables, extra, values, scratch)


@kernel
def _tell(h, k, out, facts, boards, ups, counts, holes, a, number, move, amount):
    seat, players = h[f.TURN], h[f.PLAYERS]
    facts[column.NUMBER, a] = number
    facts[column.STREET, a] = h[f.STREET]
    facts[column.SEAT, a] = seat
    facts[column.MOVE, a] = move
    facts[column.AMOUNT, a] = amount
    facts[column.TO_CALL, a] = max(out[f.TO_CALL], 0)
    facts[column.LEAST, a] = out[f.LEAST_RAISE]
    facts[column.MOST, a] = out[f.MOST_RAISE]
    facts[column.POT, a] = pot(h, k)
    facts[column.LIVE, a] = h[f.LIVE]
    for other in range(players):
        facts[column.COLUMNS + other, a] = h[f.STACKS + other] + h[f.ASIDE + other]
        facts[column.COLUMNS + players + other, a] = h[f.BETS + other]
    boards[a] = pack(k, f.BOARD, h[f.BOARD_COUNT])
    holes[a] = pack(k, f.CARDS + f.CARDS_EACH * seat, k[f.COUNT + seat])
    for other in range(ups.shape[0]):
        up, packed, place = k[f.UP + other], np.int64(0), 0
        for card in range(k[f.COUNT + other]):
            if up >> card & 1:
                packed |= np.int64(k[f.CARDS + f.CARDS_EACH * other + card] + 1) << (CARD_BITS * place)
                place += 1
        ups[other, a] = packed
    for other in range(counts.shape[0]):
        counts[other, a] = k[f.COUNT + other]
