"""`felt league`: everybody against everybody."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings
from felt.cli.machines import Ray, match_crew
from felt.cli.match import (
    Duplicate,
    Game,
    Hands,
    LogTo,
    OnError,
    PlotsTo,
    ReportTo,
    Seed,
    Stack,
    Timeout,
    Until,
    Workers,
    set_up,
)
from felt.cli.match_text import MatchBar, interval
from felt.cli.options import Json
from felt.cli.reporting import check_report, write_league_report
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Match
    from felt.arena.league import League
    from felt.arena.match import Progress
    from felt.arena.work import Log


def league(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT AGENT…", help="Names, files like ./bot.py:Bot, or programs like cmd:./bot."),
    ],
    game: Game = "nlhe",
    hands: Hands = None,
    stack: Stack = None,
    duplicate: Duplicate = False,
    seed: Seed = 0,
    until: Until = None,
    workers: Workers = None,
    on_error: OnError = "fold",
    timeout: Timeout = 10.0,
    settings: Settings = None,
    log: LogTo = None,
    report: ReportTo = None,
    plots: PlotsTo = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Play every two agents against each other; `--hands` counts those of one match.

    Example: `felt league call raise random ehs --hands 5000 --duplicate`
    """
    from felt.arena.league import play_league

    if len(agents) < 2:
        raise FeltError(f"a league needs at least two agents, here is one: felt league {agents[0]} call random")
    everybody, wanted, width, words = set_up(
        "league", agents, game=game, settings=settings, hands=hands, stack=stack, duplicate=duplicate, seed=seed,
        until=until, on_error=on_error, timeout=timeout,
    )  # fmt: skip
    check_report(report, plots)
    bars = Bars(wanted)
    try:
        with match_crew(ray, workers) as crew:
            found = play_league(
                everybody, wanted, until=width, workers=workers, watch=report is not None or plots is not None,
                log=logs_of(log, words) if log is not None else None, progress=bars.next, crew=crew,
            )  # fmt: skip
    finally:
        bars.stop()
    if report is not None or plots is not None:
        write_league_report(found, shlex.join(words), report, plots)
    if json:
        output.print_json(found.as_dict())
        return
    print_league(found)
    output.say_written(report, plots, log)


def logs_of(folder: Path, words: list[str]) -> "Callable[[int, Match], Log]":
    from felt.store.matches import open_match

    return lambda number, match: open_match(
        folder, match, number=number, command=shlex.join([*words, "--log", str(folder)])
    )


class Bars:
    """A bar for each match, one after the other."""

    def __init__(self, hands: int | None) -> None:
        self._hands = hands
        self._bar: MatchBar | None = None

    def next(self, number: int, count: int, match: "Match") -> "Progress":
        """The bar of the next match."""
        self.stop()
        self._bar = MatchBar(match, self._hands, f"match {number} of {count}: ")
        return self._bar

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)


def print_league(league: "League") -> None:
    """The table, the best first, with what everybody won against everybody."""
    order = league.table
    rows = output.table(
        "", "player", "mbb/hand", *(str(place + 1) for place in range(len(order))), numbers=_numbers(order)
    )
    for place, player in enumerate(order):
        cells = ["" if other == player else interval(league.rate(player, other)) for other in order]
        rows.add_row(str(place + 1), output.plain(league.names[player]), interval(league.overall(player)), *cells)
    output.show(rows)
    output.say()
    first = next(iter(league.results.values()))
    game = first.match.rules.title or first.match.rules.name
    output.say(
        f"[dim]mbb/hand with 95 % intervals: {game}, {len(league.results)} matches of {first.hands:,} hands, "
        f"seed {league.seed}[/]"
    )
    from felt.cli.match_text import print_conduct

    for result in league.results.values():
        if not result.conduct.clean:
            print_conduct(result)


def _numbers(order: list[int]) -> tuple[str, ...]:
    return ("mbb/hand", *(str(place + 1) for place in range(len(order))))
