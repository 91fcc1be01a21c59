"""Deals told as events, from where the cards lie."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from felt.games.history import Event, EventKind

if TYPE_CHECKING:
    from felt.games.hand import Hand


def deals_between(hand: "Hand", first: int, last: int, board: int, counts: list[int]) -> Iterator[Event]:
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
