"""One hand over the protocol of the Annual Computer Poker Competition: what every seat is sent, what answers mean.

No sockets here. Positions are those of the protocol: 0 sits left of the button, the last one is the button. Amounts of
raises are totals for the whole hand; limit games have none.
"""

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from felt.cards.card import format_card, parse_cards
from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import UNKNOWN
from felt.games.rules import GameRules
from felt.games.views.public import PublicState
from felt.interop.acpc.log import is_limit
from felt.interop.acpc.writer import result_text

VERSION = "VERSION:2.0.0"
_VERSION = re.compile(r"VERSION:(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
_RAISE = re.compile(r"r\s*([+-]?\d{1,10})")
_CARD = [format_card(card) for card in range(52)]


class AcpcError(FeltError):
    """A message, an address or a game that the protocol has no place for."""


class Wrong(StrEnum):
    """What a player can do wrong without ending the match."""

    INVALID = "invalid"
    """An action that is none, or not allowed: a call stands in for it."""
    RESIZED = "resized"
    """A raise of too little or too much: the nearest that is allowed stands in for it."""
    UNASKED = "unasked"
    """An answer to another state, hand or seat than the one that was asked: ignored."""
    GARBAGE = "garbage"
    """A line that is no message: ignored."""


def is_version(line: str) -> bool:
    """Whether a player's first line says that it speaks this protocol."""
    match = _VERSION.match(line)
    return match is not None and int(match[1]) == 2 and int(match[2]) == 0


def known_deck(rules: GameRules, cards: str) -> tuple[int, ...]:
    """The deck such that these cards are dealt first: hands by position, then the board."""
    known = parse_cards(cards)
    return (*known, *(card for card in rules.deck if card not in known))


def asked_total(text: str) -> int | None:
    """The total for the hand that a raise like ``r300`` asks for; None if it is no raise."""
    digits = text[1:]
    if len(digits) < 10 and digits.isdigit() and digits.isascii() and text[0] == "r":
        return int(digits)
    match = _RAISE.match(text)
    return int(match[1]) if match else None


def hole_text(cards: Sequence[int]) -> str:
    """Cards as text; nothing where they are not known."""
    return "" if UNKNOWN in cards else "".join([_CARD[card] for card in cards])


class BettingForm(NamedTuple):
    """What of a game decides how its hands are told."""

    limit: bool
    boards: tuple[int, ...]
    """How many cards lie on the board in each round."""

    @classmethod
    def of(cls, rules: GameRules) -> "BettingForm":
        """The form of a game; for all its hands."""
        return cls(is_limit(rules), tuple(accumulate(part.board for part in rules.rounds)))


class Telling:
    """The betting and the board of one hand as text, move by move; of a hand, or of what one seat sees of it."""

    __slots__ = ("_form", "board", "street", "text")

    def __init__(self, form: BettingForm) -> None:
        self.text = self.board = ""
        self._form, self.street = form, 0

    def action(self, letter: str, total: int) -> str:
        """A move as text: ``f``, ``c`` or ``r``, and the `total` for the hand that it raises to."""
        return letter if letter != "r" or self._form.limit else f"r{total}"

    def turned(self, street: int, board: Sequence[int]) -> str:
        """Rounds have ended; returns what is new of the board."""
        ends, new = self._form.boards, ""
        for number in range(self.street, street):
            new += "/" + "".join([_CARD[card] for card in board[ends[number] : ends[number + 1]]])
        self.text += "/" * (street - self.street)
        self.street = street
        self.board += new
        return new


def before_street(state: PublicState, seat: int) -> int:
    """What a player has put in on earlier streets: the protocol counts it among the total of a raise."""
    return state.put[seat] - state.bets[seat]


class AcpcHand:
    """A hand as the dealer plays it.

    >>> from felt.interop.acpc.log import usual_game
    >>> rules = usual_game(2, limit=False)
    >>> dealt = AcpcHand(Hand.new(rules, deck=known_deck(rules, "5d5c9hQd")), 7)
    >>> dealt.turn, dealt.message(1)
    (1, 'MATCHSTATE:1:7::|9hQd')
    >>> dealt.answer("r300"), dealt.answer("x"), dealt.message(0)
    (None, <Wrong.INVALID: 'invalid'>, 'MATCHSTATE:0:7:r300c/:5d5c|/2c2d2h')
    """

    __slots__ = ("_heads", "_holes", "_limit", "_tails", "hand", "number", "telling")

    def __init__(self, hand: Hand, number: int, form: BettingForm | None = None) -> None:
        form = form or BettingForm.of(hand.rules)
        self.hand, self.number, self._limit = hand, number, form.limit
        self.telling = Telling(form)
        self._holes = holes = [hole_text(hand.cards(seat)) for seat in range(hand.players)]
        self._heads = [f"MATCHSTATE:{seat}:{number}:" for seat in range(len(holes))]
        last = len(holes) - 1
        self._tails = [f":{'|' * seat}{hole}{'|' * (last - seat)}" for seat, hole in enumerate(holes)]

    @property
    def turn(self) -> int:
        """The position to act; -1 at the end."""
        return self.hand.turn

    def message(self, seat: int) -> str:
        """What a position is told now, without the end of the line."""
        return self._heads[seat] + self.telling.text + self._tails[seat]

    def _show(self, shown: Sequence[int]) -> None:
        """All hands that were compared are seen by all."""
        holes, board = self._holes, self.telling.board
        self._tails = [
            ":"
            + "|".join([hole if place == seat or place in shown else "" for place, hole in enumerate(holes)])
            + board
            for seat in range(len(holes))
        ]

    def answer(self, text: str) -> Wrong | None:
        """Make the move of the player to act, or the one that stands in for it; says what was wrong.

        As the C dealer has it: what is no action, or not allowed, becomes a call; a fold is not allowed where there is
        nothing to call; a raise of too little or too much becomes the least or the most.
        """
        hand, letter = self.hand, text[:1]
        seat = hand.turn
        if letter == "c":
            hand.call()
            self._add_action("c")
            return None
        legal = hand.legal()
        if letter == "r" and legal.raise_to is not None:
            least, most = legal.raise_to
            hand_total = None if self._limit else asked_total(text)
            if self._limit or hand_total is not None:
                before = before_street(hand, seat)
                street_total = most if hand_total is None else hand_total - before
                total = least if street_total < least else most if street_total > most else street_total
                hand.raise_to(total)
                self._add_action(self.telling.action("r", total + before))
                return None if total == street_total else Wrong.RESIZED
        if letter == "f" and legal.fold and legal.call:
            hand.fold()
            self._add_action("f")
            return None
        hand.call()
        self._add_action("c")
        return Wrong.INVALID

    def _add_action(self, action: str) -> None:
        hand, telling = self.hand, self.telling
        telling.text += action
        street = hand.street
        if street != telling.street:
            new = telling.turned(street, hand.board)
            self._tails = [tail + new for tail in self._tails]
        if hand.turn < 0 and (shown := hand.showdown):
            self._show(shown)

    def values(self) -> "tuple[Fraction | int, ...]":
        """What everybody won or lost: pots are divided to fractions of a chip."""
        hand = self.hand
        winners = 1 if hand.players == 2 else sum(won > 0 for won in hand.won)
        if winners < 2:
            return hand.payoffs
        parts = math.lcm(*range(1, winners + 1))
        twin = hand.copy()
        numbers, _ = twin.arrays
        numbers[f.PUT : f.PUT + hand.players] *= parts
        numbers[f.DEAD] *= parts
        won = twin.winnings(hand.showdown)
        lost = (stack - before - start for stack, before, start in zip(
            hand.stacks, hand.won, hand.starting_stacks, strict=True
        ))  # fmt: skip
        return tuple(Fraction(share, parts) + less for share, less in zip(won, lost, strict=True))

    def log_line(self, values: Sequence[Fraction | int], names: Sequence[str]) -> str:
        """The line of a dealer's log; `names` by position."""
        telling, cards = self.telling, "|".join(self._holes)
        results = "|".join(map(result_text, values))
        return f"STATE:{self.number}:{telling.text}:{cards}{telling.board}:{results}:{'|'.join(names)}"
