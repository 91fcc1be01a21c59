"""Printing for the commands: JSON for programs, Rich for people. Rich is loaded when it prints."""

import contextlib
import errno
import math
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from felt.errors import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

    from felt.games import GameRules

SUIT_STYLES = ("green", "blue", "red", "bold")
"""Clubs, diamonds, hearts, spades: the four-colour deck, with spades in the terminal's own colour."""


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line of stdout."""
    import json

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

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        grid.add_column(column, justify="right" if column in numbers else "left")
    return grid


def show_table(columns: Sequence[str], rows: Iterable[Iterable[str]], *, numbers: Iterable[str] = ()) -> None:
    """Print a table with these rows."""
    grid = table(*columns, numbers=numbers)
    for row in rows:
        grid.add_row(*row)
    show(grid)


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


def title(rules: "GameRules") -> str:
    """The title of a game (Rich markup)."""
    return plain(rules.title or rules.name)


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


# A bar on stderr for work that takes longer than two seconds, on a terminal only

PATIENCE = 2.0
"""Seconds that a user waits before a bar is worth its place."""


class Report(Protocol):
    """Draws the bar: how much is done, of how much, and what it says if that has changed."""

    def __call__(self, done: float, total: float, /, doing: str = "") -> None: ...


@contextlib.contextmanager
def progress_bar(doing: str) -> Iterator[Report | None]:
    """Yield a callback ``(done, total)`` that draws the bar; None where nobody would see it."""
    if not has_terminal():
        yield None
        return
    bar = Bar(doing)
    try:
        yield bar.report
    finally:
        bar.stop()


def has_terminal() -> bool:
    """Whether somebody sees what is written to stderr."""
    return sys.stderr is not None and sys.stderr.isatty()  # None: it was closed


class Bar:
    """A bar with Rich's usual columns, or with others."""

    def __init__(self, doing: str, *columns: "ProgressColumn") -> None:
        self._doing, self._columns = doing, columns
        self._started = time.monotonic()
        self._shown: Progress | None = None

    @property
    def is_due(self) -> bool:
        """Whether the user has waited long enough."""
        return time.monotonic() - self._started >= PATIENCE

    def report(self, done: float, total: float | None, /, doing: str = "") -> None:
        """Draw it, when it is due."""
        self._doing = doing or self._doing
        if self._shown is None:
            if not self.is_due:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._shown = Progress(*self._columns, console=Console(stderr=True), transient=True)
            self._shown.add_task(self._doing)
            self._shown.start()
        self._shown.update(self._shown.task_ids[0], completed=done, total=total, description=self._doing)

    def stop(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown.stop()


# Standard streams that are closed, full or read by nobody: what a command does where it cannot write.
#
# A closed stream is opened again on the null device before anything else is, so that no file gets its number and is
# written to by mistake. Standard output is opened for reading there: writing to it fails, and that is told. Messages
# that nobody can read are lost; the exit code says what happened.

_WRITE_ERRORS = frozenset({errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS})
_ENDLESS = re.compile(r"\S{300,}")
"""Longer than any word or path of a message that somebody means to read: of such a word the middle is left out."""


def open_closed_streams() -> None:
    """Give every standard stream that is closed a file to stand on; at the start of a process."""
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def is_write_error(error: OSError) -> bool:
    """Whether something that was open could not be written; what could not be opened has a name."""
    return error.filename is None and error.errno in _WRITE_ERRORS


def let_the_rest_go(stream: TextIO | None = None) -> None:
    """Nobody takes what is still to be written (to stdout): leave Python nothing to complain about at exit."""
    stream = stream or sys.stdout
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def complain(message: str) -> None:
    """One line on standard error, which may be lost where that cannot be written either."""
    try:
        line = printable(" ".join(message.split()))
        line = _ENDLESS.sub(lambda word: f"{word[0][:50]}…{word[0][-30:]}", line)
        print("felt:", line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        let_the_rest_go(sys.stderr)


def show_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of ours on standard error; what was read may be in its message."""
    import traceback

    text = "".join(traceback.format_exception(kind, error, trace))
    with contextlib.suppress(OSError, ValueError):
        print(printable(text, keep="\n\t"), end="", file=sys.stderr, flush=True)
