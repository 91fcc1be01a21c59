"""Push/fold at many stacks: up to how many big blinds each hand is shoved, and called with.

Each stack is solved from its neighbour. A hand that is in over several stretches of stacks keeps all of them: 63s, say,
is shoved at two and at four big blinds, but not at three.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from felt.cards.combos import CLASS_NAMES
from felt.solvers.pushfold.game import MOST_BIG_BLINDS, Floats, PushFold, PushFoldError
from felt.solvers.pushfold.headsup import Solution, solve

Interval = tuple[float, float]
"""The first and the last stack of a stretch, in big blinds."""

IN = 0.5
"""A hand that is played at least so often is in a chart of stacks."""

MOST_STACKS = 100_000

TARGET = 1e-8
"""Exploitability in big blinds at each stack. Where a hand begins and ends shows only in solutions that are sharp."""

ITERATIONS = 100_000
"""After so many a stack that is still not as good as the target stays as it is."""


@dataclass(frozen=True)
class Scan:
    """Solutions at many stacks."""

    stacks: Floats
    """In big blinds, ascending."""
    shove: Floats = field(repr=False)
    """``[stacks, 169]``: how often each class is shoved."""
    call: Floats = field(repr=False)
    values: Floats = field(repr=False)
    """What the small blind wins at each stack, in big blinds."""
    exploitability: float
    """The highest of all."""
    seconds: float

    def shove_intervals(self) -> list[list[Interval]]:
        """For each class the stretches of stacks over which it is shoved."""
        return intervals(self.stacks, self.shove)

    def call_intervals(self) -> list[list[Interval]]:
        """For each class the stretches of stacks over which it calls."""
        return intervals(self.stacks, self.call)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: intervals by the name of the hand."""
        return {
            "stacks": [float(self.stacks[0]), float(self.stacks[-1])],
            "solved": len(self.stacks),
            "exploitability_bb": self.exploitability,
            "seconds": self.seconds,
            "shove": dict(zip(CLASS_NAMES, self.shove_intervals(), strict=True)),
            "call": dict(zip(CLASS_NAMES, self.call_intervals(), strict=True)),
        }


def intervals(stacks: Floats, often: Floats) -> list[list[Interval]]:
    """Stretches of neighbouring stacks in which each class is played at least half of the time."""
    played = np.zeros((len(stacks) + 2, often.shape[1]), dtype=np.int8)
    played[1:-1] = often >= IN
    change = np.diff(played, axis=0)
    by_class = []
    for column in change.T:
        first, last = stacks[np.flatnonzero(column == 1)], stacks[np.flatnonzero(column == -1) - 1]
        by_class.append(list(zip(first.tolist(), last.tolist(), strict=True)))
    return by_class


def scan(
    game: PushFold,
    first: float = 1.0,
    last: float = 100.0,
    step: float = 0.1,
    *,
    algorithm: str = "fictitious",
    target: float = TARGET,
    progress: Callable[[float, float], None] | None = None,
) -> Scan:
    """Solve a game at equal stacks from `first` to `last` big blinds; the stacks of `game` do not matter."""
    stacks = _stacks(first, last, step)
    rows: list[Solution] = []
    for place, stack in enumerate(stacks.tolist()):
        equal, near = replace(game, stacks=(stack * game.big_blind,) * 2), rows[-1] if rows else None
        rows.append(solve(equal, algorithm=algorithm, target=target, iterations=ITERATIONS, start=near))
        if progress:
            progress(place + 1, len(stacks))
    return Scan(
        stacks=stacks,
        shove=np.array([row.shove for row in rows]),
        call=np.array([row.call for row in rows]),
        values=np.array([row.values[0] for row in rows]),
        exploitability=max(row.exploitability for row in rows),
        seconds=sum(row.seconds for row in rows),
    )


def _stacks(first: float, last: float, step: float) -> Floats:
    if not (1 / MOST_BIG_BLINDS <= first <= last <= MOST_BIG_BLINDS):
        raise PushFoldError(
            f"stacks from {first:g} to {last:g}: give two numbers above 0, the smaller first, up to {MOST_BIG_BLINDS:,}"
        )
    if not (isfinite(step) and step > 0):
        raise PushFoldError(f"step {step:g}: give a number above 0, like 0.1")
    if (last - first) / step > MOST_STACKS:
        raise PushFoldError(f"step {step:g} makes more than {MOST_STACKS:,} stacks: give a larger one")
    count = int((last - first) / step + 1e-9) + 1
    return np.round(first + step * np.arange(count), 9)
