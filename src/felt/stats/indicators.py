"""Player statistics: VPIP, PFR, 3-bet, c-bet and the rest, counted from the actions of many hands.

What each means is in `felt.stats.definitions`. Counts add up, so hands can be counted in parts, in any order. Seats are
called by their distance from the button, and by the blinds.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError, counted
from felt.games.rules import First, GameRules
from felt.games.views.facts import Facts
from felt.stats import definitions as at
from felt.stats.definitions import POSITIONS
from felt.stats.table import Table

NOT_COUNTED = -1
"""In `players`: a seat whose player is left out."""

_BEFORE_BUTTON = ("CO", "UTG", "MP", "HJ", "UTG+1", "MP+1", "UTG+2", "MP+2", "UTG+3")
"""Seats that are neither the button nor a blind: a longer table has one more of these, each in its place."""


@cache
def positions(rules: GameRules, players: int, *, dead_small_blind: bool = False) -> tuple[str, ...]:
    """What the seats are called, from the left of the button, which comes last.

    Heads-up the button is BTN, though it posts a blind. Where the cards say who acts first, as in stud, no seat has a
    name. With a dead small blind the big blind sits next to the button.

    >>> from felt.games import load
    >>> positions(load("nlhe"), 6)
    ('SB', 'BB', 'UTG', 'MP', 'CO', 'BTN')
    >>> positions(load("nlhe"), 2), positions(load("stud"), 2)
    (('BB', 'BTN'), ('-', '-'))
    """
    if rules.bring_in:
        return ("-",) * players
    blinds = ("SB", "BB")[-len(rules.blinds) :] if rules.blinds else ()
    if dead_small_blind or (players == 2 and rules.heads_up_button_blind):  # the first blind is on the button
        blinds = blinds[1:]
    blinds = blinds[: players - 1]
    before = sorted(_BEFORE_BUTTON[: players - 1 - len(blinds)], key=POSITIONS.index)
    return (*blinds, *before, "BTN")


def position_codes(names: Sequence[str]) -> NDArray[np.int8]:
    """Names of positions as places in `POSITIONS`."""
    return np.array([POSITIONS.index(name) for name in names], dtype=np.int8)


def seat_positions(rules: GameRules, button: NDArray[np.int32], players: int) -> NDArray[np.int8]:
    """``[hands, seats]``: the position of each seat, where the button is known."""
    after = (np.arange(players) - button[:, None] - 1) % players
    codes: NDArray[np.int8] = position_codes(positions(rules, players))[after]
    return codes


def count(
    facts: Facts, players: NDArray[np.integer], names: Sequence[str], *, positions: NDArray[np.int8] | None = None
) -> Table:
    """Count what players did: `players` says who sits where, ``[hands, seats]``, as places in `names`; -1 for nobody.

    `positions` replaces the names of the seats, where they are not those of the rules (`POSITIONS`).
    """
    return _count(facts, players, names, positions, np.zeros(facts.hands, dtype=np.int64), 1)[0]


def count_chunks(
    facts: Facts, players: NDArray[np.integer], names: Sequence[str], chunk: NDArray[np.integer], chunks: int
) -> tuple[Table, NDArray[np.int64]]:
    """`count`, and the same by stretches of a match: ``[chunks, player, indicator, 2]``, for curves.

    `chunk` tells to which stretch each hand belongs: its number in the match // 1000, for curves per 1,000 hands.
    """
    if len(chunk) != facts.hands or (len(chunk) and not 0 <= chunk.min() <= chunk.max() < chunks):
        raise FeltError(f"{counted(facts.hands, 'hand')}: each needs a chunk from 0 to {chunks - 1}")
    return _count(facts, players, names, None, np.asarray(chunk, dtype=np.int64), chunks)


def _count(
    facts: Facts,
    players: NDArray[np.integer],
    names: Sequence[str],
    positions: NDArray[np.int8] | None,
    chunk: NDArray[np.int64],
    chunks: int,
) -> tuple[Table, NDArray[np.int64]]:
    from felt.stats.kernels import count_many

    ids = np.ascontiguousarray(players, dtype=np.int64)
    if ids.shape != facts.stacks.shape:
        raise FeltError(f"players of shape {ids.shape}: give one for each of {facts.stacks.shape} hands and seats")
    if ids.size and not NOT_COUNTED <= ids.min() <= ids.max() < len(names):
        raise FeltError(f"players {ids.min()} to {ids.max()}: {counted(len(names), 'name')} were given")
    if positions is None:
        positions = seat_positions(facts.rules, facts.button, facts.players)
    if facts.hands and facts.actions != facts.first[-1]:
        raise FeltError("these facts tell of hands only: trace them with actions=True to count what players did")
    table = Table.empty(names, [part.name for part in facts.rules.rounds if part.betting])
    curves = np.zeros((chunks, len(names), len(at.INDICATORS), 2), dtype=np.int64)
    arrays = (facts.columns, facts.first, facts.numbers, facts.stacks)  # of parts of facts too
    contiguous = map(np.ascontiguousarray, arrays)
    count_many(*contiguous, _game(facts.rules), ids, positions, chunk, table.counts, curves)
    return table, curves


def _game(rules: GameRules) -> NDArray[np.int64]:
    """The rules as the kernel needs them: see `felt.stats.definitions`."""
    game = np.zeros((at.GAME_ROWS, at.GAME_COLUMNS), dtype=np.int64)
    game[at.BETTING_ROUND] = -1
    betting = [number for number, part in enumerate(rules.rounds) if part.betting]
    game[at.BETTING_ROUND, betting] = range(len(betting))
    for number, part in enumerate(rules.rounds):
        game[at.FROM_BUTTON, number] = part.first == First.AFTER_BLINDS
        game[at.STEP, number] = 1 if part.clockwise else -1
    second = betting[1] if len(betting) > 1 else -1
    game[at.SCALARS, :4] = bool(rules.blinds), rules.bring_in > 0, rules.cap, second
    return game
