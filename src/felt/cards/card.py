"""Cards as integers, and the text people write for them.

A card is ``4 * rank + suit``: ranks 0–12 are 2 to ace, suits 0–3 are clubs, diamonds, hearts, spades,
so ``0`` is 2c and ``51`` is As. Jokers are 52 and up. Integers are what the kernels want; `parse_cards`
and `format_cards` are the two ways across.
"""

import operator
from collections.abc import Iterable

from felt.errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
DECK_SIZE = 52
JOKERS = 2
"""How many jokers are numbered: cards 52 and 53, written ``Jk`` and ``JK``."""

_RANK_OF = {r: i for ranks in (RANKS, RANKS.lower()) for i, r in enumerate(ranks)} | {"10": RANKS.index("T")}
_SUIT_OF = {s: i for symbols in (SUITS, SUITS.upper(), SUIT_SYMBOLS, "♧♢♡♤") for i, s in enumerate(symbols)}
_JOKER_OF = {"Jk": 52, "jk": 52, "JK": 53, "🃏": 52}
_CARD_OF = _JOKER_OF | {r + s: 4 * i + j for r, i in _RANK_OF.items() for s, j in _SUIT_OF.items()}
_IGNORED = frozenset(" ,\ufe0e\ufe0f")  # separators, and the text/emoji marks that follow ♠

CARD_NAMES = (*(r + s for r in RANKS for s in SUITS), "Jk", "JK")
_ALL_CARDS = frozenset(range(len(CARD_NAMES)))


def make_card(rank: int, suit: int) -> int:
    """The card of this rank (0–12) and suit (0–3)."""
    return 4 * rank + suit


def is_joker(card: int) -> bool:
    """Whether the card is one of the jokers."""
    return card >= DECK_SIZE


def parse_cards(text: str | Iterable[int], *, unique: bool = True) -> tuple[int, ...]:
    """Cards from text such as ``AsKd``, ``A♠ K♦``, ``10h,9h`` or ``as KD``.

    A sequence of card numbers is checked and passed through. With `unique` (the default) a card that
    stands twice is an error.

    >>> parse_cards("As 10h")
    (51, 34)
    """
    cards = _read_cards(text) if isinstance(text, str) else _check_numbers(text)
    if unique and len(set(cards)) != len(cards):
        twice = next(card for i, card in enumerate(cards) if card in cards[:i])
        shown = text if isinstance(text, str) else format_cards(cards)
        raise CardError(f"card {CARD_NAMES[twice]} stands twice in {_quoted(shown)}: every card may be used once")
    return tuple(cards)


def parse_card(text: str) -> int:
    """The one card that `text` names.

    >>> parse_card("T♦")
    33
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{_quoted(text)} names {len(cards)} cards where one is wanted: write it like 'As' or '10h'")
    return cards[0]


def format_card(card: int) -> str:
    """The two-letter name of a card: ``51`` is ``As``."""
    return CARD_NAMES[_checked(card)]


def format_cards(cards: Iterable[int], *, separator: str = "") -> str:
    """Card names in the given order, joined.

    >>> format_cards([51, 34])
    'AsTh'
    """
    return separator.join(format_card(card) for card in cards)


def pretty_cards(cards: Iterable[int]) -> str:
    """Cards with suit symbols for people to read.

    >>> pretty_cards([51, 34, 52])
    'A♠ T♥ Jk'
    """
    return " ".join(
        CARD_NAMES[card] if is_joker(card) else RANKS[card >> 2] + SUIT_SYMBOLS[card & 3]
        for card in map(_checked, cards)
    )


def _checked(card: object) -> int:
    """A card number as a plain integer, or an error that names what was given instead."""
    try:
        number = operator.index(card)  # type: ignore[arg-type]  # anything else raises, and is named below
    except TypeError:
        number, card = -1, _quoted(str(card))
    if not 0 <= number < len(CARD_NAMES):
        raise CardError(f"{card} is not a card number: cards are 0 (2c) to 51 (As), jokers 52 and 53")
    return number


def _check_numbers(numbers: Iterable[int]) -> list[int]:
    numbers = tuple(numbers)
    try:
        cards = list(map(operator.index, numbers))
        if _ALL_CARDS.issuperset(cards):
            return cards
    except TypeError:
        pass
    return [_checked(card) for card in numbers]  # raises, and names the wrong one


def _quoted(text: str) -> str:
    """Input for an error message: in quotes, on one line, and not endless."""
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _read_cards(text: str) -> list[int]:
    cards: list[int] = []
    i = 0
    while i < len(text):
        if text[i] == " ":
            i += 1
            continue
        for width in (2, 3, 1):  # As, 10h, 🃏
            card = _CARD_OF.get(text[i : i + width])
            if card is not None:
                cards.append(card)
                i += width
                break
        else:
            if text[i] not in _IGNORED and not text[i].isspace():
                raise CardError(_unreadable(text, i))
            i += 1
    return cards


def _unreadable(text: str, at: int) -> str:
    rank = "10" if text.startswith("10", at) else text[at]
    if rank not in _RANK_OF:
        return (
            f"cannot read a card at {text[at : at + 2]!r} (position {at + 1} of {_quoted(text)}): "
            f"a card is a rank 2-9, T, J, Q, K, A and a suit c, d, h, s, like 'As' or '10h'"
        )
    return (
        f"the card {rank!r} at position {at + 1} of {_quoted(text)} has no suit: "
        f"add c, d, h or s (or ♣ ♦ ♥ ♠), like '{rank}s'"
    )
