"""Push or fold with three to nine players: who may decide what, and what every end of the hand is worth.

Everybody goes all in or folds, once, in turn. At most three go all in: after the third, all others fold. With three
players that is the whole game; with more it is a game a little smaller than the real one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from felt.solvers.pushfold.game import Floats, PushFoldError, PushFoldStakes

Order = tuple[int, int, int]
"""The places of three hands, the best being 0; equal hands have the same."""

LANES: Final[tuple[Order, ...]] = (
    (0, 1, 2), (1, 0, 2), (2, 0, 1), (0, 0, 1), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 0, 0),
)  # fmt: skip
"""The orders that the tensor tells of hero, second and third; the others are these with second and third exchanged."""

EXCHANGED: Final = (0, 1, 2, 3, 6)
"""Lanes that are another order when second and third are exchanged."""

ORDERS: Final[tuple[Order, ...]] = (*LANES, *((LANES[i][0], LANES[i][2], LANES[i][1]) for i in EXCHANGED))
"""All 13 orders, as `orders` gives them."""

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
