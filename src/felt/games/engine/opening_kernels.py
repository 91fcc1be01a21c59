# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: who acts first in a round, by seat, by blinds or by the cards face up."""

import numpy as np

import felt.games.engine.fields as f
from felt._jit import kernel
from felt.games.engine.fields import CARDS_EACH
from felt.games.engine.record import FirstCode
from felt.games.engine.showdown_kernels import high_card, plain_value

ACE, JOKER = 12, 52
BUG = 62
"""The bit of a game's wild cards that says that jokers are bugs."""

AFTER_BUTTON, AFTER_BLINDS, LOWEST_UP, HIGHEST_UP, BEST_UP, BEST_LOW_UP = map(int, FirstCode)


@kernel
def first_to_act(h, k, g, street, shown):
    """The seat that the order of the round names, whether or not it can still act."""
    players, button = h[f.PLAYERS], h[f.BUTTON]
    first = g[f.FIRST_IN, street]
    if first == AFTER_BLINDS:
        best = -1
        blinds = g[f.SCALARS, f.GAME_BLINDS]
        for step in range(players):  # the last of the largest blinds; a newcomer who posts as much is none
            seat = (button + 1 + step) % players
            if (
                best < 0
                or h[f.BETS + seat] > h[f.BETS + best]
                or (step < blinds and h[f.BETS + seat] == h[f.BETS + best])
            ):
                best = seat
        if players == 2 and h[f.BETS] == h[f.BETS + 1]:
            return button
        return (best + 1) % players
    if first == AFTER_BUTTON:
        return (button + 1) % players
    chosen, best = -1, -1
    for step in range(players):
        seat = (button + 1 + step) % players
        if h[f.LIVE] >> seat & 1:
            score = _up_score(h, k, g, first, seat, shown)
            if score > best:
                chosen, best = seat, score
    return chosen


@kernel
def _up_score(h, k, g, first, seat, shown):
    """How much the cards that a player shows speak for acting first."""
    begin = seat * CARDS_EACH
    cards = np.empty(CARDS_EACH, dtype=np.uint8)
    count = 0
    for i in range(k[f.COUNT + seat]):
        if k[f.UP + seat] >> i & 1:
            cards[count] = k[f.CARDS + begin + i]
            count += 1
    if count == 0:
        return 0
    if first == LOWEST_UP:
        lowest = 255
        for i in range(count):
            lowest = min(lowest, int(cards[i]))
        return 255 - lowest
    highest = high_card(cards[:count], first != BEST_UP)  # the ace is low in razz
    if first == HIGHEST_UP:
        return highest
    value = _shown_value(cards[:count], g[f.SCALARS, f.GAME_WILD], shown[0] if first == BEST_UP else shown[1])
    return value << 6 | highest  # TDA RP-10-D


@kernel
def _shown_value(cards, wild, tables):
    """Value of one to seven cards of which those in the set `wild` stand for any: all for the same, as is best.

    Jokers that are bugs are aces: so few cards make no straight and no flush.
    """
    free = 0
    for card in cards:
        free |= wild >> np.int64(card) & 1
    if not free:
        return plain_value(cards, tables)
    made = np.empty(CARDS_EACH, dtype=np.uint8)
    best = 0
    for rank in range(13):
        for i in range(len(cards)):
            if wild >> BUG & 1 and cards[i] >= JOKER:
                made[i] = 4 * ACE
            else:
                made[i] = 4 * rank if wild >> np.int64(cards[i]) & 1 else cards[i]
        best = max(best, plain_value(made[: len(cards)], tables))
    return best
