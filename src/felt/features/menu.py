"""The moves of a game as numbers 0 to n - 1, as learners want them, and which of them are allowed."""

import math
from collections.abc import Sequence
from functools import cache
from operator import index

import numpy as np
from numpy.typing import NDArray

from felt.games.actions import Action, IllegalAction, Legal
from felt.games.moves import Move
from felt.games.rules import GameRules, Structure
from felt.games.trees.tree import menu_amount, menu_amounts
from felt.games.views.public import PublicState

SIZES = (0.0, 0.5, 1.0, math.inf)
"""The usual raises, in pots: the least, half the pot, the pot, and all in."""

FOLD, CALL, FIRST_RAISE = 0, 1, 2

Mask = NDArray[np.int8]
Raises = dict[int, int]
"""What raises are allowed: by number, the total to raise to."""

_FOLD, _CALL = Action(Move.FOLD), Action(Move.CALL)


class Menu:
    """Moves by number: 0 folds, 1 checks or calls, then a raise for each size, then an exchange for each set of cards.

    Sizes that come to the same chips are one move, and the largest of them stands for it: so the last raise is allowed
    whenever a raise is. Folding where a check is free is not on the menu. Bit i of an exchange is the i-th of the
    player's cards in the order of their numbers (`places`).

    >>> from felt.games import Hand, load
    >>> menu = Menu(load("nlhe"))
    >>> menu.names
    ('fold', 'check or call', 'raise the least', 'raise 0.5 pots', 'raise 1 pot', 'raise the most')
    >>> hand = Hand.new(load("nlhe"), [200, 200])
    >>> raises = menu.raises(hand.legal(), hand)
    >>> raises
    {3: 4, 4: 6, 5: 200}
    >>> menu.mask(hand.legal(), raises).tolist(), menu.action(4, hand.legal(), raises).amount
    ([1, 1, 0, 1, 1, 1], 6)
    """

    def __init__(self, rules: GameRules, sizes: Sequence[float] | None = None) -> None:
        limit = all(part.betting.structure == Structure.LIMIT for part in rules.rounds if part.betting)
        chosen = ((math.inf,) if limit else SIZES) if sizes is None else sizes
        menu_amounts(chosen, 1, 1, high=0, pot=0)  # says what is wrong with a size
        self.sizes = tuple(sorted(set(map(float, chosen))))
        self.held = most_exchanged_from(rules)
        self.first_exchange = FIRST_RAISE + len(self.sizes)
        self.size = self.first_exchange + (1 << self.held if self.held else 0)
        """How many numbers there are."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each number stands for."""
        sets = range(1 << self.held if self.held else 0)
        return (
            "fold",
            "check or call",
            *(map(_size_name, self.sizes) if len(self.sizes) > 1 else ["raise"]),
            *(f"exchange {_set_name(bits)}" for bits in sets),
        )

    def none(self) -> Mask:
        """A mask that allows nothing."""
        return np.zeros(self.size, dtype=np.int8)

    def raises(self, legal: Legal, state: PublicState) -> Raises:
        """The raises that are allowed, by number: the totals to raise to."""
        if legal.raise_to is None:
            return {}
        least, most = legal.raise_to
        if least == most:
            return {self.first_exchange - 1: most}
        call = legal.call or 0
        high, pot = state.bets[state.turn] + call, state.pot + call
        numbers: dict[int, int] = {}  # by total: a larger size takes the place of a smaller one
        for number, size in enumerate(self.sizes, start=FIRST_RAISE):
            numbers[menu_amount(size, least, most, high, pot)] = number
        return {number: total for total, number in numbers.items()}

    def mask(self, legal: Legal, raises: Raises, held: int = 0) -> Mask:
        """1 for what the player to act may do, who has so many cards and these raises."""
        if legal.exchange:
            return _exchange_mask(self.first_exchange, self.size, held, *legal.exchange[1:]).copy()
        mask = self.none()
        if legal.call is not None:
            mask[CALL] = 1
            mask[FOLD] = legal.fold and legal.call > 0
        for number in raises:
            mask[number] = 1
        return mask

    def action(self, number: object, legal: Legal, raises: Raises, own: Sequence[int] = ()) -> Action:
        """The move that a number stands for; `IllegalAction` where it is not allowed."""
        chosen = self.number(number)
        if chosen in raises:
            return Action(Move.RAISE, raises[chosen])
        if chosen == CALL and legal.call is not None:
            return _CALL
        if chosen == FOLD and legal.fold and legal.call:
            return _FOLD
        if legal.exchange and chosen >= self.first_exchange:
            bits = chosen - self.first_exchange
            least, most = legal.exchange[1:]
            if bits < 1 << len(own) and least <= bits.bit_count() <= most:
                return Action(Move.EXCHANGE, 0, tuple(card for i, card in enumerate(places(own)) if bits >> i & 1))
        raise IllegalAction(f"action {chosen} ({self.names[chosen]}) is not allowed; legal now: {legal}")

    def number(self, answer: object) -> int:
        """The number itself, checked: one that no state has is nobody's move."""
        try:
            chosen = index(answer)  # type: ignore[arg-type]  # whatever else it is, the next lines say so
        except TypeError:
            chosen = -1
        if not 0 <= chosen < self.size:
            raise IllegalAction(f"{answer!r} is no action: actions are whole numbers from 0 to {self.size - 1}")
        return chosen


def places(own: Sequence[int]) -> list[int]:
    """A player's cards in the order in which exchanges and observations count them."""
    return sorted(own)


def most_exchanged_from(rules: GameRules) -> int:
    """The most cards among which a player chooses what to exchange; 0 in games without exchanges."""
    held = down = most = 0
    for part in rules.rounds:
        held += part.down + part.up
        down += part.down
        if part.rolls:
            most, down = max(most, down), down - part.rolls
        if part.passes:
            down = held  # what is passed on is covered again
        if part.passes or part.discards or part.draw_most:
            most = max(most, held)
        held -= part.discards
    return most


@cache
def _exchange_mask(first: int, size: int, held: int, least: int, most: int) -> Mask:
    sets = np.arange(1 << held)
    counts = sum((sets >> place & 1 for place in range(held)), start=np.zeros_like(sets))
    mask = np.zeros(size, dtype=np.int8)
    mask[first : first + len(sets)] = (least <= counts) & (counts <= most)
    return mask


def _size_name(size: float) -> str:
    if size in (0, math.inf):
        return "raise the most" if size else "raise the least"
    return f"raise {size:g} pot{'s' * (size != 1)}"


def _set_name(bits: int) -> str:
    cards = [str(place + 1) for place in range(bits.bit_length()) if bits >> place & 1]
    return f"cards {' '.join(cards)}" if cards else "none"
