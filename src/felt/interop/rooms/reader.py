"""Lines that PokerStars and Full Tilt write alike: headings, cards dealt, the summary."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from felt.games.history import UNKNOWN, HandRecord
from felt.games.rules import Structure
from felt.interop.histories import AMOUNT, CHIPS, HistoryError, parse_amount
from felt.interop.rooms.table_hand import Header, Seated, TableHand
from felt.interop.rooms.text import Line, LineError, find_player, read_cards
from felt.interop.variants import DRAW_GAMES, STUD_GAMES

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
LIMITS = {"No Limit": Structure.NO_LIMIT, "Pot Limit": Structure.POT_LIMIT, "Limit": Structure.LIMIT}
DAY, TIME = r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d)", r"(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)"

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


Actions = Mapping[str, Callable[..., None]]
"""How a line goes on after the name, and what it does to a hand, with the named groups as arguments after the seat."""

COMMON: Actions = {
    rf"calls {CHIPS}": TableHand.call,
    rf"bets {CHIPS}": TableHand.bet,
    rf"brings in for {CHIPS}": TableHand.bring_it_in,
    r"stands pat": TableHand.draw,
    r"shows \[(?P<cards>.*?)\]": TableHand.show,
}
"""Actions that both rooms write alike."""


class RoomReader(ABC):
    """Takes the lines of a hand one by one."""

    actions: ClassVar[Actions]
    seat: ClassVar[re.Pattern[str]]
    """A line about a seat: its number, name and stack, and what follows."""

    @classmethod
    def read_hand(cls, lines: Sequence[Line]) -> HandRecord:
        """Go through the lines of a hand, and make a record of them."""
        _refuse_what_felt_cannot_keep(lines)
        end = next((i for i, line in enumerate(lines) if line.text.startswith("*** SUMMARY")), len(lines))
        seats = {line: match for line in lines[:end] if (match := cls.seat.fullmatch(line.text))}
        players = [
            Seated(int(match[1]), match[2], parse_amount(match[3]), "is sitting out" in (match[4] or ""))
            for match in seats.values()
        ]
        rest = [line for line in lines[1:] if line not in seats]
        hand = TableHand(cls.header(lines, players, rest), players)
        reader = cls(hand)
        for line in rest:
            try:
                reader.read(line.text)
            except HistoryError as error:
                raise LineError(line, error) from None
        return hand.record()

    @staticmethod
    @abstractmethod
    def header(lines: Sequence[Line], players: Sequence[Seated], rest: Sequence[Line]) -> Header:
        """What the first lines of a hand say; `rest` are the lines that are about no seat."""

    def __init__(self, hand: TableHand) -> None:
        self.hand = hand
        self.names = [seat.name for seat in hand.seats]
        self.over = False

    @abstractmethod
    def action(self, text: str) -> None:
        """A line about what somebody does, or about nothing that matters."""

    def act(self, i: int, text: str, actions: Actions) -> bool:
        """Make the action of a seat that a text stands for; whether it is one."""
        for pattern, action in actions.items():
            if match := re.match(pattern, text):
                groups: dict[str, Any] = {name: words for name, words in match.groupdict().items() if words}
                if "chips" in groups:
                    groups["chips"] = self.chips(groups["chips"])
                action(self.hand, i, **groups)
                return True
        return False

    def chips(self, amount: str) -> int:
        """An amount of the text in chips."""
        return self.hand.chips(parse_amount(amount))

    def read(self, text: str) -> None:
        """One line after those of the seats."""
        if text.startswith("*** "):
            self._heading(text)
        elif self.over:
            self._summary(text)
        elif text.startswith("Dealt to "):
            self._dealt(text.removeprefix("Dealt to "))
        elif text.startswith("Uncalled bet "):
            match = _UNCALLED.fullmatch(text)
            if match and match[3] in self.names:
                self.hand.seats[self.names.index(match[3])].returned += self.chips(match[1] or match[2])
        else:
            self.action(text)

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
        if pot := _POT.match(text):
            self.hand.rake = self.chips(pot[2])
        matches = (pattern.match(text) for pattern in (_MUCKED, _WON, _FOLDED))
        match = next((match for match in matches if match and match[1] in self.names), None)
        if match is None:
            return
        i, hand = self.names.index(match[1]), self.hand
        if match.re is _MUCKED:
            hand.learn(i, read_cards(match[2]))
        elif match.re is _WON:  # told again; only where the lines above were silent is it news
            if "pot not awarded as player cashed out" in match[3]:  # the house took the winner's place in the pot
                hand.collect(i, self.chips(match[2]))
            hand.seats[i].in_summary += self.chips(match[2])
        elif i not in hand.ledger.folded:  # the last fold is missing in texts of players who had left by then
            hand.fold(i)


def _refuse_what_felt_cannot_keep(lines: Sequence[Line]) -> None:
    """Hands that have no place in a `HandRecord`."""
    for line in lines:
        if line.text == "Hand cancelled":
            raise LineError(line, "the room took the hand back")
        if _TWICE.match(line.text):
            raise LineError(line, "run it twice: a hand of Felt has one board")
        if line.text.startswith(("STP added", "Cash Drop")):
            raise LineError(line, "the room added chips to the pot")


def one_of(names: Iterable[str]) -> str:
    """A pattern for any of some names, the longest that fits."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def date_of(date: re.Match[str] | None) -> dict[str, str]:
    """When a hand was played, as `HandRecord.meta` has it, from the groups of `DAY`, `TIME` and ``zone``."""
    if not date:
        return {}
    day = {"year": date["year"], "month": str(int(date["month"])), "day": str(int(date["day"]))}
    time = {"time": f"{int(date['hour']):02}:{date['minute']}:{date['second']}"}
    return day | time | ({"time_zone": date["zone"]} if date["zone"] else {})
