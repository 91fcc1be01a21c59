"""`felt range`: read a range, look at it, write it as a chart."""

from pathlib import Path
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.options import Dead, Json, argument, option
from felt.errors import RangeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table


def range_(
    text: str = argument("TEXT", "A range in any common notation."),
    svg: Path | None = option(None, "--svg", "FILE", "Also write the chart as an SVG picture."),
    ranking: str = option("equity", "--ranking", "NAME", "What 'top 20%' means: equity, multiway, chen, sklansky."),
    style: str = option("felt", "--style", "NAME", "Whose spelling to print: felt, pio, gto+, equilab …"),
    dead: Dead = "",
    json: Json = False,
) -> None:
    """A range as a 13 × 13 chart, with its number of combos and its canonical text.

    Example: `felt range "TT+, AQs+, A5s-A2s:0.5" --svg range.svg`

    Example: `felt range "top 15%" --ranking chen`
    """
    from felt.cards.card import format_cards, parse_cards
    from felt.cards.ranges.range import Range, format_range

    hands = Range.parse(text, ranking=ranking)
    gone = parse_cards(dead)
    if gone:
        hands = hands.without(gone)
    if not len(hands):
        raise RangeError(f"no hand of {text!r} is left without {dead!r}: widen the range or name fewer dead cards")
    written = format_range(hands, style)
    if svg is not None:
        from felt._files import write_text
        from felt.cards.ranges.chart import range_svg

        write_text(svg, range_svg(hands))
    if json:
        from felt.cards.combos import CLASS_NAMES

        weights = zip(CLASS_NAMES, hands.class_weights().tolist(), strict=True)
        classes = {name: weight for name, weight in weights if weight > 0}
        figures = {"range": written, "combos": hands.combos, "share": hands.share, "dead": format_cards(gone)}
        output.print_json({**figures, "classes": classes})
        return
    output.show(range_chart(hands.class_weights()))
    output.say()
    output.say(f"[bold]{output.chips(hands.combos)}[/] combos, {output.percent(hands.share)} of all hands")
    output.say(output.plain(written))
    if svg is not None:
        output.say(f"[dim]chart written to {output.plain(str(svg))}[/]")


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
