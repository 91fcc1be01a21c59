"""Hands that are over and statistics, as they go over the wire."""

from typing import Annotated, Literal

from pydantic import Field

from felt.server.web.schemas.tables import ActionTold, EventTold, LegalTold, PotTold, Schema, SeatTold

Share = Annotated[float, Field(ge=0, le=1)]


class HandTold(Schema):
    """One hand in a list."""

    id: Annotated[str, Field(examples=["b0Yf3c-1w2Qk-12"])]
    table: str
    number: int
    game: Annotated[str, Field(examples=["nlhe"])]
    title: Annotated[str, Field(examples=["No-limit Texas hold'em"])]
    when: Annotated[str, Field(description="The end of the hand, in UTC", examples=["2026-11-15T19:48:48Z"])]
    seat: Annotated[int, Field(description="The caller's seat; -1 for who was not dealt in")]
    cards: Annotated[list[str], Field(description="The caller's own, as they were last", examples=[["As", "Kd"]])]
    board: list[str]
    won: Annotated[int, Field(description="Chips that the caller won, or lost (negative)")]
    pot: int
    big_blind: int
    players: Annotated[list[str], Field(examples=[["Ada", "Bo"]])]
    text: Annotated[str, Field(examples=["Ada wins 24 with two pair, aces and kings"])]


class HandsTold(Schema):
    """A page of hands, newest first; `next` goes into `before` for the page after it."""

    hands: list[HandTold]
    next: str | None


class StepState(Schema):  # eight fields of `State`: as a base of it they would change their order in the description
    """The table at one moment, drawn like a live one."""

    round: str | None
    street: int
    board: list[str]
    pot: int
    pots: list[PotTold]
    seats: list[SeatTold | None]
    turn: int
    legal: LegalTold | None


class DecisionTold(Schema):
    """A decision: what it cost, what it could win, and what was done."""

    seat: int
    action: ActionTold
    words: Annotated[str, Field(examples=["raises to 12"])]
    to_call: int
    pot_odds: Annotated[Share | None, Field(description="The call as a share of the pot with it; null when it is free")]
    needed: Annotated[Share | None, Field(description="The equity with which a call breaks even, after rake")]
    equity: Annotated[Share | None, Field(description="The seat's share of the pot by what it saw; null where unknown")]
    equity_note: Annotated[str | None, Field(examples=["against 2 random hands (sampled, ±0.01)"])]
    equity_actual: Annotated[Share | None, Field(description="Against the others' real cards, where all may be seen")]


class Step(Schema):
    """The hand after one event; `decision` is what the seat to act then did, which leads to the next step."""

    state: StepState
    event: EventTold | None
    also: Annotated[list[EventTold], Field(description="What followed the event at once: the board, the showdown")]
    decision: DecisionTold | None


class PlayerTold(Schema):
    """Who was dealt in."""

    seat: int
    name: str
    agent: str | None
    stack: Annotated[int, Field(description="At the start of the hand")]


class HandReplay(Schema):
    """A hand, step by step; the first step is the hand as dealt."""

    hand: HandTold
    seats: list[PlayerTold]
    button: int
    blinds: list[int]
    steps: list[Step]
    all_cards: Annotated[bool, Field(description="Whether the caller may ask for cards=all")]


class OpenedCard(Schema):
    """A card of the deck that the caller may check."""

    at: int
    card: str
    salt: str


class OpenedDeal(Schema):
    """The deal as far as the caller may know it, as `felt verify-deal` takes it."""

    commitment: str
    leaves: list[str]
    cards: list[OpenedCard]


CardsAsked = Literal["mine", "all"]


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
