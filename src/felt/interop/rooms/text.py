"""What the text of all rooms has in common: hands one after another, lines, names, cards; and which rooms are not read.

Text histories have no quotes: a name stands at the beginning of a line, before a colon or a verb, and readers find it
by patterns. A player who is called ``*** SUMMARY ***`` or ``Bob: folds`` would end the hand, or fold for another. So
what could be taken for something else is written as percent signs and hexadecimal digits (``%3A``), as in web
addresses, and read again as what it was. Names that readers take for names stay as they are.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import quote, unquote

from felt.cards.card import CARD_NAMES
from felt.games.history import UNKNOWN, HandRecord
from felt.interop.histories import BrokenLineError, Histories, HistoryError, quoted, read_each

READ = "PHH, PokerStars, Full Tilt, ACPC logs and the IRC database"
"""What Felt reads, for messages."""

_ROOMS = tuple(
    (room, re.compile(pattern, re.IGNORECASE))
    for room, pattern in (
        ("Ignition", r"Ignition (?:Casino )?Hand #"),
        ("Bovada", r"Bovada (?:Poker )?Hand #"),
        ("Bodog", r"Bodog(?:\.\w+)? (?:Poker )?Hand #"),
        ("Run It Once", r"Run It Once Poker\b"),
        ("GGPoker", r"(?:GG ?Poker|Poker) Hand #[A-Z]{1,3}\d"),
        ("Winamax", r"Winamax Poker - "),
        ("888poker", r"\*{3,} ?(?:888|Cassava|Pacific)\S* (?:Poker )?Hand History\b"),
        ("Betfair", r"\*{3,} ?Betfair\b.*Hand History\b"),
        ("Everleaf", r"Everleaf\b|\*{3,} ?Hand history for game #"),
        ("PartyPoker", r"\*{3,} ?(?:Party\w* )?Hand History for Game \d"),
        ("Ongame", r"\*{3,} ?History for hand \S"),
        ("iPoker", r"(?:<\?xml[^>]*>\s*)?<session sessioncode="),
        ("Merge", r"(?:<\?xml[^>]*>\s*)?<description type="),
        ("Boss Media", r"(?:<\?xml[^>]*>\s*)?<HISTORY ID="),
        ("Microgaming", r"(?:<\?xml[^>]*>\s*)?<Game (?:hhversion|id)="),
        ("Absolute Poker", r"Stage #\d+:? "),
        ("Winning Poker Network", r"Game started at: |Hand #\d+ - (?:Holdem|Omaha|7Stud|5Stud|Seven)"),
        ("Cake", r"Hand#\w+ - "),
        ("Entraction", r"Game # ?\d+ - "),
        ("PKR", r"PKR\b.*\bHand\b|Table #\d+ - .*\bPKR\b"),
        ("CoinPoker", r"CoinPoker Hand #"),
        ("SwC Poker", r"Hand #\d+-\d+ - "),
    )
)


def other_room(line: str) -> str:
    """The room that begins its hands with such a line and that Felt does not read; empty if there is none.

    >>> other_room("Ignition Hand #3548320887: HOLDEM Tournament #18509313 TBL#1"), other_room("PokerStars Hand #1:")
    ('Ignition', '')
    """
    return next((room for room, begins in _ROOMS if begins.match(line)), "")


def not_read(room: str) -> str:
    """What to tell somebody who has hands of such a room."""
    return f"looks like a hand history of {room}, which Felt does not read; it reads {READ}"


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

    def read_hand(lines: list[Line]) -> HandRecord:
        if room := other_room(lines[0].text):
            raise LineError(lines[0], f"this {not_read(room)}")
        return read(lines)

    numbers = ((lines, re.search(r"#(\d+)", lines[0].text)) for lines in hands)
    each = ((lines[0].number, match[1] if match else "", partial(read_hand, lines)) for lines, match in numbers)
    return read_each(each, no_hand)


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
    matching = [i for i, name in enumerate(names) if text.startswith(name + after)]
    best = max(matching, key=lambda i: len(names[i]), default=-1)
    return (best, text[len(names[best]) + len(after) :]) if best >= 0 else (-1, text)


LONGEST = 60
"""Letters of a name before it is escaped; the rest is cut off, since readers bound their lines."""

_SIGNS = frozenset(":[]()*#|")
"""Signs that mean something in the text of rooms or in a log of ACPC."""

_WORDS = frozenset(
    (
        "antes", "bets", "board", "bring", "brings", "button", "calls", "cancelled", "cash", "cashed", "checks",
        "collected", "completes", "connected", "dealt", "discards", "disconnected", "folded", "folds", "game", "hand",
        "mucked", "mucks", "posts", "raises", "rake", "returned", "run", "said", "seat", "shows", "showed", "showdown",
        "sits", "sitting", "stands", "stp", "summary", "table", "ties", "timed", "total", "uncalled", "wins", "won",
    )
)  # fmt: skip
"""Words by which readers know lines; a name that has one among others must not look like such a line."""


def plain_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Names for a text of one hand, one for each player and no two alike.

    >>> plain_names(["Ann Lee", "*** SUMMARY ***", "Bob: folds"], 3)
    ('Ann Lee', '%2A%2A%2A%20SUMMARY%20%2A%2A%2A', 'Bob%3A%20folds')
    >>> plain_names(["Ann", "Ann"], 2)
    ('Player 1', 'Player 2')
    """
    if len(set(names)) != players or len(names) != players:
        return tuple(f"Player {seat + 1}" for seat in range(players))
    plain: list[str] = []
    for seat, name in enumerate(names):
        shown = escape_name(name) or f"Player {seat + 1}"
        while shown in plain or (shown != name and shown in names):
            shown += f"~{seat + 1}"
        plain.append(shown)
    return tuple(plain)


def escape_name(name: str) -> str:
    """A name as a line of text can hold it; the same where it can.

    >>> escape_name("Zoë 2.0"), escape_name("a\\x1b[31mb"), escape_name("Seat 1")
    ('Zoë 2.0', 'a%1B%5B31mb', 'Seat%201')
    """
    name = name.encode("utf-8", "replace").decode()  # half of a pair of surrogates is no letter
    if len(name) <= 12 * LONGEST and not any(letter == " " or _is_unsafe(letter) for letter in name):
        return name  # a word, or a name that was escaped before, and is longer for it
    shown = name[:LONGEST]
    words = shown.lower().split(" ")
    if all(words) and not any(map(_is_unsafe, shown)) and (len(words) == 1 or _WORDS.isdisjoint(words)):
        return shown
    return "".join(quoted_letter(letter) if letter in " %" or _is_unsafe(letter) else letter for letter in shown)


def read_names(shown: Sequence[str]) -> tuple[str, ...]:
    """The names of a text, those that `escape_name` made, or might have made, as they were before.

    >>> read_names(["Ann", "Bob%3A%20folds", "100%"])
    ('Ann', 'Bob: folds', '100%')
    """
    names = tuple(name if escape_name(unquote(name)) != name else unquote(name) for name in shown)
    return names if len(set(names)) == len(set(shown)) else tuple(shown)


def quoted_letter(letter: str) -> str:
    """A letter as percent signs and the hexadecimal digits of its UTF-8."""
    return quote(letter, safe="", errors="replace")


def _is_unsafe(letter: str) -> bool:
    return letter in _SIGNS or not letter.isprintable()
