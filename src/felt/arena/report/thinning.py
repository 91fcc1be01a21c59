"""Curves with fewer points that look the same: what stands out is kept."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MOST = 1500
"""Points of a curve: more than a page has pixels."""


def thin(values: NDArray[np.floating | np.integer], most: int = MOST) -> NDArray[np.int64]:
    """The places of at most about `most` points that keep the outline: ends, and highs and lows of each stretch.

    >>> thin(np.array([0, 1, 9, 1, 0, -5, 0, 2]), most=4).tolist()
    [0, 2, 5, 7]
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    edges = np.linspace(0, count, max(most // 2, 1) + 1).astype(np.int64)
    places = [0, count - 1]
    for begin, end in pairwise(edges.tolist()):
        part = values[begin:end]
        known = np.isfinite(part)
        places.append(begin + int(np.argmin(np.where(known, part, np.inf))))
        places.append(begin + int(np.argmax(np.where(known, part, -np.inf))))
    return np.unique(places)
