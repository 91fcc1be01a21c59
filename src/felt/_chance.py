"""Streams of chance: from one seed, any number of blocks that have nothing to do with each other."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FIRST, SECOND = 0xD1342543DE82EF95, 0xDABA0B6EB09322E3
ALL_BITS = 0xFFFFFFFFFFFFFFFF


def block_seeds(seed: int, first: int, count: int, stream: int) -> NDArray[np.uint64]:
    """Seeds of blocks number `first` to ``first + count``, each as good as independent of all others."""
    return seeds_of(np.arange(first, first + count), seed, stream)


def seeds_of(numbers: NDArray[np.int64], seed: int, stream: int) -> NDArray[np.uint64]:
    """Seeds of the blocks with these numbers."""
    z = (np.uint64(_root(seed, stream)) + numbers.astype(np.uint64)) * np.uint64(FIRST)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(SECOND)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(SECOND)
    return z ^ (z >> np.uint64(32))


def block_seed(seed: int, number: int, stream: int) -> np.uint64:
    """The seed of one block, quicker."""
    z = (_root(seed, stream) + number) * FIRST & ALL_BITS
    z = (z ^ z >> 32) * SECOND & ALL_BITS
    z = (z ^ z >> 32) * SECOND & ALL_BITS
    return np.uint64(z ^ z >> 32)


@lru_cache(maxsize=1024)
def _root(seed: int, stream: int) -> int:
    return int(np.random.SeedSequence([stream, seed]).generate_state(1, np.uint64)[0])
