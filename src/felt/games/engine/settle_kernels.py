# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: one end of the betting, paid for many deals."""

import felt.games.engine.fields as f
from felt._jit import kernel
from felt.games.engine.fields import CARDS_EACH
from felt.games.engine.showdown_kernels import SHARES, SHARES_A_CHIP, settle


@kernel
def settle_many(h, k, cards, hole, before, g, tables, extra, numbers, room, out):
    """What everybody wins when the record's hand is shown down with the cards of each row: hole cards, then board.

    `before` is what everybody had lost before the pot was divided. Equal hands share it exactly, odd chips included:
    who sits where must not move the value of a game (`numbers` has a row for that, `SHARES`).
    """
    players = h[f.PLAYERS]
    for row in range(len(cards)):
        for seat in range(players):
            h[f.WON + seat] = 0
            h[f.STACKS + seat] = 0
            for i in range(hole):
                k[f.CARDS + seat * CARDS_EACH + i] = cards[row, seat * hole + i]
        for i in range(h[f.BOARD_COUNT]):
            k[f.BOARD + i] = cards[row, players * hole + i]
        h[f.RAKE] = 0
        settle(h, k, g, tables, extra, numbers, room)
        for seat in range(players):
            out[row, seat] = before[seat] + numbers[SHARES, seat] / SHARES_A_CHIP
