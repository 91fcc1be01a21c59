# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled dealing-out of a hand in play: unseen cards fall in given orders, nobody bets, cards are exchanged sensibly.

The rules are the engine's own (`felt.games.engine.kernels`), so any game that can be played can be dealt out.
"""

import numpy as np

import felt.games.engine.fields as f
from felt._chance_kernels import GOLDEN, below, random_bits
from felt._jit import kernel
from felt.games.engine.dealing_kernels import choosable
from felt.games.engine.fields import CARDS_EACH
from felt.games.engine.kernels import apply, legal
from felt.games.engine.showdown_kernels import count_bits, kind_value, settle
from felt.games.moves import BET, CALL, DISCARD, EXCHANGE, ROLL, SHOWDOWN

UNIT = 5040
"""Chips of each player in a pot: it divides evenly among two kinds of hand and one to ten players."""

TRIES, KEPT = (4, 12, 48), (8, 3, 1)
"""Ways for the unknown cards to fall that a player thinks of before choosing what to exchange: after the first few
all but the best choices are given up, and again after some more."""

MOST_CARDS = 24


@kernel
def deal_out(h0, k0, g, places, orders, sets, seat, shown, tables, extra, ladders, deck, seed, shares):
    """For each order of the unseen cards, what part of each pot a seat gets: ``shares[orders, sets]``.

    A row of `orders` says which card lies in each of `places`, which are named by the card that the record has there;
    `sets` are the players (as bits) who contest each pot. `ladders` are sorted values of final hands, by kind, to
    judge exchanges by.
    """
    state = np.uint64(seed)
    h, k = np.empty_like(h0), np.empty_like(k0)
    values, scratch = np.empty(f.VALUE_ROOM, dtype=np.int64), np.empty(f.CARD_ROOM, dtype=np.uint8)
    for row in range(len(orders)):
        state = play_out(h0, k0, h, k, g, places, orders[row], shown, tables, extra, ladders, deck, state)
        for i in range(len(sets)):
            shares[row, i] = share_of(h, k, g, sets[i], seat, tables, extra, values, scratch)


@kernel
def final_values(h0, k0, g, places, orders, shown, tables, extra, ladders, deck, seed, values):
    """For each order of the cards in `places`, what all hands are worth in the end: ``[kinds, orders, seats]``."""
    state = np.uint64(seed)
    h, k = np.empty_like(h0), np.empty_like(k0)
    cards, picked = np.empty(MOST_CARDS, dtype=np.uint8), np.empty(16, dtype=np.uint8)
    for row in range(len(orders)):
        state = play_out(h0, k0, h, k, g, places, orders[row], shown, tables, extra, ladders, deck, state)
        for seat in range(values.shape[2]):
            total, own = _lay_out(h, k, seat, 0, picked, 0, 0, cards)
            for kind in range(len(values)):
                values[kind, row, seat] = kind_value(cards[:total], own, g, kind, tables, extra, picked)


@kernel
def place_cards(h0, k0, h, k, places, order):
    """Copy a record to `h` and `k` with the cards of `order` in place of those named by `places`."""
    h[:] = h0
    k[:] = k0
    names = np.arange(64).astype(np.uint8)
    for i in range(len(places)):
        names[places[i]] = order[i]
    for i in range(f.CARDS, f.BOARD):
        k[i] = names[k[i]]
    for i in range(f.DECK, f.DECK + h[f.DECK_COUNT]):
        k[i] = names[k[i]]
    for i in range(f.MUCK, f.MUCK + h[f.MUCK_COUNT]):
        k[i] = names[k[i]]


@kernel
def play_out(h0, k0, h, k, g, places, order, shown, tables, extra, ladders, deck, state):
    """Copy a record to `h` and `k`, lay other cards into its `places`, and play to the showdown without a bet."""
    place_cards(h0, k0, h, k, places, order)
    out = np.empty(len(f.LEGAL_FIELDS), dtype=np.int64)
    while h[f.PHASE] < SHOWDOWN:
        if h[f.PHASE] < BET:
            legal(h, k, g, out)
            state += GOLDEN
            chosen = np.int64((1 << out[f.LEAST_CARDS]) - 1)  # which cards are turned up changes no hand
            if h[f.PHASE] != ROLL:
                fewest, most = out[f.LEAST_CARDS], out[f.MOST_CARDS]
                chosen = choose_exchange(h, k, g, fewest, most, tables, extra, ladders, deck, random_bits(state))
            apply(h, k, g, EXCHANGE, chosen, shown)
        else:
            apply(h, k, g, CALL, np.int64(0), shown)
    return state


@kernel
def share_of(h, k, g, players, seat, tables, extra, values, scratch):
    """What part of a pot a seat gets that `players` (a set) have paid for equally."""
    h[f.LIVE] = players
    h[f.DEAD] = 0
    pot = 0
    for i in range(h[f.PLAYERS]):
        h[f.WON + i] = 0
        h[f.STACKS + i] = 0
        h[f.PUT + i] = UNIT if players >> i & 1 else 0
        pot += h[f.PUT + i]
    settle(h, k, g, tables, extra, values, scratch)
    return h[f.WON + seat] / pot


@kernel
def choose_exchange(h, k, g, least, most, tables, extra, ladders, deck, state):
    """The cards (as bits of positions) that a player does best to draw, discard or pass, by what they see.

    Every set of cards is tried with the same few ways for all that is unknown to fall; the one with the best
    hands on average, measured by how many final hands they beat, is chosen. Cards are turned up by the same measure:
    what a hand needs least tells least of it.
    """
    seat, street = h[f.TURN], h[f.STREET]
    held = int(k[f.COUNT + seat])
    hole_later, board_later = 0, 0
    for later in range(street + 1, g[f.SCALARS, f.GAME_ROUNDS]):
        hole_later += g[f.DOWN_IN, later] + g[f.UP_IN, later]
        board_later += g[f.BOARD_IN, later]
    pool = np.empty(len(deck), dtype=np.uint8)
    left = unknown_to(h, k, seat, deck, pool)
    scores, choices = np.zeros(1 << CARDS_EACH, dtype=np.float64), np.empty(1 << CARDS_EACH, dtype=np.int64)
    count = 0
    for chosen in range(1 << choosable(h, k)):
        if least <= count_bits(chosen) <= most:
            choices[count] = chosen
            count += 1
    cards, picked = np.empty(MOST_CARDS, dtype=np.uint8), np.empty(16, dtype=np.uint8)
    draws = min(left, held + hole_later + board_later)
    done = 0
    for stage in range(len(TRIES)):
        while done < TRIES[stage] and count > 1:
            done += 1
            state = mix(pool[:left], draws, state)
            for i in range(count):
                new = (0 if h[f.PHASE] == DISCARD else count_bits(choices[i])) + hole_later
                total, own = _lay_out(h, k, seat, choices[i], pool, new, min(draws, new + board_later), cards)
                scores[i] += _strength(cards[:total], own, g, tables, extra, ladders, picked)
        _best_first(scores, choices, count, KEPT[stage])
        count = min(count, KEPT[stage])
    return choices[0]


@kernel
def _best_first(scores, choices, count, most):
    """Bring the choices with the best scores to the front, `most` of them."""
    for i in range(min(most, count)):
        best = i
        for j in range(i + 1, count):
            if scores[j] > scores[best] or (scores[j] == scores[best] and choices[j] < choices[best]):
                best = j
        scores[i], scores[best] = scores[best], scores[i]
        choices[i], choices[best] = choices[best], choices[i]


@kernel
def mix(cards, needed, state):
    """Bring random cards to the first `needed` places. Returns the next state."""
    left = len(cards)
    for i in range(min(needed, left)):
        state += GOLDEN
        j = i + below(random_bits(state), left - i)
        cards[i], cards[j] = cards[j], cards[i]
    return state


@kernel
def unknown_to(h, k, seat, deck, pool):
    """The cards that a player neither holds nor sees on the board, into `pool`; returns how many."""
    left = 0
    for card in deck:
        seen = False
        for i in range(k[f.COUNT + seat]):
            seen = seen or k[f.CARDS + seat * CARDS_EACH + i] == card
        for i in range(h[f.BOARD_COUNT]):
            seen = seen or k[f.BOARD + i] == card
        if not seen:
            pool[left] = card
            left += 1
    return left


@kernel
def _lay_out(h, k, seat, gone, pool, new, unknown, cards):
    """A player's cards in the end, then the board, into `cards`; returns how many in all, and how many are held."""
    count = 0
    for i in range(k[f.COUNT + seat]):
        if not gone >> i & 1:
            cards[count] = k[f.CARDS + seat * CARDS_EACH + i]
            count += 1
    for i in range(min(new, unknown)):
        cards[count] = pool[i]
        count += 1
    held = count
    for i in range(h[f.BOARD_COUNT]):
        cards[count] = k[f.BOARD + i]
        count += 1
    for i in range(new, unknown):
        cards[count] = pool[i]
        count += 1
    return count, held


@kernel
def _strength(cards, held, g, tables, extra, ladders, picked):
    """How many of the final hands these cards beat, over all kinds that share the pot."""
    beaten = 0.0
    for kind in range(g[f.SCALARS, f.GAME_KINDS]):
        value = kind_value(cards, held, g, kind, tables, extra, picked)
        beaten += count_below(ladders[kind], value)
    return beaten


@kernel
def count_below(ladder, value):
    """How many of a sorted row are below a value."""
    low, high = 0, len(ladder)
    while low < high:
        middle = (low + high) >> 1
        if ladder[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
