"""The plots of a tournament."""

import numpy as np

from felt.arena.report.plots.match import short_names
from felt.arena.report.plots.panels import Band, Bar, Curves, Intervals, Line, Plot, Row
from felt.arena.tournament import TournamentResult


def tournament_plots(result: TournamentResult) -> list[Plot]:
    """The plots of a tournament, in the order of its report."""
    names = short_names(result.tournament.names)
    key = tuple((agent, names[agent]) for agent in result.table)
    return [_returns(result, key), _places(result, key)]


def _returns(result: TournamentResult, key: tuple[tuple[int, str], ...]) -> Plot:
    rows = []
    for agent, name in key:
        figure = result.roi(agent)
        low, high = (100 * end for end in figure.ci95) if figure.ci95 else (None, None)
        rows.append(Row(agent, name, (Bar(100 * figure.value, low, high),)))
    caption = "What an entry wins or loses, in per cent of its buy-in, with 95 % intervals over the tournaments."
    return Plot("returns", "Returns", "% of the buy-in", caption, (Intervals("", tuple(rows)),), 1)


def _places(result: TournamentResult, key: tuple[tuple[int, str], ...]) -> Plot:
    players = result.tournament.players
    x = np.arange(1.0, players + 1)
    panels = []
    for agent, name in key:
        places = result.places(agent)
        low, high = np.array(places.ci95).T
        line = Line(agent, x, np.array(places.shares))
        even = Line(agent, np.array([1.0, players]), np.full(2, 1 / players), "mark")
        band = Band(agent, x, low, high)
        panels.append(Curves(name, (line, even), (band,), agent, share=True, percent=True, across="place"))
    caption = (
        "How often an entry finishes in each place, with 95 % intervals; the dotted line is where equals would be."
    )
    columns = 2 if len(panels) in (1, 2, 4) else 3
    return Plot("places", "Finishing places", "%", caption, tuple(panels), columns)
