"""How fast tables go, how long they wait for people, and the time of their decisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from felt.server.tables.settings import TableError

SLOWEST_MOVE, SLOWEST_HAND = 10.0, 30.0


@dataclass(frozen=True)
class Speed:
    """How fast one table goes."""

    paused: bool = False
    """Whether it waits, and goes on step by step."""
    move_seconds: float = 0.6
    """Least time for an agent's move, so that people can follow."""
    hand_seconds: float = 4.0
    """Between a hand and the next."""

    def __post_init__(self) -> None:
        """Refuse what nobody could wait for."""
        if not 0 <= self.move_seconds <= SLOWEST_MOVE or not 0 <= self.hand_seconds <= SLOWEST_HAND:
            raise TableError(
                "pace",
                f"{self.move_seconds:g} s for a move and {self.hand_seconds:g} s after a hand: give 0 to "
                f"{SLOWEST_MOVE:g} s and 0 to {SLOWEST_HAND:g} s",
            )


@dataclass(frozen=True)
class Pace:
    """What a service does for all its tables, in seconds."""

    after_hand: float = 4.0
    agent: float = 0.6
    present: float = 45.0
    """How long somebody counts as there after they last asked."""
    close_after: float = 600.0
    """How long a table without people is kept when nobody looks at it."""
    abandon_after: float = 86400.0
    """The same for a table with people: they may come back until then."""

    @property
    def speed(self) -> Speed:
        """Of a table for which nobody has chosen one."""
        return Speed(move_seconds=self.agent, hand_seconds=self.after_hand)


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
