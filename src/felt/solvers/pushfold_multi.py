"""Push/fold with three to nine players, solved by CFR+ until nobody gains much by leaving.

With more than two players nothing guarantees an equilibrium, and there may be several. In practice the strategy of
the last iteration comes near one sooner than the average; the better of both is kept, and its gains say how near it is.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from felt.cards.combos import CLASS_COUNT, CLASS_SIZES, COMBO_COUNT
from felt.solvers.pushfold import by_hand, share
from felt.solvers.pushfold_game import PushFoldError, check_target
from felt.solvers.pushfold_multi_evs import Evs, ManyEvs, Often, ThreeEvs
from felt.solvers.pushfold_multi_game import Floats, MultiPushFold, Spot
from felt.solvers.pushfold_table import class_table

TARGET = 1e-4
"""Exploitability in big blinds at which a solution is good enough unless something else is asked for."""

MOST = 2000
"""Iterations after which a solver gives up."""

EVERY = 25
"""Iterations between two looks at the average strategy."""

FIRST_GUESS = (0.4, 0.2, 0.1)
"""Shares of hands that go all in to begin with: first, after one, after two."""

HEAD_START = 20
"""As how many iterations a start from a neighbouring solution counts."""

Watch = Callable[[int, float], None]
"""Told from time to time how many iterations were done and the exploitability."""


@dataclass(frozen=True)
class MultiSolution:
    """An equilibrium, as near as `gains` say."""

    game: MultiPushFold
    often: Often = field(repr=False)
    gains: tuple[float, ...]
    """Big blinds a hand that each player, by turn, would win more by the best response."""
    iterations: int
    seconds: float
    algorithm: str = "cfr+"

    @property
    def exploitability(self) -> float:
        """The mean of the gains."""
        return sum(self.gains) / len(self.gains)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """What each player wins a hand, by turn, in big blinds."""
        found, evs = [], evs_of(self.game)
        for player in range(self.game.players):
            total = _unasked(self.game, self.often) if player == self.game.players - 1 else 0.0
            for spot, (all_in, fold) in evs.both(player, self.often).items():
                total += float(self.often[spot] @ all_in + (1 - self.often[spot]) @ fold)
            found.append(total)
        return tuple(found)

    @cached_property
    def evs(self) -> dict[Spot, tuple[Floats, Floats]]:
        """By spot: EV of each class that comes there, all in and folding; nan for classes that never do."""
        evs, found = evs_of(self.game), {}
        with np.errstate(invalid="ignore", divide="ignore"):
            for player in range(self.game.players):
                for spot, (all_in, fold) in evs.both(player, self.often).items():
                    reach = evs.reach(spot, self.often)
                    found[spot] = all_in / reach, fold / reach
        return found

    def reach(self, spot: Spot) -> float:
        """The chance that a hand comes to a spot."""
        return float(evs_of(self.game).reach(spot, self.often).sum())

    def title(self, spot: Spot) -> str:
        """What a spot is, in words."""
        names = self.game.names
        if not spot.all_in:
            return f"{names[spot.player]} shoves"
        return f"{names[spot.player]} calls {' and '.join(names[p] for p in spot.all_in)}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON: by player for those who go all in first, by player and whom they call for the others."""
        names = self.game.names
        told: dict[str, Any] = {
            "players": self.game.players,
            "exact": self.game.exact,
            "value_sb_bb": self.values[-2],
            "values_bb": dict(zip(names, self.values, strict=True)),
            "gains_bb": dict(zip(names, self.gains, strict=True)),
            "exploitability_bb": self.exploitability,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "algorithm": self.algorithm,
            **{key: {} for key in ("shove", "call", "ev_shove_bb", "ev_call_bb", "ev_fold_bb")},
        }
        for spot, played in self.often.items():
            name, doing = names[spot.player], "call" if spot.all_in else "shove"
            if spot.all_in:
                name += f" after {','.join(names[p] for p in spot.all_in)}"
            told[doing][name] = by_hand(played)
            told[f"ev_{doing}_bb"][name], told["ev_fold_bb"][name] = map(_told, self.evs[spot])
        told["shares"] = {self.title(spot): share(played) for spot, played in self.often.items()}
        return told


def _told(evs: Floats) -> dict[str, float | None]:
    return {hand: None if np.isnan(ev) else ev for hand, ev in by_hand(evs).items()}


def _unasked(game: MultiPushFold, often: Often) -> float:
    """What the big blind wins a hand by everybody's folding, without deciding anything."""
    big = game.players - 1
    return evs_of(game).walk(often) * game.worth(())[big]


def evs_of(game: MultiPushFold) -> Evs:
    """The way to look at a game that fits its size."""
    return ThreeEvs(game) if game.exact else ManyEvs(game)


def loaded(game: MultiPushFold) -> Evs:
    """The same, with the table and the compiled code in memory, which takes longer than many a solve."""
    evs = evs_of(game)
    evs.both(0, _guess(game))
    return evs


def gains_of(evs: Evs, game: MultiPushFold, often: Often) -> tuple[float, ...]:
    """What each player, by turn, would win more by the best response."""
    found = []
    for player in range(game.players):
        total = 0.0
        for spot, (all_in, fold) in evs.both(player, often).items():
            total += _regret(all_in - fold, often[spot])
        found.append(max(total, 0.0))
    return tuple(found)


def _regret(gain: Floats, played: Floats) -> float:
    return float(np.maximum(gain, 0).sum() - played @ gain)


def solve_multi(
    game: MultiPushFold,
    *,
    target: float = TARGET,
    iterations: int = MOST,
    start: MultiSolution | None = None,
    watch: Watch | None = None,
) -> MultiSolution:
    """Solve until the exploitability is `target`, or for so many `iterations`.

    `start`, the solution of a similar game with as many players, saves most of them.

    >>> solution = solve_multi(MultiPushFold(stacks=(10, 10, 10)), target=1e-3)
    >>> solution.exploitability < 1e-3
    True
    """
    check_target(target)
    if iterations < 1:
        raise PushFoldError(f"{iterations} iterations: give 1 or more")
    if start is not None and start.game.players != game.players:
        raise PushFoldError(f"a start of {start.game.players} players for a game of {game.players}: give a similar one")
    evs = loaded(game)
    started = time.perf_counter()
    work = _Work(game, evs, start)
    best, gains = work.now, gains_of(evs, game, work.now) if start is not None else (np.inf,)
    while sum(gains) / len(gains) > target and work.done < iterations:
        seen = work.go_on()
        candidates = [work.now] if seen <= target else []
        if work.done % EVERY == 0 or work.done == iterations:
            candidates = [work.now, work.means]
        for candidate in candidates:
            reached = gains_of(evs, game, candidate)
            if sum(reached) / len(reached) < sum(gains) / len(gains):
                best, gains = {spot: played.copy() for spot, played in candidate.items()}, reached
        if watch is not None:
            watch(work.done, seen)
    return MultiSolution(game, best, tuple(float(gain) for gain in gains), work.done, time.perf_counter() - started)


class _Work:
    """CFR+ with two actions: regrets, what is played now, and its mean, later iterations counting more."""

    def __init__(self, game: MultiPushFold, evs: Evs, start: MultiSolution | None) -> None:
        self._game, self._evs = game, evs
        self._head = 0 if start is None else HEAD_START
        first = _guess(game) if start is None else start.often
        self.now = {spot: first[spot].copy() for spot in game.spots}
        self.means = {spot: played.copy() for spot, played in self.now.items()}
        self._yes = {spot: np.zeros(CLASS_COUNT) for spot in game.spots}
        self._no = {spot: np.zeros(CLASS_COUNT) for spot in game.spots}
        self.done = 0

    def go_on(self) -> float:
        """One iteration; about how exploitable the strategy was during it."""
        self.done += 1
        total = 0.0
        for player in range(self._game.players):
            for spot, (all_in, fold) in self._evs.both(player, self.now).items():
                gain, played = all_in - fold, self.now[spot]
                total += _regret(gain, played)
                yes = self._yes[spot] = np.maximum(self._yes[spot] + (1 - played) * gain, 0)
                no = self._no[spot] = np.maximum(self._no[spot] - played * gain, 0)
                both = yes + no
                self.now[spot] = np.where(both > 0, yes / np.where(both > 0, both, 1), played)
        for spot, played in self.now.items():
            mean = self.means[spot]
            self.means[spot] = mean + 2 / (self._head + self.done + 1) * (played - mean)
        return total / self._game.players


def _guess(game: MultiPushFold) -> Often:
    """The strongest hands go all in, fewer after others did."""
    table = class_table()
    order = np.argsort(-(table.chance * table.equity).sum(axis=1) / table.prior)
    before = (np.cumsum(CLASS_SIZES[order]) - CLASS_SIZES[order]) / COMBO_COUNT
    found = {}
    for spot in game.spots:
        played = np.zeros(CLASS_COUNT)
        played[order[before < FIRST_GUESS[len(spot.all_in)]]] = 1
        found[spot] = played
    return found
