"""Drawing plots with matplotlib, without any of its global state: the same numbers give the same bytes."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from felt.arena.report.panels import LIGHT, Bar, Curves, Intervals, Line, Plot, colour, dashed
from felt.errors import FeltError, install_command

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 72
"""Points in an inch. All sizes here are in points, which are the units of an SVG."""
DPI = 200
FONT = 10.0
LETTER = 0.62 * FONT
"""The width of a letter, nearly."""

WIDE, NARROW = 430.0, 340.0
"""Width of a panel where two stand side by side, and where three do."""
HEIGHT, LOW_HEIGHT = 250.0, 195.0
CONVERGENCE = 860.0, 320.0
"""Width and height of the plot of convergence."""
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 10.0, 38.0
"""Margins of a panel."""
ROW = 34.0
HEADING, KEY, TITLE = 30.0, 22.0, 22.0
"""What the title, the key, and the titles of panels take in a file."""

TICKS = 5
DASHES = (5.0, 2.0)
MARGIN = 0.06
"""The part of a scale that is left empty above and below the curves."""
_WEIGHTS = {"plain": (1.6, 1.0), "faint": (0.7, 0.5), "mark": (1.0, 0.9)}
"""Width and opacity of lines."""
APART = 0.17
"""The distance of a player's figures from the middle of its row."""

LEAST_SPAN, EDGE = 0.1, 0.02
"""For scales of shares: the smallest range that is shown, and the margin beyond 0 and 1."""

Limits = tuple[float, float]
"""Two ends of a scale, or two coordinates."""

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "felt",
    "font.family": "sans-serif",
    "font.size": FONT,
    "text.parse_math": False,  # a player may be called $
    "axes.unicode_minus": True,
}


def ready() -> None:
    """Raise a `FeltError` that says what to do if nothing can be drawn here."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FeltError(f"plots need matplotlib, which is not installed: {install_command('arena')}") from None


def panel_svg(plot: Plot, place: int) -> str:
    """One panel alone, on nothing, without titles: a page has those itself."""
    with settings():
        panel = plot.panels[place]
        size = _size(plot, panel)
        figure = _figure(*size)
        _draw(figure, plot, panel, (0.0, 0.0), size)
        figure.patch.set_visible(False)
        return _saved(figure, "svg").decode("utf-8")


def plot_svg(plot: Plot) -> str:
    """The whole plot, with titles and key, on white."""
    with settings():
        return _saved(_draw_all(plot), "svg").decode("utf-8")


def plot_png(plot: Plot) -> bytes:
    """The plot as PNG, with titles and key, on white."""
    with settings():
        return _saved(_draw_all(plot), "png", Title=plot.title)


@contextmanager
def settings() -> Iterator[None]:
    """Settings of matplotlib for all plots, instead of those of the user."""
    ready()
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():  # names may have letters that the font has not
        matplotlib.rcdefaults()  # not the reader's own settings: the same match, the same picture
        matplotlib.rcParams.update(_SETTINGS)
        warnings.simplefilter("ignore", UserWarning)
        yield


def _figure(width: float, height: float, **options: Any) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width / POINTS, height / POINTS), facecolor="white", **options)


def _saved(figure: "Figure", kind: str, **about: str) -> bytes:
    """A figure as SVG or PNG, without the date and the versions of programs."""
    file, left_out = BytesIO(), ("Date", "Creator", "Type", "Format") if kind == "svg" else ("Software",)
    figure.savefig(file, format=kind, dpi=DPI if kind == "png" else "figure", metadata=dict.fromkeys(left_out) | about)
    return file.getvalue()


def _size(plot: Plot, panel: Curves | Intervals) -> tuple[float, float]:
    if isinstance(panel, Intervals):
        return WIDE, TOP + BOTTOM + ROW * len(panel.rows)
    return (WIDE, HEIGHT) if plot.columns < 3 else (NARROW, LOW_HEIGHT)


def _draw_all(plot: Plot) -> "Figure":
    """All panels in rows, under a title and the key."""
    columns = min(plot.columns, len(plot.panels))
    rows = -(-len(plot.panels) // columns)
    wide, high = _size(plot, plot.panels[0])
    keys = _key_rows(plot, columns * wide)
    top = HEADING + KEY * len(keys)
    width, height = columns * wide, top + rows * (high + TITLE)
    figure = _figure(width, height)
    _heading(figure, plot, keys, width, height)
    for place, panel in enumerate(plot.panels):
        row, column = divmod(place, columns)
        corner = column * wide, height - top - (row + 1) * (high + TITLE)
        _draw(figure, plot, panel, corner, (wide, high))
        unit = "" if isinstance(panel, Intervals) or panel.percent else plot.unit  # that of intervals is at the axis
        title = " · ".join(part for part in (panel.title, unit) if part)
        x, y = (corner[0] + LEFT) / width, (corner[1] + high + 4) / height
        figure.text(x, y, title, fontsize=FONT + 1, color=LIGHT["text"])
    return figure


_KeyRow = list[tuple[float, int, str]]
"""Where each name begins, the player and the name."""


def _key_rows(plot: Plot, width: float) -> list[_KeyRow]:
    """The key in as many rows as it needs."""
    rows: list[_KeyRow] = []
    at = width
    for player, name in plot.key:
        needed = 40 + LETTER * len(name)
        if at + needed > width:
            rows.append([])
            at = LEFT
        rows[-1].append((at, player, name))
        at += needed
    return rows


def _heading(figure: "Figure", plot: Plot, keys: list[_KeyRow], width: float, height: float) -> None:
    from matplotlib.lines import Line2D

    x, y = LEFT / width, (height - 20) / height
    figure.text(x, y, plot.title, fontsize=FONT + 4, fontweight="bold", color=LIGHT["text"])
    for number, row in enumerate(keys):
        y = (height - HEADING - KEY * number - 12) / height
        for x, player, name in row:
            drawn = Line2D([x / width, (x + 16) / width], [y, y], color=colour(player), linewidth=2.2)
            drawn.set_linestyle("--" if dashed(player) else "-")
            figure.add_artist(drawn)
            figure.text((x + 21) / width, y, name, va="center_baseline", color=LIGHT["text"])


def _draw(figure: "Figure", plot: Plot, panel: Curves | Intervals, corner: Limits, size: Limits) -> None:
    """A panel into its part of a figure."""
    width, height = (POINTS * float(inches) for inches in figure.get_size_inches())
    left = LEFT if isinstance(panel, Curves) else 16 + LETTER * max(len(row.name) for row in panel.rows)
    x, y = (corner[0] + left) / width, (corner[1] + BOTTOM) / height
    axes = figure.add_axes((x, y, (size[0] - left - RIGHT) / width, (size[1] - TOP - BOTTOM) / height))
    _frame(axes)
    if isinstance(panel, Intervals):
        _draw_intervals(axes, panel, plot.unit)
    else:
        _draw_curves(axes, panel, _limits(plot.panels if plot.shared else (panel,)))


# The axes of a panel, and what is drawn between them


def _limits(panels: Sequence[Curves | Intervals]) -> Limits | None:
    """A scale for all panels: what is drawn in them, and some space; None if that is nothing."""
    curves = [panel for panel in panels if isinstance(panel, Curves)]
    lines = [line.y for panel in curves for line in panel.lines]
    ends = [end for panel in curves for band in panel.bands for end in (band.low, band.high)]
    values = np.concatenate([*lines, *ends, []])
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    low, high = float(known.min()), float(known.max())
    space = MARGIN * (high - low) or 0.1 * abs(high) or 1.0
    return low - space, high + space


def _draw_curves(axes: "Axes", panel: Curves, scale: Limits | None) -> None:
    """Bands first, then curves, over a grid."""
    axes.grid(axis="y", color=LIGHT["grid"], linewidth=0.8)
    if scale is not None:
        low, high = _from_none(scale, panel.percent) if panel.share else scale
        axes.set_ylim(low, high)
        if low < 0 < high:
            axes.axhline(0, color=LIGHT["zero"], linewidth=0.9)
    for band in panel.bands:
        axes.fill_between(band.x, band.low, band.high, color=colour(band.player), alpha=0.13, linewidth=0)
    for line in sorted(panel.lines, key=lambda line: line.weight == "plain"):
        _line(axes, line)
    ends = [float(line.x[-1]) for line in panel.lines if len(line.x)]
    axes.set_xlim(0, max(ends, default=1.0))
    _ticks(axes, percent=panel.percent)
    axes.set_xlabel(panel.across, loc="right", color=LIGHT["text"], labelpad=4)


def _from_none(scale: Limits, percent: bool) -> Limits:
    """A scale for shares: none is the least, all the most, and what is less than a tenth apart looks so."""
    low, high = scale
    wider = max(0.0, (LEAST_SPAN - (high - low)) / 2)
    high = min(high + wider, 1 + EDGE) if percent else max(high + wider, LEAST_SPAN)
    return max(low - wider, -EDGE * min(high, 1.0)), high


def _line(axes: "Axes", line: Line) -> None:
    width, opacity = _WEIGHTS[line.weight]
    (drawn,) = axes.plot(line.x, line.y, color=colour(line.player), linewidth=width, alpha=opacity)
    if line.weight == "mark":
        drawn.set_linestyle((0, (2.0, 2.0)))
    elif dashed(line.player):
        drawn.set_linestyle((0, DASHES))


def _draw_intervals(axes: "Axes", panel: Intervals, unit: str) -> None:
    """Dots with their intervals, the first row above."""
    axes.grid(axis="x", color=LIGHT["grid"], linewidth=0.8)
    axes.spines["left"].set_visible(False)
    axes.axvline(0, color=LIGHT["zero"], linewidth=0.9)
    for place, row in enumerate(panel.rows):
        span = APART * (len(row.bars) - 1)
        for number, bar in enumerate(row.bars):
            _bar(axes, bar, place - span + 2 * APART * number, row.player)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.set_yticks(range(len(panel.rows)), [row.name for row in panel.rows])
    _ticks(axes, percent=False, y=False)
    axes.margins(x=0.06)
    axes.set_xlabel(unit, loc="right", color=LIGHT["text"], labelpad=4)


def _bar(axes: "Axes", bar: Bar, y: float, player: int) -> None:
    shade = colour(player)
    if bar.low is not None and bar.high is not None:
        axes.plot([bar.low, bar.high], [y, y], color=shade, linewidth=1.4 if bar.adjusted else 2.6, alpha=0.85)
    marker, size = ("D", 4.0) if bar.adjusted else ("o", 6.0)
    axes.plot([bar.value], [y], marker=marker, markersize=size, color=shade, markeredgewidth=0)


def _frame(axes: "Axes") -> None:
    axes.patch.set_visible(False)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(LIGHT["axis"])
    axes.tick_params(colors=LIGHT["axis"], labelcolor=LIGHT["text"], length=3)


def _ticks(axes: "Axes", *, percent: bool, y: bool = True) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(TICKS, integer=y))  # hands are whole
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    if y:
        axes.yaxis.set_major_locator(MaxNLocator(TICKS))
        formatter = (lambda value, _: f"{short(100 * value)} %") if percent else (lambda value, _: short(value))
        axes.yaxis.set_major_formatter(FuncFormatter(formatter))


def short(value: float) -> str:
    """A number at an axis.

    >>> short(-2500.0), short(0.25), short(40000.0), short(1.5e6)
    ('−2,500', '0.25', '40k', '1.5M')
    """
    size, letter = next((pair for pair in ((1e6, "M"), (1e4, "k")) if abs(value) >= pair[0]), (1.0, ""))
    number = value / (1e3 if letter == "k" else size)
    text = f"{number:,.0f}" if not letter and abs(number) >= 1000 else f"{number:.6g}"
    return f"{text}{letter}".replace("-", "−")


# How fast solvers converge


@dataclass(frozen=True)
class Convergence:
    """One run: iterations, seconds and exploitability each time it was measured."""

    name: str
    points: Sequence[tuple[int, float, float]]


def convergence_plot(runs: Sequence[Convergence], *, kind: str = "svg", title: str = "") -> bytes:
    """Exploitability by iterations and by seconds, both scales logarithmic: a picture of all runs, as SVG or PNG."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    with settings():
        figure = _figure(*CONVERGENCE, layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, column, label in ((left, 0, "iterations"), (right, 1, "seconds")):
            for player, run in enumerate(runs):
                shown = [(point[column], point[2]) for point in run.points if point[2] > 0 and point[column] > 0]
                axes.plot(
                    [x for x, _ in shown], [y for _, y in shown], color=colour(player), linewidth=1.6,
                    linestyle="--" if dashed(player) else "-", label=run.name,
                )  # fmt: skip
            axes.set_xscale("log")
            axes.set_yscale("log")
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(FuncFormatter(lambda value, _: _power(value)))
                axis.set_minor_formatter(NullFormatter())
            axes.set_xlabel(label, color=LIGHT["text"])
            axes.grid(visible=True, which="major", color=LIGHT["grid"], linewidth=0.8)
            axes.tick_params(which="both", colors=LIGHT["text"], labelcolor=LIGHT["text"], length=3)
            for side, spine in axes.spines.items():
                spine.set_visible(side in ("left", "bottom"))
                spine.set_color(LIGHT["axis"])
        left.set_ylabel("exploitability, chips a hand", color=LIGHT["text"])
        left.legend(frameon=False, labelcolor=LIGHT["text"])
        if title:
            figure.suptitle(title, x=0.02, ha="left", fontsize=FONT + 4, fontweight="bold", color=LIGHT["text"])
        return _saved(figure, "png" if kind == "png" else "svg")


def _power(value: float) -> str:
    """A power of ten, in the fewest signs.

    >>> [_power(10.0**power) for power in (-5, -2, 0, 4)]
    ['1e-5', '0.01', '1', '10,000']
    """
    if value < 1e-3:
        return f"{value:.0e}".replace("e-0", "e-")
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
