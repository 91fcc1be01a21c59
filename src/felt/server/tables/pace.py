"""How fast tables go, and how long they wait for people."""

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
