"""Statistics, as they go over the wire."""

from typing import Annotated, Literal

from pydantic import Field

from felt.server.web.schemas.tables import Schema


class Stat(Schema):
    """One figure: `value` is `count` of `of`; null before there was a chance."""

    key: Annotated[str, Field(examples=["vpip"])]
    title: Annotated[str, Field(examples=["VPIP"])]
    help: Annotated[str, Field(examples=["called or raised in the first round / hands with a first-round decision"])]
    value: Annotated[float | None, Field(examples=[0.27])]
    count: Annotated[int, Field(examples=[27])]
    of: Annotated[int, Field(examples=[100])]
    unit: Literal["%", "ratio"]


class Figures(Schema):
    """What somebody did and won over some hands."""

    hands: int
    stats: list[Stat]
    won: Annotated[int, Field(description="Chips, over all hands")]
    mbb: Annotated[float | None, Field(description="Thousandths of a big blind won per hand")]
    mbb_interval: Annotated[float | None, Field(description="Half of the width of its 95 % interval")]


class SeatFigures(Figures):
    """Of who sits at a table now, over the hands at this table."""

    seat: int
    name: str
    agent: str | None


class TableFigures(Schema):
    """A table's seats, null for empty ones."""

    seats: list[SeatFigures | None]


class GameFigures(Figures):
    """Of the caller in one game, over all tables."""

    game: str
    title: str


class OwnFigures(Schema):
    """The caller's games, the one with most hands first."""

    games: list[GameFigures]


class Point(Schema):
    """What was won in all after so many hands."""

    hand: Annotated[str, Field(description="The id of the last of them")]
    n: int
    won: Annotated[int, Field(description="Chips")]
    won_bb: Annotated[float, Field(description="Big blinds, each hand's own")]


class Graph(Schema):
    """At most 500 points of `n` hands, evenly spread, the last one among them."""

    points: list[Point]
    n: int
