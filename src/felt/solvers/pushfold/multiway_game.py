"""Push or fold with three to nine players: who may decide what, and what every end of the hand is worth.

Everybody goes all in or folds, once, in turn. At most three go all in: after the third, all others fold. With three
players that is the whole game; with more it is a game a little smaller than the real one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold.game import Floats, PushFoldError, PushFoldStakes

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

    classes: NDArray[np.intp]  # [rows, 3]
    combos: NDArray[np.uint16]  # in how many ways they can be dealt
    shares: NDArray[np.float32]  # [rows, 13]: how often they end up in each order; all 0 where they cannot be dealt


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


MOST_PLAYERS: Final = 9
MOST_ALL_IN: Final = 3
"""After which all others fold."""

_NAMES: Final = ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB")

ALONE: Final = ((0,),)
TWO: Final = ((0, 1), (0, 0), (1, 0))
"""The orders of one and of two; those of three are `felt.solvers.pushfold.multiway_game.ORDERS`."""

AllIn = tuple[int, ...]
"""Who is all in, by turn: 0 acts first, and the big blind last."""


@dataclass(frozen=True)
class Spot:
    """A decision: a player, by turn, and who went all in before."""

    player: int
    all_in: AllIn


@dataclass(frozen=True)
class MultiPushFold(PushFoldStakes):
    """The game of three to nine players.

    >>> game = MultiPushFold(stacks=(10, 10, 10))
    >>> game.names, len(game.spots)
    (('BTN', 'SB', 'BB'), 6)
    """

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 3 <= self.players <= MOST_PLAYERS:
            raise PushFoldError(f"{self.players} players: push/fold is solved for 2 to {MOST_PLAYERS}")
        self.check(("small blind", "big blind", *self.names[:-2]))

    @property
    def players(self) -> int:
        """How many decide."""
        return len(self.stacks)

    @property
    def exact(self) -> bool:
        """Whether nothing is left out: with three players, whose cards are all counted."""
        return self.players == 3

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, by turn."""
        early = max(self.players - 6, 1) if self.players > 5 else 0
        return (*_NAMES[:early], *_NAMES[early - self.players :])

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Every decision, by player."""
        spots: list[Spot] = []
        reached: list[AllIn] = [()]
        for player in range(self.players):
            last = player == self.players - 1
            spots += [Spot(player, all_in) for all_in in reached if all_in or not last]
            reached += [(*all_in, player) for all_in in reached if len(all_in) < MOST_ALL_IN - 1]
        return tuple(spots)

    @cached_property
    def terminals(self) -> dict[AllIn, Floats]:
        """Who is all in at the end, and what that is worth: ``[orders, players]``, by `ALONE`, `TWO` or `ORDERS`."""
        payoffs: dict[AllIn, Floats] = {}
        for count, known in enumerate((ALONE, ALONE, TWO, ORDERS)):
            for all_in in combinations(range(self.players), count):
                if all_in != (self.players - 1,):  # the big blind, to whom all have folded, does not go all in
                    payoffs[all_in] = np.array([self.payoffs_at(all_in, places) for places in known])
        return payoffs

    @cached_property
    def in_turn(self) -> tuple[float, ...]:
        """Stacks in big blinds, by turn."""
        return tuple(stack / self.big_blind for stack in (*self.stacks[2:], *self.stacks[:2]))

    def payoffs_at(self, all_in: AllIn, places: Sequence[int] = (0,)) -> list[float]:
        """What an end of the hand is worth to everybody, in big blinds; `places` is the order of who is all in."""
        won = self._chips(all_in, places[: len(all_in)])
        return list(self.as_prizes(self.in_turn, won)) if self.payouts else won

    def _chips(self, all_in: AllIn, places: Sequence[int]) -> list[float]:
        """Big blinds won and lost, side pots included; a bet that nobody matched comes back."""
        small, big, ante = (chips / self.big_blind for chips in (self.small_blind, self.big_blind, self.ante))
        antes = [ante] * self.players
        antes[-1] += self.big_blind_ante / self.big_blind
        blinds = [0.0] * (self.players - 2) + [small, big]
        live = [stack - dead for stack, dead in zip(self.in_turn, antes, strict=True)]
        put = [live[p] if p in all_in else min(blinds[p], live[p]) for p in range(self.players)]
        won = [-dead - chips for dead, chips in zip(antes, put, strict=True)]
        place = dict(zip(all_in, places, strict=True)) or {self.players - 1: 0}
        pot, below = sum(antes) + ante * len(self.others), 0.0
        for level in sorted({put[p] for p in place}):
            pot += sum(min(chips, level) - min(chips, below) for chips in put)
            inside = [p for p in place if put[p] >= level]
            best = min(place[p] for p in inside)
            winners = [p for p in inside if place[p] == best]
            for p in winners:
                won[p] += pot / len(winners)
            pot, below = 0.0, level
        return [change + max(chips - below, 0.0) for change, chips in zip(won, put, strict=True)]
