"""Sweeps over the terminals of a game in several threads.

Terminals are cut so that those which count towards one sequence stay together and in order: no two threads write to
the same number, and every sum is made in the same order. So the numbers are the same, to the last bit, for any number
of threads. Only the sum over terminals is shared out; the rest is a small part of an iteration.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._pool import default_threads, map_ordered
from felt.errors import FeltError
from felt.solvers.trees.tree import Ints, SequenceForm

LEAST_ENDS = 1_000_000
"""Ends from which on threads save more than handing out the work takes."""

Part = tuple[Ints, NDArray[Any]]
"""Sequences of all players and gains of one."""


def threads_for(ends: int, threads: int | None) -> int:
    """How many threads to use: as many as were asked for, else one for small games and all for large ones."""
    if threads is None:
        return default_threads() if ends >= LEAST_ENDS else 1
    if threads < 1:
        raise FeltError(f"{threads} threads: give 1 or more")
    return threads


def cut(ends: SequenceForm, gains: NDArray[Any], parts: int) -> list[list[Part]]:
    """The ends of a game for each player, in about as many equal parts."""
    by_player = []
    for player, mine in enumerate(ends.sequences):
        before = np.cumsum(np.bincount(mine))
        targets = np.linspace(0, len(mine), parts + 1)[1:-1]
        part = np.searchsorted(np.searchsorted(before, targets), mine)
        rows = [np.flatnonzero(part == number) for number in range(parts)]
        by_player.append([(ends.sequences[:, some].copy(), gains[player, some]) for some in rows if len(some)])
    return by_player


def sweep_parts(
    parts: list[list[Part]], of_player: Ints, infosets: Any, state: Any, values: Any, schedule: Any, floor: bool,
    *, threads: int,
) -> None:  # fmt: skip
    """As `felt.solvers.cfr.terminal_kernels.sweep`, a part in each thread."""
    from felt.solvers.cfr.terminal_kernels import back_up, clear, gather_part
    from felt.solvers.cfr.update_kernels import update_regrets

    def add(player: int, part: Part) -> None:
        gather_part(*part, player, reach, values)

    first, parent = infosets
    _, _, strategy, reach, _ = state
    for row in schedule:
        for player, mine in enumerate(parts):
            begin, end = of_player[player : player + 2].tolist()
            clear(first, begin, end, player, values)
            list(map_ordered(partial(add, player), mine, threads))
            back_up(first, parent, begin, end, strategy, values)
            update_regrets(infosets, begin, end, values, state, row, floor)
