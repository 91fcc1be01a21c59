"""What is drawn between the axes of a panel, and the axes themselves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from felt.arena.report.plots.colours import LIGHT, colour, dashed
from felt.arena.report.plots.panels import Bar, Curves, Intervals, Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def limits(panels: Sequence[Curves | Intervals]) -> Limits | None:
    """A scale for all panels: what is drawn in them, and some space; None if that is nothing."""
    ends = [end for panel in panels if isinstance(panel, Curves) for end in _ends(panel)]
    known = [end for end in ends if np.isfinite(end)]
    if not known:
        return None
    low, high = min(known), max(known)
    space = MARGIN * (high - low) or 0.1 * abs(high) or 1.0
    return low - space, high + space


def _ends(panel: Curves) -> list[float]:
    arrays = [line.y for line in panel.lines] + [end for band in panel.bands for end in (band.low, band.high)]
    known = [array[np.isfinite(array)] for array in arrays]
    return [float(end) for array in known if len(array) for end in (array.min(), array.max())]


def draw_curves(axes: "Axes", panel: Curves, scale: Limits | None) -> None:
    """Bands first, then curves, over a grid."""
    _frame(axes)
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


def draw_intervals(axes: "Axes", panel: Intervals, unit: str) -> None:
    """Dots with their intervals, the first row above."""
    _frame(axes)
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
