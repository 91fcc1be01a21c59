"""Lines that PokerStars and Full Tilt write alike: headings, cards dealt, the summary."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from felt.games.history import UNKNOWN, HandRecord
from felt.interop.histories import AMOUNT, HistoryError, parse_amount
from felt.interop.rooms.seats import Header, Seated
from felt.interop.rooms.table_hand import TableHand
from felt.interop.rooms.text import Line, LineError, find_player, read_cards
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


Act = Callable[[TableHand, int, re.Match[str]], None]
Patterns = tuple[tuple[str, Act], ...]
"""How a line goes on after the name, and what it means for a seat."""


def read_post(hand: TableHand, i: int, match: re.Match[str]) -> None:
    """A blind or a straddle, named in the first group, the amount in the second."""
    hand.post(i, parse_amount(match[2]), match[1], all_in=re.search("all[ -]in", match.string) is not None)


def read_discards(hand: TableHand, i: int, match: re.Match[str]) -> None:
    """Cards thrown away: how many, and which if the line says so."""
    hand.draw(i, int(match[1]), read_cards(match[2]) if match[2] else ())


COMMON: Patterns = (
    (rf"calls {AMOUNT}", lambda hand, i, match: hand.call(i, parse_amount(match[1]))),
    (rf"bets {AMOUNT}", lambda hand, i, match: hand.bet(i, parse_amount(match[1]))),
    (rf"brings in for {AMOUNT}", lambda hand, i, match: hand.bring_it_in(i, parse_amount(match[1]))),
    (r"stands pat", lambda hand, i, match: hand.draw(i, 0)),
    (r"shows \[(.*?)\]", lambda hand, i, match: hand.show(i, read_cards(match[1]))),
)
"""Actions that both rooms write alike."""


class RoomReader(ABC):
    """Takes the lines of a hand one by one."""

    patterns: ClassVar[tuple[tuple[re.Pattern[str], Act], ...]]

    def __init_subclass__(cls, patterns: Patterns) -> None:
        """A room has these actions beside the common ones."""
        cls.patterns = tuple((re.compile(pattern), act) for pattern, act in (*patterns, *COMMON))

    def __init__(self, hand: TableHand) -> None:
        self.hand = hand
        self.names = [seat.name for seat in hand.seats]
        self.over = False

    @abstractmethod
    def action(self, text: str) -> None:
        """A line about what somebody does, or about nothing that matters."""

    def act(self, i: int, text: str) -> bool:
        """Make the action of a seat that a text stands for; whether it is one."""
        for pattern, act in self.patterns:
            match = pattern.match(text)
            if match:
                act(self.hand, i, match)
                return True
        return False

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
        match = _UNCALLED.fullmatch(text)
        if match and match[3] in self.names:
            self.hand.give_back(self.names.index(match[3]), parse_amount(match[1] or match[2]))

    def _heading(self, text: str) -> None:
        match = _HEADING.fullmatch(text)
        if not match:
            raise HistoryError("a heading that is not closed")
        name = match[1].upper()
        self.over = self.over or name == "SUMMARY"
        if name in _LAST_DOWN and self.hand.header.game in STUD_GAMES:
            if match[2] is not None:  # too few cards for a full table: the last one is for all
                self.hand.board(read_cards(match[2]))
                return
            for i in self.hand.live():
                self.hand.deal(i, [UNKNOWN])
        elif name in _BOARD and match[2] is not None:
            cards = read_cards(match[3] if match[3] is not None else match[2])
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
            match = pattern.match(text)
            if match and match[1] in self.names:
                learn(self.names.index(match[1]), match)
                return

    def _mucked(self, i: int, match: re.Match[str]) -> None:
        self.hand.learn(i, read_cards(match[2]))

    def _won(self, i: int, match: re.Match[str]) -> None:
        """Told again; only where the lines above were silent is it news."""
        if "pot not awarded as player cashed out" in match[3]:  # the house took the winner's place in the pot
            self.hand.collect(i, parse_amount(match[2]))
        self.hand.seats[i].in_summary += self.hand.chips(parse_amount(match[2]))

    def _folded(self, i: int, match: re.Match[str]) -> None:
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


def read_seats(lines: Sequence[Line], pattern: re.Pattern[str]) -> tuple[list[Seated], list[Line]]:
    """The players of a hand, by lines before the summary, and the lines after the first that are no such lines."""
    end = next((i for i, line in enumerate(lines) if line.text.startswith(SUMMARY)), len(lines))
    matches = [pattern.fullmatch(line.text) if i < end else None for i, line in enumerate(lines)]
    players = [
        Seated(int(match[1]), match[2], parse_amount(match[3]), sitting_out="is sitting out" in (match[4] or ""))
        for match in matches
        if match
    ]
    return players, [line for line, match in zip(lines[1:], matches[1:], strict=True) if match is None]


def date_fields(year: str, month: str, day: str, hour: str, minute: str, second: str) -> dict[str, str]:
    """When a hand was played, as `HandRecord.meta` has it."""
    date = {"year": year, "month": str(int(month)), "day": str(int(day))}
    return {**date, "time": f"{int(hour):02}:{minute}:{second}"}


def read_lines(
    lines: Iterable[Line], header: Header, seats: Sequence[Seated], *, button: int, reader: type[RoomReader]
) -> HandRecord:
    """Go through the lines of a hand after those of the seats, and make a record of them."""
    hand = TableHand(header, seats, button=button)
    taking = reader(hand)
    for line in lines:
        try:
            taking.read(line.text)
        except HistoryError as error:
            raise LineError(line, error) from None
    return hand.record()
