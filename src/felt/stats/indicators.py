"""Player statistics: VPIP, PFR, 3-bet, c-bet and the rest, counted from the actions of many hands.

What each means is in `felt.stats.definitions`. Counts add up, so hands can be counted in parts, in any order.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError, counted
from felt.games.rules import First, GameRules
from felt.games.views.facts import Facts
from felt.stats import layout as at
from felt.stats.positions import seat_positions
from felt.stats.table import Table

NOT_COUNTED = -1
"""In `players`: a seat whose player is left out."""


def count(
    facts: Facts, players: NDArray[np.integer], names: Sequence[str], *, positions: NDArray[np.int8] | None = None
) -> Table:
    """Count what players did: `players` says who sits where, ``[hands, seats]``, as places in `names`; -1 for nobody.

    `positions` replaces the names of the seats, where they are not those of the rules (`POSITIONS`).
    """
    table = Table.empty(names, street_names(facts.rules))
    _count(facts, players, positions, np.zeros(facts.hands, dtype=np.int64), table, _no_curves(table, 1))
    return table


def count_chunks(
    facts: Facts, players: NDArray[np.integer], names: Sequence[str], chunk: NDArray[np.integer], chunks: int
) -> tuple[Table, NDArray[np.int64]]:
    """`count`, and the same by stretches of a match: ``[chunks, player, indicator, 2]``, for curves.

    `chunk` tells to which stretch each hand belongs: its number in the match // 1000, for curves per 1,000 hands.
    """
    if len(chunk) != facts.hands or (len(chunk) and not 0 <= chunk.min() <= chunk.max() < chunks):
        raise FeltError(f"{counted(facts.hands, 'hand')}: each needs a chunk from 0 to {chunks - 1}")
    table = Table.empty(names, street_names(facts.rules))
    curves = _no_curves(table, chunks)
    _count(facts, players, None, np.asarray(chunk, dtype=np.int64), table, curves)
    return table, curves


def street_names(rules: GameRules) -> tuple[str, ...]:
    """The betting rounds of a game by name."""
    return tuple(part.name for part in rules.rounds if part.betting)


def _no_curves(table: Table, chunks: int) -> NDArray[np.int64]:
    return np.zeros((chunks, len(table.players), len(table.indicators), 2), dtype=np.int64)


def _count(
    facts: Facts,
    players: NDArray[np.integer],
    positions: NDArray[np.int8] | None,
    chunk: NDArray[np.int64],
    table: Table,
    curves: NDArray[np.int64],
) -> None:
    from felt.stats.kernels import count_many

    ids = np.ascontiguousarray(players, dtype=np.int64)
    if ids.shape != facts.stacks.shape:
        raise FeltError(f"players of shape {ids.shape}: give one for each of {facts.stacks.shape} hands and seats")
    if ids.size and not NOT_COUNTED <= ids.min() <= ids.max() < len(table.players):
        raise FeltError(f"players {ids.min()} to {ids.max()}: {counted(len(table.players), 'name')} were given")
    if positions is None:
        positions = seat_positions(facts.rules, facts.button, facts.players)
    if facts.hands and facts.actions != facts.first[-1]:
        raise FeltError("these facts tell of hands only: trace them with actions=True to count what players did")
    arrays = map(
        np.ascontiguousarray, (facts.columns, facts.first, facts.numbers, facts.stacks)
    )  # of parts of facts too
    count_many(*arrays, _game(facts.rules), ids, positions, chunk, table.counts, curves)


def _game(rules: GameRules) -> NDArray[np.int64]:
    """The rules as the kernel needs them: see `felt.stats.layout`."""
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
