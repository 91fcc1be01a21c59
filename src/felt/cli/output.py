"""Printing for the commands: JSON for programs, Rich for people. Rich is loaded when it prints."""

import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt.errors import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

SUIT_STYLES = ("green", "blue", "red", "bold")
"""Clubs, diamonds, hearts, spades: the four-colour deck, with spades in the terminal's own colour."""


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line of stdout."""
    text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    if not text.isprintable():  # JSON has a spelling for whatever a terminal would obey
        text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    sys.stdout.write(text + "\n")


def _finite(value: Any) -> Any:
    """JSON has no infinity: null stands for it."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def console() -> "Console":
    """A console on stdout: colour on a terminal, plain text elsewhere."""
    from rich.console import Console

    made = Console(highlight=False, emoji=False)
    render = made.render_str
    # every text goes through here, also the cells of tables: nobody has to remember what came from a file
    made.render_str = lambda text, **options: render(printable(text, keep="\n\t"), **options)  # type: ignore[method-assign]
    return made


def say(text: str = "") -> None:
    """Print one line with Rich markup; a long line is left long, for pipes and for copying."""
    console().print(text, soft_wrap=True)


def show(content: "RenderableType") -> None:
    """Print a table or chart; in a pipe without the blanks that Rich puts at the ends of lines."""
    screen = console()
    if screen.is_terminal:
        screen.print(content)
        return
    with screen.capture() as captured:
        screen.print(content)
    for line in captured.get().splitlines():
        sys.stdout.write(line.rstrip() + "\n")


def plain(text: str) -> str:
    """A user's text such that Rich prints it as it stands: ranges are full of brackets.

    Control characters are told, not sent: names in files may hold sequences that a terminal obeys.
    """
    from rich.markup import escape

    return escape(printable(text, keep="\n"))


def table(*columns: str, numbers: Iterable[str] = ()) -> "Table":
    """A plain table with a heading; columns named in `numbers` are aligned to the right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left")
    return made


def facts(rows: Iterable[tuple[str, str]]) -> None:
    """Print names and values in two columns; a name that is empty continues the row above."""
    from rich.table import Table

    made = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style="dim", no_wrap=True)
    made.add_column()
    for name, value in rows:
        made.add_row(name, value)
    show(made)


def cards(cards: Iterable[int]) -> str:
    """Cards with their suits as symbols, each in the colour of its suit (Rich markup)."""
    return " ".join(card(c) for c in cards)


def card(number: int) -> str:
    """One card in the colour of its suit (Rich markup)."""
    from felt.cards.card import RANKS, SUIT_SYMBOLS, format_card, is_joker

    if is_joker(number):
        return format_card(number)
    return f"[{SUIT_STYLES[number & 3]}]{RANKS[number >> 2]}{SUIT_SYMBOLS[number & 3]}[/]"


def percent(value: float, digits: int = 2) -> str:
    """A share as a percentage."""
    return f"{100 * value:.{digits}f}%"


def chips(value: float) -> str:
    """An amount of chips that may be a fraction; infinity in words."""
    if math.isinf(value):
        return "no amount is enough" if value > 0 else "-"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def say_written(*places: Path | None) -> None:
    """Tell which files and folders were written; None is for what was not asked for."""
    for place in places:
        if place is not None:
            say(f"[dim]Written to {plain(str(place))}[/]")
