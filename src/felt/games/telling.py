"""Deals told as events, from where the cards lie."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from felt.games.history import Event, EventKind
from felt.games.rules import GameRules


class Dealt(Protocol):
    """A hand, or what one seat sees of it."""

    @property
    def rules(self) -> GameRules: ...
    @property
    def players(self) -> int: ...
    @property
    def button(self) -> int: ...
    @property
    def board(self) -> tuple[int, ...]: ...
    def cards(self, seat: int, /) -> tuple[int, ...]:
        """A player's cards; -1 for one that is hidden."""


def deals_between(hand: Dealt, first: int, last: int, board: int, counts: list[int]) -> Iterator[Event]:
    """The deals of rounds `first` to `last`, in the order of the deck.

    Before them `board` cards lay on the board and each player had `counts`, which are brought up to date.
    """
    after, shared = hand.button + 1, hand.board
    for part in hand.rules.rounds[first : last + 1]:
        dealt, given = part.down + part.up, False
        for seat in (*range(after, len(counts)), *range(after)) if dealt else ():
            at = counts[seat]
            new = hand.cards(seat)[at : at + dealt]
            counts[seat] = at + len(new)
            given = given or bool(new)
            if new[: part.down]:
                yield Event(EventKind.DOWN, seat, 0, new[: part.down])
            if new[part.down :]:
                yield Event(EventKind.UP, seat, 0, new[part.down :])
        size = part.board or int(dealt > 0 and not given)  # in stud one card for all, where the deck is too short
        if size:
            yield Event(EventKind.BOARD, cards=shared[board : board + size])
            board += size


def with_deals(hand: Dealt, moves: Sequence[Event], untold: Sequence[tuple[int, int, int]]) -> list[Event]:
    """Moves with the deals between them, in a game where what is dealt stays where it lies.

    `untold` are the deals: before which move, of which rounds.
    """
    rounds, at = hand.rules.rounds, 0
    events: list[Event] = []
    for place, first, last in untold:
        events += moves[at:place]
        held, board = sum(part.down for part in rounds[:first]), sum(part.board for part in rounds[:first])
        events += deals_between(hand, first, last, board, [held] * hand.players)
        at = place
    return [*events, *moves[at:]]
