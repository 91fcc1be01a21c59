"""The heads-up game of push or fold: who risks what for what, in big blinds.

The small blind goes all in or folds; the big blind calls or folds. Stacks are those before antes and blinds. What one
player has more than the other is never at risk, so only the smaller stack matters, and of it only a few sums do:
`PushFold.payoffs` has them, and two games with the same `PushFold.outcomes` are the same game.

In a tournament with prizes chips are worth what the independent chip model says, which depends on everybody's stacks:
then the two blinds play when everybody else has folded. Prizes are told in big blinds too, as if the chips in play had
bought them: with a single prize, a tournament is worth what its chips are.
"""

from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.solvers.pushfold.icm import check_payouts, won_prizes
from felt.solvers.pushfold.matchups import class_table

Floats = NDArray[np.float64]


MOST_BIG_BLINDS = 1_000_000
"""Deeper stacks than anybody plays: beyond them sums of chips lose the digits that EVs are made of."""

LEAST_CHIPS, MOST_CHIPS = 1e-6, 1e15
"""Amounts in any currency; what is beyond them is a slip of the keyboard."""


class PushFoldError(FeltError):
    """Stacks, blinds or antes with which nobody can play."""


class Payoffs(NamedTuple):
    """What the hand can end with, in big blinds won or lost since before the antes."""

    sb_folds: float
    """The small blind's loss by folding, less than 0; the big blind wins as much, and what others anted."""
    bb_folds: float
    """The big blind's loss by folding to a shove, less than 0; the small blind wins as much, and what others anted."""
    pot: float
    """The pot at the showdown, less the rake."""
    sb_risk: float
    """What the small blind has put into it."""
    bb_risk: float


class Outcomes(NamedTuple):
    """What each end of the hand is worth to the small and to the big blind, in big blinds."""

    sb_folds: tuple[float, float]
    bb_folds: tuple[float, float]
    sb_wins: tuple[float, float]
    split: tuple[float, float]
    bb_wins: tuple[float, float]


class Matrices(NamedTuple):
    """The game for the solvers: see `felt.solvers.pushfold.kernels`."""

    a: Floats
    u: Floats
    b: Floats
    v: Floats


@dataclass(frozen=True)
class PushFold:
    """Stacks of small and big blind, blinds, antes and rake, all in the same unit, whichever it is.

    >>> PushFold(stacks=(10, 10)).payoffs
    Payoffs(sb_folds=-0.5, bb_folds=-1.0, pot=20.0, sb_risk=10.0, bb_risk=10.0)
    >>> PushFold(stacks=(1500, 900), small_blind=50, big_blind=100).effective
    9.0
    """

    stacks: tuple[float, float]
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    """What each player puts in."""
    big_blind_ante: float = 0.0
    """What the big blind puts in for the table."""
    rake: float = 0.0
    """Share of the pot that the house takes when cards are shown: no flop, no drop."""
    rake_cap: float = inf
    payouts: tuple[float, ...] = ()
    """Prizes of a tournament, first place first; none for chips that are money."""
    others: tuple[float, ...] = ()
    """In a tournament, the stacks of those who have folded, before the antes, which they have paid too."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if len(self.stacks) != 2:
            raise PushFoldError(f"stacks {format_numbers(self.stacks)}: heads-up takes two, small blind first")
        check_stakes(self.small_blind, self.big_blind, self.ante, self.big_blind_ante)
        check_stacks(self.stacks, self.antes, ("small blind", "big blind"))
        stakes = self.small_blind, self.ante, self.big_blind_ante
        check_depth((*self.stacks, *self.others), stakes, self.big_blind)
        if not 0 <= self.rake < 1:
            raise PushFoldError(f"rake {self.rake:g}: write the share of the pot that is taken, like 0.05 or 5%")
        if not self.rake_cap >= 0:
            raise PushFoldError(f"rake cap {self.rake_cap:g} is negative: give the most that is taken")
        check_prizes(self.payouts, 2, self.others, self.ante)
        if self.payouts and self.rake:
            raise PushFoldError(f"rake {self.rake:g} with payouts: tournaments take none from pots, leave one out")

    @property
    def antes(self) -> tuple[float, float]:
        """What each of the two puts in before the blinds."""
        return self.ante, self.ante + self.big_blind_ante

    @property
    def effective(self) -> float:
        """The smaller stack, in big blinds."""
        return min(self.stacks) / self.big_blind

    @property
    def payoffs(self) -> Payoffs:
        """All that matters about the game."""
        sb_ante, bb_ante = self.antes
        live = min(self.stacks[0] - sb_ante, self.stacks[1] - bb_ante)
        # A blind that is more than the other can match comes back.
        sb_post, bb_post = min(self.small_blind, live), min(self.big_blind, live)
        pot = 2 * live + sb_ante + bb_ante + self.ante * len(self.others)
        pot -= min(self.rake * pot, self.rake_cap)
        sums = (-sb_ante - sb_post, -bb_ante - bb_post, pot, live + sb_ante, live + bb_ante)
        return Payoffs(*(float(chips / self.big_blind) for chips in sums))

    @cached_property
    def outcomes(self) -> Outcomes:
        """What each end of the hand is worth to both."""
        paid, dead = self.payoffs, self.ante * len(self.others) / self.big_blind
        ends = (
            (paid.sb_folds, dead - paid.sb_folds),
            (dead - paid.bb_folds, paid.bb_folds),
            (paid.pot - paid.sb_risk, -paid.bb_risk),
            (paid.pot / 2 - paid.sb_risk, paid.pot / 2 - paid.bb_risk),
            (-paid.sb_risk, paid.pot - paid.bb_risk),
        )
        return Outcomes(*(self._as_prizes(end) for end in ends)) if self.payouts else Outcomes(*ends)

    def _as_prizes(self, won: tuple[float, float]) -> tuple[float, float]:
        """Chips won and lost, in big blinds, as prizes won and lost."""
        before = [stack / self.big_blind for stack in (*self.stacks, *self.others)]
        folded = [-self.ante / self.big_blind] * len(self.others)
        small, big, *_ = won_prizes(before, [*won, *folded], self.payouts)
        return small, big


def check_target(target: float) -> None:
    """Refuse what is no exploitability to reach."""
    if not (isfinite(target) and target > 0):
        raise PushFoldError(f"target {target:g}: give an exploitability in big blinds above 0, like 1e-5")


def check_prizes(payouts: tuple[float, ...], players: int, others: tuple[float, ...], ante: float) -> None:
    """Refuse prizes that are none, and stacks of players who have folded: no more than the ante, or without prizes."""
    if payouts:
        check_payouts(payouts, players + len(others))
        check_stacks(others, (ante,) * len(others), ("others",) * len(others))
    elif others:
        raise PushFoldError(f"stacks of others {format_numbers(others)}: they matter with payouts only")


def check_depth(stacks: tuple[float, ...], stakes: tuple[float, ...], big_blind: float) -> None:
    """Refuse amounts whose ratio to the big blind leaves no digits for what a hand wins."""
    for name, amounts in (("stack", stacks), ("blind or ante", stakes)):
        for chips in amounts:
            if chips > MOST_BIG_BLINDS * big_blind or 0 < chips < big_blind / MOST_BIG_BLINDS:
                raise PushFoldError(
                    f"{name} {chips:g} with a big blind of {big_blind:g}: give amounts from a millionth of a big blind "
                    f"to {MOST_BIG_BLINDS:,} of them"
                )


def check_stacks(stacks: tuple[float, ...], antes: tuple[float, ...], names: tuple[str, ...]) -> None:
    """Refuse stacks that are no more than the ante."""
    for stack, ante, name in zip(stacks, antes, names, strict=True):
        if not (isfinite(stack) and 0 < stack <= MOST_CHIPS):
            raise PushFoldError(f"stack {stack:g} of the {name}: give a number above 0, at most {MOST_CHIPS:g}")
        if stack <= ante:
            raise PushFoldError(
                f"ante {ante:g} leaves the {name} nothing of a stack of {stack:g}: give more chips or a smaller ante"
            )


def check_stakes(small_blind: float, big_blind: float, ante: float, big_blind_ante: float) -> None:
    """Refuse blinds and antes that are none."""
    if not (isfinite(big_blind) and LEAST_CHIPS <= big_blind <= MOST_CHIPS):
        raise PushFoldError(f"big blind {big_blind:g}: give a number from {LEAST_CHIPS:g} to {MOST_CHIPS:g}")
    if not 0 <= small_blind <= big_blind:
        raise PushFoldError(f"small blind {small_blind:g}: give a number from 0 to the big blind, {big_blind:g}")
    for name, chips in (("ante", ante), ("big blind ante", big_blind_ante)):
        if not (isfinite(chips) and 0 <= chips <= MOST_CHIPS):
            raise PushFoldError(f"{name} {chips:g}: give a number, 0 or more, at most {MOST_CHIPS:g}")


def format_numbers(numbers: tuple[float, ...]) -> str:
    """Numbers as they are typed."""
    return ",".join(f"{number:g}" for number in numbers)


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
    call: Floats
    """Nan where the big blind never meets a shove with it (only if nothing is shoved)."""
    bb_fold: float


def expected_values(outcomes: Outcomes, shove: Floats, call: Floats) -> HeadsUpEvs:
    """The EV of every class and action when these frequencies are played."""
    game = matrices(outcomes)
    prior = class_table().prior
    met = shove @ class_table().chance  # how likely each class of the big blind meets a shove
    small, big = outcomes.sb_folds[0], outcomes.bb_folds[1]
    with np.errstate(invalid="ignore"):
        calling = shove @ game.b / met + big
    return HeadsUpEvs((call @ game.a + game.u) / prior + small, small, calling, big)


def values(outcomes: Outcomes, shove: Floats, call: Floats) -> tuple[float, float]:
    """What the small and the big blind win on average, in big blinds."""
    game = matrices(outcomes)
    shoved = float(shove @ class_table().prior)
    small = outcomes.sb_folds[0] + float(shove @ (call @ game.a + game.u))
    big = outcomes.sb_folds[1] * (1 - shoved) + outcomes.bb_folds[1] * shoved + float(call @ (shove @ game.b))
    return small, big


def best_response_gains(outcomes: Outcomes, shove: Floats, call: Floats) -> tuple[float, float]:
    """What each player could win more by the best response to the other, exactly."""
    game = matrices(outcomes)
    small, big = call @ game.a + game.u, shove @ game.b
    return (
        float(np.maximum(small, 0).sum() - shove @ small),
        float(np.maximum(big, 0).sum() - call @ big),
    )
