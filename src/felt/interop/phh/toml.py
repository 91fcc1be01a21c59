"""The TOML of one hand of PHH, read within bounds.

Python's own reader takes time and memory that grow with the square of a key's parts: one line of 40 kB like
``a.a.a…=1`` keeps it busy for seconds and fills gigabytes. A hand has no use for such keys, so they are refused before
it sees them, by a scan that looks at every character once.
"""

import re
import tomllib
from decimal import Decimal
from typing import Any

from felt.interop.histories import BrokenLineError, HistoryError

MOST_CHARACTERS = 100_000
"""In one hand; the longest that people have written down are of some 10,000."""

MOST_DEPTH = 16
"""Parts of a key, and brackets within brackets."""

_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[.=,\n\[\]{}]",
    re.DOTALL,
)
"""Strings and comments, whose insides do not count, and the signs that do."""

_PLACE = re.compile(r" \(at (line (\d+), column \d+|end of document)\)")


def parse_phh(text: str, *, first_line: int = 1) -> dict[str, Any]:
    """The fields of one hand; decimals stay exact. `first_line` is where the text begins in its file.

    >>> parse_phh("variant = 'NT'\\nantes = [0.5, 0.5]")
    {'variant': 'NT', 'antes': [Decimal('0.5'), Decimal('0.5')]}
    >>> parse_phh("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1")
    Traceback (most recent call last):
      ...
    felt.interop.histories.BrokenLineError: line 1: a key of more than 16 parts: no hand of PHH has such
    """
    _check_bounds(text, first_line)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise HistoryError("not TOML: brackets are nested without end") from None
    except (ValueError, ArithmeticError) as error:  # what its parsers of numbers raise is not always a TOML error
        message = str(error)
        place = _PLACE.search(message)
        if place is None:
            raise HistoryError(f"not TOML: {message.lower()}") from None
        message = f"not TOML: {message[: place.start()].lower()}"
        if not place[2]:
            raise HistoryError(f"at the end: {message}") from None
        number = first_line - 1 + int(place[2])
        raise BrokenLineError(number, f"line {number}: {message}") from None


def _check_bounds(text: str, first_line: int) -> None:
    if len(text) > MOST_CHARACTERS:
        raise HistoryError(
            f"the hand is {len(text):,} characters long: one of PHH has at most {MOST_CHARACTERS:,}; "
            "many hands in a file begin each with a line like [1]"
        )
    parts, depth, line = 1, 0, first_line
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == ".":
            parts += 1
        elif token in ("[", "{"):
            parts, depth = 1, depth + 1
        elif token in ("]", "}"):
            parts, depth = 1, depth - 1
        elif token in ("=", ",", "\n"):
            parts = 1
        if parts > MOST_DEPTH or depth > MOST_DEPTH:
            nested = "a key" if parts > MOST_DEPTH else "brackets in brackets"
            of = "parts" if parts > MOST_DEPTH else "levels"
            raise BrokenLineError(
                line, f"line {line}: {nested} of more than {MOST_DEPTH} {of}: no hand of PHH has such"
            )
        line += token.count("\n")
