"""Drawing plots with matplotlib, without any of its global state: the same numbers give the same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from felt.arena.report.plots.axes import draw_curves, draw_intervals, limits
from felt.arena.report.plots.colours import LIGHT, colour, dashed
from felt.arena.report.plots.panels import Curves, Intervals, Plot
from felt.errors import FeltError, install_command

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 72
"""Points in an inch. All sizes here are in points, which are the units of an SVG."""
DPI = 200
FONT = 10.0

WIDE, NARROW = 430.0, 340.0
"""Width of a panel where two stand side by side, and where three do."""
HEIGHT, LOW_HEIGHT = 250.0, 195.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 10.0, 38.0
"""Margins of a panel."""
ROW = 34.0
HEADING, KEY, TITLE = 30.0, 22.0, 22.0
"""What the title, the key, and the titles of panels take in a file."""

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
        width, height = _size(plot, panel)
        figure = _figure(width, height)
        _draw(figure, plot, panel, (0.0, 0.0), (width, height))
        return _svg(figure, transparent=True)


def plot_svg(plot: Plot) -> str:
    """The whole plot, with titles and key, on white."""
    with settings():
        return _svg(_draw_all(plot), transparent=False)


def plot_png(plot: Plot) -> bytes:
    """The plot as PNG, with titles and key, on white."""
    with settings():
        file = BytesIO()
        _draw_all(plot).savefig(file, format="png", dpi=DPI, metadata={"Software": None, "Title": plot.title})
        return file.getvalue()


@contextmanager
def settings() -> Iterator[None]:
    """Settings of matplotlib for all plots, instead of those of the user."""
    ready()
    import warnings

    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():  # names may have letters that the font has not
        matplotlib.rcdefaults()  # not the reader's own settings: the same match, the same picture
        matplotlib.rcParams.update(_SETTINGS)
        warnings.simplefilter("ignore", UserWarning)
        yield


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width / POINTS, height / POINTS), facecolor="white")


def _svg(figure: "Figure", *, transparent: bool) -> str:
    if transparent:
        figure.patch.set_visible(False)
    file = BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    return file.getvalue().decode("utf-8")


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
        figure.text(
            (corner[0] + LEFT) / width,
            (corner[1] + high + 4) / height,
            _panel_title(plot, panel),
            fontsize=FONT + 1,
            color=LIGHT["text"],
        )
    return figure


def _panel_title(plot: Plot, panel: Curves | Intervals) -> str:
    if isinstance(panel, Intervals):  # the unit stands at the axis
        return panel.title
    unit = "" if panel.percent else plot.unit
    return " · ".join(part for part in (panel.title, unit) if part)


def _key_rows(plot: Plot, width: float) -> list[list[tuple[float, int, str]]]:
    """The key in as many rows as it needs: where each name begins, the player and the name."""
    rows: list[list[tuple[float, int, str]]] = []
    at = width
    for player, name in plot.key:
        needed = 40 + 0.62 * FONT * len(name)
        if at + needed > width:
            rows.append([])
            at = LEFT
        rows[-1].append((at, player, name))
        at += needed
    return rows


def _heading(
    figure: "Figure", plot: Plot, keys: list[list[tuple[float, int, str]]], width: float, height: float
) -> None:
    from matplotlib.lines import Line2D

    figure.text(
        LEFT / width, (height - 20) / height, plot.title, fontsize=FONT + 4, fontweight="bold", color=LIGHT["text"]
    )
    for number, row in enumerate(keys):
        y = (height - HEADING - KEY * number - 12) / height
        for x, player, name in row:
            drawn = Line2D([x / width, (x + 16) / width], [y, y], color=colour(player), linewidth=2.2)
            drawn.set_linestyle("--" if dashed(player) else "-")
            figure.add_artist(drawn)
            figure.text((x + 21) / width, y, name, va="center_baseline", color=LIGHT["text"])


def _draw(
    figure: "Figure",
    plot: Plot,
    panel: Curves | Intervals,
    corner: tuple[float, float],
    size: tuple[float, float],
) -> None:
    """A panel into its part of a figure."""
    whole_width, whole_height = (POINTS * float(inches) for inches in figure.get_size_inches())
    left = LEFT if isinstance(panel, Curves) else _names_width(panel)
    axes = figure.add_axes(
        (
            (corner[0] + left) / whole_width,
            (corner[1] + BOTTOM) / whole_height,
            (size[0] - left - RIGHT) / whole_width,
            (size[1] - TOP - BOTTOM) / whole_height,
        )
    )
    if isinstance(panel, Intervals):
        draw_intervals(axes, panel, plot.unit)
    else:
        draw_curves(axes, panel, limits(plot.panels if plot.shared else (panel,)))


def _names_width(panel: Intervals) -> float:
    return 16 + 0.62 * FONT * max(len(row.name) for row in panel.rows)
