"""What a plot shows, as plain numbers, and in which colours: whatever draws it only draws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_COLOURS = {
    "p0": ("#0072b2", "#4ba3e6"),
    "p1": ("#d55e00", "#f58b4c"),
    "p2": ("#009e73", "#34c79c"),
    "p3": ("#b8578f", "#e391c0"),
    "p4": ("#56b4e9", "#a9def8"),
    "p5": ("#dd9900", "#f3c04b"),
    "text": ("#3d4650", "#c3ccd6"),
    "axis": ("#9aa3ad", "#66717d"),
    "grid": ("#e4e7eb", "#2b333b"),
    "zero": ("#828c97", "#8d98a4"),
}
"""On light and on dark pages. The colours of players are those of Okabe and Ito (2008), which stay apart for
colour-blind readers, paler on dark pages. Drawings are made in the light ones; a page puts variables in their place."""
LIGHT, DARK = ({name: pair[page] for name, pair in _COLOURS.items()} for page in range(2))
PLAYERS = 6
"""Colours of players; those who come after have the same again, dashed."""


def colour(player: int) -> str:
    """The colour of a player in drawings."""
    return LIGHT[f"p{player % PLAYERS}"]


def dashed(player: int) -> bool:
    """Whether the lines of a player are dashed."""
    return player >= PLAYERS


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


def columns_for(panels: int) -> int:
    """How many panels stand side by side."""
    return 2 if panels in (1, 2, 4) else 3
