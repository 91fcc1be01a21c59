"""What a plot shows, as plain numbers: whatever draws it only draws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Line:
    """A curve in the colour of a player."""

    player: int
    x: Numbers
    y: Numbers
    weight: str = "plain"
    """``plain``, ``faint`` for what lies behind another curve, or ``mark`` for a level that is not a curve."""


@dataclass(frozen=True, eq=False)
class Band:
    """What lies between two curves, in the colour of a player."""

    player: int
    x: Numbers
    low: Numbers
    high: Numbers


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over the hands of a match, or over something else that is counted."""

    title: str
    lines: tuple[Line, ...]
    bands: tuple[Band, ...] = ()
    player: int | None = None
    """The player, if all curves are those of one player."""
    share: bool = False
    """Whether it shows how often something is done: never less than not at all."""
    percent: bool = False
    """Whether that is a share of chances, and not a ratio."""
    across: str = "hands"
    """What is counted."""


@dataclass(frozen=True)
class Bar:
    """A figure with its interval."""

    value: float
    low: float | None
    high: float | None
    adjusted: bool = False


@dataclass(frozen=True)
class Row:
    """The figures of one player, under each other."""

    player: int
    name: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Intervals:
    """Figures with their intervals, a row for each player."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class Plot:
    """One or more panels side by side, with what a reader has to know about them."""

    name: str
    """What its files are called."""
    title: str
    unit: str
    """The unit of the figures, unless a panel has its own."""
    caption: str
    panels: tuple[Curves | Intervals, ...]
    columns: int = 2
    key: tuple[tuple[int, str], ...] = ()
    """Players and their names, where the colours need one."""
    shared: bool = True
    """Whether the panels have one scale."""
