"""Reports: a result as one HTML page (`pages`), and its plots as files (`plots`). They need matplotlib.

Read `pages/match.py` first; `pages/parts.py` has what all pages share.
"""

from felt.arena.report.pages.league import league_page
from felt.arena.report.pages.match import match_page
from felt.arena.report.plots.drawing import plot_png, plot_svg, ready
from felt.arena.report.plots.league import league_plots
from felt.arena.report.plots.match import match_plots

__all__ = ["league_page", "league_plots", "match_page", "match_plots", "plot_png", "plot_svg", "ready"]
