"""Plots as parts of a page."""

from felt.arena.report.pages.markup import Content, Html, element
from felt.arena.report.pages.parts import player_name, section, swatch
from felt.arena.report.plots.drawing import panel_svg
from felt.arena.report.plots.inline import inlined
from felt.arena.report.plots.panels import Curves, Intervals, Plot


def plot_section(plot: Plot) -> Html:
    """A plot under its title; a row of intervals belongs to a table, which has one."""
    return section(plot.title, _figure(plot)) if isinstance(plot.panels[0], Curves) else _figure(plot)


def _figure(plot: Plot) -> Html:
    """A plot with its panels side by side where there is room."""
    key = element("ul", *(element("li", player_name(*player)) for player in plot.key), class_="key") if plot.key else ""
    panels = [_panel(plot, place) for place in range(len(plot.panels))]
    shown = element("div", *panels, class_=f"panels of{min(plot.columns, len(panels))}")
    signs = [f" {panel.title}." for panel in plot.panels if isinstance(panel, Intervals) and panel.title]
    return element("figure", element("figcaption", plot.caption, *signs), key, shown)


def _panel(plot: Plot, place: int) -> Html:
    panel = plot.panels[place]
    label = ": ".join(part for part in (plot.title, panel.title) if part)
    drawn = inlined(panel_svg(plot, place), f"{plot.name}-{place}", label)
    return element("div", _heading(panel, plot.unit) if isinstance(panel, Curves) else "", drawn, class_="panel")


def _heading(panel: Curves, unit: str) -> Html:
    whose: Content = "" if panel.player is None else swatch(panel.player)
    return element("h3", whose, panel.title, " ", element("small", "" if panel.percent else unit))
