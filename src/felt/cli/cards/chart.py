"""The 13 × 13 chart of a range in the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table

_SHADES = ((0.999, "bold black on green3"), (0.6, "black on dark_sea_green4"), (0.25, "black on grey50"))
_FAINT = "white on grey30"


def range_chart(weights: "NDArray[np.float64]") -> "Table":
    """A chart of 169 class weights: suited hands above the diagonal, as players draw it.

    A hand that is in for good shows its name, one that is in at times its percentage, one that is out a dot;
    so the chart reads without colour too.
    """
    from rich.table import Table

    from felt.cards.card import RANKS
    from felt.cards.combos import CLASS_NAMES

    chart = Table(box=None, show_header=True, pad_edge=False, padding=0, collapse_padding=True)
    chart.add_column("", style="dim")
    for rank in reversed(RANKS):
        chart.add_column(f"{rank}", justify="center", width=5, header_style="dim")
    for row in range(13):
        classes = range(row * 13, row * 13 + 13)
        chart.add_row(RANKS[12 - row] + " ", *(_cell(CLASS_NAMES[i], float(weights[i])) for i in classes))
    return chart


def _cell(name: str, weight: float) -> str:
    if weight <= 0:
        return "[dim]·[/]"
    style = next((style for limit, style in _SHADES if weight >= limit), _FAINT)
    shown = name if weight > 0.999 else f"{max(1, min(99, round(100 * weight)))}%"
    return f"[{style}]{shown:^5}[/]"
