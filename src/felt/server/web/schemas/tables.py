"""What goes over the wire, typed: the page's client is generated from this."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from felt.server.tables.settings import SLOWEST_HAND, SLOWEST_MOVE
from felt.store.accounts.names import check_name

MOST = 2_000_000_000
Name = Annotated[str, Field(max_length=200, examples=["Ada"]), AfterValidator(check_name)]


def _joined(cards: object) -> object:
    """A list of cards, as states and answers have them, is as good as a text."""
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        return "".join(cards)
    return cards


Cards = Annotated[
    str,
    Field(max_length=40, examples=["AsKd"]),
    BeforeValidator(_joined),
    WithJsonSchema(
        {
            "anyOf": [{"type": "string", "maxLength": 40}, {"type": "array", "items": {"type": "string"}}],
            "examples": ["AsKd", ["As", "Kd"]],
        }
    ),
]
"""Cards in one text, or one by one."""
Count = Annotated[int, Field(ge=0, le=MOST)]
Chips = Count
Parameters = dict[Annotated[str, Field(max_length=40)], int | float]


class Asked(BaseModel):
    """What a client sends: nothing that is not known."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Schema(BaseModel):
    """What a client is sent."""

    model_config = ConfigDict(extra="forbid")


class ErrorTold(Schema):
    code: str
    message: str
    field: str | None


class ErrorBody(Schema):
    error: ErrorTold


class Health(Schema):
    ok: bool
    version: str


class SessionAsked(Asked):
    name: Name


class SeatOf(Schema):
    table: str
    seat: int


class Me(Schema):
    id: str
    name: str
    guest: bool
    token: str
    seats: list[SeatOf]


class ParameterTold(Schema):
    name: str
    default: str
    title: str


class Variant(Schema):
    name: str
    title: str
    description: str
    min_players: int
    max_players: int
    structure: str
    stack: int
    blinds: list[int]
    parameters: list[ParameterTold]


class AgentTold(Schema):
    name: Annotated[str, Field(examples=["tag"])]
    title: Annotated[str, Field(description="What players call it", examples=["Regular"])]
    style: Annotated[str | None, Field(description="In three words", examples=["Tight, aggressive, patient"])]
    about: Annotated[str, Field(description="What it does, in a sentence")]
    games: list[str] | None


class PaceAsked(Asked):
    paused: bool = False
    move_seconds: Annotated[float, Field(ge=0, le=SLOWEST_MOVE)] = 0.6
    hand_seconds: Annotated[float, Field(ge=0, le=SLOWEST_HAND)] = 4.0


class TableAsked(Asked):
    game: Annotated[str, Field(max_length=60)] = "nlhe"
    parameters: Annotated[Parameters, Field(max_length=20)] = {}
    seats: Annotated[int, Field(ge=2, le=10)] = 2
    stack: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    tournament: bool = False
    hands_per_level: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    time_limit: Annotated[float, Field(gt=0, le=3600)] = 15.0
    time_bank: Annotated[float, Field(ge=0, le=3600)] = 30.0
    agents: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=10)] = []
    sit: bool = True
    private: bool = False
    open_cards: bool = False
    pace: PaceAsked | None = None


class SitAsked(Asked):
    seat: Annotated[int, Field(ge=0, le=9)]
    invite: Annotated[str, Field(max_length=60)] | None = None


class AwayAsked(Asked):
    away: bool = True


class ActAsked(Asked):
    hand: Count
    step: Count
    move: Literal["fold", "call", "raise", "exchange"]
    amount: Chips = 0
    cards: Cards = ""


class ActMessage(ActAsked):
    type: Literal["act"]


class PaceTold(Schema):
    paused: bool
    move_seconds: float
    hand_seconds: float


class TableInfo(Schema):
    id: str
    game: str
    title: str
    seats: int
    taken: int
    people: list[str]
    agents: list[str]
    tournament: bool
    hands_per_level: int
    time_limit: float
    time_bank: float
    parameters: dict[str, int | float]
    stack: int
    blinds: list[int]
    big_blind: int
    hands: int
    private: bool
    invite: str | None
    open_cards: bool
    owner: bool
    pace: PaceTold


class Made(Schema):
    table: TableInfo
    seat: int


class PotTold(Schema):
    chips: int
    seats: list[int]


class SeatTold(Schema):
    seat: int
    name: str
    agent: str | None
    stack: int
    bet: int
    folded: bool
    all_in: bool
    in_hand: bool
    away: bool
    leaving: bool
    cards: list[str]
    hidden: int
    up: list[str]
    last: str | None
    won: int
    connected: bool


class RaiseTold(Schema):
    least: int
    most: int


class ExchangeTold(Schema):
    what: str
    least: int
    most: int


class LegalTold(Schema):
    fold: bool
    call: int | None
    raise_to: RaiseTold | None
    exchange: ExchangeTold | None


class Preset(Schema):
    label: str
    amount: int


class Result(Schema):
    text: str
    payoffs: list[int]


class DealTold(Schema):
    commitment: str


class State(Schema):
    table: TableInfo
    seq: int
    you: int
    hand_id: str | None
    hand: int
    step: int
    playing: bool
    button: int
    round: str | None
    street: int
    board: list[str]
    pot: int
    pots: list[PotTold]
    seats: list[SeatTold | None]
    turn: int
    deadline_ms: int | None
    bank_ms: int | None
    legal: LegalTold | None
    presets: list[Preset]
    hold: str | None
    result: Result | None
    level: int
    hands_left: int | None
    winner: int | None
    deal: DealTold | None
    log: list[str]


class ActionTold(Schema):
    move: str
    amount: int


class EventTold(Schema):
    kind: Literal["deal", "move", "board", "showdown", "result", "seat", "level", "expired", "winner", "snapshot"]
    seat: int
    text: str
    action: ActionTold | None = None
    cards: str | None = None


class Message(Schema):
    seq: int
    event: EventTold
    state: State


class Messages(Schema):
    messages: list[Message]


class StrategyTold(Schema):
    name: str
    agent: str
    game: str
    players: int
    origin: str
    added: str
