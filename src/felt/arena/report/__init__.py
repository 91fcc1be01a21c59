"""Reports: a result as one HTML page, and its plots as files. They need matplotlib.

There is a module for each kind of competition; read `match` first. `page` has what all pages share, `panels` what a
plot shows, and `drawing` draws it.
"""

from felt.arena.report.drawing import plot_png, plot_svg, ready
from felt.arena.report.league import league_page, league_plots
from felt.arena.report.match import match_page, match_plots

__all__ = ["league_page", "league_plots", "match_page", "match_plots", "plot_png", "plot_svg", "ready"]
