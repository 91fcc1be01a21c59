"""What a live table is set up with, how fast it goes, its clock, and the error of what cannot be done there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from felt.errors import FeltError
from felt.games import GameRules
from felt.games.catalogue import load_for, scaled
from felt.games.rules import RulesError

MOST_SEATS = 10
MOST_LEVELS = 40  # more than any chips can double
SLOWEST_MOVE, SLOWEST_HAND = 10.0, 30.0
REGAINED = 1.0  # seconds that come back to every bank after a hand


class TableError(FeltError):
    """Something that cannot be done at a table; `code` is for programs."""

    def __init__(self, code: str, message: str, *, retry_after: float | None = None) -> None:
        """`retry_after` says in how many seconds it may be done."""
        super().__init__(message)
        self.code, self.retry_after = code, retry_after


@lru_cache(maxsize=512)
def _rules(game: str, seats: int, parameters: tuple[tuple[str, Any], ...], level: int) -> GameRules:
    return scaled(load_for(game, seats, **dict(parameters)), 1 << level)


@lru_cache(maxsize=512)
def _top_level(game: str, seats: int, parameters: tuple[tuple[str, Any], ...]) -> int:
    """The last level whose amounts the rules can count."""
    for level in range(MOST_LEVELS):
        try:
            _rules(game, seats, parameters, level + 1)
        except RulesError:
            return level
    return MOST_LEVELS


@dataclass(frozen=True)
class TableSettings:
    """What a table is set up with."""

    game: str = "nlhe"
    parameters: tuple[tuple[str, Any], ...] = ()  # of the game, as the catalogue has them
    seats: int = 2
    stack: int = 0  # what everybody sits down with; 0 for the usual stack of the game
    tournament: bool = False  # whoever loses all is out, and the last one wins; else chips can be bought again
    hands_per_level: int = 0  # in a tournament, hands after which the stakes double; 0 for never
    time_limit: float = 15.0  # seconds for a decision
    time_bank: float = 30.0  # seconds that people have over for all their decisions together

    def __post_init__(self) -> None:
        rules = self.rules(0)
        least, most = rules.min_players, min(rules.max_players, MOST_SEATS)
        if not least <= self.seats <= most:
            fits = f"{least} to {most}" if least < most else least
            raise TableError("seats", f"{self.seats} seats for {self.game}: it is for {fits}")
        if self.stack < 0 or self.hands_per_level < 0:
            words = f"a stack of {self.stack} and {self.hands_per_level} hands a level: give 0 or more"
            raise TableError("stack", words)
        if not 0 < self.time_limit <= 3600:
            raise TableError("time_limit", f"{self.time_limit:g} s for a decision: give more than 0 and up to an hour")
        if not 0 <= self.time_bank <= 3600:
            raise TableError("time_bank", f"a time bank of {self.time_bank:g} s: give 0 or more, up to an hour")

    def rules(self, level: int) -> GameRules:
        """The game at a level of the stakes, which double from one to the next."""
        return _rules(self.game, self.seats, self.parameters, level)

    def level_after(self, hands: int) -> int:
        """How often the stakes have doubled when so many hands are over; they stop where amounts get too large."""
        if not (self.tournament and self.hands_per_level):
            return 0
        return min(hands // self.hands_per_level, _top_level(self.game, self.seats, self.parameters))

    @classmethod
    def restored(cls, values: Mapping[str, Any]) -> "TableSettings":
        """The settings in what a table has `saved`."""
        return cls(**{**values, "parameters": tuple((name, value) for name, value in values["parameters"])})

    @property
    def buy_in(self) -> int:
        rules = self.rules(0)
        return self.stack or rules.stack or 100 * rules.big_blind


@dataclass(frozen=True)
class Speed:
    """How fast one table goes."""

    paused: bool = False  # whether it waits, and goes on step by step
    move_seconds: float = 0.6  # least time for an agent's move, so that people can follow
    hand_seconds: float = 4.0  # between a hand and the next

    def __post_init__(self) -> None:
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
    present: float = 45.0  # how long somebody counts as there after they last asked
    close_after: float = 600.0  # how long a table without people is kept when nobody looks at it
    abandon_after: float = 86400.0  # the same for a table with people: they may come back until then

    @property
    def speed(self) -> Speed:
        """Of a table for which nobody has chosen one."""
        return Speed(move_seconds=self.agent, hand_seconds=self.after_hand)


class Clock:
    """The clock of a table: a limit for each decision, and for people a bank from which what goes over it is taken.

    >>> clock = Clock(limit=15.0, size=30.0, banks=[30.0, 30.0])
    >>> clock.follow((1, 0), 100.0)
    >>> clock.left(0, now=110.0), clock.left(0, now=120.0, bank=True)
    (5.0, 25.0)
    >>> clock.spend(0, now=120.0); clock.banks
    [25.0, 30.0]
    """

    def __init__(self, *, limit: float, size: float, banks: Sequence[float]) -> None:
        self.limit, self.size = limit, size
        self.banks = list(banks)  # seconds that the seats have over
        self.deadline: float | None = None  # when the limit of this decision is reached; None while nobody has to act
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
        self.banks[seat] = self.size

    def regain(self) -> None:
        """A hand is over."""
        self.banks = [min(self.size, bank + REGAINED) for bank in self.banks]
