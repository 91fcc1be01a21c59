"""Streams of chance: from one seed, any number of blocks that have nothing to do with each other."""

import numpy as np
from numpy.typing import NDArray


def block_seeds(seed: int, first: int, count: int, stream: int) -> NDArray[np.uint64]:
    """Seeds of blocks number `first` to ``first + count``, each as good as independent of all others."""
    root = int(np.random.SeedSequence([stream, seed]).generate_state(1, np.uint64)[0])
    z = (np.uint64(root) + np.arange(first, first + count, dtype=np.uint64)) * np.uint64(0xD1342543DE82EF95)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
    return z ^ (z >> np.uint64(32))
