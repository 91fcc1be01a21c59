"""Writing the reports of matches and of all other competitions, and their plots."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from felt.cli.files import check_writable, make_folder, write_bytes, write_text

if TYPE_CHECKING:
    from felt.arena.competition import Standings
    from felt.arena.evolution import EvolutionResult
    from felt.arena.league import League
    from felt.arena.report.panels import Plot
    from felt.arena.result import Result
    from felt.arena.ring import RingResult
    from felt.arena.tournament import TournamentResult
    from felt.interop.acpc_contest import Outcome

Result_ = TypeVar("Result_")


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


def write_report(result: "Result", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of a match, and its plots into a folder."""
    from felt.arena.report import match_page, match_plots

    _write(result, command, report, plots, match_plots, match_page)


def write_league_report(league: "League", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of a league, and its plots into a folder."""
    from felt.arena.report import league_page, league_plots

    _write(league, command, report, plots, league_plots, league_page)


def write_tournament_report(result: "TournamentResult", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of a tournament, and its plots into a folder."""
    from felt.arena.report.tournament_page import tournament_page
    from felt.arena.report.tournament_plots import tournament_plots

    _write(result, command, report, plots, tournament_plots, tournament_page)


def write_competition_report(standings: "Standings", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of a duplicate competition, and its plots into a folder."""
    from felt.arena.report.competition_page import competition_page, competition_plots

    _write(standings, command, report, plots, competition_plots, competition_page)


def write_ring_report(result: "RingResult", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of a ring, and its plots into a folder."""
    from felt.arena.report.ring_page import ring_page, ring_plots

    _write(result, command, report, plots, ring_plots, ring_page)


def write_evolution_report(result: "EvolutionResult", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of an evolution, and its plots into a folder."""
    from felt.arena.report.evolution_page import evolution_page, evolution_plots

    _write(result, command, report, plots, evolution_plots, evolution_page)


def write_acpc_report(outcomes: "Sequence[Outcome]", command: str, report: Path | None, plots: Path | None) -> None:
    """Write the page of an ACPC match or of its duplicates, and its plots into a folder."""
    from felt.interop.acpc_page import acpc_page, acpc_plots

    _write(outcomes, command, report, plots, acpc_plots, acpc_page)


def _write(
    result: Result_,
    command: str,
    report: Path | None,
    folder: Path | None,
    plots: "Callable[[Result_], list[Plot]]",
    page: Callable[..., str],
) -> None:
    """Write a page, and plots into a folder: what was asked for of them."""
    drawn = plots(result)
    if report is not None:
        write_text(report, page(result, command, plots=drawn))
    if folder is None:
        return
    from felt.arena.report import plot_png, plot_svg

    make_folder(folder)
    for plot in drawn:
        write_text(folder / f"{plot.name}.svg", plot_svg(plot))
        write_bytes(folder / f"{plot.name}.png", plot_png(plot))
