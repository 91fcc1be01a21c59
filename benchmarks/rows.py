"""One line of the table: what was measured, beside what, and whether it is as fast as was asked."""

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SECOND_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


@dataclass(frozen=True)
class Figure:
    """A measured (or quoted) quantity: the middle of its runs, and how far they lie apart.

    `unit` is ``s`` (less is better) or something a second, like ``hands/s`` (more is better). `quoted` says
    where a figure comes from that was not measured in this run.
    """

    value: float
    unit: str
    low: float
    high: float
    runs: tuple[float, ...] = ()
    quoted: str = ""

    @property
    def rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    @property
    def best(self) -> float | None:
        """The fastest run: what comes closest to a machine with nothing else to do. None where runs are not kept."""
        if len(self.runs) < 2 or self.unit == "×":
            return None
        return max(self.runs) if self.rate else min(self.runs)


def figure(runs: Iterable[float], unit: str) -> Figure:
    """Median and quartiles of some runs.

    >>> figure([3.0, 1.0, 2.0, 4.0, 5.0], "s")
    Figure(value=3.0, unit='s', low=2.0, high=4.0, runs=(3.0, 1.0, 2.0, 4.0, 5.0), quoted='')
    """
    kept = tuple(runs)
    low, middle, high = quartiles(kept)
    return Figure(middle, unit, low, high, kept)


def rate(seconds: Iterable[float], unit: str) -> Figure:
    """Seconds for one thing each, as things a second."""
    return figure([1 / s for s in seconds], unit)


def quote(value: float, unit: str, source: str) -> Figure:
    """A figure that others measured."""
    return Figure(value, unit, value, value, quoted=source)


def quartiles(values: tuple[float, ...]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


@dataclass(frozen=True)
class Target:
    """What was asked: `limit` for our figure, or for the ratio to the peer; `aim` is what would be better still."""

    limit: float
    kind: str
    """``at least`` or ``under``."""
    of: str = "figure"
    """``figure`` or ``ratio``."""
    aim: float | None = None

    def met(self, value: float) -> bool:
        return self.reaches(value, self.limit)

    def reaches(self, value: float, limit: float) -> bool:
        return value >= limit if self.kind == "at least" else value < limit


@dataclass(frozen=True)
class Row:
    """A line: `ours`, and where there is one, a peer and a target."""

    name: str
    ours: Figure
    peer: str = ""
    theirs: Figure | None = None
    target: Target | None = None
    note: str = ""

    @property
    def ratio(self) -> Figure | None:
        """How many times as fast as the peer we are: round by round where both ran, else of the medians."""
        if self.theirs is None:
            return None
        ours, theirs = self.ours, self.theirs
        pairs = list(zip(ours.runs, theirs.runs, strict=False)) if len(ours.runs) == len(theirs.runs) else []
        if pairs:
            return figure([a / b if ours.rate else b / a for a, b in pairs], "×")
        at = theirs.value
        middle, *ends = (v / at if ours.rate else at / v for v in (ours.value, ours.low, ours.high))
        return Figure(middle, "×", low=min(ends), high=max(ends))

    @property
    def met(self) -> bool | None:
        """Whether the target is met, by the median; None without one."""
        if self.target is None:
            return None
        judged = self.ratio if self.target.of == "ratio" else self.ours
        return judged is not None and self.target.met(judged.value)

    @property
    def met_at_best(self) -> bool | None:
        """Whether our fastest run meets a target for our figure; None where there is no such thing."""
        if self.target is None or self.target.of == "ratio" or self.ours.best is None:
            return None
        return self.target.met(self.ours.best)

    @property
    def aim_met(self) -> bool | None:
        """Whether the better figure that is aimed at is reached too."""
        if self.target is None or self.target.aim is None:
            return None
        judged = self.ratio if self.target.of == "ratio" else self.ours
        return judged is not None and self.target.reaches(judged.value, self.target.aim)


def rows_beside(name: str, ours: Figure, theirs: Mapping[str, Figure], target: Target | None = None) -> list[Row]:
    """A row for each peer. The target, which is about us alone or about the first peer, is judged once."""
    if not theirs:
        return [Row(name, ours, target=target)]
    return [
        Row(name, ours, peer, figure, None if index else target) for index, (peer, figure) in enumerate(theirs.items())
    ]


@dataclass(frozen=True)
class Section:
    """The rows of one benchmark, in the order in which they are shown."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    spread: str = "the middle half of the runs"
    order: int = 50
    seconds: float = field(default=0.0, compare=False)


def read_section(found: Any) -> Section:
    """What a benchmark returned: a `Section`, or a dict with a name and rows of plain figures."""
    if isinstance(found, Section):
        return found
    rows = tuple(read_row(row) for row in found["rows"])
    return Section(
        found["name"],
        rows,
        note=found.get("note", ""),
        spread=found.get("spread", "the worst and the best run"),
        order=found.get("order", 50),
    )


def read_row(row: Mapping[str, Any] | Row) -> Row:
    """A row of plain figures: name, value, unit, spread and, where there is one, target and target_kind."""
    if isinstance(row, Row):
        return row
    scale, unit = (SECOND_UNITS[row["unit"]], "s") if row["unit"] in SECOND_UNITS else (1.0, row["unit"])
    low, high = sorted(scale * end for end in row["spread"])
    runs = tuple(scale * run for run in row.get("runs", ()))
    target = Target(scale * row["target"], row.get("target_kind", "at least")) if "target" in row else None
    return Row(
        row["name"], Figure(scale * row["value"], unit, low, high, runs), target=target, note=row.get("note", "")
    )
