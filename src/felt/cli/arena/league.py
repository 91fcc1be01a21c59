"""`felt league`: everybody against everybody."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.arena.machines import executor_at
from felt.cli.arena.match import PairOptions
from felt.cli.arena.match_text import MatchBar, interval
from felt.cli.arena.options import Agents, play_command
from felt.cli.arena.reporting import check_report, finish
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Match
    from felt.arena.match.hands import Log
    from felt.arena.match.league import League
    from felt.arena.match.run import Progress


@dataclass(kw_only=True)
class LeagueOptions(PairOptions):
    """The options of `felt league`."""

    agents: Agents


@play_command
def league(options: LeagueOptions) -> None:
    """Play every two agents against each other; `--hands` counts those of one match.

    Example: `felt league call raise random ehs --hands 5000 --duplicate`
    """
    from felt.arena.match.league import play_league

    agents = options.agents
    if len(agents) < 2:
        raise FeltError(f"a league needs at least two agents, here is one: felt league {agents[0]} call random")
    everybody = options.make_match(agents, pairs=True)
    words = options.again("league", agents)
    check_report(options.report, options.plots)
    with executor_at(options.ray, options.workers) as executor, Bars(options.hands) as bars:
        league = play_league(
            everybody, options.hands, until=options.width, workers=options.workers, watch=options.draws,
            log=logs_of(options.log, words), progress=bars.next, executor=executor,
        )  # fmt: skip
    finish("league", league, options, words, print_league)


def logs_of(folder: Path | None, words: list[str]) -> "Callable[[int, Match], Log] | None":
    """The log of each match by its number; None without a folder for them."""
    if folder is None:
        return None
    from felt.store.log.matches import open_match

    return lambda number, match: open_match(
        folder, match, number=number, command=shlex.join([*words, "--log", str(folder)])
    )


class Bars:
    """A bar for each match, one after the other."""

    def __init__(self, hands: int | None) -> None:
        self._hands = hands
        self._bar: MatchBar | None = None

    def __enter__(self) -> "Bars":
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

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
    from felt.cli.arena.match_text import print_conduct

    for result in league.results.values():
        if not result.conduct.clean:
            print_conduct(result)


def _numbers(order: list[int]) -> tuple[str, ...]:
    return ("mbb/hand", *(str(place + 1) for place in range(len(order))))
