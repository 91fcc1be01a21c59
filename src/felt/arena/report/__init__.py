"""Reports: a match or a league as one page, and its plots as files. Needs matplotlib (the extra ``arena``)."""

from felt.arena.report.drawing import plot_png, plot_svg, ready
from felt.arena.report.league_page import league_page
from felt.arena.report.league_plots import league_plots
from felt.arena.report.page import match_page
from felt.arena.report.plots import match_plots

__all__ = ["league_page", "league_plots", "match_page", "match_plots", "plot_png", "plot_svg", "ready"]
