"""Heads-up push/fold solved to a stated exploitability, by fictitious play or by CFR+.

Both run until nobody can win more than `target` by deviating, not for a fixed number of iterations. What they leave
blurred, the few classes that are played both ways, is then sharpened: their frequencies are those that make the
opponent's few indifferent, which is a small system of linear equations. Its answer is taken only if the exact best
responses win less against it.
"""

import time
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_COUNT
from felt.cards.ranges.range import Range
from felt.solvers.pushfold.game import Floats, Outcomes, PushFold, PushFoldError, check_target, class_table

ALGORITHMS = ("fictitious", "cfr+")
TARGET = 1e-5
"""Exploitability in big blinds at which a solution is good enough unless something else is asked for."""

MOST = 1_000_000
"""Iterations after which a solver gives up."""

EVERY = 10
"""Iterations of CFR+ between two looks at the exploitability."""

HEAD_START = 30
"""As how many iterations a start from a neighbouring solution counts."""

MIXED = 6
"""Classes of each player that are tried as mixed when a solution is sharpened."""

EXACT = 1e-12
"""Exploitability, in big blinds, below which only rounding is left."""


class Matrices(NamedTuple):
    """The game for the solvers: see `felt.solvers.pushfold.kernels`."""

    a: Floats
    u: Floats
    b: Floats
    v: Floats


def matrices(outcomes: Outcomes) -> Matrices:
    """The game as two matrices and two vectors."""
    chance, equity, prior, tie = class_table()
    win, lose = equity - tie / 2, 1 - equity - tie / 2
    small, big = (
        win * outcomes.sb_wins[who] + tie * outcomes.split[who] + lose * outcomes.bb_wins[who] for who in (0, 1)
    )
    a = chance * (small - outcomes.bb_folds[0])
    b = chance * (big - outcomes.bb_folds[1])
    u = prior * (outcomes.bb_folds[0] - outcomes.sb_folds[0])
    return Matrices(np.ascontiguousarray(a.T), u, b, np.zeros_like(u))


class HeadsUpEvs(NamedTuple):
    """What each class wins on average by each action, in big blinds; folding has the same for all."""

    shove: Floats
    sb_fold: float
    call: Floats  # nan where the big blind never meets a shove with it (only if nothing is shoved)
    bb_fold: float


def best_response_gains(outcomes: Outcomes, shove: Floats, call: Floats) -> tuple[float, float]:
    """What each player could win more by the best response to the other, exactly."""
    game = matrices(outcomes)
    small, big = call @ game.a + game.u, shove @ game.b
    return float(np.maximum(small, 0).sum() - shove @ small), float(np.maximum(big, 0).sum() - call @ big)


@dataclass(frozen=True)
class Solution:
    """An equilibrium of push/fold, as near as `exploitability` says."""

    game: PushFold
    shove: Floats = field(repr=False)
    """``[169]``: how often the small blind shoves each class."""
    call: Floats = field(repr=False)
    """``[169]``: how often the big blind calls with it."""
    exploitability: float
    """Big blinds a hand that best responses would win more, the mean of both players."""
    iterations: int
    seconds: float
    """What solving took, the table and the compiled code being loaded."""
    algorithm: str

    @cached_property
    def values(self) -> tuple[float, float]:
        """What the small and the big blind win a hand, in big blinds; they sum to 0 unless there is a rake."""
        outcomes, game = self.game.outcomes, matrices(self.game.outcomes)
        shoved = float(self.shove @ class_table().prior)
        small = outcomes.sb_folds[0] + float(self.shove @ (self.call @ game.a + game.u))
        big = outcomes.sb_folds[1] * (1 - shoved) + outcomes.bb_folds[1] * shoved
        return small, big + float(self.call @ (self.shove @ game.b))

    @cached_property
    def evs(self) -> HeadsUpEvs:
        """The EV of each class and action."""
        game, prior, chance = matrices(self.game.outcomes), class_table().prior, class_table().chance
        small, big = self.game.outcomes.sb_folds[0], self.game.outcomes.bb_folds[1]
        met = self.shove @ chance  # how likely each class of the big blind meets a shove
        with np.errstate(invalid="ignore"):
            calling = self.shove @ game.b / met + big
        return HeadsUpEvs((self.call @ game.a + game.u) / prior + small, small, calling, big)

    @property
    def shove_range(self) -> Range:
        """What the small blind shoves."""
        return Range.from_classes(self.shove)

    @property
    def call_range(self) -> Range:
        """What the big blind calls with."""
        return Range.from_classes(self.call)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: values in big blinds, frequencies and EVs by the name of the hand."""
        evs = self.evs
        return {
            "value_sb_bb": self.values[0],
            "value_bb_bb": self.values[1],
            "exploitability_bb": self.exploitability,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "algorithm": self.algorithm,
            "effective_bb": self.game.effective,
            "shove_share": share(self.shove),
            "call_share": share(self.call),
            "shove": by_hand(self.shove),
            "call": by_hand(self.call),
            "ev_shove_bb": by_hand(evs.shove),
            "ev_sb_fold_bb": evs.sb_fold,
            "ev_call_bb": by_hand(evs.call),
            "ev_bb_fold_bb": evs.bb_fold,
        }


def share(frequencies: Floats) -> float:
    """How many of the 1,326 combos are played, as a share."""
    return float(frequencies @ CLASS_SIZES) / COMBO_COUNT


def by_hand(numbers: Floats) -> dict[str, float]:
    """169 numbers by the names of their hands."""
    return dict(zip(CLASS_NAMES, numbers.tolist(), strict=True))


def solve(
    game: PushFold,
    *,
    algorithm: str = "fictitious",
    target: float = TARGET,
    iterations: int = MOST,
    start: Solution | None = None,
    sharpened: bool = True,
) -> Solution:
    """An equilibrium of a heads-up push/fold game.

    Stops when the exploitability is `target` or less, or after so many `iterations`. `start`, the solution of a
    similar game, saves most of them. Without `sharpened` the answer is the plain average of the algorithm.

    >>> solution = solve(PushFold(stacks=(10, 10)))
    >>> round(solution.values[0], 4), round(share(solution.shove), 3), round(share(solution.call), 3)
    (-0.0454, 0.583, 0.374)
    """
    if algorithm not in ALGORITHMS:
        raise PushFoldError(f"there is no algorithm {algorithm!r} for push/fold: choose {' or '.join(ALGORITHMS)}")
    check_target(target)
    if iterations < 1:
        raise PushFoldError(f"{iterations} iterations: give 1 or more")
    _load(algorithm)
    started = time.perf_counter()
    work = _Averages(matrices(game.outcomes), algorithm, start, sharpened)
    while work.reached > target and work.done < iterations:
        work.go_on(max(min(work.goal, work.blurred / 10), target), iterations)
    return Solution(
        game=game,
        shove=work.best[0],
        call=work.best[1],
        exploitability=max(sum(best_response_gains(game.outcomes, *work.best)) / 2, 0.0),  # rounding may fall below 0
        iterations=work.done,
        seconds=time.perf_counter() - started,
        algorithm=algorithm,
    )


@cache
def _load(algorithm: str) -> None:
    """Load the table and the compiled code, which take longer than any solve, before the clock starts."""
    _Averages(matrices(Outcomes(*[(0.0, 0.0)] * 5)), algorithm, None, False).go_on(np.inf, 1)


class _Averages:
    """An algorithm at work: its averages, and the best that was made of them."""

    def __init__(self, game: Matrices, algorithm: str, start: Solution | None, sharpened: bool) -> None:
        self._game, self._algorithm, self._sharpened = game, algorithm, sharpened
        self._head = 0 if start is None else HEAD_START
        first = np.full((2, CLASS_COUNT), 0.5) if start is None else (start.shove, start.call)
        self._means = first[0].copy(), first[1].copy()
        self._arrays = np.zeros((7, CLASS_COUNT))
        if algorithm == "cfr+":
            self._arrays[5:] = self._means
        else:
            self._arrays[2:4] = game.u, game.v
        self.done = 0
        self.best, self.reached = self._means, np.inf
        self.blurred = np.inf
        """The exploitability of the averages."""
        if start is not None:
            self._look()

    goal = 1e-5
    """Averages as good as this are worth sharpening."""

    def go_on(self, goal: float, most: int) -> None:
        """Iterate until the averages are as good as `goal`, and sharpen them."""
        from felt.solvers.pushfold.kernels import cfr_plus, fictitious_play

        left, work = most - self.done, (self._head + self.done, *self._means, self._arrays)
        if self._algorithm == "cfr+":
            done, _ = cfr_plus(*self._game, goal, left, min(EVERY, left), *work)
        else:
            done, _ = fictitious_play(*self._game, goal, left, *work)
        self.done += int(done)
        self._look()

    def _look(self) -> None:
        self.blurred = _exploitability(self._game, *self._means)
        self.best = sharpen(self._game, *self._means) if self._sharpened else self._means
        self.reached = _exploitability(self._game, *self.best)


def _exploitability(game: Matrices, shove: Floats, call: Floats) -> float:
    small, big = call @ game.a + game.u, shove @ game.b + game.v
    return float(np.maximum(small, 0).sum() - shove @ small + np.maximum(big, 0).sum() - call @ big) / 2


def sharpen(game: Matrices, shove: Floats, call: Floats) -> tuple[Floats, Floats]:
    """The same equilibrium with its mixed classes solved for; what was given if that is no better.

    In an equilibrium as many classes of one player are mixed as of the other, barring coincidence, and the frequencies
    of the one make those of the other indifferent. Which they are is guessed from how mixed the averages are.
    """
    small, big = call @ game.a + game.u, shove @ game.b + game.v
    best, least = (shove, call), _exploitability(game, shove, call)
    pure = (small > 0).astype(float), (big > 0).astype(float)
    prior = class_table().prior
    by_mixture = tuple(np.argsort(-np.minimum(often, 1 - often), kind="stable") for often in (shove, call))
    by_gain = tuple(np.argsort(np.abs(gain) / prior, kind="stable") for gain in (small, big))
    for ours, theirs in (by_mixture, by_gain):
        for mixed in range(MIXED + 1):
            if least < EXACT:
                return best
            tried = _indifferent(game, *pure, ours[:mixed], theirs[:mixed])
            if tried is not None and (reached := _exploitability(game, *tried)) < least:
                best, least = tried, reached
    return best


def _indifferent(
    game: Matrices, shove: Floats, call: Floats, ours: NDArray[np.intp], theirs: NDArray[np.intp]
) -> tuple[Floats, Floats] | None:
    """Pure frequencies, but for the classes of both that make each other indifferent; None if no numbers do."""
    shove, call = shove.copy(), call.copy()
    shove[ours], call[theirs] = 0, 0
    if len(ours):
        try:
            calls = np.linalg.solve(game.a[np.ix_(theirs, ours)].T, -(call @ game.a + game.u)[ours])
            shoves = np.linalg.solve(game.b[np.ix_(ours, theirs)].T, -(shove @ game.b + game.v)[theirs])
        except np.linalg.LinAlgError:
            return None
        call[theirs], shove[ours] = np.clip(calls, 0, 1), np.clip(shoves, 0, 1)
    return shove, call
