# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled showdowns of any game: players with known and unknown cards, with a board or without.

Work goes in blocks of deals. A block is listed in order or drawn at random (a row of `cards` holds the unknown
cards of one deal), then valued, player by player, for each kind of hand that shares the pot, and then the pots
are split. A row holds the unknown cards of the board first, then each player's: `edges` says where these parts
end, so the board's are ``edges[0]:edges[1]`` and player p's ``edges[p + 1]:edges[p + 2]``. `holes` (a row for each
player) and `board` hold the known cards, with room for the unknown ones behind them.
"""

import numpy as np

from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.cards.iso_kernels import next_subset
from felt.cards.ranking.kernels import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSHES,
    OFFSETS,
    VALUES,
    badugi_value,
    key_value,
    rank_bit,
    ranks_value,
)
from felt.cards.ranking.omaha_kernels import PAIRS, suit_of_three
from felt.odds.equity.result import SHARES, SQUARES, TIED, WON


@kernel
def draw_deals(seed, deck, cards):
    """Fill every row of `cards` with different cards of the deck, drawn at random."""
    state = np.uint64(seed)
    pack = deck.copy()
    count, size = cards.shape
    for d in range(count):
        bits = np.uint64(0)
        for at in range(size):  # a shuffle as far as it is needed
            if at & 1:
                bits >>= np.uint64(32)
            else:
                state += GOLDEN
                bits = random_bits(state)
            j = at + below(bits, len(pack) - at)
            card = pack[j]
            pack[j] = pack[at]
            pack[at] = card
            cards[d, at] = card


@kernel
def list_deals(deck, edges, order, chosen, cards):
    """Fill every row of `cards` with one deal after the other, and leave `chosen` ready for the next.

    Parts of a row are chosen in the order of `order`, the last of them changing fastest: ``chosen[i]`` are the
    positions of the cards of part ``order[i]`` in what is left of the deck, as `next_subset` steps through them.
    """
    parts = len(order)
    decks = np.empty((parts, len(deck)), dtype=np.uint8)
    left = np.empty(parts, dtype=np.int64)
    row = np.zeros(cards.shape[1], dtype=np.uint8)
    for k in range(len(deck)):
        decks[0, k] = deck[k]
    left[0] = len(deck)
    changed = 0  # the first part that is new
    for d in range(len(cards)):
        for i in range(changed, parts):
            begin, end = edges[order[i]], edges[order[i] + 1]
            for k in range(end - begin):
                row[begin + k] = decks[i, chosen[i, k]]
            if i + 1 < parts:
                _put_aside(decks[i, : left[i]], chosen[i, : end - begin], decks[i + 1])
                left[i + 1] = left[i] - (end - begin)
        for j in range(len(row)):
            cards[d, j] = row[j]
        changed = parts - 1
        while changed >= 0:
            size = edges[order[changed] + 1] - edges[order[changed]]
            if next_subset(chosen[changed, :size], left[changed]):
                break
            for k in range(size):
                chosen[changed, k] = k
            changed -= 1


@kernel
def _put_aside(cards, picked, rest):
    """Copy the cards that were not picked (at ascending positions)."""
    at, count = 0, 0
    for i in range(len(cards)):
        if at < len(picked) and picked[at] == i:
            at += 1
        else:
            rest[count] = cards[i]
            count += 1


@kernel
def value_any_five(cards, edges, keys, masks, tables, out):
    """``out[player, deal]`` where the best of all of a player's cards and the board's counts.

    `keys` and `masks` are those of each player's known cards, with the start of a hand of that size. Kinds that
    know no flushes have an empty table of them.
    """
    flushes = len(tables[FLUSHES]) > 0
    for d in range(len(cards)):
        board_key, board_mask = np.uint64(0), np.uint64(0)
        for j in range(edges[1]):
            board_key += CARD_KEYS[cards[d, j]]
            board_mask |= CARD_MASKS[cards[d, j]]
        for p in range(len(keys)):
            key, mask = keys[p] + board_key, masks[p] | board_mask
            for j in range(edges[p + 1], edges[p + 2]):
                key += CARD_KEYS[cards[d, j]]
                mask |= CARD_MASKS[cards[d, j]]
            if flushes:
                out[p, d] = key_value(key, mask, tables)
            else:
                out[p, d] = ranks_value(key, tables[OFFSETS], tables[VALUES])


@kernel
def value_badugi(cards, edges, holes, values, out):
    """``out[player, deal]`` in badugi."""
    players, size = holes.shape
    hole = np.empty(size, dtype=np.uint8)
    for p in range(players):
        begin, end = edges[p + 1], edges[p + 2]
        for i in range(size):
            hole[i] = holes[p, i]
        for d in range(len(cards)):
            for j in range(begin, end):
                hole[size - end + j] = cards[d, j]
            out[p, d] = badugi_value(hole, values)


@kernel
def value_exactly_two(cards, edges, holes, board, tables, out):
    """``out[player, deal]`` where two hole cards count with three of the board; `tables` as in Omaha's kernels.

    A new board is read once for all players: the best value that each pair of ranks makes with three of its
    cards, and the sets of three ranks that a flush can stand on.
    """
    numbers, triples, values, flushes = tables
    own, middle = holes.copy(), board.copy()
    players, size = holes.shape
    missing = edges[1]
    best = np.empty(PAIRS, dtype=np.uint16)
    threes = np.empty(10, dtype=np.int64)
    suit, suited = -1, 0
    for d in range(len(cards)):
        fresh = d == 0
        for j in range(missing):
            at = len(middle) - missing + j
            fresh |= middle[at] != cards[d, j]
            middle[at] = cards[d, j]
        if fresh:
            _read_board(middle, triples, values, best)
            suit = suit_of_three(middle) if len(flushes) > 0 else -1
            if suit >= 0:
                suited = _suited_threes(middle, suit, threes)
        for p in range(players):
            begin, end = edges[p + 1], edges[p + 2]
            if begin == end and not fresh:  # nothing has changed for this player
                out[p, d] = out[p, d - 1]
                continue
            for j in range(begin, end):
                own[p, size - end + j] = cards[d, j]
            value = np.uint16(0)
            for a in range(1, size):
                for b in range(a):
                    ranks = 13 * (int(own[p, a]) >> 2) + (int(own[p, b]) >> 2)
                    value = max(value, best[numbers[ranks]])
                    if own[p, a] & 3 == suit and own[p, b] & 3 == suit:
                        two = rank_bit(own[p, a]) | rank_bit(own[p, b])
                        for i in range(suited):
                            value = max(value, flushes[two | threes[i]])
            out[p, d] = value


@kernel
def _read_board(board, triples, values, best):
    """The best value, flushes apart, that each pair of ranks makes with three cards of the board."""
    for pair in range(PAIRS):
        best[pair] = 0
    for i in range(2, len(board)):
        for j in range(1, i):
            for k in range(j):
                ranks = 169 * (int(board[i]) >> 2) + 13 * (int(board[j]) >> 2) + (int(board[k]) >> 2)
                triple = int(triples[ranks])
                row = values[PAIRS * triple : PAIRS * (triple + 1)]
                for pair in range(PAIRS):  # neighbours in memory: many pairs an instruction
                    best[pair] = max(best[pair], row[pair])


@kernel
def _suited_threes(board, suit, threes):
    """Write the ranks of every three cards of one suit as sets; returns how many there are."""
    count = 0
    for i in range(2, len(board)):
        for j in range(1, i):
            for k in range(j):
                if board[i] & 3 == suit and board[j] & 3 == suit and board[k] & 3 == suit:
                    threes[count] = rank_bit(board[i]) | rank_bit(board[j]) | rank_bit(board[k])
                    count += 1
    return count


@kernel
def split_pots(values, unit, out):
    """Split the pots of a block of deals and add them up.

    ``values[half, player, deal]`` are for one kind of hand, which takes the pot, or for two, which halve it; the
    second half goes with the first where nobody has a value above 0. ``out[player]`` is (pots won whole, pots
    shared, shares in `unit`-ths of a pot, squares of these).
    """
    halves, players, count = values.shape
    shares = np.zeros(players, dtype=np.int64)
    for d in range(count):
        low = 0
        for p in range(players if halves == 2 else 0):
            low = max(low, int(values[1, p, d]))
        for half in range(2 if low > 0 else 1):
            best, holders = 0, 1
            for p in range(players):
                value = int(values[half, p, d])
                if value > best:
                    best, holders = value, 1
                elif value == best:
                    holders += 1
            part = (unit // 2 if low > 0 else unit) // holders
            for p in range(players):
                if values[half, p, d] == best:
                    shares[p] += part
        for p in range(players):
            share = shares[p]
            if share > 0:
                shares[p] = 0
                out[p, WON if share == unit else TIED] += 1
                out[p, SHARES] += share
                out[p, SQUARES] += share * share
