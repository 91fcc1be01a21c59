"""`felt range`: read a range, look at it, write it as a chart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.options import Dead, Json
from felt.errors import RangeError

if TYPE_CHECKING:
    from felt.cards.range import Range


def range_(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A range in any common notation.")],
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Also write the chart as an SVG picture.")
    ] = None,
    ranking: Annotated[
        str, typer.Option("--ranking", metavar="NAME", help="What 'top 20%' means: equity, multiway, chen, sklansky.")
    ] = "equity",
    style: Annotated[
        str, typer.Option("--style", metavar="NAME", help="Whose spelling to print: felt, pio, gto+, equilab …")
    ] = "felt",
    dead: Dead = "",
    json: Json = False,
) -> None:
    """A range as a 13 × 13 chart, with its number of combos and its canonical text.

    Example: `felt range "TT+, AQs+, A5s-A2s:0.5" --svg range.svg`

    Example: `felt range "top 15%" --ranking chen`
    """
    from felt.cards.card import parse_cards
    from felt.cards.range import Range, format_range

    found = Range.parse(text, ranking=ranking)
    gone = parse_cards(dead)
    if gone:
        found = found.without(gone)
    if not len(found):
        raise RangeError(f"no hand of {text!r} is left without {dead!r}: widen the range or name fewer dead cards")
    written = format_range(found, style)
    if svg is not None:
        from felt.cards.chart import range_svg
        from felt.cli.files import write_text

        write_text(svg, range_svg(found))
    if json:
        _print_json(found, written, dead)
    else:
        _print(found, written, svg)


def _print_json(found: "Range", text: str, dead: str) -> None:
    from felt.cards.card import format_cards, parse_cards
    from felt.cards.combos import CLASS_NAMES

    weights = zip(CLASS_NAMES, found.class_weights().tolist(), strict=True)
    output.print_json(
        {
            "range": text,
            "combos": found.combos,
            "share": found.share,
            "dead": format_cards(parse_cards(dead)),
            "classes": {name: weight for name, weight in weights if weight > 0},
        }
    )


def _print(found: "Range", text: str, svg: Path | None) -> None:
    from felt.cli.chart import range_chart

    output.show(range_chart(found.class_weights()))
    output.say()
    output.say(f"[bold]{output.chips(found.combos)}[/] combos, {output.percent(found.share)} of all hands")
    output.say(output.plain(text))
    if svg is not None:
        output.say(f"[dim]chart written to {output.plain(str(svg))}[/]")
