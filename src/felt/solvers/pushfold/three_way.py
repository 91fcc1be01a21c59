"""Three starting hands all in: how often three classes meet, and in which order they end up.

Every combo and every board were counted (``scripts/count_three_way.py``); shares are kept in units of 1/65535. Cards
of all three are out of the deck, so the table also has what two hands win while a third, which was folded, is dead.
"""

from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.combos import CLASS_COUNT

UNITS: Final = 65535
DEALS: Final = 1326 * 1225 * 1128
"""Ways to deal two cards to each of three players."""

Order = tuple[int, int, int]
"""The places of three hands, the best being 0; equal hands have the same."""

_STORED: Final[tuple[Order, ...]] = (
    (1, 2, 0), (0, 1, 0), (0, 2, 1), (0, 1, 1), (0, 1, 2),
    (2, 1, 0), (1, 0, 0), (2, 0, 1), (1, 0, 1), (1, 0, 2),
    (1, 1, 0), (0, 0, 0), (0, 0, 1),
)  # fmt: skip
"""The orders as the file has them, for classes a <= b <= c."""

LANES: Final[tuple[Order, ...]] = (
    (0, 1, 2), (1, 0, 2), (2, 0, 1), (0, 0, 1), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 0, 0),
)  # fmt: skip
"""The orders that the tensor tells of hero, second and third; the others are these with second and third exchanged."""

EXCHANGED: Final = (0, 1, 2, 3, 6)
"""Lanes that are another order when second and third are exchanged."""

ORDERS: Final[tuple[Order, ...]] = (*LANES, *((LANES[i][0], LANES[i][2], LANES[i][1]) for i in EXCHANGED))
"""All 13 orders, as `orders` gives them."""


class Threes(NamedTuple):
    """The table, unpacked: one row for each three classes a <= b <= c."""

    classes: NDArray[np.intp]
    """``[rows, 3]``"""
    combos: NDArray[np.uint16]
    """In how many ways they can be dealt."""
    shares: NDArray[np.float32]
    """``[rows, 13]``: how often they end up in each order; all 0 where they cannot be dealt."""


@cache
def threes() -> Threes:
    """The table as it ships."""
    packed = _tables.load_archive("three_way")
    units = packed["high"].astype(np.uint16) << 8 | packed["low"]
    shares = np.zeros((units.shape[1], len(_STORED)), dtype=np.float32)
    shares[:, [0, 1, 2, 3, *range(5, 13)]] = units.T
    shares[:, 4] = np.where(packed["combos"] > 0, UNITS - units.sum(axis=0, dtype=np.int64), 0)
    first, second = np.triu_indices(CLASS_COUNT)
    rest = CLASS_COUNT - second
    third = np.concatenate([np.arange(at, CLASS_COUNT) for at in second])
    classes = np.stack([np.repeat(first, rest), np.repeat(second, rest), third], axis=1)
    return Threes(classes, packed["combos"], (shares / UNITS).astype(np.float32))


@cache
def order_tensor() -> NDArray[np.float32]:
    """``[169, 169, 169, 8]``: the chance that second, third and hero hold these classes and end up in each lane.

    Hero comes last, because what is asked is always everything that hero may hold. It takes 154 MB and a second.
    """
    classes, combos, shares = threes()
    made = np.zeros((CLASS_COUNT,) * 3 + (len(LANES),), dtype=np.float32)
    chance = shares * (combos / DEALS).astype(np.float32)[:, None]
    places = {order: column for column, order in enumerate(_STORED)}
    for seats in permutations(range(3)):  # the row's classes seats[0], seats[1], seats[2] are hero, second, third
        columns = [places[_by_row(lane, seats)] for lane in LANES]
        made[classes[:, seats[1]], classes[:, seats[2]], classes[:, seats[0]]] = chance[:, columns]
    made.flags.writeable = False
    return made


def _by_row(lane: Order, seats: tuple[int, ...]) -> Order:
    """The places of the row's three classes, when those of hero, second and third are a lane."""
    places = [0, 0, 0]
    for place, seat in zip(lane, seats, strict=True):
        places[seat] = place
    return places[0], places[1], places[2]


def orders(second: NDArray[np.float64], third: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[169, 13]``: the chance that hero has a class, the others play theirs so often, and the order is each.

    >>> import numpy as np
    >>> everything = np.ones(169)
    >>> round(float(orders(everything, everything).sum()), 6)
    1.0
    """
    from felt.solvers.pushfold.kernels import add_orders

    tensor = order_tensor().reshape(CLASS_COUNT, CLASS_COUNT, -1)
    seconds, thirds = np.flatnonzero(second), np.flatnonzero(third)
    straight, exchanged = np.zeros((2, CLASS_COUNT * len(LANES)))
    add_orders(tensor, second, third, seconds, thirds, straight)
    add_orders(tensor, third, second, thirds, seconds, exchanged)
    return np.hstack([straight.reshape(CLASS_COUNT, -1), exchanged.reshape(CLASS_COUNT, -1)[:, list(EXCHANGED)]])
