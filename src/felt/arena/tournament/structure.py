"""The structure of a tournament: how its stakes rise, level by level, and what each place is paid, in buy-ins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from felt.errors import FeltError
from felt.games.catalogue import scaled, with_blinds
from felt.games.rules import GameRules, Rake
from felt.solvers.pushfold.icm import check_payouts

FACTORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Multiples of the stakes by default: they double every two levels."""
HANDS = 10

Blinds = tuple[int, int, int]
"""Small blind, big blind, ante."""


@dataclass(frozen=True)
class Schedule:
    """Levels as multiples of the game's own stakes, or as blinds and antes. After the last one stakes double at every
    level, until everybody who has to bet is all in before the cards are dealt: every tournament has an end."""

    levels: tuple[int | Blinds, ...] = FACTORS
    hands: int = HANDS
    """Hands of a level, at each table."""
    ante: float = 0.0
    """Paid by everybody, in big blinds, in place of the game's own antes; at levels without one of their own."""

    def __post_init__(self) -> None:
        if self.hands < 1:
            raise FeltError(f"{self.hands} hands in a level: give 1 or more")
        if not self.levels:
            raise FeltError("a schedule has at least one level")
        if not 0 <= self.ante <= 1:
            raise FeltError(f"ante {self.ante:g}: give a part of the big blind, from 0 to 1")

    def rules(self, rules: GameRules, level: int, chips: int) -> GameRules:
        """A game at a level of a tournament with so many chips in all. Nobody takes rake from a pot.

        >>> from felt.games import load
        >>> [Schedule().rules(load("nlhe"), level, 2000).blinds for level in (0, 1, 11, 12, 13)]
        [(1, 2), (2, 4), (64, 128), (128, 256), (256, 512)]
        """
        rules = replace(rules, rake=Rake())
        scaled_rules = self._level_rules(rules, self.levels[min(level, len(self.levels) - 1)])
        for _ in range(level - len(self.levels) + 1):
            if smallest_forced(scaled_rules) >= chips:
                break
            scaled_rules = scaled(scaled_rules, 2, most=chips)
        return scaled_rules

    def _level_rules(self, rules: GameRules, level: int | Blinds) -> GameRules:
        if not isinstance(level, int):
            return with_blinds(rules, *level)
        scaled_rules = scaled(rules, level)
        if not self.ante:
            return scaled_rules
        return replace(scaled_rules, ante=max(1, round(self.ante * scaled_rules.big_blind)), big_blind_ante=0)


def smallest_forced(rules: GameRules) -> int:
    """The smallest bet that somebody has to make in every hand; 0 where nobody has to."""
    forced = [rules.ante, rules.big_blind_ante, *rules.blinds, rules.bring_in]
    return min((amount for amount in forced if amount), default=0)


def factors(text: str) -> tuple[int, ...]:
    """Levels as they are typed, multiples of the stakes: ``1,2,4,8``."""
    try:
        levels = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise FeltError(f"levels {text!r}: write multiples of the stakes, like 1,2,3,4,6,8") from None
    if min(levels) < 1 or list(levels) != sorted(levels):
        raise FeltError(f"levels {text!r}: multiples are 1 or more, and do not fall")
    return levels


def blinds(text: str) -> tuple[Blinds, ...]:
    """Levels as they are typed, blinds and antes: ``10/20,15/30,25/50/5``."""
    levels = tuple(_blinds(text, part) for part in text.split(","))
    for (small, big, _), (next_small, next_big, _) in pairwise(levels):
        if next_small < small or next_big < big:
            raise FeltError(
                f"blinds {text!r}: {next_small}/{next_big} comes after {small}/{big}, and blinds do not fall"
            )
    return levels


def _blinds(text: str, part: str) -> Blinds:
    try:
        numbers: Sequence[int] = [int(number) for number in part.split("/")]
    except ValueError:
        numbers = ()
    if len(numbers) not in (2, 3):
        raise FeltError(f"blinds {text!r}: {part!r} is no level; write small/big or small/big/ante, like 10/20,25/50/5")
    small, big, ante = (*numbers, 0)[:3]
    return small, big, ante


def longest(schedule: Schedule, rules: GameRules, chips: int) -> int:
    """The level at which stakes rise no more."""
    base = schedule._level_rules(rules, schedule.levels[-1])
    doublings = ceil(chips / max(1, smallest_forced(base))).bit_length()
    return len(schedule.levels) + doublings


# Prizes: all that is paid in is paid out

SMALL = {2: (1.0,), 4: (1.0,), 7: (65.0, 35.0), 10: (50.0, 30.0, 20.0)}
"""Shares in small fields, by the most players that they are for."""
PAID = 0.15
"""Of a larger field, at least three; the prize of a place is one part in its number of the first."""


@dataclass(frozen=True)
class Payouts:
    """Prizes of the first places."""

    prizes: tuple[float, ...]

    @classmethod
    def of(cls, players: int, shares: Sequence[float] | None = None) -> "Payouts":
        """The buy-ins of so many players, shared out by `shares`, or as is usual.

        >>> Payouts.of(9).prizes
        (4.5, 2.7, 1.8)
        >>> [round(prize, 2) for prize in Payouts.of(20).prizes]
        [10.91, 5.45, 3.64]
        """
        if shares is None:
            shares = next((small for most, small in SMALL.items() if players <= most), None)
        if shares is None:
            shares = [1 / place for place in range(1, max(3, round(PAID * players)) + 1)]
        check_payouts(shares, players)
        return cls(tuple(players * share / sum(shares) for share in shares))

    @property
    def paid(self) -> int:
        """How many places are paid."""
        return sum(prize > 0 for prize in self.prizes)

    def shared(self, first: int, count: int) -> float:
        """What each of `count` players gets who share the places from `first` on, counted from 1.

        >>> Payouts((6.0, 4.0)).shared(2, 2)
        2.0
        """
        return sum(self.prizes[first - 1 : first - 1 + count]) / count


def shares(text: str) -> tuple[float, ...]:
    """Shares as they are typed: ``50,30,20``."""
    try:
        return tuple(float(part.strip().removesuffix("%")) for part in text.split(","))
    except ValueError:
        raise FeltError(f"payouts {text!r}: write shares of the first places, like 50,30,20") from None
