"""How fast solvers converge: exploitability by iterations and by seconds, both scales logarithmic."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from felt.arena.report.plots.colours import LIGHT, colour, dashed
from felt.arena.report.plots.drawing import DPI, FONT, POINTS, settings

WIDTH, HEIGHT = 860.0, 320.0


@dataclass(frozen=True)
class Convergence:
    """One run: iterations, seconds and exploitability each time it was measured."""

    name: str
    points: Sequence[tuple[int, float, float]]


def convergence_plot(runs: Sequence[Convergence], *, kind: str = "svg", title: str = "") -> bytes:
    """A picture of all runs, as SVG or PNG."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, NullFormatter

    with settings():
        figure = Figure(figsize=(WIDTH / POINTS, HEIGHT / POINTS), facecolor="white", layout="constrained")
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
        file = BytesIO()
        if kind == "png":
            figure.savefig(file, format="png", dpi=DPI, metadata={"Software": None})
        else:
            about = {"Date": None, "Creator": None, "Type": None, "Format": None}
            figure.savefig(file, format="svg", metadata=about)
        return file.getvalue()


def _power(value: float) -> str:
    """A power of ten, in the fewest signs.

    >>> [_power(10.0**power) for power in (-5, -2, 0, 4)]
    ['1e-5', '0.01', '1', '10,000']
    """
    if value < 1e-3:
        return f"{value:.0e}".replace("e-0", "e-")
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
