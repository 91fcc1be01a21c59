"""Deals told as events, from where the cards lie."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Protocol

from felt.games.history import Event
from felt.games.moves import EventKind
from felt.games.rules import GameRules

Cards = tuple[int, ...]


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


class InOrder:
    """A hand in which cards were dealt and then sorted, those face down first: here they follow as they were dealt."""

    def __init__(self, hand: "Lying", before: Sequence[tuple[Cards, Cards]], first: int) -> None:
        self.rules, self.players, self.button, self.board = hand.rules, hand.players, hand.button, hand.board
        self._hand, self._first = hand, first
        self._known = set(chain.from_iterable(held for held, _ in before))

    def cards(self, seat: int, /) -> Cards:
        """A player's cards: first those that were dealt before."""
        held, up = self._hand.cards(seat), self._hand.up_cards(seat)
        new = [card for card in held if card not in self._known]
        down, shown = (iter([card for card in new if (card in up) == is_up]) for is_up in (False, True))
        dealt = [card for card in held if card in self._known]
        for part in self.rules.rounds[self._first :]:
            dealt += [*islice(down, part.down), *islice(shown, part.up)]
        return tuple(dealt)


class Lying(Dealt, Protocol):
    """A hand of which all cards are known."""

    def up_cards(self, seat: int, /) -> Cards:
        """The cards of a player that lie face up."""


def turned_up(before: Sequence[tuple[Cards, Cards]], after: Sequence[tuple[Cards, Cards]], move: Event) -> list[Event]:
    """What everybody has turned up by a move: nothing until all have chosen."""
    if move.kind != EventKind.ROLL:
        return []
    shown = [
        tuple(card for card in now if card in held and card not in up)
        for (held, up), (_, now) in zip(before, after, strict=True)
    ]
    return [Event(EventKind.ROLLED, seat, 0, cards) for seat, cards in enumerate(shown) if cards]


def deals_between(hand: Dealt, first: int, last: int, board: int, counts: list[int]) -> Iterator[Event]:
    """The deals of rounds `first` to `last`, in the order of the deck.

    Before them `board` cards lay on the board and each player had `counts`, which are brought up to date.
    """
    after, shared = hand.button + 1, hand.board
    for part in hand.rules.rounds[first : last + 1]:
        dealt, any_dealt = part.down + part.up, False
        for seat in (*range(after, len(counts)), *range(after)) if dealt else ():
            at = counts[seat]
            new = hand.cards(seat)[at : at + dealt]
            counts[seat] = at + len(new)
            any_dealt = any_dealt or bool(new)
            if new[: part.down]:
                yield Event(EventKind.DOWN, seat, 0, new[: part.down])
            if new[part.down :]:
                yield Event(EventKind.UP, seat, 0, new[part.down :])
        size = part.board or int(dealt > 0 and not any_dealt)  # in stud one card for all, where the deck is too short
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
