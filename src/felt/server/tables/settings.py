"""What a live table is set up with, and what is said of something that cannot be done there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from felt.errors import FeltError
from felt.games import GameRules
from felt.games.catalogue import load_for, scaled
from felt.games.rules import RulesError

MOST_SEATS = 10
MOST_LEVELS = 40
"""More than any chips can double."""


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
    level = 0
    while level < MOST_LEVELS:
        try:
            _rules(game, seats, parameters, level + 1)
        except RulesError:
            break
        level += 1
    return level


@dataclass(frozen=True)
class TableSettings:
    """What a table is set up with."""

    game: str = "nlhe"
    parameters: tuple[tuple[str, Any], ...] = ()
    """Of the game, as the catalogue has them."""
    seats: int = 2
    stack: int = 0
    """What everybody sits down with; 0 for the usual stack of the game."""
    tournament: bool = False
    """Whoever loses all is out, and the last one wins; else chips can be bought again."""
    hands_per_level: int = 0
    """In a tournament, hands after which the stakes double; 0 for never."""
    time_limit: float = 15.0
    """Seconds for a decision."""
    time_bank: float = 30.0
    """Seconds that people have over for all their decisions together."""

    def __post_init__(self) -> None:
        """Refuse a table at which nobody could play."""
        rules = self.rules(0)
        if not rules.min_players <= self.seats <= min(rules.max_players, MOST_SEATS):
            most = min(rules.max_players, MOST_SEATS)
            least = rules.min_players
            fits = f"{least} to {most}" if least < most else least
            raise TableError("seats", f"{self.seats} seats for {self.game}: it is for {fits}")
        if self.stack < 0 or self.hands_per_level < 0:
            raise TableError(
                "stack", f"a stack of {self.stack} and {self.hands_per_level} hands a level: give 0 or more"
            )
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
        """Chips that a player sits down with."""
        rules = self.rules(0)
        return self.stack or rules.stack or 100 * rules.big_blind
