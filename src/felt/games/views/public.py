"""What the numbers of a record say to everybody: the same of a hand, and of what one seat sees of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING

from felt.games.engine import fields as f
from felt.games.moves import OVER, Phase
from felt.games.rules import GameRules

if TYPE_CHECKING:
    from felt.games.engine.stakes import Stakes


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
        stakes, cap = self.stakes, self.rules.cap
        playable = min(stakes.stacks[seat], cap or stakes.stacks[seat])
        dead = min(stakes.antes[seat], playable) if stakes.dead_antes else 0
        return self.put[seat] + dead >= playable

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
    levels = {put[seat] for seat in live if hand.all_in(seat)} | {max(put)}
    chips, below = hand.pot - sum(put), 0
    for level in sorted(levels):
        chips += sum(min(amount, level) - min(amount, below) for amount in put)
        below = level
        seats = tuple(seat for seat in live if put[seat] >= level or not hand.all_in(seat))
        if chips and seats:
            yield Pot(chips, seats)
            chips = 0
