"""Questions to agents, and their answers, as they go over the wire."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from felt.server.web.schemas.tables import Asked, Cards, Chips, Parameters, Schema

Text = Annotated[str, Field(max_length=40)]

NLHE: dict[str, Any] = {
    "agent": "ehs",
    "state": {
        "game": "nlhe",
        "stacks": [200, 200],
        "button": 1,
        "cards": "AsKd",
        "board": "QsJh2h",
        "moves": ["raise to 6", "call", "check"],
    },
    "seed": 1,
}
PHH: dict[str, Any] = {
    "agent": "pushfold",
    "state": {
        "phh": "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [20, 20]\n"
        "actions = ['d dh p1 ????', 'd dh p2 AhTh']\n"
    },
}


class MoveAsked(Asked):
    """A move as an answer tells it; its words and what was thought of it are not looked at."""

    move: Literal["fold", "call", "raise", "exchange"]
    amount: Chips = 0
    cards: Cards = ""
    words: Annotated[str, Field(max_length=80)] = ""
    probability: float | None = None
    chips: float | None = None


def _move_kind(sent: object) -> str:
    return "object" if isinstance(sent, (dict, MoveAsked)) else "text"


MoveIn = Annotated[Annotated[Text, Tag("text")] | Annotated[MoveAsked, Tag("object")], Discriminator(_move_kind)]
"""What somebody did: in words, or as an answer tells it."""


class SituationAsked(Asked):
    """A hand up to somebody's turn: the cards are those of the seat whose turn it is."""

    game: Annotated[str, Field(max_length=60, examples=["nlhe"])] = "nlhe"
    parameters: Annotated[Parameters, Field(max_length=20, default_factory=dict)]
    stacks: Annotated[
        list[Annotated[int, Field(ge=1, le=100_000_000)]],
        Field(min_length=2, max_length=10, description="Chips before antes and blinds, by seat"),
    ]
    button: Annotated[int, Field(ge=-1, le=9, description="The seat of the button; -1 for the last")] = -1
    cards: Annotated[Cards, Field(description="All cards of the seat to act; in stud those face down are enough")]
    board: Cards = ""
    up: Annotated[
        list[Cards],
        Field(
            max_length=10,
            description="Cards face up by seat, as they were dealt (stud); else empty",
            default_factory=list,
        ),
    ]
    moves: Annotated[
        list[MoveIn],
        Field(
            max_length=200,
            description="Everything done since the deal, in order: fold, check, call, bet 6, raise to 12 (the street's "
            "total), all-in, draw 2 (how many) or draw 9d6c2h (which), discard, pass, roll (turn up), stand pat, bring "
            "in; or the words of an answer, or its whole action",
            default_factory=list,
        ),
    ]


class PhhAsked(Asked):
    """A hand up to somebody's turn as PHH, unknown cards as `??`."""

    phh: Annotated[str, Field(max_length=20_000)]


def _state_kind(sent: object) -> str:
    """Whoever gives a PHH means that; all else is looked at as a situation, so that mistakes are those of one kind."""
    return "history" if isinstance(sent, PhhAsked) or (isinstance(sent, dict) and "phh" in sent) else "situation"


class DecideAsked(Asked):
    """Who shall decide, and where."""

    model_config = ConfigDict(json_schema_extra={"examples": [NLHE, PHH]})

    agent: Annotated[str, Field(max_length=80, examples=["ehs"])]
    state: Annotated[
        Annotated[SituationAsked, Tag("situation")] | Annotated[PhhAsked, Tag("history")], Discriminator(_state_kind)
    ]
    seed: Annotated[int, Field(ge=0, le=2**63 - 1, description="The same seed has the same answer")] | None = None
    time_limit: Annotated[float, Field(gt=0, le=15, description="Seconds")] = 5.0


class MoveTold(Schema):
    """A move."""

    move: Annotated[str, Field(examples=["raise"])]
    amount: Annotated[int, Field(description="Of a raise: the street's total")]
    cards: Annotated[list[str], Field(description="Of an exchange")]
    words: Annotated[str, Field(examples=["raises to 12"])]


class Likely(MoveTold):
    """A move and how likely it is."""

    probability: float


class Worth(MoveTold):
    """A move and what it is worth."""

    chips: Annotated[float, Field(description="Expected chips, compared with folding")]


class Reasons(Schema):
    """What speaks for a move; equity is by what the seat sees, against random hands."""

    equity: float | None
    equity_interval: Annotated[float | None, Field(description="Half of the width of its 95 % interval")]
    pot_odds: float | None
    needed: float | None
    ev: list[Worth] | None
    text: str


class Decided(Schema):
    """What the agent does and why."""

    seat: int
    action: MoveTold
    probabilities: Annotated[list[Likely] | None, Field(description="null for agents that do not tell")]
    reasons: Reasons
    seconds: float
    fallback: Annotated[str | None, Field(description="Why a rule (check, else fold) stepped in for the agent")]
