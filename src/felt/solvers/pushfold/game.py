"""The heads-up game of push or fold: who risks what for what, in big blinds.

The small blind goes all in or folds; the big blind calls or folds. Stacks are those before antes and blinds. What one
player has more than the other is never at risk, so only the smaller stack matters, and of it only a few sums do:
`PushFold.payoffs` has them, and two games with the same `PushFold.outcomes` are the same game.

In a tournament with prizes chips are worth what the independent chip model says, which depends on everybody's stacks:
then the two blinds play when everybody else has folded. Prizes are told in big blinds too, as if the chips in play had
bought them: with a single prize, a tournament is worth what its chips are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, isfinite
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import CLASS_COUNT, CLASS_SIZES, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.isomorphism import CLASS_REPRESENTATIVE
from felt.errors import FeltError
from felt.odds.equity.exact import BOARDS, matchup_counts
from felt.solvers.pushfold.icm import check_payouts, won_prizes

Floats = NDArray[np.float64]


class ClassTable(NamedTuple):
    """What two players can hold, by class."""

    chance: Floats  # [169, 169]: how likely the two are dealt these classes; sums to 1
    equity: Floats  # [169, 169]: share of the pot that the first wins against the second, all cards dealt
    prior: Floats  # [169]: how likely one player is dealt each class
    tie: Floats  # [169, 169]: how often the two split the pot


@cache
def class_table() -> ClassTable:
    """The table, made in a few milliseconds when it is first asked for.

    It is exact: every pair of combos that shares no card, every board. By symmetry of suits a strategy for the 169
    classes loses nothing to one for the 1,326 combos.

    >>> table = class_table()
    >>> round(float(table.equity[0, 14]), 4)  # AA against KK
    0.8195
    """
    rows = CLASS_REPRESENTATIVE.astype(np.intp)
    wins, ties = matchup_counts(rows, np.arange(COMBO_COUNT))
    apart = (COMBO_MASKS[rows][:, None] & COMBO_MASKS) == 0
    pairs, points, split = np.zeros((3, CLASS_COUNT, CLASS_COUNT))
    for row in range(CLASS_COUNT):
        pairs[row] = np.bincount(COMBO_CLASS, weights=apart[row], minlength=CLASS_COUNT)
        points[row] = np.bincount(COMBO_CLASS, weights=2.0 * wins[row] + ties[row], minlength=CLASS_COUNT)
        split[row] = np.bincount(COMBO_CLASS, weights=ties[row], minlength=CLASS_COUNT)
    chance, boards = pairs * CLASS_SIZES[:, None], BOARDS * pairs
    made = ClassTable(chance / chance.sum(), points / (2 * boards), CLASS_SIZES / COMBO_COUNT, split / boards)
    for array in made:
        array.flags.writeable = False
    return made


MOST_BIG_BLINDS = 1_000_000
"""Deeper stacks than anybody plays: beyond them sums of chips lose the digits that EVs are made of."""

LEAST_CHIPS, MOST_CHIPS = 1e-6, 1e15
"""Amounts in any currency; what is beyond them is a slip of the keyboard."""


class PushFoldError(FeltError):
    """Stacks, blinds or antes with which nobody can play."""


class Payoffs(NamedTuple):
    """What the hand can end with, in big blinds won or lost since before the antes."""

    sb_folds: float  # the small blind's loss by folding, less than 0; the big blind wins as much, and what others anted
    bb_folds: float
    """The big blind's loss by folding to a shove, less than 0; the small blind wins as much, and what others anted."""
    pot: float  # the pot at the showdown, less the rake
    sb_risk: float  # what the small blind has put into it
    bb_risk: float


class Outcomes(NamedTuple):
    """What each end of the hand is worth to the small and to the big blind, in big blinds."""

    sb_folds: tuple[float, float]
    bb_folds: tuple[float, float]
    sb_wins: tuple[float, float]
    split: tuple[float, float]
    bb_wins: tuple[float, float]


@dataclass(frozen=True)
class PushFoldStakes:
    """Stacks, blinds, antes and prizes, all in the same unit, whichever it is."""

    stacks: tuple[float, ...]
    """The small blind's, the big blind's, then in turn."""
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    """What each player puts in."""
    big_blind_ante: float = 0.0
    """What the big blind puts in for the table."""
    payouts: tuple[float, ...] = ()
    """Prizes of a tournament, first place first; none for chips that are money."""
    others: tuple[float, ...] = ()
    """In a tournament, the stacks of those who have folded already, before the antes, which they have paid too."""

    @property
    def antes(self) -> tuple[float, ...]:
        """What each of the players puts in before the blinds."""
        return self.ante, self.ante + self.big_blind_ante, *(self.ante,) * (len(self.stacks) - 2)

    def check(self, names: tuple[str, ...]) -> None:
        """Refuse what cannot be played; `names` are those of the players."""
        big_blind = self.big_blind
        if not (isfinite(big_blind) and LEAST_CHIPS <= big_blind <= MOST_CHIPS):
            raise PushFoldError(f"big blind {big_blind:g}: give a number from {LEAST_CHIPS:g} to {MOST_CHIPS:g}")
        if not 0 <= self.small_blind <= big_blind:
            raise PushFoldError(
                f"small blind {self.small_blind:g}: give a number from 0 to the big blind, {big_blind:g}"
            )
        for name, chips in (("ante", self.ante), ("big blind ante", self.big_blind_ante)):
            if not (isfinite(chips) and 0 <= chips <= MOST_CHIPS):
                raise PushFoldError(f"{name} {chips:g}: give a number, 0 or more, at most {MOST_CHIPS:g}")
        _check_stacks(self.stacks, self.antes, names)
        stakes = self.small_blind, self.ante, self.big_blind_ante
        for name, amounts in (("stack", (*self.stacks, *self.others)), ("blind or ante", stakes)):
            for chips in amounts:  # beyond these ratios no digits are left for what a hand wins
                if chips > MOST_BIG_BLINDS * big_blind or 0 < chips < big_blind / MOST_BIG_BLINDS:
                    raise PushFoldError(
                        f"{name} {chips:g} with a big blind of {big_blind:g}: give amounts from a millionth of a big "
                        f"blind to {MOST_BIG_BLINDS:,} of them"
                    )
        if self.payouts:
            check_payouts(self.payouts, len(self.stacks) + len(self.others))
            _check_stacks(self.others, (self.ante,) * len(self.others), ("others",) * len(self.others))
        elif self.others:
            raise PushFoldError(f"stacks of others {format_numbers(self.others)}: they matter with payouts only")

    def as_prizes(self, before: Sequence[float], won: Sequence[float]) -> tuple[float, ...]:
        """Chips won and lost by players with these stacks, in big blinds, as prizes won and lost."""
        folded = [-self.ante / self.big_blind] * len(self.others)
        behind = [stack / self.big_blind for stack in self.others]
        return won_prizes([*before, *behind], [*won, *folded], self.payouts)[: len(won)]


def _check_stacks(stacks: tuple[float, ...], antes: tuple[float, ...], names: tuple[str, ...]) -> None:
    """Refuse stacks that are no more than the ante."""
    for stack, ante, name in zip(stacks, antes, names, strict=True):
        if not (isfinite(stack) and 0 < stack <= MOST_CHIPS):
            raise PushFoldError(f"stack {stack:g} of the {name}: give a number above 0, at most {MOST_CHIPS:g}")
        if stack <= ante:
            raise PushFoldError(
                f"ante {ante:g} leaves the {name} nothing of a stack of {stack:g}: give more chips or a smaller ante"
            )


@dataclass(frozen=True)
class PushFold(PushFoldStakes):
    """The game of small and big blind; the house may take a rake.

    >>> PushFold(stacks=(10, 10)).payoffs
    Payoffs(sb_folds=-0.5, bb_folds=-1.0, pot=20.0, sb_risk=10.0, bb_risk=10.0)
    >>> PushFold(stacks=(1500, 900), small_blind=50, big_blind=100).effective
    9.0
    """

    rake: float = 0.0
    """Share of the pot that the house takes when cards are shown: no flop, no drop."""
    rake_cap: float = inf

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if len(self.stacks) != 2:
            raise PushFoldError(f"stacks {format_numbers(self.stacks)}: heads-up takes two, small blind first")
        self.check(("small blind", "big blind"))
        if not 0 <= self.rake < 1:
            raise PushFoldError(f"rake {self.rake:g}: write the share of the pot that is taken, like 0.05 or 5%")
        if not self.rake_cap >= 0:
            raise PushFoldError(f"rake cap {self.rake_cap:g} is negative: give the most that is taken")
        if self.payouts and self.rake:
            raise PushFoldError(f"rake {self.rake:g} with payouts: tournaments take none from pots, leave one out")

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
        if not self.payouts:
            return Outcomes(*ends)
        before = [stack / self.big_blind for stack in self.stacks]
        return Outcomes(*(cast(tuple[float, float], self.as_prizes(before, end)) for end in ends))


def check_target(target: float) -> None:
    """Refuse what is no exploitability to reach."""
    if not (isfinite(target) and target > 0):
        raise PushFoldError(f"target {target:g}: give an exploitability in big blinds above 0, like 1e-5")


def format_numbers(numbers: tuple[float, ...]) -> str:
    """Numbers as they are typed."""
    return ",".join(f"{number:g}" for number in numbers)
