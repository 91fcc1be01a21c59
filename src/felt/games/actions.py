"""What a player may do, and does."""

from typing import NamedTuple

from felt.errors import FeltError
from felt.games.amounts import in_unit
from felt.games.moves import Move


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
    """What is done with cards ("draw", "discard", "pass", "roll"), with how many at least and at most."""

    def __str__(self) -> str:
        return self.describe()

    def describe(self, unit: float = 1.0) -> str:
        """What may be done in words; `unit` is what one chip is in the game's own amounts.

        >>> Legal(fold=True, call=1, raise_to=(4, 200)).describe(unit=0.5)
        'fold, call 0.5, raise to 2–100'
        """
        parts = []
        if self.fold:
            parts.append("fold")
        if self.call is not None:
            parts.append(f"call {in_unit(self.call, unit, grouped=False)}" if self.call else "check")
        if self.raise_to:
            low, high = (in_unit(total, unit, grouped=False) for total in self.raise_to)
            parts.append(f"raise to {low}" if low == high else f"raise to {low}–{high}")
        if self.exchange:
            verb, least, most = self.exchange
            parts.append(f"{verb} {least} cards" if least == most else f"{verb} {least} to {most} cards")
        return ", ".join(parts) or "nothing: the hand is over"
