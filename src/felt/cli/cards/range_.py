"""`felt range`: read a range, look at it, write it as a chart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.options import Dead, Json, option
from felt.errors import RangeError

if TYPE_CHECKING:
    from felt.cards.ranges.range import Range


def range_(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A range in any common notation.")],
    svg: Annotated[Path | None, option("--svg", "FILE", "Also write the chart as an SVG picture.")] = None,
    ranking: Annotated[
        str, option("--ranking", "NAME", "What 'top 20%' means: equity, multiway, chen, sklansky.")
    ] = "equity",
    style: Annotated[str, option("--style", "NAME", "Whose spelling to print: felt, pio, gto+, equilab …")] = "felt",
    dead: Dead = "",
    json: Json = False,
) -> None:
    """A range as a 13 × 13 chart, with its number of combos and its canonical text.

    Example: `felt range "TT+, AQs+, A5s-A2s:0.5" --svg range.svg`

    Example: `felt range "top 15%" --ranking chen`
    """
    from felt.cards.card import parse_cards
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
        _print_json(hands, written, dead)
    else:
        _print(hands, written, svg)


def _print_json(hands: "Range", text: str, dead: str) -> None:
    from felt.cards.card import format_cards, parse_cards
    from felt.cards.combos import CLASS_NAMES

    weights = zip(CLASS_NAMES, hands.class_weights().tolist(), strict=True)
    output.print_json(
        {
            "range": text,
            "combos": hands.combos,
            "share": hands.share,
            "dead": format_cards(parse_cards(dead)),
            "classes": {name: weight for name, weight in weights if weight > 0},
        }
    )


def _print(hands: "Range", text: str, svg: Path | None) -> None:
    from felt.cli.cards.chart import range_chart

    output.show(range_chart(hands.class_weights()))
    output.say()
    output.say(f"[bold]{output.chips(hands.combos)}[/] combos, {output.percent(hands.share)} of all hands")
    output.say(output.plain(text))
    if svg is not None:
        output.say(f"[dim]chart written to {output.plain(str(svg))}[/]")
