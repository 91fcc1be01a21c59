"""What goes into the service's database and comes out of it, as plain values."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from felt.errors import FeltError


class StoreError(FeltError):
    """The database cannot be opened, or does not take what it is given."""


class NameTakenError(FeltError):
    """An account has this name."""


class PasswordChangedError(FeltError):
    """The password that somebody has shown was changed meanwhile, or the account deleted."""


class CodeUsedError(FeltError):
    """A code that lets somebody in once has done so."""


class Player(NamedTuple):
    """Somebody who plays."""

    id: str
    name: str
    guest: bool


class Account(NamedTuple):
    """A player with a password."""

    player: Player
    password_hash: str
    recovery_hash: str | None
    """Of the code that lets somebody in who has lost the password; None where there is no code."""
    created: datetime


class StoredTable(NamedTuple):
    """A table as the database has it."""

    id: str
    saved: dict[str, Any]
    room: dict[str, Any]


class StoredSeat(NamedTuple):
    """Somebody's part in a hand that is over."""

    seat: int
    player: str | None
    name: str
    agent: str | None
    payoff: int
    counts: dict[str, Any] | None = None
    """What statistics count in this hand; None where nobody has counted."""


class StoredAction(NamedTuple):
    """One move of a hand that is over."""

    seat: int
    street: int
    move: str
    """fold, call (or check), raise (or bet) or exchange."""
    amount: int
    """Of a raise: the seat's total for the street."""
    cards: str
    """Of an exchange: those that were given away."""


class StoredHand(NamedTuple):
    """A hand that is over."""

    number: int
    game: str
    saved: dict[str, Any]
    result: dict[str, Any]
    deal: dict[str, str]
    seats: Sequence[StoredSeat]
    actions: Sequence[StoredAction] = ()


class StoredStrategy(NamedTuple):
    """A solved strategy, without its content."""

    name: str
    game: str
    players: int
    origin: str
    """How it was found, in words."""
    digest: str
    """SHA-256 of the content."""
    size: int
    """Bytes."""
    added: datetime
