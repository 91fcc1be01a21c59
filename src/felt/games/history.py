"""One hand as it was played: what every reader of histories makes and every writer takes.

Seats are numbered 0 to n - 1, the button last unless `button` says otherwise; so seat 0 is the small blind, and
heads-up the big blind. Amounts are chips; a raise is told as the player's total for the street.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from felt.games.moves import EventKind
from felt.games.rules import GameRules

UNKNOWN = -1
"""A card that nobody saw."""


class Event(NamedTuple):
    """One thing that happened."""

    kind: EventKind
    seat: int = -1
    amount: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True)
class HandRecord:
    """A hand from posting to payment."""

    rules: GameRules
    stacks: tuple[int, ...]
    """Before antes and blinds."""
    antes: tuple[int, ...]
    posts: tuple[int, ...]
    """Blinds and straddles by seat."""
    events: tuple[Event, ...]
    button: int = -1
    """Seat of the button; -1 for the last one."""
    names: tuple[str, ...] = ()
    finishing: tuple[int, ...] | None = None
    """Stacks after the hand as the source has them; None where it does not say."""
    hand_id: str = ""
    unit: float = 1.0
    """What one chip is in the units of the source: 0.01 where dollars became cents."""
    currency: str = ""
    dead_antes: bool = False
    """Whether antes go to the pot as dead chips, matched by nobody, as a big blind's ante for all does."""
    meta: Mapping[str, str] = field(default_factory=dict)
    """What else the source knew: table, event, date …"""
    rake: int = 0
    """What the house took, where the source says so; `finishing` is after it."""
    sitting_out: tuple[int, ...] = ()
    """Seats that were dealt in without their players: the room posts, checks and folds for them."""
    cash_outs: tuple[int, ...] = ()
    """By seat, what the room paid a player who sold an all-in hand to it, whatever the cards were to bring; empty where
    nobody did. `finishing` tells of the pot alone."""

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Names by seat; where the source has none, ``seat 0`` and so on, as in the messages of the engine."""
        return self.names or tuple(f"seat {seat}" for seat in range(self.players))

    @property
    def players(self) -> int:
        """How many seats were dealt in."""
        return len(self.stacks)
