"""What the commands that play share: machines and logs, bars, reports, and what is printed of a result."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from felt._files import check_writable, make_folder, write_bytes, write_text
from felt.cli import output
from felt.cli.arena.options import PlayOptions
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Conduct, Match
    from felt.arena.match.run import Ledger, Progress
    from felt.arena.schedule.tasks import Executor
    from felt.stats.rates import Rate

Result = TypeVar("Result", bound=Any)

DRAWN_BY = {
    "match": "felt.arena.report",
    "league": "felt.arena.report",
    "competition": "felt.arena.report.competition",
    "tournament": "felt.arena.report.tournament",
    "ring": "felt.arena.report.ring",
    "evolution": "felt.arena.report.evolution",
    "acpc": "felt.interop.acpc.page",
}
"""The module of each kind of result that has its ``KIND_page`` and ``KIND_plots``."""

EVERY = 0.2
"""Seconds between two pictures of the bar of a match."""
SHOWN = 4
"""Players whose running results are shown."""


def play_and_report(
    kind: str,
    options: PlayOptions,
    play: Callable[..., Result],
    print_result: Callable[[Result], None],
    *,
    open_log: Callable[[Path, str], Any],
    bar: AbstractContextManager[Any],
    resume: str = "",
) -> None:
    """Play as the options say, write and print what came of it.

    `open_log` opens the log in a folder, for a command that plays the same with it. Who interrupts is told what to type
    to go on: `resume`, or that command again.
    """
    check_report(options.report, options.plots)
    command = options.again()
    with ExitStack() as stack:
        log = None
        if options.log is not None:
            logged = options.again(log=options.log)
            log = open_log(options.log, logged)
            stack.enter_context(_told_how_to_go_on(resume or logged))
        executor = stack.enter_context(_executor_at(options.ray, options.workers))
        progress = stack.enter_context(bar)
        result = play(workers=options.workers, log=log, progress=progress, executor=executor)
    write_report(kind, result, command, options.report, options.plots)
    if options.json:
        output.print_json(result.as_dict())
        return
    print_result(result)
    output.say_written(options.report, options.plots, options.log)


def play_runs(
    kind: str,
    options: PlayOptions,
    spec: Any,
    play: Callable[..., Result],
    doing: str,
    print_result: Callable[[Result], None],
) -> None:
    """Play the runs of a tournament, ring or evolution, with a bar that says what is being done."""

    def open_log(folder: Path, command: str) -> Any:
        from felt.store.log.matches import open_runs

        return open_runs(folder, spec.describe(), command=command)

    play_and_report(kind, options, play, print_result, open_log=open_log, bar=output.progress_bar(doing))


@contextmanager
def _told_how_to_go_on(command: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        print(f"felt: interrupted; what was played is in the log: go on with {command}", file=sys.stderr)
        raise


@contextmanager
def _executor_at(address: str | None, workers: int | None) -> "Iterator[Executor | None]":
    """The executor of the Ray cluster at an address; None for this machine."""
    if address is None:
        yield None
        return
    if workers is not None:
        raise FeltError(f"--workers {workers}: with --ray every core of the cluster plays; leave it out")
    from felt.scale import Cluster

    with Cluster(address) as cluster:
        yield cluster.executor


# Reports


def check_report(report: Path | None, plots: Path | None) -> None:
    """Raise a `FeltError` if a report could not be written: better before a long match than after it."""
    if report is None and plots is None:
        return
    from felt.arena.report import ready

    ready()
    if plots is not None:
        make_folder(plots)
    if report is not None:
        check_writable(report)


def write_report(kind: str, result: object, command: str, report: Path | None, folder: Path | None) -> None:
    """Write the page of a result, and its plots into a folder, where they are wanted."""
    if report is None and folder is None:
        return
    module = import_module(DRAWN_BY[kind])
    plots = getattr(module, f"{kind}_plots")(result)
    if report is not None:
        write_text(report, getattr(module, f"{kind}_page")(result, command, plots=plots))
    if folder is None:
        return
    from felt.arena.report import plot_png, plot_svg

    make_folder(folder)
    for plot in plots:
        write_text(folder / f"{plot.name}.svg", plot_svg(plot))
        write_bytes(folder / f"{plot.name}.png", plot_png(plot))


# Bars and text


@contextmanager
def match_bars(hands: int | None) -> "Iterator[Callable[[Match, str], Progress] | None]":
    """Yield what begins the bar of a match in place of the one before; None where nobody would see it.

    A bar has the running result with its interval.
    """
    if not output.has_terminal():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    with ExitStack() as bars:

        def begin(match: "Match", title: str = "") -> "Progress":
            bars.close()
            bar = output.Bar("", *columns)
            bars.callback(bar.stop)
            shown_at = time.monotonic()

            def show(ledger: "Ledger") -> None:
                nonlocal shown_at
                if bar.is_due and time.monotonic() - shown_at >= EVERY:
                    shown_at = time.monotonic()
                    bar.report(ledger.hands, hands, doing=title + _standing(match, ledger))

            return show

        yield begin


def _standing(match: "Match", ledger: "Ledger") -> str:
    rates = sorted(zip(match.names, ledger.rates(), strict=True), key=lambda named_rate: -named_rate[1].mbb)
    first = rates[:1] if len(rates) == 2 else rates[:SHOWN]
    return output.plain(", ".join(f"{name} {interval(rate)}" for name, rate in first) + " mbb/hand")


def interval(rate: "Rate") -> str:
    """A rate with its half-width, without the unit."""
    return str(rate).removesuffix(" mbb/hand")


def rate_cells(rate: "Rate") -> tuple[str, str]:
    """A rate and its interval, for two cells of a table."""
    return f"{rate.mbb:+,.1f}", "-" if rate.ci95 is None else f"{rate.ci95[0]:+,.1f} to {rate.ci95[1]:+,.1f}"


def print_faults(conduct: "Conduct", names: Sequence[str], rule: object, where: Callable[[int], str]) -> None:
    """What agents did wrong, with the first traceback of each; `where` tells of a hand by its number."""
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
