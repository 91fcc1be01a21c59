"""Felt's own threads: kernels release the GIL, so plain threads use all cores.

Numba's threading layer is not safe to enter twice; a pool of ours is, and it lets the caller decide how
work is cut, so that results do not depend on the number of threads.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

Progress = Callable[[int, int], None]
"""Told from time to time how much is done, and of how much."""


def default_threads() -> int:
    """Threads used when nobody says how many: one for each core this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@lru_cache(maxsize=8)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="felt")


def map_ordered(function: Callable[[T], R], items: Iterable[T], threads: int | None = None) -> Iterator[R]:
    """Apply `function` to every item on `threads` threads; results come in the order of the items."""
    work = list(items)
    count = min(threads or default_threads(), len(work))
    if count <= 1:
        return map(function, work)
    return _pool(count).map(function, work)
