"""The plots of a league."""

import numpy as np

from felt.arena.match.league import League
from felt.arena.match.result import Result
from felt.arena.match.running_statistics import Stretches
from felt.arena.report.plots import curves
from felt.arena.report.plots.match import SMALL, Key, indicators_plot, moving_plot, rates_plot, short_names
from felt.arena.report.plots.panels import Curves, Plot
from felt.stats.table import Table


def league_plots(league: League) -> list[Plot]:
    """The plots of a league, in the order of its report."""
    names, players = short_names(league.names), range(len(league.names))
    key = tuple((player, names[player]) for player in league.table)
    rates = [league.overall(player) for player in players]
    adjusted = [league.overall(player, adjusted=True) for player in players]
    first = next(iter(league.results.values()))
    size, big_blind = first.match.plan.size, first.match.rules.big_blind
    plots = [
        rates_plot(key, rates, adjusted),
        _bankrolls(league, key),
        moving_plot(means(league), size, big_blind, key, rates, subject="a player, in the mean of all their matches,"),
        indicators_plot(together(league), max(result.hands for result in league.results.values()), key),
    ]
    return [plot for plot in plots if plot is not None]


def seats(league: League, player: int) -> list[tuple[int, int, Result]]:
    """The matches of a player: the opponent, the player's place in it, and the result."""
    return [(pair[1 - place], place, result) for pair, place, result in league.matches_of(player)]


def _bankrolls(league: League, key: Key) -> Plot:
    panels = []
    for player, name in key:
        matches = {other: (place, result) for other, place, result in seats(league, player)}
        lines = []
        for other, _ in reversed(key):
            if other != player:
                place, result = matches[other]
                match = result.match
                won = result.totals[:, place]
                lines.append(curves.bankroll(other, won, match.plan.size, match.rules.big_blind, SMALL))
        panels.append(Curves(name, tuple(lines)))
    caption = (
        "Big blinds that each player won or lost in all, over the hands of a match; the colour tells against whom."
    )
    columns = 2 if len(key) in (1, 2, 4) else 3
    return Plot("bankroll", "Bankrolls", "big blinds", caption, tuple(panels), columns, key)


def means(league: League) -> curves.Totals:
    """``[sets, players]``: the mean over a player's matches, as far as all of them go."""
    sets = min(result.sets for result in league.results.values())
    columns = []
    for player in range(len(league.names)):
        won = [result.totals[:sets, place] for _, place, result in seats(league, player)]
        columns.append(np.mean(won, axis=0))
    return np.stack(columns, axis=1)


def together(league: League) -> Stretches | None:
    """What everybody did in all their matches; None if that was not counted."""
    counted = [result.indicators for result in league.results.values() if result.indicators is not None]
    if len(counted) < len(league.results):
        return None
    longest = max(len(stretches.curves) for stretches in counted)
    table = Table.empty(league.names, counted[0].table.streets)
    curves = np.zeros((longest, len(league.names), *counted[0].curves.shape[2:]), dtype=np.int64)
    for pair, stretches in zip(league.results, counted, strict=True):
        for place, player in enumerate(pair):
            table.counts[player] += stretches.table.counts[place]
            curves[: len(stretches.curves), player] += stretches.curves[:, place]
    return Stretches(table, 0, curves)
