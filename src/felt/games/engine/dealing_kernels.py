# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: how cards move in a hand: dealt, turned up, passed, discarded, drawn, thrown away, shuffled for more."""

import numpy as np

import felt.games.engine.fields as f
from felt._jit import kernel
from felt.games.moves import BET, DISCARD, DRAW, PASS, ROLL


@kernel
def deal(h, k, g, street):
    each = g[f.DOWN_IN, street] + g[f.UP_IN, street]
    players = h[f.PLAYERS]
    in_hand = 0
    for seat in range(players):
        in_hand += h[f.LIVE] >> seat & 1
    if each * in_hand > h[f.DECK_COUNT] - h[f.DECK_AT]:  # stud with a full table: one card for all, the muck is dead
        k[f.BOARD + h[f.BOARD_COUNT]] = _draw_card(h, k, 0)
        h[f.BOARD_COUNT] += 1
    elif each > 0:
        seat = h[f.BUTTON]
        for _ in range(players):
            seat = seat + 1 if seat + 1 < players else 0
            if h[f.LIVE] >> seat & 1:
                for i in range(each):
                    if i >= g[f.DOWN_IN, street]:
                        k[f.UP + seat] |= 1 << k[f.COUNT + seat]
                    _give(h, k, seat, _draw_card(h, k, 0))
    for _ in range(g[f.BOARD_IN, street]):
        k[f.BOARD + h[f.BOARD_COUNT]] = _draw_card(h, k, 0)
        h[f.BOARD_COUNT] += 1


@kernel
def _give(h, k, seat, card):
    k[f.CARDS + seat * f.CARDS_EACH + k[f.COUNT + seat]] = card
    k[f.COUNT + seat] += 1


@kernel
def _draw_card(h, k, keep):
    """The next card of the deck; when it is used up, the muck is shuffled for more.

    The last `keep` cards of the muck, the player's own discards, stay out of it unless there is nothing else.
    """
    if h[f.DECK_AT] == h[f.DECK_COUNT]:
        if h[f.MUCK_COUNT] == keep:
            keep = 0
        count = h[f.MUCK_COUNT] - keep
        state = np.int64(0)  # the cards are the seed; a generator of 32 bits (Press et al. 2007) is enough for them
        for i in range(count):
            state = (1664525 * state + 1013904223 + k[f.MUCK + i]) & 0xFFFFFFFF
        for i in range(count - 1, 0, -1):
            state = (1664525 * state + 1013904223) & 0xFFFFFFFF
            j = state * (i + 1) >> 32
            k[f.MUCK + i], k[f.MUCK + j] = k[f.MUCK + j], k[f.MUCK + i]
        for i in range(count):
            k[f.DECK + i] = k[f.MUCK + i]
        for i in range(keep):
            k[f.MUCK + i] = k[f.MUCK + count + i]
        h[f.DECK_AT] = 0
        h[f.DECK_COUNT] = count
        h[f.MUCK_COUNT] = keep
    card = k[f.DECK + h[f.DECK_AT]]
    h[f.DECK_AT] += 1
    return card


@kernel
def _throw(h, k, card):
    k[f.MUCK + h[f.MUCK_COUNT]] = card
    h[f.MUCK_COUNT] += 1


@kernel
def throw_all(h, k, seat):
    """A folded hand goes to the muck, where a reshuffle may find it; the player keeps the memory of it."""
    for i in range(k[f.COUNT + seat]):
        _throw(h, k, k[f.CARDS + seat * f.CARDS_EACH + i])


@kernel
def _take_out(h, k, seat, chosen, out):
    """Remove the cards whose bits are set in `chosen` from a player's hand into `out`; returns how many."""
    begin = seat * f.CARDS_EACH
    kept, taken, up = 0, 0, 0
    for i in range(k[f.COUNT + seat]):
        card = k[f.CARDS + begin + i]
        if chosen >> i & 1:
            out[taken] = card
            taken += 1
        else:
            k[f.CARDS + begin + kept] = card
            if k[f.UP + seat] >> i & 1:
                up |= 1 << kept
            kept += 1
    k[f.COUNT + seat] = kept
    k[f.UP + seat] = up
    return taken


@kernel
def exchange(h, k, g, chosen):
    """The player rolls, passes, discards or draws: `chosen` is the set of card positions."""
    seat = h[f.TURN]
    h[f.EXCHANGED] |= 1 << seat
    if h[f.PHASE] <= PASS:
        k[f.CHOSEN + seat] = chosen
        return
    out = np.empty(f.CARDS_EACH, dtype=np.uint8)
    taken = _take_out(h, k, seat, chosen, out)
    for i in range(taken):
        _throw(h, k, out[i])
    if h[f.PHASE] == DRAW:
        for _ in range(taken):
            _give(h, k, seat, _draw_card(h, k, taken))


@kernel
def turn_up(h, k, seat, chosen):
    """Put the cards whose bits are set in `chosen` behind a player's others, face up."""
    out = np.empty(f.CARDS_EACH, dtype=np.uint8)
    for i in range(_take_out(h, k, seat, chosen, out)):
        k[f.UP + seat] |= 1 << k[f.COUNT + seat]
        _give(h, k, seat, out[i])


@kernel
def choosable(h, k):
    """How many cards the player to act may choose from, the first of the hand: of those to be turned up, the down."""
    seat = h[f.TURN]
    held = int(k[f.COUNT + seat])
    if h[f.PHASE] == ROLL:
        for i in range(f.CARDS_EACH):
            held -= k[f.UP + seat] >> i & 1
    return held


@kernel
def _pass_cards(h, k, g):
    """Move every player's chosen cards at once."""
    players = h[f.PLAYERS]
    out = np.empty((players, f.CARDS_EACH), dtype=np.uint8)
    taken = np.zeros(players, dtype=np.int64)
    for seat in range(players):
        if h[f.LIVE] >> seat & 1:
            taken[seat] = _take_out(h, k, seat, int(k[f.CHOSEN + seat]), out[seat])
    step = 1 if g[f.PASS_LEFT_IN, h[f.STREET]] else players - 1
    for seat in range(players):
        if h[f.LIVE] >> seat & 1:
            to = (seat + step) % players
            while not h[f.LIVE] >> to & 1:
                to = (to + step) % players
            for i in range(taken[seat]):
                _give(h, k, to, out[seat, i])


@kernel
def most_exchanged(g, street, phase):
    """The most cards that players may exchange in a phase of a round."""
    if phase == ROLL:
        return g[f.ROLLS_IN, street]
    if phase == PASS:
        return g[f.PASSES_IN, street]
    if phase == DISCARD:
        return g[f.DISCARDS_IN, street]
    return g[f.DRAW_MOST_IN, street]


@kernel
def find_exchanger(h, k, g):
    """Give the turn to the next player who exchanges cards; False when all have."""
    players, street = h[f.PLAYERS], h[f.STREET]
    while h[f.PHASE] < BET:
        if most_exchanged(g, street, h[f.PHASE]) > 0:
            seat = h[f.TURN]
            for _ in range(players):
                seat = (seat + 1) % players
                if h[f.LIVE] >> seat & 1 and not h[f.EXCHANGED] >> seat & 1:
                    h[f.TURN] = seat
                    return True
            if h[f.PHASE] == ROLL:  # what the players have chosen is turned up all at once
                for seat in range(players):
                    if h[f.LIVE] >> seat & 1:
                        turn_up(h, k, seat, int(k[f.CHOSEN + seat]))
            elif h[f.PHASE] == PASS:
                _pass_cards(h, k, g)
        h[f.PHASE] += 1
        h[f.EXCHANGED] = 0
        h[f.TURN] = h[f.BUTTON]
    return False
