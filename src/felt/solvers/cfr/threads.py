"""Sweeps over the ends of a game in several threads.

Ends are cut so that those which count towards one sequence stay together and in order: no two threads write to the
same place, and every sum is made in the same order. So the numbers are the same, to the last bit, for any number of
threads. Only the sum over ends is shared out; what comes after it is a small part of an iteration.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._pool import default_threads, map_ordered
from felt.errors import FeltError
from felt.solvers.tree import Ends, Ints

LEAST_ENDS = 1_000_000
"""Ends from which on threads save more than handing out the work takes."""

Part = tuple[Ints, NDArray[Any]]
"""Sequences of all players and gains of one."""


def threads_for(ends: int, asked: int | None) -> int:
    """How many threads to use: as many as were asked for, else one for small games and all for large ones."""
    if asked is None:
        return default_threads() if ends >= LEAST_ENDS else 1
    if asked < 1:
        raise FeltError(f"{asked} threads: give 1 or more")
    return asked


def cut(ends: Ends, gains: NDArray[Any], parts: int) -> list[list[Part]]:
    """The ends of a game for each player, in about as many equal parts."""
    found = []
    for player, mine in enumerate(ends.sequences):
        before = np.cumsum(np.bincount(mine))
        wanted = np.linspace(0, len(mine), parts + 1)[1:-1]
        part = np.searchsorted(np.searchsorted(before, wanted), mine)
        rows = [np.flatnonzero(part == number) for number in range(parts)]
        found.append([(ends.sequences[:, some].copy(), gains[player, some]) for some in rows if len(some)])
    return found


def sweep_parts(
    parts: list[list[Part]], of_player: Ints, infosets: Any, state: Any, values: Any, schedule: Any, floor: bool,
    *, threads: int,
) -> None:  # fmt: skip
    """As `felt.solvers.ends_kernels.sweep`, a part in each thread."""
    from felt.solvers.ends_kernels import back_up, clear, gather_part
    from felt.solvers.update_kernels import update

    def add(player: int, part: Part) -> None:
        gather_part(part[0], part[1], player, state[3], values)

    first, parent = infosets
    for row in schedule:
        for player, mine in enumerate(parts):
            begin, end = of_player[player : player + 2].tolist()
            clear(first, begin, end, player, values)
            list(map_ordered(partial(add, player), mine, threads))
            back_up(first, parent, begin, end, state[2], values)
            update(infosets, begin, end, values, state, row, floor)
