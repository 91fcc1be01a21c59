"""What to ask so that every kernel of this room is compiled: see `felt._warm`."""

from collections.abc import Callable

import numpy as np

from felt.cards.isomorphism import board_classes
from felt.cards.ranking.evaluator import rank_batch, rank_omaha_batch
from felt.cards.ranking.wild import rank_wild


def steps() -> dict[str, Callable[[], object]]:
    """Questions by name, small ones, that reach every kernel."""
    hands = np.arange(7, dtype=np.int8).reshape(1, 7) * 7
    return {
        "high hands": lambda: rank_batch(hands),
        "low hands": lambda: rank_batch(hands, "low-a5"),
        "badugi": lambda: rank_batch(hands[:, :4], "badugi"),
        "Omaha hands": lambda: rank_omaha_batch(hands[:, :4], hands[:, :5] + 1),
        "wild cards": lambda: rank_wild("AsKsQsJsJk"),
        "flops": lambda: board_classes(3),
    }
