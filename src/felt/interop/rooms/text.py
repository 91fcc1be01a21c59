"""What the text of all rooms has in common: hands one after another, lines, names, cards."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from felt.cards.card import CARD_NAMES
from felt.errors import FeltError
from felt.games.history import UNKNOWN, HandRecord
from felt.interop.histories import BrokenLineError, Histories, HistoryError, Problem, quoted
from felt.interop.rooms.unsupported import not_read, other_room

_CARDS = {name: card for card, name in enumerate(CARD_NAMES[:52])}
_CARDS |= {"10" + name[1]: card for name, card in _CARDS.items() if name[0] == "T"}
_CARDS["XX"] = UNKNOWN  # what trackers write for a card that was not shown


LONGEST_LINE = 2000
"""No room writes longer lines; what follows is not read."""


class Line(NamedTuple):
    """A line of a file."""

    number: int
    text: str


class LineError(BrokenLineError):
    """A hand that breaks at a certain line."""

    def __init__(self, line: Line, why: object) -> None:
        super().__init__(line.number, f"line {line.number}, {quoted(line.text)}: {why}")


def split_hands(text: str, begins: re.Pattern[str]) -> Iterator[list[Line]]:
    """The lines of each hand without empty ones; a hand goes on until the next begins."""
    hand: list[Line] = []
    for number, raw in enumerate(text.replace("\ufeff", "").splitlines(), start=1):
        line = " ".join(raw[:LONGEST_LINE].split())
        if not line:
            continue
        if begins.match(line):
            if hand:
                yield hand
            hand = [Line(number, line)]
        elif hand:
            hand.append(Line(number, line))
    if hand:
        yield hand


def read_all(hands: Iterable[list[Line]], read: Callable[[list[Line]], HandRecord], *, no_hand: str) -> Histories:
    """Read each hand by itself; those that break are listed with their line."""
    records: list[HandRecord] = []
    begins: list[int] = []
    problems: list[Problem] = []
    for lines in hands:
        first = lines[0]
        try:
            if room := other_room(first.text):
                raise LineError(first, f"this {not_read(room)}")
            records.append(read(lines))
            begins.append(first.number)
        except FeltError as error:
            number = error.number if isinstance(error, BrokenLineError) else first.number
            match = re.search(r"#(\d+)", first.text)
            problems.append(Problem(number, match[1] if match else "", str(error)))
    if not records and not problems:
        raise HistoryError(no_hand)
    return Histories(tuple(records), tuple(problems), tuple(begins))


def read_cards(text: str) -> tuple[int, ...]:
    """Cards with blanks between them, as in ``Ah Kd``."""
    cards = []
    for name in text.split():
        if name not in _CARDS:
            raise HistoryError(f"{quoted(name)} is not a card: rooms write them like 'Ah' or 'Tc'")
        cards.append(_CARDS[name])
    seen = [card for card in cards if card != UNKNOWN]
    if len(set(seen)) < len(seen):
        raise HistoryError(f"a card stands twice in {quoted(text)}")
    return tuple(cards)


def find_player(text: str, names: Sequence[str], after: str) -> tuple[int, str]:
    """Who a line is about, and the rest of it; -1 for nobody. Names may hold colons, blanks, anything.

    >>> find_player("Ann: B: folds", ["Ann", "Ann: B"], ": ")
    (1, 'folds')
    """
    best = -1
    for i, name in enumerate(names):
        if text.startswith(name + after) and (best < 0 or len(name) > len(names[best])):
            best = i
    return (best, text[len(names[best]) + len(after) :]) if best >= 0 else (-1, text)
