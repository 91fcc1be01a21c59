"""The vocabulary of PGDL: elements, attributes and words, with the spellings that are accepted for them.

Names and words are compared without case, blanks and hyphens, so ``No-Limit``, ``noLimit`` and ``no limit`` are
one. The first spelling of each word is the one that is written.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

from felt.games.rules import First, Structure

T = TypeVar("T")

_LEFT_OUT = str.maketrans("", "", " -_\t\r\n")


@lru_cache(maxsize=4096)
def key(text: str) -> str:
    """What is compared: letters, digits and signs in lower case."""
    return text.lower().translate(_LEFT_OUT)


ATTRIBUTES: dict[str, dict[str, tuple[str, ...]]] = {
    "PGDL": {"version": ()},
    "PokerGame": {
        "name": (), "title": (), "winningType": (), "wildCards": (), "ante": (), "bigBlindAnte": (),
        "bringIn": (), "cap": (), "unit": (),
    },
    "Parameter": {"name": (), "default": (), "minimum": ("minimun", "min"), "maximum": ("max",), "type": (),
                  "description": ()},
    "History": {},
    "Description": {"verbatim": ()},
    "Players": {"minimum": ("minimun", "min"), "maximum": ("max",), "stack": (), "headsUpBlinds": ()},
    "Deck": {"standard": ("standardDeck",), "jokers": (), "jokersAre": (), "name": (), "lowest": (), "wild": ()},
    "Card": {"id": (), "name": (), "value": (), "rank": (), "suit": (), "wild": ()},
    "Scoring": {"standard": (), "handSize": (), "kinds": ("kind",), "holeCards": ()},
    "Score": {"name": (), "rank": (), "default": (), "sort": ()},
    "Conditions": {},
    "Condition": {},
    "Subrank": {},
    "Rake": {"share": (), "cap": (), "noFlopNoDrop": ()},
    "Rounds": {},
    "Round": {
        "number": (), "name": (), "faceDownCardsDealt": (), "faceUpCardsDealt": (), "communityCardsNumber": (),
        "blinds": (), "forceBet": ("forcedBet",),
    },
    "BlindStructure": {"type": ()},
    "Blind": {"id": (), "name": (), "value": (), "position": ()},
    "BettingStructure": {"type": ()},
    "Bet": {"value": (), "most": (), "maxNumRaises": ("maxRaises",)},
    "DrawCards": {"min": ("minimum", "minimun"), "max": ("maximum",)},
    "PassCards": {"value": (), "direction": ()},
    "DiscardCards": {"value": ()},
    "RollCards": {"value": ()},
    "BettingOrder": {"order": ("direction",), "firstPlayerBetting": ("firstPlayer",)},
}  # fmt: skip
"""Every element with its attributes, and further spellings of those."""

MISSPELT = ("minimun",)
"""Spellings that are slips of the pen, as D prints one: they are read, with a warning."""

_GAME = ("Parameter", "History", "Description", "Players", "Deck", "Scoring", "Rake", "Rounds", "Round")
_ROUND = ("BlindStructure", "BettingStructure", "DrawCards", "PassCards", "DiscardCards", "RollCards", "BettingOrder")

CHILDREN: dict[str, tuple[str, ...]] = {
    "PGDL": ("PokerGame", *_GAME),
    "PokerGame": _GAME,
    "Rounds": ("Round",),
    "Deck": ("Card",),
    "Scoring": ("Score",),
    "Score": ("Conditions", "Subrank"),
    "Conditions": ("Condition",),
    "Round": _ROUND,
    "BlindStructure": ("Blind",),
    "BettingStructure": ("Bet",),
}
"""What may stand inside an element; nothing in those that are not listed."""

MANY = ("Parameter", "Card", "Score", "Condition", "Round", "Blind")
"""Elements that may stand more than once."""

TEXT = ("History", "Description", "Conditions", "Condition", "Subrank")
"""Elements that hold text."""

AMOUNTS = (
    ("PokerGame", "ante"), ("PokerGame", "bigBlindAnte"), ("PokerGame", "bringIn"), ("PokerGame", "cap"),
    ("Players", "stack"), ("Rake", "cap"), ("Blind", "value"), ("Bet", "value"), ("Bet", "most"),
)  # fmt: skip
"""Attributes that are money, and are scaled together to whole chips."""


def spellings(*groups: tuple[T, Iterable[str]]) -> dict[str, T]:
    """Spellings with what they mean."""
    return {spelling: meaning for meaning, spellings in groups for spelling in spellings}


YES_NO = spellings((True, ("yes", "true", "1")), (False, ("no", "false", "0")))

NO_BETTING = "none"
STRUCTURES: dict[str, Structure | None] = spellings(
    (Structure.NO_LIMIT, ("no-limit",)),
    (Structure.LIMIT, ("limit", "fixed-limit")),
    (Structure.POT_LIMIT, ("pot-limit",)),
    (Structure.SPREAD, ("spread-limit", "spread")),
    (None, (NO_BETTING,)),
)

FIRSTS = spellings(
    (First.AFTER_BUTTON, ("nextDealer", "leftDealer", "after-button")),
    (First.AFTER_BLINDS, ("nextBlinds", "nextBigBlind", "nextStraddle", "leftBigBlind", "after-blinds")),
    (First.LOWEST_UP, ("lowestUpCard", "lowest-up")),
    (First.HIGHEST_UP, ("highestUpCard", "highest-up")),
    (First.BEST_UP, ("bestUpHand", "best-up")),
    (First.BEST_LOW_UP, ("bestLowUpHand", "best-low-up")),
)

CLOCKWISE = spellings(
    (True, ("clockwise", "left")),
    (False, ("counterclockwise", "counter-clockwise", "anticlockwise", "right")),
)

JOKERS_ARE = spellings((False, ("wild",)), (True, ("bug", "bugs")))

HEADS_UP = spellings((True, ("button", "dealer")), (False, ("nextDealer", "leftDealer")))

WINNING: dict[str, tuple[str, ...]] = {"high": ("high",), "low": ("low-a5",), "mixed": ("high", "low-8")}
"""The kinds that D's winning types stand for, where no kinds are named."""

SUITS = spellings(
    (0, ("clubs", "club", "c", "♣")),
    (1, ("diamonds", "diamond", "d", "♦")),
    (2, ("hearts", "heart", "h", "♥")),
    (3, ("spades", "spade", "s", "♠")),
)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")

BLIND_IDS = ("smallBlind", "bigBlind", "straddle", *(f"straddle{i}" for i in range(2, 9)))
BLIND_NAMES = ("Small blind", "Big blind", "Straddle", *(f"Straddle {i}" for i in range(2, 9)))


def winning_type(kinds: tuple[str, ...]) -> str:
    """D's word for what wins: high, low, or both."""
    low = [kind.startswith(("low", "badugi")) for kind in kinds]
    return "low" if all(low) else "mixed" if any(low) else "high"


def first_spelling(meanings: dict[str, T], sought: T) -> str:
    """The word that is written for a meaning."""
    return next(spelling for spelling, meaning in meanings.items() if meaning == sought)


def blind_position(seat: int) -> str:
    """Where the blind of this seat, counted from the left of the button, is posted."""
    return "nextDealer" if seat == 0 else "next" + BLIND_IDS[seat - 1][0].upper() + BLIND_IDS[seat - 1][1:]
