"""Turns the sets of a match into curves: bankrolls, moving averages, and indicators."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from felt.arena.match.result import STRETCH
from felt.arena.report.panels import Band, Line
from felt.stats.means import t_quantile

MOST = 1500
"""Points of a curve: more than a page has pixels."""
BAND_POINTS = 200
FIRST_BAND = 10
"""Sets before which no band is drawn: so few say nothing about the spread of results."""
WINDOW = 1000
"""Hands of a moving average."""
SLOW_PARTS = 20
"""The slow average goes over this part of a match."""

Totals = NDArray[np.int64] | NDArray[np.float64]


def bankroll(player: int, totals: Totals, size: int, big_blind: int, most: int = MOST) -> Line:
    """What a player had won after each set, in big blinds over hands: from nothing to the total."""
    won = np.concatenate(([0], np.cumsum(totals))) / big_blind
    places = thin(won, most)
    return Line(player, (places * size).astype(np.float64), won[places])


def bankroll_band(player: int, totals: Totals, size: int, big_blind: int) -> Band | None:
    """The 95 % interval around that curve, from the sets played by then; None if they are too few.

    It is the interval of the rate times the hands: it grows with the root of their number.
    """
    sets = len(totals)
    if sets < 2:
        return None
    at = np.unique(np.linspace(min(FIRST_BAND, sets), sets, BAND_POINTS).astype(np.int64))
    apart = totals - totals.mean()  # sets that are all the same have no spread at all, not a rounded one
    summed, squared = np.cumsum(apart)[at - 1], np.cumsum(apart * apart)[at - 1]
    variance = np.maximum(squared - summed * summed / at, 0.0) / (at - 1)
    half = np.array([t_quantile(int(count) - 1) for count in at]) * np.sqrt(variance * at) / big_blind
    won = np.cumsum(totals)[at - 1] / big_blind
    return Band(player, (at * size).astype(np.float64), won - half, won + half)


def window_sets(sets: int, size: int) -> int:
    """Sets of a moving average: about 1,000 hands, a tenth of a match that is shorter than two such windows."""
    usual = max(1, round(WINDOW / size))
    return usual if sets >= 2 * usual else max(1, sets // 10)


def slow_sets(sets: int, size: int) -> int | None:
    """Sets of the slow average that is drawn over the other in a long match; None in a short one."""
    slow = sets // SLOW_PARTS
    return slow if slow >= 3 * window_sets(sets, size) else None


def moving_average(player: int, totals: Totals, size: int, big_blind: int, window: int, most: int = MOST) -> Line:
    """What a player won per hand over the last `window` sets, in mbb/hand."""
    won = np.concatenate(([0], np.cumsum(totals)))
    average = (won[window:] - won[:-window]) * (1000 / (window * size * big_blind))
    places = thin(average, most)
    return Line(player, ((places + window) * size).astype(np.float64), average[places])


def shares(player: int, counts: NDArray[np.int64], hands: int, *, summed: bool, most: int = MOST) -> Line:
    """An indicator by stretches, from its numerators and denominators ``[stretch, 2]``; `summed` from the first on."""
    ends = np.minimum(np.arange(1, len(counts) + 1) * STRETCH, hands).astype(np.float64)
    sums = np.cumsum(counts, axis=0) if summed else counts
    share = np.full(len(sums), np.nan)  # which leaves a gap where there was no chance
    np.divide(sums[:, 0], sums[:, 1], out=share, where=sums[:, 1] > 0)
    places = thin(share, most)
    return Line(player, ends[places], share[places], "plain" if summed else "faint")


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
