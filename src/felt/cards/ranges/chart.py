"""The 13 × 13 chart of a range as one self-contained SVG.

The opacity of a cell is the weight of its class; pairs, suited and offsuit hands have their own
colours. The picture carries its own style sheet for light and dark pages, and a tooltip (which screen
readers read) for every cell.
"""

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

import numpy as np

from felt.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_CLASS

if TYPE_CHECKING:
    from felt.cards.ranges.range import Range

_CELL, _GAP, _MARGIN, _HEADER, _FOOTER = 44, 2, 16, 40, 64
_SIDE: Final = 13 * _CELL + 12 * _GAP
_WIDTH: Final = _SIDE + 2 * _MARGIN
_TITLE_LENGTH: Final = 50
"""Characters that fit above the grid; a longer title is cut there, and whole in the tooltip."""

_STYLE: Final = """
.page{fill:#ffffff}.cell{fill:#edf0f3}.pair{fill:#f0b443}.suited{fill:#5cb89f}.offsuit{fill:#8aaee8}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#15191e}
.name{font-size:14px;font-weight:600;text-anchor:middle}.out .name{fill:#5f6973;font-weight:400}
.weight{font-size:9.5px;text-anchor:middle}.title{font-size:17px;font-weight:600}.note{font-size:13px;fill:#4a535d}
@media (prefers-color-scheme:dark){
.page{fill:#14181c}.cell{fill:#242b32}.pair{fill:#96660a}.suited{fill:#1b7863}.offsuit{fill:#3b63ad}
text{fill:#f4f6f8}.out .name{fill:#95a0ab}.note{fill:#b4bec8}}
"""


def range_svg(hands: "Range", *, title: str | None = None) -> str:
    """An SVG picture of a range: 13 × 13 cells, weights as opacity, combos and share in the caption.

    Without a `title` the range's own text stands there. A class whose suits differ is
    drawn with its mean weight.

    >>> from felt.cards import Range
    >>> range_svg(Range.parse("TT+, AKs:0.5"))[:35]
    '<svg xmlns="http://www.w3.org/2000/'
    """
    heading = (str(hands) or "empty range") if title is None else title
    caption = f"{_number(hands.combos)} of 1,326 combos · {100 * hands.share:.2f} % of hands"
    height = _HEADER + _SIDE + _FOOTER
    weights = hands.class_weights()
    held = np.bincount(COMBO_CLASS, weights=hands.weights, minlength=CLASS_COUNT)
    label = escape(f"{heading}: {caption}", {'"': "&quot;"})
    above = heading if len(heading) <= _TITLE_LENGTH else heading[: _TITLE_LENGTH - 1] + "…"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" aria-label="{label}">',
        f"<title>{escape(heading)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{_WIDTH}" height="{height}" rx="8"/>',
        f'<text class="title" x="{_MARGIN}" y="27">{escape(above)}</text>',
        *(_cell(index, float(weights[index]), float(held[index])) for index in range(CLASS_COUNT)),
        f'<text class="note" x="{_MARGIN}" y="{_HEADER + _SIDE + 24}">{escape(caption)}</text>',
        *_legend(_HEADER + _SIDE + 48),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _cell(index: int, weight: float, held: float) -> str:
    """One class: a grey cell, the coloured one over it, the name, and the per cent if it is partial."""
    row, col = divmod(index, 13)
    x, y = _MARGIN + col * (_CELL + _GAP), _HEADER + row * (_CELL + _GAP)
    place = f'x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="4"'
    name, middle = CLASS_NAMES[index], x + _CELL // 2
    partial = 0 < weight < 1
    kind = {"": "pair", "s": "suited", "o": "offsuit"}[name[2:]]
    tooltip = f"{name}: weight {weight:.4g}, {_number(held)} of {CLASS_SIZES[index]} combos"
    lines = [
        f'<g class="{"in" if weight else "out"}"><title>{tooltip}</title><rect class="cell" {place}/>',
        f'<rect class="{kind}" {place} fill-opacity="{weight:.4g}"/>' if weight else "",
        f'<text class="name" x="{middle}" y="{y + (22 if partial else 27)}">{name}</text>',
        f'<text class="weight" x="{middle}" y="{y + 36}">{_percent(weight)}</text>' if partial else "",
        "</g>",
    ]
    return "".join(lines)


def _legend(y: int) -> list[str]:
    parts = []
    for place, (kind, label) in enumerate((("pair", "pairs"), ("suited", "suited"), ("offsuit", "offsuit"))):
        x = _MARGIN + 92 * place
        parts.append(f'<rect class="{kind}" x="{x}" y="{y - 11}" width="13" height="13" rx="3"/>')
        parts.append(f'<text class="note" x="{x + 19}" y="{y}">{label}</text>')
    right = _WIDTH - _MARGIN
    parts.append(f'<text class="note" x="{right}" y="{y}" text-anchor="end">paler = played less often</text>')
    return parts


def _percent(weight: float) -> str:
    """A weight as a short percentage; never "0 %" or "100 %" for a partial one."""
    percent = 100 * weight
    if percent < 1:
        return "&lt;1 %"
    return "&gt;99 %" if percent > 99 else f"{percent:.0f} %"


def _number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
