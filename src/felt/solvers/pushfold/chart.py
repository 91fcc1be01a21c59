"""Charts of push/fold as self-contained SVG: how often each hand is played, or up to which stack."""

import re
from collections.abc import Sequence
from math import log
from typing import Final
from xml.sax.saxutils import escape

from felt.cards.combos import CLASS_NAMES
from felt.cards.ranges.chart import range_svg
from felt.cards.ranges.range import Range
from felt.solvers.pushfold.headsup import Solution
from felt.solvers.pushfold.multiway import MultiSolution
from felt.solvers.pushfold.scan import Interval, Scan

_CELL, _GAP, _MARGIN, _HEADER, _FOOTER = 52, 2, 16, 40, 40
_SIDE = 13 * _CELL + 12 * _GAP
_WIDTH, _HEIGHT = _SIDE + 2 * _MARGIN, _HEADER + _SIDE + _FOOTER

_LINES: Final = 3
"""Stretches of stacks that fit into a cell; the tooltip has them all."""

_STYLE: Final = """
.page{fill:#ffffff}.cell{fill:#edf0f3}.in{fill:#5cb89f}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#15191e}
.name{font-size:13px;font-weight:600;text-anchor:middle}.upto{font-size:11px;text-anchor:middle}
.few{font-size:8px;text-anchor:middle}.title{font-size:17px;font-weight:600}.note{font-size:13px;fill:#4a535d}
@media (prefers-color-scheme:dark){
.page{fill:#14181c}.cell{fill:#242b32}.in{fill:#1b7863}text{fill:#f4f6f8}.note{fill:#b4bec8}}
"""

_MOST_CHARTS: Final = 24
"""Of a table."""

_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def solution_svg(solution: Solution) -> str:
    """Two charts side by side: how often each hand is shoved, and called with."""
    stack = f"{solution.game.effective:g} bb"
    shove = range_svg(solution.shove_range, title=f"Small blind shoves, {stack}")
    call = range_svg(solution.call_range, title=f"Big blind calls, {stack}")
    return side_by_side([shove, call], title=f"Push/fold, {stack}")


def table_svg(solution: MultiSolution) -> str:
    """A chart for every spot of a table, three in a row; of large tables those who meet two all-ins are left out."""
    charts = []
    for spot, often in solution.often.items():
        if len(spot.all_in) < 2 or len(solution.often) <= _MOST_CHARTS:
            hands = solution.undecided.get(spot)
            title = solution.title(spot) + (f" (undecided: {', '.join(hands)})" if hands else "")
            charts.append(range_svg(Range.from_classes(often), title=title))
    return side_by_side(charts, title=f"Push/fold for {solution.game.players}", across=3)


def scan_svg(solved: Scan) -> str:
    """Two charts side by side: up to which stacks each hand is shoved, and called with."""
    most = float(solved.stacks[-1])
    shove = stacks_svg(solved.shove_intervals(), most, title="Small blind shoves up to … big blinds")
    call = stacks_svg(solved.call_intervals(), most, title="Big blind calls up to … big blinds")
    return side_by_side([shove, call], title=f"Push/fold, {solved.stacks[0]:g} to {most:g} bb")


def stacks_svg(stretches: Sequence[Sequence[Interval]], most: float, *, title: str) -> str:
    """A chart of stacks: in each cell up to how many big blinds the hand is played, or the stretches where there are
    several; `most` is where the scan ended."""
    note = "from the smallest stack up to the number, in big blinds; several stretches where they are shown"
    least = min((first for parts in stretches for first, _ in parts), default=most)
    parts = [
        *_head(_WIDTH, _HEIGHT, title),
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>',
        f'<text class="title" x="{_MARGIN}" y="27">{escape(title)}</text>',
        *(_cell(place, intervals, least, most) for place, intervals in enumerate(stretches)),
        f'<text class="note" x="{_MARGIN}" y="{_HEADER + _SIDE + 26}">{escape(note)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _cell(place: int, intervals: Sequence[Interval], least: float, most: float) -> str:
    row, col = divmod(place, 13)
    x, y = _MARGIN + col * (_CELL + _GAP), _HEADER + row * (_CELL + _GAP)
    box = f'x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="4"'
    middle, name = x + _CELL // 2, CLASS_NAMES[place]
    tooltip = ", ".join(f"{first:g} to {_end(last, most)} bb" for first, last in intervals) or "never"
    lines = [f'<g><title>{name}: {tooltip}</title><rect class="cell" {box}/>']
    if intervals:  # from faint to full, by the logarithm of the stack
        shade = max(0.1, min(1.0, log(max(intervals[-1][1], 1.0) + 0.5) / log(max(most, 2.0))))
        lines.append(f'<rect class="in" {box} fill-opacity="{shade:.3g}"/>')
    lines.append(f'<text class="name" x="{middle}" y="{y + 17}">{name}</text>')
    texts = _texts(intervals, least, most)
    size, begin = ("upto", y + 37) if len(texts) == 1 else ("few", y + 28)
    for line, text in enumerate(texts):
        lines.append(f'<text class="{size}" x="{middle}" y="{begin + 9 * line}">{text}</text>')
    return "".join([*lines, "</g>"])


def _texts(intervals: Sequence[Interval], least: float, most: float) -> list[str]:
    if len(intervals) == 1 and intervals[0][0] <= least:
        return [_end(intervals[0][1], most)]
    written = [
        f"–{_end(last, most)}" if first <= least else f"{first:g}–{_end(last, most)}" for first, last in intervals
    ]
    return written if len(written) <= _LINES else [*written[: _LINES - 2], "…", written[-1]]


def _end(stack: float, most: float) -> str:
    return f"{stack:g}+" if stack >= most else f"{stack:g}"


def _head(width: int, height: int, title: str) -> list[str]:
    size, text = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"', escape(title)
    return [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{text}">', f"<title>{text}</title>"]


def side_by_side(charts: Sequence[str], *, title: str, across: int = 2) -> str:
    """Charts of one size in one picture, so many in a row."""
    width, height = next(tuple(map(int, match.groups())) for match in map(_SIZE.search, charts) if match)
    wide, high = width * min(across, len(charts)), height * -(-len(charts) // across)
    parts = _head(wide, high, title)
    for place, chart in enumerate(charts):
        down, along = divmod(place, across)
        parts.append(chart.strip().replace("<svg ", f'<svg x="{along * width}" y="{down * height}" ', 1))
    return "\n".join([*parts, "</svg>"]) + "\n"
