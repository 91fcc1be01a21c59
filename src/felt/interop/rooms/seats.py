"""Who sits at a room's table, what is told of them, and the order of the game that follows from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from felt.games.history import Event
from felt.games.moves import MOVE_OF_EVENT, SHOWS, EventKind
from felt.games.rules import Structure
from felt.interop.variants import Game

_DECISIONS = (*MOVE_OF_EVENT, EventKind.DRAW)


@dataclass(frozen=True)
class Header:
    """What the first lines of a hand say."""

    hand_id: str
    game: Game
    structure: Structure
    low: Decimal
    """The small blind, or the small bet of a limit game."""
    high: Decimal
    """The big blind, or the big bet of a limit game."""
    places: int
    """Digits after the point in its money."""
    cap: Decimal = Decimal(0)
    currency: str = ""
    meta: dict[str, str] = field(default_factory=dict)


class Seated(NamedTuple):
    """A player as the lines of the seats have them."""

    number: int
    name: str
    stack: Decimal
    sitting_out: bool = False


@dataclass
class TableSeat:
    """A chair and what is known of who sits there."""

    number: int
    name: str
    stack: int
    dealt_in: bool = False
    ante: int = 0
    post: int = 0
    """Live chips posted, as they count for the others: a short blind counts whole."""
    blind: str = ""
    """``small``, ``big``, ``straddle`` or ``button`` for who posts in turn; ``extra`` for who takes a seat."""
    collected: int = 0
    returned: int = 0
    """Chips of an uncalled bet, where the text says so."""
    in_summary: int = 0
    """Chips that the summary says were collected."""
    held: list["Slot"] = field(default_factory=list)
    sitting_out: bool = False
    """Whether the player is away, so that the room acts for them: it never calls or raises."""
    cash_out: int = 0
    """Chips that the room paid for the hand."""
    mixed: bool = False
    """Whether unseen cards have been drawn, so that nobody can say which card came when."""


@dataclass(eq=False)
class Slot:
    """A card in a hand, known from the start, later or never."""

    card: int


@dataclass
class DraftEvent:
    """An event whose cards may become known later."""

    kind: EventKind
    seat: int = -1
    amount: int = 0
    slots: list[Slot] = field(default_factory=list)

    def event(self, at: dict[int, int]) -> Event:
        return Event(self.kind, at.get(self.seat, -1), self.amount, tuple(slot.card for slot in self.slots))


def in_order(seats: Sequence[TableSeat], button: int) -> list[int]:
    """Who is dealt in, from the left of the button on."""
    dealt = [i for i, seat in enumerate(seats) if seat.dealt_in]
    order = sorted(dealt, key=lambda i: (seats[i].number <= button, seats[i].number))
    if len(order) == 2 and seats[order[0]].blind == "small" and seats[order[1]].blind == "big":
        order.reverse()  # the button has moved to an empty chair: heads-up, the small blind has it
    return order


def blinds_of(seats: Sequence[TableSeat], order: Iterable[int], posts: Sequence[int]) -> tuple[int, ...]:
    """The blinds as rules: what is posted up to the one who acts last, posts out of turn left out."""
    order = list(order)
    forced = [
        post if seats[i].blind in ("small", "big", "straddle", "button") else 0
        for i, post in zip(order, posts, strict=True)
    ]
    if len(order) == 2:
        forced.reverse()
    while forced and not forced[-1]:
        forced.pop()
    return tuple(forced)


def shows_before_board(events: Sequence[Event]) -> list[Event]:
    """When all are in, hands are shown before the rest of the board; rooms tell it the other way round."""
    last = max((i for i, event in enumerate(events) if event.kind in _DECISIONS), default=-1)
    before, after = list(events[: last + 1]), events[last + 1 :]
    if not any(event.kind == EventKind.BOARD for event in after):
        return [*before, *after]
    shows = [event for event in after if event.kind in SHOWS]
    return [*before, *shows, *(event for event in after if event.kind not in SHOWS)]
