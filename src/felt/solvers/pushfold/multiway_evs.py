"""What going all in gains over folding, for every player, spot and class, when all others play given frequencies.

With three players every card is counted: `ThreeEvs`. With more, `ManyEvs` sees the table through each player's own
cards: given those, the others are dealt theirs independently of each other, and who wins among those all in is exact
for their cards alone. What those who folded may have held is left out.
"""

from functools import cache
from itertools import permutations, product
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold.game import Floats, class_table
from felt.solvers.pushfold.multiway_game import EXCHANGED, LANES, MOST_ALL_IN, ORDERS, AllIn, MultiPushFold, Order, Spot

Often = dict[Spot, Floats]
"""How often each class goes all in, by spot."""

_Met = tuple[Spot | None, bool]
"""Where somebody decides, and whether they go all in there; nowhere if they may hold anything."""
_ANYTHING: _Met = None, True


UNITS: Final = 65535
DEALS: Final = 1326 * 1225 * 1128
"""Ways to deal two cards to each of three players."""

_STORED: Final[tuple[Order, ...]] = (
    (1, 2, 0), (0, 1, 0), (0, 2, 1), (0, 1, 1), (0, 1, 2),
    (2, 1, 0), (1, 0, 0), (2, 0, 1), (1, 0, 1), (1, 0, 2),
    (1, 1, 0), (0, 0, 0), (0, 0, 1),
)  # fmt: skip
"""The orders as the file has them, for classes a <= b <= c."""


class Threes(NamedTuple):
    """The table, unpacked: one row for each three classes a <= b <= c."""

    classes: NDArray[np.intp]  # [rows, 3]
    combos: NDArray[np.uint16]  # in how many ways they can be dealt
    shares: NDArray[np.float32]  # [rows, 13]: how often they end up in each order; all 0 where they cannot be dealt


@cache
def threes() -> Threes:
    """The table as it ships: every combo and board were counted (``scripts/count_three_way.py``), in units of 1/65535.

    Cards of all three are out of the deck, so it also has what two hands win while a third, which was folded, is dead.
    """
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
    for seats in permutations(range(3)):  # the row's classes seats[0], seats[1], seats[2] are hero, second, third
        places = [tuple(lane[seats.index(seat)] for seat in range(3)) for lane in LANES]
        columns = [_STORED.index(order) for order in places]
        made[classes[:, seats[1]], classes[:, seats[2]], classes[:, seats[0]]] = chance[:, columns]
    made.flags.writeable = False
    return made


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


class Evs(Protocol):
    """What a solver asks of a game."""

    def both(self, player: int, often: Often) -> dict[Spot, tuple[Floats, Floats]]:
        """By spot of a player: chance of the class and of the others' moves, times the EV of all in, and of folding."""

    def reach(self, spot: Spot, often: Often) -> Floats:
        """By class: the chance that the player holds it and comes to a spot."""

    def walk(self, often: Often) -> float:
        """The chance that everybody folds to the big blind."""


class ThreeEvs:
    """Three players, with all cards counted, also those of who folds."""

    def __init__(self, game: MultiPushFold) -> None:
        self._ends = []
        """How everybody moves, who is all in, and what that is worth by the order of all three hands."""
        for moves in product((True, False), repeat=3):
            all_in = tuple(player for player in range(3) if moves[player])
            if all_in != (2,):  # the big blind, to whom all have folded, has nothing to decide
                payoffs = np.array([game.payoffs_at(all_in, [order[p] for p in all_in]) for order in ORDERS])
                self._ends.append((moves, all_in, payoffs))

    def both(self, player: int, often: Often) -> dict[Spot, tuple[Floats, Floats]]:
        """Sums over the ends that follow each move."""
        known: dict[tuple[Spot | None, Spot | None], Floats] = {}
        evs = {spot: (np.zeros(CLASS_COUNT), np.zeros(CLASS_COUNT)) for spot in often if spot.player == player}
        columns = as_hero(player)
        for moves, all_in, payoffs in self._ends:
            spots = [Spot(turn, tuple(p for p in all_in if p < turn)) for turn in range(3)]
            if spots[player] in evs:
                met = [(spots[p] if spots[p] in often else None, moves[p]) for p in range(3) if p != player]
                ev = evs[spots[player]][0 if moves[player] else 1]
                ev += _met(often, known, *met) @ payoffs[columns, player]
        return evs

    def reach(self, spot: Spot, often: Often) -> Floats:
        """Who acts later may hold anything."""
        met: list[_Met] = [_ANYTHING, _ANYTHING]
        for other in range(spot.player):
            met[other] = Spot(other, tuple(p for p in spot.all_in if p < other)), other in spot.all_in
        return np.asarray(_met(often, {}, *met).sum(axis=1))

    def walk(self, often: Often) -> float:
        """The big blind may hold anything."""
        return float(_met(often, {}, (Spot(0, ()), False), (Spot(1, ()), False)).sum())


def as_hero(place: int) -> list[int]:
    """Where each order of (hero, the two others in turn) stands among those of the three in turn."""
    columns = []
    for hero, *others in ORDERS:
        others.insert(place, hero)
        columns.append(ORDERS.index((others[0], others[1], others[2])))
    return columns


def _met(often: Often, known: dict[tuple[Spot | None, Spot | None], Floats], second: _Met, third: _Met) -> Floats:
    """Orders when the others make these moves: who folds holds anything but what goes all in."""
    if second[0] is not None and not second[1]:
        return _met(often, known, _ANYTHING, third) - _met(often, known, (second[0], True), third)
    if third[0] is not None and not third[1]:
        return _met(often, known, second, _ANYTHING) - _met(often, known, second, (third[0], True))
    key = second[0], third[0]
    if key not in known:
        known[key] = _orders(*(None if spot is None else often[spot] for spot in key))
    return known[key]


def _orders(second: Floats | None, third: Floats | None) -> Floats:
    """`orders`, where None is any hand."""
    if second is not None and third is not None:
        return orders(second, third)
    of_second, of_third = _with_anything()
    if second is not None:
        return np.asarray(np.tensordot(second, of_second, axes=1))
    return np.asarray(np.tensordot(np.ones(CLASS_COUNT) if third is None else third, of_third, axes=1))


@cache
def _with_anything() -> tuple[Floats, Floats]:
    """``[169, 169, 13]``: `orders` of each class of the second, or of the third player, and anything of the other.

    The class comes first, then hero's.
    """
    straight, exchanged = (order_tensor().sum(axis=axis, dtype=np.float64) for axis in (1, 0))
    both = (straight, exchanged), (exchanged, straight)
    of_second, of_third = (np.concatenate([a, b[:, :, list(EXCHANGED)]], axis=2) for a, b in both)
    return of_second, of_third


class ManyEvs:
    """Four to nine players, seen by each through their own cards."""

    def __init__(self, game: MultiPushFold) -> None:
        self._game = game
        self._kept: dict[AllIn, tuple[list[Floats], Floats]] = {}
        """What was worked out last for those all in, and from which arrays: nobody changes these in place."""
        table = class_table()
        win = table.equity - table.tie / 2
        self._two = np.stack([win, table.tie, 1 - win - table.tie]) * table.chance
        """Chance of two classes and that the first wins, splits, loses."""
        self._seen = table.chance / table.prior[:, None]

    def both(self, player: int, often: Often) -> dict[Spot, tuple[Floats, Floats]]:
        """Walk what may follow each spot."""
        evs = {}
        chances = {spot: self._seen @ played for spot, played in often.items()}
        ends: dict[AllIn, Floats] = {}

        def value(turn: int, all_in: AllIn) -> Floats:
            spot = Spot(turn, all_in)
            settled = player not in all_in and not self._game.payouts  # what others do costs no chips
            if settled or turn == self._game.players or len(all_in) == MOST_ALL_IN or spot not in chances:
                if all_in not in ends:
                    ends[all_in] = self._end(player, all_in, often)
                return ends[all_in]
            often_in = chances[spot]
            return often_in * value(turn + 1, (*all_in, turn)) + (1 - often_in) * value(turn + 1, all_in)

        for spot in often:
            if spot.player == player:
                reach = self._reach(player, spot.all_in, chances)
                after = value(player + 1, (*spot.all_in, player)), value(player + 1, spot.all_in)
                evs[spot] = reach * after[0], reach * after[1]
        return evs

    def reach(self, spot: Spot, often: Often) -> Floats:
        """As far as hero's own cards tell."""
        return self._reach(spot.player, spot.all_in, {other: self._seen @ often[other] for other in often})

    def walk(self, often: Often) -> float:
        """On average over what the big blind holds."""
        return float(self.reach(Spot(self._game.players - 1, ()), often).sum())

    def _reach(self, player: int, all_in: AllIn, chances: Often) -> Floats:
        reach = class_table().prior.copy()
        for turn in range(player):
            spot = Spot(turn, tuple(p for p in all_in if p < turn))
            reach *= chances[spot] if turn in all_in else 1 - chances[spot]
        return reach

    def _end(self, player: int, all_in: AllIn, often: Often) -> Floats:
        """What an end is worth to a player, by class."""
        payoffs = self._game.terminals[all_in][:, player]
        if len(all_in) < 2 or (player not in all_in and not self._game.payouts):
            return np.full(CLASS_COUNT, payoffs[0])
        played = [often[Spot(p, all_in[:at])] for at, p in enumerate(all_in)]
        if player not in all_in:
            return np.full(CLASS_COUNT, self._without(all_in, played) @ payoffs)
        place = all_in.index(player)
        by_order = self._orders(played[:place] + played[place + 1 :])
        columns = as_hero(place) if len(all_in) == MOST_ALL_IN else [0, 1, 2] if place == 0 else [2, 1, 0]
        return np.asarray((by_order @ payoffs[columns]) / np.maximum(by_order.sum(axis=1), 1e-300))

    def _without(self, all_in: AllIn, played: list[Floats]) -> Floats:
        """Chances of the orders of who is all in, as if nobody else's cards made a difference to who wins."""
        known, chances = self._kept.get(all_in, ([], None))
        if chances is None or any(a is not b for a, b in zip(known, played, strict=True)):
            by_order = played[0] @ self._orders(played[1:])
            chances = by_order / max(float(by_order.sum()), 1e-300)
            self._kept[all_in] = played, chances
        return chances

    def _orders(self, others: list[Floats]) -> Floats:
        """``[169, orders]``: the chance that hero has a class, the others play theirs, and the order is each."""
        return orders(*others) if len(others) == 2 else np.asarray(np.tensordot(self._two, others[0], axes=1).T)
