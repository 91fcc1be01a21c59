# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled showdown: what each player's cards are worth, and who gets which chips."""

import numpy as np

import felt.games.engine.fields as f
from felt._jit import kernel
from felt.cards.ranking.kernels import badugi_value, best_five, plain_value, wild_value
from felt.games.moves import OVER
from felt.games.scoring.kernels import score_cards

ACE = 12
CARD_BITS = 6
"""Values of hands stand above as many bits, which hold the card that an odd chip goes by."""

SHARES = 3
"""The row of the room for values in which a pot is divided exactly, if the room has one: solvers want no odd chips."""

SHARES_A_CHIP = 5040
"""A whole number of these is in every share of a chip: between two kinds of hand, then among one to ten players."""


@kernel
def method_value(cards, method, tables, extra):
    """Value of cards by the method of the kind: up to seven, or more with wild cards or formulas.

    `extra` is (badugi values, set of wild cards, scoring by formulas): `felt.games.engine.compiled`.
    """
    if method == f.BADUGI:
        return badugi_value(cards, extra[f.BADUGI_VALUES])
    if method == f.LOW_27:
        return best_five(cards, tables)
    if method == f.WILD:
        return wild_value(cards, len(cards), extra[f.WILD_SET], tables)
    if method == f.FORMULAS:
        return score_cards(cards, len(cards), extra[f.SCORING])
    return plain_value(cards, tables)


@kernel
def count_bits(number):
    """How many are in a set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@kernel
def best_value(cards, held, size, exactly, method, tables, extra, picked):
    """Value of the best hand of `size` from hole cards (the first `held`) and board, `exactly` of them hole cards.

    With `exactly` 0 any number of hole cards will do, and up to seven cards are ranked at once.
    """
    total = len(cards)
    own = (1 << held) - 1
    if exactly == 0 and (total <= size or (size == 5 and total <= 7) or method >= f.BADUGI):
        return method_value(cards, method, tables, extra)
    best = 0
    for chosen in range(1 << total):
        if count_bits(chosen) == size and (exactly == 0 or count_bits(chosen & own) == exactly):
            count = 0
            for i in range(total):
                if chosen >> i & 1:
                    picked[count] = cards[i]
                    count += 1
            best = max(best, method_value(picked[:count], method, tables, extra))
    return best


@kernel
def kind_value(cards, held, g, kind, tables, extra, picked):
    """`best_value` of cards by one of the kinds of hand of a game."""
    size, exactly, method = g[f.SCALARS, f.GAME_SIZE], g[f.HOLE_EXACTLY, kind], g[f.METHOD, kind]
    return best_value(cards, held, size, exactly, method, tables[kind], extra, picked)


@kernel
def high_card(cards, ace_low):
    """The highest of some cards, suits breaking ties, as a number to compare: 1 to 52."""
    highest = 0
    for card in cards:
        number = np.int64(card)
        if ace_low:
            number = number + 4 if number >> 2 < ACE else number - 4 * ACE
        highest = max(highest, number + 1)
    return highest


@kernel
def settle(h, k, g, tables, extra, values, scratch):
    """Show down, if there is anything to show, and divide the pot. The hand must wait for it.

    `values` and `scratch` are room to work in: `VALUE_ROOM` numbers and `CARD_ROOM` cards (`fields`). With a fourth row
    of values (`SHARES`), it gets what everybody is paid without odd chips, in units of 1 / `SHARES_A_CHIP`.
    """
    values[:] = 0
    tied = False
    if h[f.LIVE] & (h[f.LIVE] - 1) != 0:
        h[f.SHOWN] = h[f.LIVE]
        board = h[f.BOARD_COUNT]
        cards = scratch[f.ALL_CARDS]
        for seat in range(h[f.PLAYERS]):
            if not h[f.LIVE] >> seat & 1:
                continue
            held = collect(h, k, seat, cards)
            for kind in range(g[f.SCALARS, f.GAME_KINDS]):
                value = kind_value(cards[: held + board], held, g, kind, tables, extra, scratch[f.PICKED])
                values[kind, seat] = value << CARD_BITS
                for other in range(seat):
                    if g[f.SCALARS, f.GAME_ODD_BY_SUIT] and value > 0 and values[kind, other] >> CARD_BITS == value:
                        tied = True
        if tied:
            _add_high_cards(h, k, g, tables, extra, values, scratch)
    pay_pots(h, g, values)
    for seat in range(h[f.PLAYERS]):
        h[f.BETS + seat] = 0
    h[f.PHASE] = OVER
    h[f.TURN] = -1


@kernel
def collect(h, k, seat, cards):
    """Put a player's cards and the board behind them into `cards`; returns how many are the player's own."""
    held = int(k[f.COUNT + seat])
    for i in range(held):
        cards[i] = k[f.CARDS + seat * f.CARDS_EACH + i]
    for i in range(h[f.BOARD_COUNT]):
        cards[held + i] = k[f.BOARD + i]
    return held


@kernel
def _add_high_cards(h, k, g, tables, extra, values, scratch):
    """Add to every value the highest card of the winning hand: in stud the odd chip goes by it (TDA 20-B)."""
    cards, picked, size = scratch[f.ALL_CARDS], scratch[f.PICKED], g[f.SCALARS, f.GAME_SIZE]
    for seat in range(h[f.PLAYERS]):
        total = collect(h, k, seat, cards) + h[f.BOARD_COUNT]
        for kind in range(g[f.SCALARS, f.GAME_KINDS]):
            value, highest = values[kind, seat] >> CARD_BITS, 0
            for chosen in range(1 << total):
                if value > 0 and count_bits(chosen) == size:
                    count = 0
                    for i in range(total):
                        if chosen >> i & 1:
                            picked[count] = cards[i]
                            count += 1
                    if method_value(picked[:size], g[f.METHOD, kind], tables[kind], extra) == value:
                        highest = max(highest, high_card(picked[:size], g[f.ACE_LOW, kind]))
            values[kind, seat] |= highest


@kernel
def pay_pots(h, g, values):
    """Divide the pot: uncalled chips, main pot, side pots, kinds that share them, odd chips, rake."""
    players = h[f.PLAYERS]
    left = values[f.CONTESTED]
    for seat in range(players):
        left[seat] = h[f.PUT + seat]
    _return_uncalled(h, values)
    dead, paid_in = h[f.DEAD], 0
    for seat in range(players):
        if h[f.LIVE] >> seat & 1 and left[seat] > 0:
            paid_in |= 1 << seat
    if paid_in != h[f.LIVE]:  # somebody had no more than a dead ante, and plays for those alone
        _rake_and_award(h, g, values, dead, h[f.LIVE])
        dead = 0
    while True:
        level, last = 0, True
        for seat in range(players):
            if h[f.LIVE] >> seat & 1 and left[seat] > 0 and (level == 0 or left[seat] < level):
                level = left[seat]
        if level == 0:
            break
        pot, in_it = dead, 0
        dead = 0
        for seat in range(players):
            if left[seat] > 0:
                part = min(left[seat], level)
                pot += part
                left[seat] -= part
                if h[f.LIVE] >> seat & 1:
                    in_it |= 1 << seat
                    last = last and left[seat] == 0
        if last:  # chips of folded players above every level that is still contested
            for seat in range(players):
                pot += left[seat]
                left[seat] = 0
        _rake_and_award(h, g, values, pot, in_it)
    for seat in range(players):
        h[f.STACKS + seat] += h[f.WON + seat] + h[f.ASIDE + seat]
        h[f.ASIDE + seat] = 0


@kernel
def _return_uncalled(h, values):
    """What one player put in and nobody matched was never in the pot: it goes back, and no rake is taken of it."""
    left = values[f.CONTESTED]
    top, most, matched = -1, 0, 0
    for seat in range(h[f.PLAYERS]):
        if left[seat] > most:
            top, most, matched = seat, left[seat], most
        elif left[seat] > matched:
            matched = left[seat]
    if top >= 0 and h[f.LIVE] >> top & 1:
        h[f.WON + top] += most - matched
        if len(values) > SHARES:
            values[SHARES, top] += (most - matched) * SHARES_A_CHIP
        left[top] = matched


@kernel
def _rake_and_award(h, g, values, pot, in_it):
    """One pot to the best of the players in the set `in_it`, after the house."""
    if g[f.SCALARS, f.GAME_RAKE_MILLIONTHS] > 0 and h[f.STREET] >= g[f.SCALARS, f.GAME_RAKE_FROM]:
        taken = pot * g[f.SCALARS, f.GAME_RAKE_MILLIONTHS] // 1_000_000
        if g[f.SCALARS, f.GAME_RAKE_CAP] > 0:
            taken = min(taken, g[f.SCALARS, f.GAME_RAKE_CAP] - h[f.RAKE])
        h[f.RAKE] += taken
        pot -= taken
    split_pot(h, g, values, pot, in_it)


@kernel
def split_pot(h, g, values, pot, in_it):
    """One pot among the players of the set `in_it`."""
    kinds, made = 0, 0
    for kind in range(g[f.SCALARS, f.GAME_KINDS]):
        for seat in range(h[f.PLAYERS]):
            if in_it >> seat & 1 and values[kind, seat] > 0:
                made |= 1 << kind
    for kind in range(g[f.SCALARS, f.GAME_KINDS]):
        kinds += made >> kind & 1
    if kinds == 0:  # everyone else has folded, or nobody's cards count
        _share_with_odd_chips(h, pot, in_it, values[0])
        if len(values) > SHARES:
            _share_exactly(values[SHARES], np.int64(pot) * SHARES_A_CHIP, in_it)
        return
    rest = pot % kinds  # the odd chip of a split pot goes to the first kind, the high hand
    for kind in range(g[f.SCALARS, f.GAME_KINDS]):
        if not made >> kind & 1:
            continue
        best, winners = 0, 0
        for seat in range(h[f.PLAYERS]):
            if in_it >> seat & 1:
                value = values[kind, seat] >> CARD_BITS
                if value > best:
                    best, winners = value, 1 << seat
                elif value == best and best > 0:
                    winners |= 1 << seat
        _share_with_odd_chips(h, pot // kinds + rest, winners, values[kind])
        if len(values) > SHARES:
            _share_exactly(values[SHARES], np.int64(pot) * (SHARES_A_CHIP // kinds), winners)
        rest = 0


@kernel
def _share_with_odd_chips(h, pot, winners, values):
    """Equal shares; odd chips one by one by the card in `values`, then from the left of the button (TDA 20)."""
    players, count = h[f.PLAYERS], 0
    for seat in range(players):
        count += winners >> seat & 1
    part, odd = pot // count, pot % count
    for seat in range(players):
        if winners >> seat & 1:
            h[f.WON + seat] += part
    for _ in range(odd):
        first, highest = -1, -1
        for step in range(players):
            seat = (h[f.BUTTON] + 1 + step) % players
            if winners >> seat & 1 and values[seat] > highest:
                first, highest = seat, values[seat]
        h[f.WON + first] += 1
        winners &= ~(1 << first)


@kernel
def _share_exactly(shares, part, winners):
    """Equal shares to the last part of a chip."""
    count = count_bits(winners)
    for seat in range(len(shares)):
        if winners >> seat & 1:
            shares[seat] += part // count


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
                k[f.CARDS + seat * f.CARDS_EACH + i] = cards[row, seat * hole + i]
        for i in range(h[f.BOARD_COUNT]):
            k[f.BOARD + i] = cards[row, players * hole + i]
        h[f.RAKE] = 0
        settle(h, k, g, tables, extra, numbers, room)
        for seat in range(players):
            out[row, seat] = before[seat] + numbers[SHARES, seat] / SHARES_A_CHIP
