"""`felt tour`: a walk through what Felt can do, with cards in your hand.

Everything goes through a `Guide`, who speaks and asks. Where nobody sits at the keyboard the guide answers
its own questions, so a pipe or a CI log shows the whole tour and ends.
"""

import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar

from felt.cli import output
from felt.cli.options import option, seed_number
from felt.errors import FeltError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


T = TypeVar("T")


class Leave(Exception):  # noqa: N818 - not an error: the way out
    """The visitor wants to go: out of the stop, or out of the tour."""

    def __init__(self, *, tour: bool) -> None:
        super().__init__()
        self.tour = tour


class Guide:
    """Prints, asks and shuffles. Asked for `m` it returns to the menu, for `q` it ends the tour."""

    def __init__(self, console: "Console", dice: random.Random, script: Iterator[str] | None = None) -> None:
        self.console = console
        self.dice = dice
        self._script = script

    @property
    def alone(self) -> bool:
        """Whether the answers come from a script because nobody is there to give them."""
        return self._script is not None

    def say(self, content: "RenderableType" = "", *, end: str = "\n") -> None:
        """Print a line or anything else that Rich can show."""
        self.console.print(content, end=end)

    def ask(self, question: str) -> str:
        """The visitor's answer, trimmed; empty for Enter."""
        answer = self._answer(f"[bold cyan]{question}[/] ")
        if answer.lower() in ("q", "quit", "exit"):
            raise Leave(tour=True)
        if answer.lower() in ("m", "menu"):
            raise Leave(tour=False)
        return answer

    def _answer(self, prompt: str) -> str:
        if self._script is None:
            return self.console.input(prompt).strip()
        answer = next(self._script, "q")
        self.console.print(f"{prompt}[dim]{answer or '(Enter)'}[/]")
        return answer

    def deal(self, count: int, *, without: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Cards at random from what is left of the deck."""
        return tuple(self.dice.sample([card for card in range(52) if card not in without], count))

    def deal_hand(self, *, without: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Two hole cards, the higher first."""
        return tuple(sorted(self.deal(2, without=without), reverse=True))


Stop = Callable[[Guide], None]

DEMONSTRATION = ("1", "AsAd5h5cKd7s2c", "m", "2", "60", "m", "3", "22+, A2s+, KTs+, AJo+, KQo:0.5", "m")
"""What the guide answers itself when nobody is there: three stops that need no compiling."""

DEMONSTRATION_END = ("5", "c", "m", "q")


def tour(
    seed: Annotated[int | None, option("--seed", "N", "The same seed deals the same cards.", seed_number)] = None,
) -> None:
    """An interactive tour: rank hands, guess equities, look at ranges, follow a deal, train pot odds, play.

    Without a keyboard (in a pipe) it shows a demonstration and ends.

    Example: `felt tour --seed 1`
    """
    from felt.cli.service.tour_stops import STOPS

    console = output.console()
    if sys.stdin.isatty() and console.is_terminal:
        guide = Guide(console, random.Random(seed))
    else:
        guide = Guide(console, random.Random(seed or 0), iter((*DEMONSTRATION, *DEMONSTRATION_END)))
    try:
        _walk(guide, STOPS)
    except (EOFError, KeyboardInterrupt):
        guide.say()
    guide.say("[dim]Thank you for coming. All of it is in[/] felt --help [dim]too.[/]")


def _walk(guide: Guide, stops: dict[str, tuple[str, str, Stop]]) -> None:
    try:
        while True:
            _menu(guide, stops)
            choice = _choice(guide, stops)
            title, _, stop = stops[choice]
            guide.say(f"\n[bold underline]{title}[/]  [dim]m: menu, q: leave[/]")
            try:
                stop(guide)
            except Leave as leave:
                if leave.tour:
                    raise
    except Leave:
        return


def _choice(guide: Guide, stops: dict[str, tuple[str, str, Stop]]) -> str:
    while True:
        try:
            choice = guide.ask(f"Where to? [1-{len(stops)}, q to quit]".replace("[", r"\["))
        except Leave as leave:
            if leave.tour:
                raise
            continue
        if choice in stops:
            return choice
        if choice:
            guide.say(f"[red]{output.plain(repr(choice))} is not on the menu: type a number, or q to quit.[/]")


def _menu(guide: Guide, stops: dict[str, tuple[str, str, Stop]]) -> None:
    from rich.panel import Panel
    from rich.table import Table

    lines = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for key, (title, words, _) in stops.items():
        lines.add_row(f"[bold cyan]{key}[/]", f"[bold]{title}[/]", f"[dim]{words}[/]")
    lines.add_row("[bold cyan]q[/]", "Leave", "[dim]see you[/]")
    suits = "[bold]♠[/] [red]♥[/] [blue]♦[/] [green]♣[/]"
    guide.say()
    guide.say(Panel(lines, title=f"{suits}  Felt: a tour  {suits}", padding=(1, 2), width=min(76, guide.console.width)))


def asked_until_right(guide: Guide, question: str, read: Callable[[str], T]) -> T:
    """Ask until `read` accepts the answer; its complaint is shown as it stands."""
    while True:
        try:
            return read(guide.ask(question))
        except FeltError as mistake:
            guide.say(f"[red]{output.plain(str(mistake))}[/]")
