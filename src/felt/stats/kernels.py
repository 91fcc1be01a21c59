# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled counting: how often each player had a chance to do something, and did it.

The definitions are in `felt.stats.definitions`; this file follows them in one pass over the actions.
"""

import numpy as np

import felt.games.engine.fields as f
import felt.stats.definitions as at
from felt._jit import kernel
from felt.games.moves import CALL, EXCHANGE, FOLD, RAISE
from felt.games.views.facts_layout import COLUMNS, LEAST, LIVE, MOVE, SEAT, STREET, TO_CALL

NOTHING, CHECK, POST = 4, 5, 6
"""What else a player's last move in a round can be; a check is told as a call of nothing, the bring-in as a call."""

# What has happened in a round, as numbers in one array
ROUND, RAISES, OPENED, FIRST_RAISER, SECOND_RAISER, AGGRESSOR, BEFORE, IS_STEAL, IS_CBET, BEGAN, LENGTH = range(11)
"""Number of the round; raises so far; whether anybody called or raised; who made the first, second and last raise, and
the last one of the round before (-1: nobody); whether the first raise was a steal that nobody called, or a
continuation bet; the seat from which the order of acting is counted."""

# What a player has done in a hand
AT_FIRST, AT_LAST, DECIDED, CHANCE, PUT_IN, RAISED, GONE, NOTES = range(8)
"""Whether they were in position at their first decision in the first round and at their last one in the hand; whether
they had a decision in the first round, a chance there to put chips in, did so, raised, folded."""


@kernel
def count_many(columns, first, numbers, stacks, game, players, positions, chunks, counts, curves):
    """Count hands: `columns`, `first`, `numbers` and `stacks` are those of `felt.games.views.facts.Facts`.

    `players` and `positions` say who sits where and what their seats are called, ``[hands, seats]``; a player of -1 is
    not counted. `counts` is ``[player, indicator, position, betting round, in position, 2]``, `curves` is
    ``[chunk, player, indicator, 2]``, where `chunks` gives the chunk of each hand.
    """
    seats = stacks.shape[1]
    state = np.empty(LENGTH, dtype=np.int64)
    moves = np.empty(seats, dtype=np.int64)
    notes = np.empty((seats, NOTES), dtype=np.int64)
    for hand in range(len(numbers)):
        notes[:] = 0
        state[ROUND] = state[AGGRESSOR] = -1
        for a in range(first[hand], first[hand + 1]):
            if columns[MOVE, a] == EXCHANGE:
                continue
            street, seat = columns[STREET, a], columns[SEAT, a]
            if game[at.BETTING_ROUND, street] != state[ROUND]:
                _begin_round(state, moves, game, street, seat, numbers[hand, f.BUTTON])
            to_call, move = columns[TO_CALL, a], columns[MOVE, a]
            if move == CALL and to_call == 0:
                move = CHECK
            if _waits_for_bring_in(columns, a, game, state):
                to_call = 0
                if move == CALL:
                    move = POST
            inside = _in_position(columns, a, game, state, stacks[hand])
            _note(notes[seat], state, move, inside, to_call > 0 or columns[LEAST, a] > 0)
            player, position = players[hand, seat], positions[hand, seat]
            if player >= 0:
                cell = counts[player, :, position, state[ROUND], inside]
                curve = curves[chunks[hand], player]
                _count_any(cell, curve, columns, a, state, moves, move, to_call)
                if state[ROUND] == 0:
                    _count_first(cell, curve, columns, a, state, game, position, move, to_call)
                else:
                    _count_later(cell, curve, columns, a, game, state, moves, move, stacks[hand])
            _move(state, moves, game, seat, position, move)
        for seat in range(seats):
            if players[hand, seat] >= 0:
                _count_hand(
                    counts[players[hand, seat], :, positions[hand, seat], 0],
                    curves[chunks[hand], players[hand, seat]], notes[seat], numbers[hand], game, seat,
                )  # fmt: skip


@kernel
def _count_chance(cell, curve, indicator, hit):
    """A chance, and whether it was taken."""
    cell[indicator, at.DENOMINATOR] += 1
    curve[indicator, at.DENOMINATOR] += 1
    if hit:
        cell[indicator, at.NUMERATOR] += 1
        curve[indicator, at.NUMERATOR] += 1


@kernel
def _weigh(cell, curve, indicator, above, below):
    """One more above or below the line of a ratio, or in both."""
    cell[indicator, at.NUMERATOR] += above
    curve[indicator, at.NUMERATOR] += above
    cell[indicator, at.DENOMINATOR] += below
    curve[indicator, at.DENOMINATOR] += below


@kernel
def _begin_round(state, moves, game, street, seat, button):
    """The first decision of a betting round is about to be counted; it is `seat`'s."""
    before = state[AGGRESSOR] if game[at.BETTING_ROUND, street] == state[ROUND] + 1 else -1
    state[:] = 0
    state[ROUND] = game[at.BETTING_ROUND, street]
    state[BEFORE] = before
    state[FIRST_RAISER] = state[SECOND_RAISER] = state[AGGRESSOR] = -1
    state[BEGAN] = (button + 1) % len(moves) if game[at.FROM_BUTTON, street] else seat
    moves[:] = NOTHING


@kernel
def _waits_for_bring_in(columns, a, game, state):
    """Whether the bring-in has not been posted: nobody has a bet out."""
    if not game[at.SCALARS, at.HAS_BRING_IN] or state[ROUND] > 0:
        return False
    seats = (len(columns) - COLUMNS) // 2
    for other in range(seats):
        if columns[COLUMNS + seats + other, a] > 0:
            return False
    return True


@kernel
def _can_act(columns, a, game, stacks, seat):
    """Whether a player is in and has chips that may still be bet, of which a cap leaves some aside."""
    aside = 0
    if game[at.SCALARS, at.CAP] > 0:
        aside = max(stacks[seat] - game[at.SCALARS, at.CAP], 0)
    return (columns[LIVE, a] >> seat & 1) == 1 and columns[COLUMNS + seat, a] > aside


@kernel
def _in_position(columns, a, game, state, stacks):
    """1 if nobody who can still act comes after the player in the order of the round."""
    seats = len(stacks)
    step = game[at.STEP, columns[STREET, a]]
    seat = (columns[SEAT, a] + step + seats) % seats
    while seat != state[BEGAN]:
        if _can_act(columns, a, game, stacks, seat):
            return 0
        seat = (seat + step + seats) % seats
    return 1


@kernel
def _note(note, state, move, inside, could):
    """Keep what belongs to the whole hand of a player."""
    note[AT_LAST] = inside
    if state[ROUND] > 0:
        return
    if not note[DECIDED]:
        note[AT_FIRST] = inside
    note[DECIDED] = 1
    note[CHANCE] |= could
    note[PUT_IN] |= move == CALL or move == RAISE
    note[RAISED] |= move == RAISE
    note[GONE] |= move == FOLD


@kernel
def _count_any(cell, curve, columns, a, state, moves, move, to_call):
    if to_call > 0 and moves[columns[SEAT, a]] == CHECK:
        _count_chance(cell, curve, at.CHECK_FOLD, move == FOLD)
        if columns[LEAST, a] > 0:
            _count_chance(cell, curve, at.CHECK_RAISE, move == RAISE)
    if state[RAISES] > 0:
        _count_chance(cell, curve, at.FOLD_TO_BET, move == FOLD)


@kernel
def _count_first(cell, curve, columns, a, state, game, position, move, to_call):
    raises, could, seat = state[RAISES], columns[LEAST, a] > 0, columns[SEAT, a]
    _weigh(cell, curve, at.PFR_D, move == RAISE, move == CALL or move == FOLD)
    if raises == 0:
        if could and not state[OPENED]:
            _count_chance(cell, curve, at.RFI, move == RAISE)
            if game[at.SCALARS, at.HAS_BLINDS] and _steals(position):
                _count_chance(cell, curve, at.STEAL, move == RAISE)
        if to_call > 0:
            _count_chance(cell, curve, at.LIMP, move == CALL)
    elif raises == 1:
        if could:
            _count_chance(cell, curve, at.THREE_BET, move == RAISE)
        if state[IS_STEAL] and (position == at.SB or position == at.BB):
            _count_chance(cell, curve, at.FOLD_TO_STEAL, move == FOLD)
    elif raises == 2:
        if could:
            _count_chance(cell, curve, at.FOUR_BET, move == RAISE)
        if state[FIRST_RAISER] == seat:
            _count_chance(cell, curve, at.FOLD_TO_THREE_BET, move == FOLD)
    elif raises == 3 and state[SECOND_RAISER] == seat:
        _count_chance(cell, curve, at.FOLD_TO_FOUR_BET, move == FOLD)


@kernel
def _steals(position):
    return position == at.CO or position == at.BTN or position == at.SB


@kernel
def _count_later(cell, curve, columns, a, game, state, moves, move, stacks):
    _weigh(cell, curve, at.AF, move == RAISE, move == CALL)
    if move != CHECK:
        _count_chance(cell, curve, at.AFQ, move == RAISE)
    if state[ROUND] == 1:
        _weigh(cell, curve, at.AF_D, move == RAISE, move == CALL)
    before = state[BEFORE]
    if state[RAISES] == 0 and columns[LEAST, a] > 0 and before >= 0:
        if before == columns[SEAT, a]:
            _count_chance(cell, curve, at.CBET, move == RAISE)
        elif moves[before] == NOTHING and _can_act(columns, a, game, stacks, before):
            _count_chance(cell, curve, at.DONK_BET, move == RAISE)
    elif state[RAISES] == 1 and state[IS_CBET]:
        _count_chance(cell, curve, at.FOLD_TO_CBET, move == FOLD)


@kernel
def _move(state, moves, game, seat, position, move):
    """What the round is like after a move."""
    moves[seat] = move
    if move == CALL:
        state[OPENED] = 1
        state[IS_STEAL] = 0
    elif move == RAISE:
        if state[RAISES] == 0:
            state[FIRST_RAISER] = seat
            state[IS_STEAL] = (
                state[ROUND] == 0 and not state[OPENED] and game[at.SCALARS, at.HAS_BLINDS] and _steals(position)
            )
            state[IS_CBET] = seat == state[BEFORE]
        elif state[RAISES] == 1:
            state[SECOND_RAISER] = seat
        state[AGGRESSOR] = seat
        state[OPENED] = 1
        state[RAISES] += 1


@kernel
def _count_hand(cells, curve, note, numbers, game, seat):
    """What is counted once a hand; `cells` are those of the player's position, out of position and in."""
    cell = cells[:, note[AT_FIRST]]
    _count_chance(cell, curve, at.VPIP_D, note[PUT_IN])
    if note[CHANCE]:
        _count_chance(cell, curve, at.VPIP, note[PUT_IN])
        _count_chance(cell, curve, at.PFR, note[RAISED])
    cell = cells[:, note[AT_LAST]]
    won = numbers[f.WON + seat] > _uncalled(numbers, seat)
    if 0 < game[at.SCALARS, at.SECOND] <= numbers[f.STREET] and not note[GONE]:
        _count_chance(cell, curve, at.WTSD, numbers[f.SHOWN] >> seat & 1)
        _count_chance(cell, curve, at.WWSF, won)
    if numbers[f.SHOWN] >> seat & 1:
        _count_chance(cell, curve, at.WSD, won)


@kernel
def _uncalled(numbers, seat):
    """Chips that nobody matched: they come back, which is no winning."""
    matched = 0
    for other in range(numbers[f.PLAYERS]):
        if other != seat:
            matched = max(matched, numbers[f.PUT + other])
    return max(numbers[f.PUT + seat] - matched, 0)
