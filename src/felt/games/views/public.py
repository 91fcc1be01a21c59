"""What a record says to everybody, of a hand or of what one seat sees of it: chips, pots, and deals told as events."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import add
from typing import TYPE_CHECKING

from felt.games.engine import fields as f
from felt.games.history import Event
from felt.games.moves import OVER, EventKind, Phase
from felt.games.rules import GameRules

if TYPE_CHECKING:
    from felt.games.engine.stakes import Stakes


Cards = tuple[int, ...]
Lying = Sequence[tuple[Cards, Cards]]
"""The cards of each player, all and those face up."""


class PublicState:
    """Chips, turns and counters, read from a record's numbers."""

    __slots__ = ()

    rules: GameRules

    @property
    def _ints(self) -> memoryview:
        """The numbers of the record, by the offsets of `felt.games.engine.fields`."""
        raise NotImplementedError

    @property
    def stakes(self) -> "Stakes":
        """Stacks, antes and blinds before the first card."""
        raise NotImplementedError

    @property
    def board(self) -> Cards:
        """The shared cards."""
        raise NotImplementedError

    def cards(self, seat: int) -> Cards:
        """A player's cards; -1 for one that is hidden."""
        raise NotImplementedError

    def up_cards(self, seat: int) -> Cards:
        """The cards of a player that lie face up."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """Whether the hand has been paid out."""
        return self._ints[f.PHASE] == OVER

    @property
    def players(self) -> int:
        """How many were dealt in."""
        return self._ints[f.PLAYERS]

    @property
    def turn(self) -> int:
        """The seat to act; -1 when the hand is over."""
        return self._ints[f.TURN]

    @property
    def street(self) -> int:
        """The round in play, counted from 0."""
        return self._ints[f.STREET]

    @property
    def phase(self) -> Phase:
        """What the hand waits for."""
        return Phase(self._ints[f.PHASE])

    @property
    def button(self) -> int:
        """The seat of the button."""
        return self._ints[f.BUTTON]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return tuple(map(add, self._chips(f.STACKS), self._chips(f.ASIDE)))

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips bet on this street, by seat."""
        return self._chips(f.BETS)

    @property
    def pot(self) -> int:
        """All chips in the middle, bets of the street included; 0 once paid."""
        return 0 if self.over else self._ints[f.DEAD] + sum(self._chips(f.PUT))

    @property
    def put(self) -> tuple[int, ...]:
        """Chips put in for the pot since the deal, by seat: bets, blinds, and antes unless they are dead."""
        return self._chips(f.PUT)

    @property
    def won(self) -> tuple[int, ...]:
        """Chips taken from the pot, by seat, uncalled bets included; nothing before the end."""
        return self._chips(f.WON)

    @property
    def rake(self) -> int:
        """Chips that the house took."""
        return self._ints[f.RAKE]

    @property
    def folded(self) -> tuple[bool, ...]:
        """Who has folded, by seat."""
        live = self._ints[f.LIVE]
        return tuple(not live >> seat & 1 for seat in range(self.players))

    @property
    def deck_left(self) -> int:
        """Cards left in the deck, before the muck would be shuffled."""
        return self._ints[f.DECK_COUNT] - self._ints[f.DECK_AT]

    def all_in(self, seat: int) -> bool:
        """Whether a player has put in all that they may, now or when the hand ended."""
        stacks, antes, _, dead_antes = self.stakes
        playable = min(stacks[seat], self.rules.cap or stacks[seat])
        dead = min(antes[seat], playable) if dead_antes else 0
        return self._ints[f.PUT + seat] + dead >= playable

    def _chips(self, field: int) -> tuple[int, ...]:
        return tuple(self._ints[field : field + self.players])


@dataclass(frozen=True)
class Pot:
    """The main pot or a side pot."""

    chips: int
    seats: tuple[int, ...]
    """Who may win it."""


def side_pots(hand: PublicState) -> Iterator[Pot]:
    """The pot in the parts that all-in players make of it, the main pot first.

    A part with one seat is a bet that nobody has called yet.
    """
    if hand.over:
        return
    put, live = hand.put, [seat for seat, folded in enumerate(hand.folded) if not folded]
    all_in = [seat for seat in live if hand.all_in(seat)]
    levels = {put[seat] for seat in all_in} | {max(put)}
    chips, below = hand.pot - sum(put), 0
    for level in sorted(levels):
        chips += sum(min(amount, level) - min(amount, below) for amount in put)
        below = level
        seats = tuple(seat for seat in live if put[seat] >= level or seat not in all_in)
        if chips and seats:
            yield Pot(chips, seats)
            chips = 0


def dealing_order(hand: PublicState, before: Lying, first: int) -> Callable[[int], Cards]:
    """Players' cards as they were dealt from round `first` on, behind those of `before`; they lie with those face down
    first.
    """
    known = set(chain.from_iterable(held for held, _ in before))

    def cards(seat: int) -> Cards:
        held, up = hand.cards(seat), hand.up_cards(seat)
        new = [card for card in held if card not in known]
        down, shown = (iter([card for card in new if (card in up) == is_up]) for is_up in (False, True))
        dealt = [card for card in held if card in known]
        for part in hand.rules.rounds[first:]:
            dealt += [*islice(down, part.down), *islice(shown, part.up)]
        return tuple(dealt)

    return cards


def turned_up(before: Lying, after: Lying, move: Event) -> list[Event]:
    """What everybody has turned up by a move: nothing until all have chosen."""
    if move.kind != EventKind.ROLL:
        return []
    shown = [
        tuple(card for card in now if card in held and card not in up)
        for (held, up), (_, now) in zip(before, after, strict=True)
    ]
    return [Event(EventKind.ROLLED, seat, 0, cards) for seat, cards in enumerate(shown) if cards]


def deals_between(
    hand: PublicState, first: int, last: int, board: int, counts: list[int], cards: Callable[[int], Cards]
) -> Iterator[Event]:
    """The deals of rounds `first` to `last`, in the order of the deck.

    Before them `board` cards lay on the board and each player had `counts`, which are brought up to date, of `cards`.
    """
    after, shared = hand.button + 1, hand.board
    for part in hand.rules.rounds[first : last + 1]:
        dealt, any_dealt = part.down + part.up, False
        for seat in (*range(after, len(counts)), *range(after)) if dealt else ():
            at = counts[seat]
            new = cards(seat)[at : at + dealt]
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


def with_deals(hand: PublicState, moves: Sequence[Event], untold: Sequence[tuple[int, int, int]]) -> list[Event]:
    """Moves with the deals between them, in a game where what is dealt stays where it lies.

    `untold` are the deals: before which move, of which rounds.
    """
    rounds, at = hand.rules.rounds, 0
    events: list[Event] = []
    for place, first, last in untold:
        events += moves[at:place]
        held, board = sum(part.down for part in rounds[:first]), sum(part.board for part in rounds[:first])
        events += deals_between(hand, first, last, board, [held] * hand.players, hand.cards)
        at = place
    return [*events, *moves[at:]]
