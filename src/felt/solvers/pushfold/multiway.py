"""Push/fold with three to nine players, solved by CFR+ until nobody gains much by leaving.

With more than two players nothing guarantees an equilibrium, and there may be several. In practice the strategy of
the last iteration comes near one sooner than the average; the better of both is kept, and its gains say how near it is.

An exploitability can be small while single hands are still played the wrong way: a hand is dealt once in a hundred
times, and many spots come up rarely. So what CFR+ has found is sharpened: every hand does what wins more, and one that
would go to and fro is played both ways, until no hand loses more than what the table of three hands is rounded to.
Hands for which that cannot be reached are told as undecided.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_COUNT
from felt.solvers.cfr.algorithm import ALGORITHMS
from felt.solvers.pushfold.game import Floats, PushFoldError, check_target, class_table
from felt.solvers.pushfold.headsup import by_hand, share
from felt.solvers.pushfold.multiway_evs import Evs, ManyEvs, Often, ThreeEvs
from felt.solvers.pushfold.multiway_game import MultiPushFold, Spot
from felt.solvers.pushfold.scan import IN

TARGET = 1e-5
"""Exploitability in big blinds at which a solution is good enough unless something else is asked for."""

MOST = 2000
"""Iterations after which a solver gives up."""

EVERY = 25
"""Iterations between two looks at the average strategy."""

ROUNDING = 1e-4
"""Big blinds: how exactly the EV of a hand is known, from a table whose shares are rounded to 1/65535. What a hand
loses by less than that is no mistake."""

ROUGH = 1e-3
"""Exploitability in big blinds from which on a strategy is worth sharpening."""

FINER = 3.0
"""By how much the exploitability falls before it is tried again."""

ROUNDS = 6
"""Rounds of sharpening at a time, in each of which everybody answers once."""

TRIES, NEWTON_STEPS = 3, 4
"""How often hands that are mixed are looked for, and solved for each time."""

MOST_SHARPENED = 3
"""How often it is tried; what is still wrong at the target after that stays undecided."""

MOST_MIXED = 16
"""Hands that are solved for together; where more are wrong, CFR+ goes on first."""

DIFFERENCE = 0.05
"""By how much a frequency is changed to see what that does to others."""

NEVER = 1e-6
"""Chance of a spot below which what is played there is left to chance too."""

FIRST_GUESS = (0.4, 0.2, 0.1)
"""Shares of hands that go all in to begin with: first, after one, after two."""

HEAD_START = 20
"""As how many iterations a start from a neighbouring solution counts."""

CFR_PLUS, UNDISCOUNTED = ALGORITHMS["cfr+"], (1.0, 1.0, 1.0)

Hand = tuple[Spot, int]
"""A class of hands at a spot."""

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
        values, evs = [], evs_of(self.game)
        for player in range(self.game.players):
            total = 0.0
            if player == self.game.players - 1:  # what the big blind wins without deciding anything: all fold
                total = evs.walk(self.often) * self.game.payoffs_at(())[player]
            for spot, (all_in, fold) in evs.both(player, self.often).items():
                total += float(self.often[spot] @ all_in + (1 - self.often[spot]) @ fold)
            values.append(total)
        return tuple(values)

    @cached_property
    def evs(self) -> dict[Spot, tuple[Floats, Floats]]:
        """By spot: EV of each class that comes there, all in and folding; nan for classes that never do."""
        evs, by_spot = evs_of(self.game), {}
        with np.errstate(invalid="ignore", divide="ignore"):
            for player in range(self.game.players):
                for spot, (all_in, fold) in evs.both(player, self.often).items():
                    reach = evs.reach(spot, self.often)
                    by_spot[spot] = all_in / reach, fold / reach
        return by_spot

    @cached_property
    def undecided(self) -> dict[Spot, tuple[str, ...]]:
        """By spot: hands that are, as they are played or as the chart has them (in from one half on), still wrong by
        more than `ROUNDING`; spots without any, and those that never come up, are left out."""
        wrong = wrong_hands(evs_of(self.game), self.game, self.often)
        return {spot: tuple(CLASS_NAMES[i] for i in np.flatnonzero(hands)) for spot, hands in wrong.items()}

    def reach(self, spot: Spot) -> float:
        """The chance that a hand comes to a spot."""
        return float(evs_of(self.game).reach(spot, self.often).sum())

    def title(self, spot: Spot) -> str:
        """What a spot is, in words."""
        names = self.game.names
        raisers = " and ".join(names[player] for player in spot.all_in)
        return f"{names[spot.player]} calls {raisers}" if raisers else f"{names[spot.player]} shoves"

    def as_dict(self) -> dict[str, Any]:
        """For JSON: by player for those who go all in first, by player and whom they call for the others."""
        names = self.game.names
        data: dict[str, Any] = {
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
            data[doing][name] = by_hand(played)
            data[f"ev_{doing}_bb"][name], data["ev_fold_bb"][name] = map(_evs_by_hand, self.evs[spot])
        data["undecided"] = {self.title(spot): list(hands) for spot, hands in self.undecided.items()}
        data["shares"] = {self.title(spot): share(played) for spot, played in self.often.items()}
        return data


def _evs_by_hand(evs: Floats) -> dict[str, float | None]:
    return {hand: None if np.isnan(ev) else ev for hand, ev in by_hand(evs).items()}


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
    gains = []
    for player in range(game.players):
        total = 0.0
        for spot, (all_in, fold) in evs.both(player, often).items():
            total += _regret(all_in - fold, often[spot])
        gains.append(max(total, 0.0))
    return tuple(gains)


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

    Up to the usual target it goes on until no hand is undecided, or some attempts to decide them have failed.

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
    work = _CfrPlus(game, evs, start)
    best, goal = _Best(evs, game), max(ROUGH, target)
    if start is not None:
        best.look_at(sharpen(evs, game, work.now))
    tried = 0
    # Who asks for less than usual wants an answer soon: then hands may be undecided.
    while not best.is_good(target, target > TARGET or tried >= MOST_SHARPENED) and work.done < iterations:
        seen = work.go_on()
        last = work.done == iterations
        if seen <= goal or last:
            best.look_at(work.now)
            if not best.is_good(target) and tried < MOST_SHARPENED:
                best.look_at(sharpen(evs, game, work.now))
                tried += 1
            goal = max(seen / FINER, target)
        if work.done % EVERY == 0 or last:
            best.look_at(work.means)
        if watch is not None:
            watch(work.done, seen)
    return MultiSolution(game, best.best, tuple(map(float, best.gains)), work.done, time.perf_counter() - started)


class _Best:
    """The best strategy so far: with the fewest hands that are wrong, and of those with the smallest gains."""

    def __init__(self, evs: Evs, game: MultiPushFold) -> None:
        self._evs, self._game = evs, game
        self.best: Often = {}
        self.gains: tuple[float, ...] = (np.inf,)
        self._wrong = 0

    def look_at(self, often: Often) -> None:
        """Keep a strategy if it is better."""
        gains = gains_of(self._evs, self._game, often)
        wrong = sum(int(hands.sum()) for hands in wrong_hands(self._evs, self._game, often).values())
        if (wrong, sum(gains)) < (self._wrong, sum(self.gains)) or not self.best:
            self.best, self.gains, self._wrong = {spot: played.copy() for spot, played in often.items()}, gains, wrong

    def is_good(self, target: float, undecided: bool = False) -> bool:
        """Whether nothing better is asked for; with `undecided`, some hands may be wrong."""
        done = bool(self.best) and (undecided or not self._wrong)
        return done and sum(self.gains) / len(self.gains) <= target


def by_hand_gains(evs: Evs, player: int, often: Often) -> dict[Spot, Floats]:
    """By spot of a player that comes up: what each hand that comes there wins more by going all in, in big blinds."""
    gains = {}
    for spot, (all_in, fold) in evs.both(player, often).items():
        reach = evs.reach(spot, often)
        if reach.sum() >= NEVER:
            gains[spot] = (all_in - fold) / np.where(reach > 0, reach, np.inf)
    return gains


def wrong_hands(evs: Evs, game: MultiPushFold, often: Often) -> dict[Spot, NDArray[np.bool_]]:
    """By spot, the hands that lose more than `ROUNDING`, played so often or as a chart has them; spots with any."""
    by_spot = {}
    for player in range(game.players):
        for spot, gain in by_hand_gains(evs, player, often).items():
            wrong = _is_wrong(gain, often[spot])
            if wrong.any():
                by_spot[spot] = wrong
    return by_spot


def _is_wrong(gain: Floats, played: Floats) -> NDArray[np.bool_]:
    """By hand: whether it loses more than `ROUNDING`, played so often, or in a chart in from one half on."""
    least, most = np.minimum(played, played >= IN), np.maximum(played, played >= IN)
    return np.asarray(np.maximum(gain * (1 - least), -gain * most) > ROUNDING)


def sharpen(evs: Evs, game: MultiPushFold, often: Often) -> Often:
    """The same strategy with every hand doing what wins more, everybody answering in turn.

    A hand whose answer goes to and fro takes smaller and smaller steps. Those few that do not come to rest are played
    both ways in an equilibrium, each so often that others' are indifferent: that is solved for, by Newton's method.
    """
    often = {spot: played.copy() for spot, played in often.items()}
    mixed: set[Hand] = set()
    for _ in range(TRIES):
        mixed = {(spot, hand) for spot, hand in mixed if 0 < often[spot][hand] < 1}  # others answer like all
        _answer(evs, game, often, mixed)
        wrong = wrong_hands(evs, game, often)
        mixed |= {(spot, int(i)) for spot, hands in wrong.items() for i in np.flatnonzero(hands)}
        if not wrong or len(mixed) > MOST_MIXED:
            return often
        for _ in range(NEWTON_STEPS):
            _make_indifferent(evs, often, sorted(mixed, key=lambda hand: (hand[0].player, hand[0].all_in, hand[1])))
            if not wrong_hands(evs, game, often):
                return often
    return often


def _answer(evs: Evs, game: MultiPushFold, often: Often, mixed: set[Hand]) -> None:
    """Rounds in which everybody answers in turn, but for hands that are known to be mixed."""
    before = {spot: np.zeros(CLASS_COUNT) for spot in often}
    steps = {spot: np.ones(CLASS_COUNT) for spot in often}
    for spot, hand in mixed:
        steps[spot][hand] = 0.0
    for _ in range(ROUNDS):
        wrong = False
        for player in range(game.players):
            for spot, gain in by_hand_gains(evs, player, often).items():
                wrong = wrong or bool((_is_wrong(gain, often[spot]) & (steps[spot] > 0)).any())
                side = np.where(np.abs(gain) > ROUNDING / 4, np.sign(gain), 0.0)
                steps[spot] = np.where(side * before[spot] < 0, steps[spot] / 2, np.minimum(steps[spot] * 1.2, 1.0))
                often[spot] = np.clip(often[spot] + side * steps[spot], 0, 1)
                before[spot] = np.where(side != 0, side, before[spot])
        if not wrong:
            return


def _make_indifferent(evs: Evs, often: Often, mixed: list[Hand]) -> None:
    """One step towards frequencies of these hands at which none of them gains by either move."""

    def gains() -> Floats:
        by_spot: dict[Spot, Floats] = {}
        for player in {spot.player for spot, _ in mixed}:
            by_spot |= by_hand_gains(evs, player, often)
        return np.array([by_spot[spot][hand] if spot in by_spot else 0.0 for spot, hand in mixed])

    now = gains()
    played = np.array([often[spot][hand] for spot, hand in mixed])
    settled = ((played <= 0) & (now <= 0)) | ((played >= 1) & (now >= 0))
    mixed, now = [hand for hand, pure in zip(mixed, settled, strict=True) if not pure], now[~settled]
    slopes = np.zeros((len(mixed), len(mixed)))
    for column, (spot, hand) in enumerate(mixed):
        before = float(often[spot][hand])
        moved = DIFFERENCE if before < IN else -DIFFERENCE
        often[spot] = _with(often[spot], hand, before + moved)
        slopes[:, column] = (gains() - now) / moved
        often[spot] = _with(often[spot], hand, before)
    change = np.linalg.lstsq(slopes, -now, rcond=1e-9)[0]
    for (spot, hand), step in zip(mixed, change.tolist(), strict=True):
        often[spot] = _with(often[spot], hand, float(np.clip(often[spot][hand] + step, 0, 1)))


def _with(played: Floats, hand: int, often: float) -> Floats:
    """Frequencies with another for one hand: a new array, since what was worked out is known by the old one."""
    changed = played.copy()
    changed[hand] = often
    return changed


class _CfrPlus:
    """CFR+ with two actions: regrets, what is played now, and its mean, later iterations counting more."""

    def __init__(self, game: MultiPushFold, evs: Evs, start: MultiSolution | None) -> None:
        self._game, self._evs = game, evs
        self._head = 0 if start is None else HEAD_START
        first = _guess(game) if start is None else start.often
        self.now, self.means = ({spot: first[spot].copy() for spot in game.spots} for _ in range(2))
        self._yes, self._no = ({spot: np.zeros(CLASS_COUNT) for spot in game.spots} for _ in range(2))
        self.done = 0

    def go_on(self) -> float:
        """One iteration; about how exploitable the strategy was during it."""
        self.done += 1
        total = 0.0
        for player in range(self._game.players):
            for spot, (all_in, fold) in self._evs.both(player, self.now).items():
                gain, played = all_in - fold, self.now[spot]
                total += _regret(gain, played)
                yes = self._yes[spot] = CFR_PLUS.grow_regrets(self._yes[spot], (1 - played) * gain, UNDISCOUNTED)
                no = self._no[spot] = CFR_PLUS.grow_regrets(self._no[spot], -played * gain, UNDISCOUNTED)
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
    before = np.empty(CLASS_COUNT)
    before[order] = (np.cumsum(CLASS_SIZES[order]) - CLASS_SIZES[order]) / COMBO_COUNT
    return {spot: (before < FIRST_GUESS[len(spot.all_in)]).astype(np.float64) for spot in game.spots}
