"""The time of decisions: a limit for each, and for people a bank from which what goes over it is taken."""

from collections.abc import Sequence

REGAINED = 1.0
"""Seconds that come back to every bank after a hand."""


class Clock:
    """The clock of a table.

    >>> clock = Clock(limit=15.0, size=30.0, banks=[30.0, 30.0])
    >>> clock.follow((1, 0), 100.0)
    >>> clock.left(0, now=110.0), clock.left(0, now=120.0, bank=True)
    (5.0, 25.0)
    >>> clock.spend(0, now=120.0); clock.banks
    [25.0, 30.0]
    """

    def __init__(self, *, limit: float, size: float, banks: Sequence[float]) -> None:
        self.limit, self.size = limit, size
        self.banks = list(banks)
        """Seconds that the seats have over."""
        self.deadline: float | None = None
        """When the limit of this decision is reached; None while nobody has to act."""
        self._turn: tuple[int, int] | None = None

    def follow(self, turn: tuple[int, int] | None, now: float) -> None:
        """Whose decision it is, by hand and step; the time of a new one begins now."""
        if turn != self._turn:
            self._turn = turn
            self.deadline = None if turn is None else now + self.limit

    def left(self, seat: int, *, now: float, bank: bool = False) -> float:
        """Seconds that are left for the decision, with the bank of the seat or without."""
        return (self.deadline or now) - now + (self.banks[seat] if bank else 0.0)

    def spend(self, seat: int, *, now: float) -> None:
        """The seat has decided: what it took over the limit is gone from its bank."""
        self.banks[seat] = max(0.0, self.banks[seat] - max(0.0, -self.left(seat, now=now)))

    def fill(self, seat: int) -> None:
        """Somebody new sits here."""
        self.banks[seat] = self.size

    def regain(self) -> None:
        """A hand is over."""
        self.banks = [min(self.size, bank + REGAINED) for bank in self.banks]
