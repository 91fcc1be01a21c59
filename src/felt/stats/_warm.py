"""Questions that compile the kernels of this room: see `felt._warm`."""

from collections.abc import Callable

import numpy as np

from felt.games.catalogue import load
from felt.games.engine.batch import HandBatch
from felt.games.views.facts import trace
from felt.stats.indicators import count


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    return {"player statistics": _count}


def _count() -> object:
    batch = HandBatch(load("kuhn"), 1)
    facts = trace(batch.rules, *batch.arrays, batch.stacks, np.ones(2, dtype=np.int64), np.full(1, 2))
    return count(facts, np.arange(2)[None], ("a", "b"))
