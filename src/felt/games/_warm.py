"""Questions that compile the kernels of this room: see `felt._warm`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from felt.games.engine.batch import HandBatch


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    from felt.games.catalogue import load
    from felt.games.engine.batch import HandBatch, play_random
    from felt.games.hand import Hand
    from felt.games.rules import Betting, GameRules, Round, Structure
    from felt.games.scoring.formulas import score_batch

    betting = Betting(Structure.NO_LIMIT, 2)
    rules = GameRules("warm", (Round("only", down=5, betting=betting),), ante=1)
    return {
        "formulas": lambda: score_batch(load("brag").showdown, np.arange(5, dtype=np.uint8).reshape(1, 5)),
        "a hand": lambda: Hand.new(rules, [10, 10]).call(),
        "many hands": lambda: play_random(rules, 2, players=2, stack=10),
        "tables in lockstep": lambda: HandBatch(rules, 2, stack=10).step(np.ones(2, dtype=np.int64)),
        "facts": lambda: _trace(HandBatch(rules, 2, stack=10)),
    }


def _trace(batch: "HandBatch") -> object:
    from felt.games.views.facts import trace

    moves = np.ones(4, dtype=np.int64)
    return trace(batch.rules, *batch.arrays, batch.stacks, moves, np.full(2, 2))
