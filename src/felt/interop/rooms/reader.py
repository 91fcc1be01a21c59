"""Lines that PokerStars and Full Tilt write alike: headings, cards dealt, the summary."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from felt.games.history import UNKNOWN, HandRecord
from felt.interop.amounts import AMOUNT, parse_amount
from felt.interop.histories import HistoryError
from felt.interop.room_seats import Header, Seated
from felt.interop.room_text import Line, LineError, find_player, read_cards
from felt.interop.rooms import TableHand
from felt.interop.variants import DRAW_GAMES, STUD_GAMES

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
SUMMARY = "*** SUMMARY"

_HEADING = re.compile(r"\*\*\* (.*?) \*\*\*(?: \[(.*?)\])?(?: \[(.*?)\])?.*")
_POT = re.compile(rf"Total pot {AMOUNT}.*\| Rake {AMOUNT}")
_PLACE = r"(?: \((?:button|small blind|big blind|button blind)\))*"
_MUCKED = re.compile(rf"Seat \d+: (.*?){_PLACE} mucked \[(.*?)\]")
_WON = re.compile(rf"Seat \d+: (.*?){_PLACE} (?:showed .*? and won|collected) \({AMOUNT}\)(.*)")
_UNCALLED = re.compile(rf"Uncalled bet (?:of {AMOUNT}|\({AMOUNT}\)) returned to (.*)")
_FOLDED = re.compile(rf"Seat \d+: (.*?){_PLACE} (?:folded|didn't bet \(folded\))")
_TWICE = re.compile(
    r"\*\*\* (?:(?:FIRST|SECOND) (?:FLOP|TURN|RIVER|SHOW ?DOWN)|(?:FLOP|TURN|RIVER|SHOW DOWN) [12] )|Hand was run twice"
)
_BOARD = {"FLOP": 3, "TURN": 1, "RIVER": 1}
_BEFORE = {"FLOP": 0, "TURN": 3, "RIVER": 4}
_LAST_DOWN = ("RIVER", "7TH STREET")


class RoomReader(ABC):
    """Takes the lines of a hand one by one."""

    def __init__(self, hand: TableHand) -> None:
        self.hand = hand
        self.names = [seat.name for seat in hand.seats]
        self.over = False

    @abstractmethod
    def action(self, text: str) -> None:
        """A line about what somebody does, or about nothing that matters."""

    def read(self, text: str) -> None:
        """One line after those of the seats."""
        if text.startswith("*** "):
            self._heading(text)
        elif self.over:
            self._summary(text)
        elif text.startswith("Dealt to "):
            self._dealt(text.removeprefix("Dealt to "))
        elif text.startswith("Uncalled bet "):
            self._uncalled(text)
        else:
            self.action(text)

    def _uncalled(self, text: str) -> None:
        found = _UNCALLED.fullmatch(text)
        if found and found[3] in self.names:
            self.hand.give_back(self.names.index(found[3]), parse_amount(found[1] or found[2]))

    def _heading(self, text: str) -> None:
        found = _HEADING.fullmatch(text)
        if not found:
            raise HistoryError("a heading that is not closed")
        name = found[1].upper()
        self.over = self.over or name == "SUMMARY"
        if name in _LAST_DOWN and self.hand.header.game in STUD_GAMES:
            if found[2] is not None:  # too few cards for a full table: the last one is for all
                self.hand.board(read_cards(found[2]))
                return
            for i in self.hand.live():
                self.hand.deal(i, [UNKNOWN])
        elif name in _BOARD and found[2] is not None:
            cards = read_cards(found[3] if found[3] is not None else found[2])
            if len(cards) != _BOARD[name] or self.hand.board_cards != _BEFORE[name]:
                raise HistoryError(f"{len(cards)} cards on the {name.lower()} after {self.hand.board_cards}")
            self.hand.board(cards)

    def _dealt(self, text: str) -> None:
        i, rest = find_player(text, self.names, " [")
        if i < 0:
            raise HistoryError("cards are dealt to nobody at the table")
        groups = [read_cards(group) for group in rest.removesuffix("]").split("] [")]
        if self.hand.header.game in STUD_GAMES:
            self._dealt_stud(i, groups)
            return
        cards = [card for group in groups for card in group]
        if not self.hand.seats[i].held and self.hand.header.game in DRAW_GAMES:
            self.hand.deal(i, cards)
        self.hand.learn(i, cards)
        self.hand.hero = self.hand.seats[i].name

    def _dealt_stud(self, i: int, groups: list[tuple[int, ...]]) -> None:
        """Third street is one card up, or a whole hand; later streets show what was there and what is new."""
        hand, new = self.hand, groups[-1]
        held = len(hand.seats[i].held)
        if not held:
            cards = [card for group in groups for card in group]
            if len(cards) > 1:
                hand.hero = hand.seats[i].name
            hand.deal(i, ([UNKNOWN] * 2 + cards)[-3:-1])
            hand.deal(i, cards[-1:], up=True)
        elif held < 6:
            hand.deal(i, new, up=True)
        else:
            hand.learn(i, new)

    def _summary(self, text: str) -> None:
        pot = _POT.match(text)
        if pot:
            self.hand.rake = self.hand.chips(parse_amount(pot[2]))
        for pattern, learn in ((_MUCKED, self._mucked), (_WON, self._won), (_FOLDED, self._folded)):
            found = pattern.match(text)
            if found and found[1] in self.names:
                learn(self.names.index(found[1]), found)
                return

    def _mucked(self, i: int, found: re.Match[str]) -> None:
        self.hand.learn(i, read_cards(found[2]))

    def _won(self, i: int, found: re.Match[str]) -> None:
        """Told again; only where the lines above were silent is it news."""
        if "pot not awarded as player cashed out" in found[3]:  # the house took the winner's place in the pot
            self.hand.collect(i, parse_amount(found[2]))
        self.hand.seats[i].in_summary += self.hand.chips(parse_amount(found[2]))

    def _folded(self, i: int, found: re.Match[str]) -> None:
        """The last fold of a hand is missing in texts of players who had left by then."""
        if i not in self.hand.ledger.folded:
            self.hand.fold(i)


def refuse_what_felt_cannot_keep(lines: Sequence[Line]) -> None:
    """Hands that have no place in a `HandRecord`."""
    for line in lines:
        if line.text == "Hand cancelled":
            raise LineError(line, "the room took the hand back")
        if _TWICE.match(line.text):
            raise LineError(line, "run it twice: a hand of Felt has one board")
        if line.text.startswith(("STP added", "Cash Drop")):
            raise LineError(line, "the room added chips to the pot")


def read_lines(
    lines: Sequence[Line],
    header: Header,
    seats: Sequence[Seated],
    *,
    button: int,
    skip: Sequence[bool],
    reader: type[RoomReader],
) -> HandRecord:
    """Go through the lines of a hand, but for the first and those to skip, and make a record of them."""
    hand = TableHand(header, seats, button=button)
    taking = reader(hand)
    for line, done in zip(lines[1:], skip[1:], strict=True):
        if done:
            continue
        try:
            taking.read(line.text)
        except HistoryError as error:
            raise LineError(line, error) from None
    return hand.record()
