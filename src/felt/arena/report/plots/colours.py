"""Colours of players and of what surrounds them, on light and on dark pages.

The colours of players are those of Okabe and Ito (2008), which stay apart for colour-blind readers, paler on dark
pages. Drawings are made in the light ones; a page puts variables in their place.
"""

LIGHT = {
    "p0": "#0072b2",
    "p1": "#d55e00",
    "p2": "#009e73",
    "p3": "#b8578f",
    "p4": "#56b4e9",
    "p5": "#dd9900",
    "text": "#3d4650",
    "axis": "#9aa3ad",
    "grid": "#e4e7eb",
    "zero": "#828c97",
}
DARK = {
    "p0": "#4ba3e6",
    "p1": "#f58b4c",
    "p2": "#34c79c",
    "p3": "#e391c0",
    "p4": "#a9def8",
    "p5": "#f3c04b",
    "text": "#c3ccd6",
    "axis": "#66717d",
    "grid": "#2b333b",
    "zero": "#8d98a4",
}
PLAYERS = 6
"""Colours of players; those who come after have the same again, dashed."""


def colour(player: int) -> str:
    """The colour of a player in drawings."""
    return LIGHT[f"p{player % PLAYERS}"]


def dashed(player: int) -> bool:
    """Whether the lines of a player are dashed."""
    return player >= PLAYERS


def variables(colours: dict[str, str]) -> str:
    """Colours as variables of a style sheet."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())
