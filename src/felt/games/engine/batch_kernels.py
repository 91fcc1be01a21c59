# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled play of many hands: dealing by seed, and players who choose at random or always call."""

import numpy as np

import felt.games.engine.fields as f
from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.games.engine.dealing_kernels import choosable
from felt.games.engine.kernels import apply, legal, start
from felt.games.engine.showdown_kernels import settle
from felt.games.moves import BET, CALL, EXCHANGE, FOLD, RAISE, SHOWDOWN

UNIFORM, ALWAYS_CALL = 0, 1


@kernel
def shuffle(h, k, state, needed):
    """Shuffle the record's deck as far as it may be dealt: the first `needed` cards. Returns the next state."""
    bits = np.uint64(0)
    n = h[f.DECK_COUNT]
    for i in range(min(needed, n - 1)):
        if i & 1 == 0:
            state += GOLDEN
            bits = random_bits(state)
        else:
            bits >>= np.uint64(32)
        j = i + below(bits, n - i)
        k[f.DECK + i], k[f.DECK + j] = k[f.DECK + j], k[f.DECK + i]
    return state


@kernel
def _prepare(h, k, players, button, deck, state, needed):
    """Seat the players and shuffle the deck; returns the next state."""
    h[f.PLAYERS] = players
    h[f.BUTTON] = button
    for c in range(len(deck)):
        k[f.DECK + c] = deck[c]
    h[f.DECK_COUNT] = len(deck)
    return shuffle(h, k, state, needed)


@kernel
def random_move(h, k, g, out, bits):
    """A uniformly random legal move: first which kind, then how much. Returns (move, amount)."""
    legal(h, k, g, out)
    if out[f.LEAST_CARDS] >= 0:
        return EXCHANGE, random_choice(choosable(h, k), out[f.LEAST_CARDS], out[f.MOST_CARDS], bits)
    kinds = out[f.MAY_FOLD] + (out[f.TO_CALL] >= 0) + (out[f.LEAST_RAISE] > 0)
    pick = below(bits, kinds) + (1 - out[f.MAY_FOLD])
    if pick == 0:
        return FOLD, np.int64(0)
    if pick == 1:
        return CALL, np.int64(0)
    least, most = out[f.LEAST_RAISE], out[f.MOST_RAISE]
    return RAISE, least + below(bits >> np.uint64(32), most - least + 1)


@kernel
def random_choice(held, least, most, bits):
    """A random set of `least` to `most` of a player's cards."""
    wanted = least + below(bits, most - least + 1)
    chosen = np.int64(0)
    state = bits
    left = held
    for i in range(held):
        state += GOLDEN
        if below(random_bits(state), left) < wanted:
            chosen |= 1 << i
            wanted -= 1
        left -= 1
    return chosen


@kernel
def play_many(
    numbers, cards, players, button, g, deck, needed, amounts, dead_antes, cap, policy, seed, tables,
    extra, shown,
):  # fmt: skip
    """Deal and play a hand in every record by one policy for all seats; returns the number of moves."""
    out = np.empty(len(f.LEGAL_FIELDS), dtype=np.int64)
    state = np.uint64(seed)
    moves = 0
    values = np.empty(f.VALUE_ROOM, dtype=np.int64)
    scratch = np.empty(f.CARD_ROOM, dtype=np.uint8)
    for i in range(len(numbers)):
        h, k = numbers[i], cards[i]
        h[:] = 0
        k[: f.DECK] = 0
        state = _prepare(h, k, players, button, deck, state, needed)
        start(h, k, g, amounts, dead_antes, cap, shown)
        while h[f.PHASE] < SHOWDOWN:
            moves += 1
            move, amount = CALL, np.int64(0)
            if policy == UNIFORM:
                state += GOLDEN
                move, amount = random_move(h, k, g, out, random_bits(state))
            elif h[f.PHASE] < BET:
                legal(h, k, g, out)
                move, amount = EXCHANGE, np.int64((1 << out[f.LEAST_CARDS]) - 1)
            apply(h, k, g, move, amount, shown)
        settle(h, k, g, tables, extra, values, scratch)
    return moves


@kernel
def begin_many(
    numbers, cards, legals, g, seeds, players, button, version, deck, needed, amounts, dead_antes, cap,
    shown, tables, extra,
):  # fmt: skip
    """Deal a hand in every record, each from its own seed."""
    values = np.empty(f.VALUE_ROOM, dtype=np.int64)
    scratch = np.empty(f.CARD_ROOM, dtype=np.uint8)
    for i in range(len(numbers)):
        h, k = numbers[i], cards[i]
        h[f.VERSION] = version
        _prepare(h, k, players, button, deck, seeds[i], needed)
        start(h, k, g, amounts, dead_antes, cap, shown)
        if h[f.PHASE] == SHOWDOWN:
            settle(h, k, g, tables, extra, values, scratch)
        legal(h, k, g, legals[i])


@kernel
def step_many(numbers, cards, legals, g, rows, moves, amounts, shown, tables, extra):
    """Make a move at every table of `rows` whose hand goes on; `moves` and `amounts` are by row."""
    values = np.empty(f.VALUE_ROOM, dtype=np.int64)
    scratch = np.empty(f.CARD_ROOM, dtype=np.uint8)
    for place in range(len(rows)):
        i = rows[place]
        h, k = numbers[i], cards[i]
        if h[f.PHASE] < SHOWDOWN:
            apply(h, k, g, moves[place], amounts[place], shown)
            if h[f.PHASE] == SHOWDOWN:
                settle(h, k, g, tables, extra, values, scratch)
            legal(h, k, g, legals[i])
