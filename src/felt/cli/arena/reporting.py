"""Writing the reports of matches and of all other competitions, and their plots."""

import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from felt._files import check_writable, make_folder, write_bytes, write_text
from felt.cli import output
from felt.cli.arena.options import PlayOptions

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


def finish(
    kind: str, result: Result, options: PlayOptions, words: list[str], print_result: Callable[[Result], None]
) -> None:
    """Write what a command was asked to write of its result, then print it; `words` are the command."""
    write_report(kind, result, shlex.join(words), options.report, options.plots)
    if options.json:
        output.print_json(result.as_dict())
        return
    print_result(result)
    output.say_written(options.report, options.plots, options.log)
