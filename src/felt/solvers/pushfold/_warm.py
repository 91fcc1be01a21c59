"""Questions that compile the kernels of push/fold: see `felt._warm`."""

from collections.abc import Callable

import numpy as np

from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.headsup import solve
from felt.solvers.pushfold.multiway_evs import orders


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    game = PushFold(stacks=(10, 10))
    return {
        "fictitious play": lambda: solve(game, iterations=1),
        "CFR+ for push/fold": lambda: solve(game, algorithm="cfr+", iterations=1),
        "three-way all-ins": lambda: orders(np.ones(CLASS_COUNT), np.ones(CLASS_COUNT)),
    }
