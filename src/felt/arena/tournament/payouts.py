"""Who gets what: prizes by place, in buy-ins. All that is paid in is paid out."""

from collections.abc import Sequence
from dataclasses import dataclass

from felt.errors import FeltError
from felt.solvers.pushfold.icm import check_payouts

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
