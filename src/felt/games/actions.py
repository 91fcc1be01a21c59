"""What a player may do, and does."""

from typing import NamedTuple

from felt.errors import FeltError
from felt.games.record import Move


class IllegalAction(FeltError):  # noqa: N818 - named after what the player did
    """A move that the rules do not allow; the message says which they do."""


class Action(NamedTuple):
    """A move: what, how much (a raise's total for the street), which cards (of an exchange)."""

    move: Move
    amount: int = 0
    cards: tuple[int, ...] = ()


class Legal(NamedTuple):
    """What the player to act may do."""

    fold: bool = False
    call: int | None = None
    """Chips to add: 0 is a check; None when there is nothing to call or check."""
    raise_to: tuple[int, int] | None = None
    """Least and most total for the street of a bet or raise; None when none is allowed."""
    exchange: tuple[str, int, int] | None = None
    """What is done with cards ("draw", "discard", "pass"), with how many at least and at most."""

    def __str__(self) -> str:
        parts = []
        if self.fold:
            parts.append("fold")
        if self.call is not None:
            parts.append(f"call {self.call}" if self.call else "check")
        if self.raise_to:
            least, most = self.raise_to
            parts.append(f"raise to {least}" if least == most else f"raise to {least}–{most}")
        if self.exchange:
            what, least, most = self.exchange
            parts.append(f"{what} {least} cards" if least == most else f"{what} {least} to {most} cards")
        return ", ".join(parts) or "nothing: the hand is over"
