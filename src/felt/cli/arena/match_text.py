"""Matches for the terminal: a bar with the running result, and a table of what came of it."""

import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.progress import PATIENCE

if TYPE_CHECKING:
    from rich.progress import Progress

    from felt.arena import Conduct, Match, Result
    from felt.arena.match.run import Ledger
    from felt.stats.rates import Rate

EVERY = 0.2
"""Seconds between two pictures of the bar."""
SHOWN = 4
"""Players whose running results are shown."""


class MatchBar:
    """How far a match is, with the running result and its interval; on a terminal, from the third second on."""

    def __init__(self, match: "Match", hands: int | None, title: str = "") -> None:
        self._match, self._hands, self._title = match, hands, title
        self._started = self._shown_at = time.monotonic()
        self._shown: Progress | None = None

    def __enter__(self) -> "MatchBar":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._shown is not None:
            self._shown.stop()

    def __call__(self, ledger: "Ledger") -> None:
        """Show how it stands."""
        now = time.monotonic()
        if (
            sys.stderr is None
            or not sys.stderr.isatty()
            or now - self._started < PATIENCE
            or now - self._shown_at < EVERY
        ):
            return
        self._shown_at = now
        if self._shown is None:
            self._shown = self._show()
        self._shown.update(
            self._shown.task_ids[0], completed=ledger.hands, total=self._hands, description=self._standing(ledger)
        )

    def _show(self) -> "Progress":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
        shown = Progress(*columns, console=Console(stderr=True), transient=True)
        shown.add_task("")
        shown.start()
        return shown

    def _standing(self, ledger: "Ledger") -> str:
        rates = sorted(zip(self._match.names, ledger.rates(), strict=True), key=lambda named_rate: -named_rate[1].mbb)
        first = rates[:1] if len(rates) == 2 else rates[:SHOWN]
        return output.plain(self._title + ", ".join(f"{name} {interval(rate)}" for name, rate in first) + " mbb/hand")


def interval(rate: "Rate") -> str:
    """A rate with its half-width, without the unit."""
    return str(rate).removesuffix(" mbb/hand")


def print_result(result: "Result") -> None:
    """A table of players, then how settled it is, then what went wrong."""
    names = result.match.names
    rows = output.table("player", "mbb/hand", "95 % interval", "adjusted", "interval", numbers=_NUMBERS)
    order = sorted(range(len(names)), key=lambda player: -result.totals[:, player].sum())
    for player in order:
        raw, adjusted = result.rate(player), result.adjusted_rate(player)
        rows.add_row(output.plain(names[player]), *_cells(raw), *_cells(adjusted))
    output.show(rows)
    output.say()
    output.say(output.plain(result.sentence()))
    output.say(f"[dim]{_summary(result)}[/]")
    if result.ended:
        output.say(f"The match ended early: {output.plain(result.ended)}.")
    print_conduct(result)


_NUMBERS = ("mbb/hand", "95 % interval", "adjusted", "interval")


def _cells(rate: "Rate") -> tuple[str, str]:
    if rate.ci95 is None:
        return f"{rate.mbb:+,.1f}", "-"
    low, high = rate.ci95
    return f"{rate.mbb:+,.1f}", f"{low:+,.1f} to {high:+,.1f}"


def _summary(result: "Result") -> str:
    match = result.match
    size = match.plan.size
    kind = f"sets of one deal in {size} seatings" if match.duplicate else f"rounds of {size} deals"
    stack = match.stack / match.rules.big_blind
    speed = f"{result.hands_per_second:,.0f} hands a second" if result.played else "all of it was in the log"
    return (
        f"{match.rules.title or match.rules.name}, {stack:,.10g} big blinds, {result.hands:,} hands "
        f"({result.sets:,} {kind}), seed {match.seed}, {speed}"
    )


def print_conduct(result: "Result") -> None:
    """What agents did wrong, with the first traceback of each."""
    print_faults(result.conduct, result.match.names, str(result.match.penalty), lambda hand: f"hand {hand + 1:,}")


def print_faults(conduct: "Conduct", names: Sequence[str], rule: str, where: Callable[[int], str]) -> None:
    """The same of any competition; `where` tells of a hand by its number."""
    for player, counts in enumerate(conduct.counts):
        wrong = ", ".join(f"{count:,} {fault}" for fault, count in counts.items() if count)
        if not wrong:
            continue
        output.say()
        output.say(f"[bold]{output.plain(names[player])}[/] did wrong: {wrong} (rule: {rule})")
        own = [incident for incident in conduct.incidents if incident.player == player]
        for incident in own:
            output.say(f"  {where(incident.hand)}: {output.plain(incident.message)}")
        details = next((incident.details for incident in own if incident.details), "")
        if details:
            output.say(output.plain(details.rstrip()))
