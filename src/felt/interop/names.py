"""Names of players in text that other programs read line by line.

Text histories have no quotes: a name stands at the beginning of a line, before a colon or a verb, and readers find it
by patterns. A player who is called ``*** SUMMARY ***`` or ``Bob: folds`` would end the hand, or fold for another. So
what could be taken for something else is written as percent signs and hexadecimal digits (``%3A``), as in web
addresses, and read again as what it was. Names that readers take for names stay as they are.
"""

from collections.abc import Sequence
from urllib.parse import quote, unquote

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
