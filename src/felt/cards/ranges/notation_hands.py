"""Reading one hand of a range: ``AKs``, ``TT+``, ``A5s-A2s``, ``AsKd``, ``AhX`` to combo numbers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, SUITS
from felt.cards.combos import CLASS_SIZES, COMBO_CLASS, COMBO_COUNT, combo_index

EXAMPLES = "'AKs', 'TT+', 'A5s-A2s:0.5', 'AsKd' or '20%'"

_EVERYTHING = frozenset({"random", "any", "all", "atc", "*", "**", "x", "xx"})
_CLASS_COMBOS = np.split(np.argsort(COMBO_CLASS, kind="stable"), np.cumsum(CLASS_SIZES)[:-1])

_RANK = "[2-9tjqka]"
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")
_SUIT_LETTERS = re.compile(rf"({_RANK})([cdhswxyz*?])({_RANK})([cdhswxyz*?])")
_HAND = re.compile(r"([2-9tjqkax*?])([cdhs]?)(?:([2-9tjqkax*?])([cdhs]?))?([so]?)")
_CARDS = re.compile(rf"(?:{_RANK}[cdhs]){{3,}}")


class UnreadableError(Exception):
    """Why an item cannot be read, in words that fit after a colon; the caller adds item and place."""


@lru_cache(maxsize=8192)
def expand_hand(text: str) -> NDArray[np.intp]:
    """Combo numbers of one item without weight: ``TT+``, ``A5s-A2s``, ``AK``, ``AsKd``, ``AhX``, ``*``."""
    hand = re.sub(r"[\s\0]", "", text).lower().replace("10", "t")
    low, dash, high = hand.partition("-")
    if hand in _EVERYTHING:
        return np.arange(COMBO_COUNT)
    if dash:
        if not high:
            raise UnreadableError("a dash wants a hand on both sides, like '99-22' or 'A5s-A2s'")
        patterns = _between(_read_hand(low), _read_hand(high))
    elif hand.endswith("+"):
        patterns = _and_better(_read_hand(hand[:-1]))
    else:
        patterns = [_read_hand(hand)]
    combos = np.concatenate([pattern.combos() for pattern in patterns])
    combos.flags.writeable = False
    return combos


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Two cards, each with a rank and a suit that may be open (None); the higher rank comes first."""

    high: int | None
    low: int | None
    high_suit: int | None = None
    low_suit: int | None = None
    suited: bool | None = None

    def at(self, high: int, low: int) -> "_Pattern":
        return _Pattern(high, low, self.high_suit, self.low_suit, self.suited)

    def combos(self) -> NDArray[np.intp]:
        if self.high is not None and self.low is not None and self.high_suit is None and self.low_suit is None:
            return self._class_combos(self.high, self.low)
        highs = [(r, s) for r in _choices(self.high, 13) for s in _choices(self.high_suit, 4)]
        lows = [(r, s) for r in _choices(self.low, 13) for s in _choices(self.low_suit, 4)]
        combos = {
            combo_index(4 * a[0] + a[1], 4 * b[0] + b[1])
            for a, b in product(highs, lows)
            if a != b and self.suited in (None, a[1] == b[1])
        }
        return np.array(sorted(combos), dtype=np.intp)

    def _class_combos(self, high: int, low: int) -> NDArray[np.intp]:
        suited, offsuit = _CLASS_COMBOS[(12 - high) * 13 + 12 - low], _CLASS_COMBOS[(12 - low) * 13 + 12 - high]
        if self.suited is None and high != low:
            return np.concatenate((suited, offsuit))
        return suited if self.suited else offsuit


def _choices(value: int | None, count: int) -> Iterable[int]:
    return range(count) if value is None else (value,)


def _read_hand(text: str) -> _Pattern:
    """One hand as a pattern; `text` is lower case, without spaces, tens as ``t``."""
    if letters := _SUIT_LETTERS.fullmatch(text):
        text = _without_suit_letters(*letters.groups())
    match = _HAND.fullmatch(text)
    if match is None:
        raise UnreadableError(_why_not(text))
    rank, suit, other_rank, other_suit, suffix = match.groups()
    if other_rank is None:
        if not suit or suffix:
            raise UnreadableError(f"one rank is no hand, write '{text[:1].upper()}x' for any hand with it")
        return _Pattern(_rank(rank), None, _suit(suit), None)
    if not suit and other_suit:
        if other_suit != "s" or suffix:
            raise UnreadableError(
                f"give both suits or the first, like '{other_rank.upper()}{other_suit}{rank.upper()}'"
            )
        other_suit, suffix = "", "s"
    suited = {"": None, "s": True, "o": False}[suffix]
    pattern = _Pattern(_rank(rank), _rank(other_rank), _suit(suit), _suit(other_suit), suited)
    if pattern.high is not None and pattern.low is not None and pattern.low > pattern.high:
        pattern = _Pattern(pattern.low, pattern.high, pattern.low_suit, pattern.high_suit, suited)
    if pattern.high is not None and pattern.high == pattern.low:
        if suited:
            raise UnreadableError("a pair cannot be suited, leave out the 's'")
        if pattern.high_suit is not None and pattern.high_suit == pattern.low_suit:
            raise UnreadableError("it names the same card twice, write two different cards")
    if suffix and other_suit:
        raise UnreadableError("it has two suits already, leave out the last letter")
    return pattern


def _without_suit_letters(rank: str, suit: str, other_rank: str, other_suit: str) -> str:
    """Rewrite suit letters: ``AxKx`` is suited, ``AxKy`` offsuit, ``AhKx`` and ``A*K*`` leave suits open."""
    if suit in "cdhs" and other_suit in "cdhs":
        return rank + suit + other_rank + other_suit
    if suit in "wxyz" and other_suit in "wxyz":
        return rank + other_rank + ("s" if suit == other_suit else "o")
    if other_suit in "cdhs":
        return other_rank + other_suit + rank
    return rank + (suit if suit in "cdhs" else "") + other_rank


def _and_better(hand: _Pattern) -> list[_Pattern]:
    """The hands of a ``+``: pairs and connectors climb, otherwise the kicker does, to below the top card."""
    high, low = _two_ranks(hand, "'+' wants two ranks, like 'TT+' or 'A2s+'")
    if high - low <= 1:
        return [hand.at(rank, rank - high + low) for rank in range(high, 13)]
    return [hand.at(high, kicker) for kicker in range(low, high)]


def _between(first: _Pattern, second: _Pattern) -> list[_Pattern]:
    """The hands of a dash: same gap (``99-22``, ``JTs-54s``), same top card, or same kicker."""
    remedy = "a dash wants two ranks on both sides, like '99-22' or 'A5s-A2s'"
    (high, low), (other_high, other_low) = _two_ranks(first, remedy), _two_ranks(second, remedy)
    gap, other_gap = high - low, other_high - other_low
    if (gap == 0) != (other_gap == 0):
        raise UnreadableError("one end is a pair and the other is not, write two items with a comma")
    first, second = _same_suits(first, second), _same_suits(second, first)
    if (first.high_suit, first.low_suit, first.suited) != (second.high_suit, second.low_suit, second.suited):
        raise UnreadableError("both ends must have the same suits, like 'A5s-A2s' or '9d8d-6d5d'")
    if gap == other_gap:
        return [first.at(rank, rank - gap) for rank in _span(high, other_high)]
    if high == other_high:
        return [first.at(high, kicker) for kicker in _span(low, other_low)]
    if low == other_low:
        return [first.at(rank, low) for rank in _span(high, other_high)]
    raise UnreadableError("the ends must share a card or a gap, like 'A5s-A2s', '99-22' or 'JTs-54s'")


def _two_ranks(hand: _Pattern, remedy: str) -> tuple[int, int]:
    if hand.high is None or hand.low is None:
        raise UnreadableError(remedy)
    return hand.high, hand.low


def _same_suits(hand: _Pattern, model: _Pattern) -> _Pattern:
    """Let ``A2-A5s`` mean what it must: an end without suits takes those of the other end."""
    if (hand.high_suit, hand.low_suit, hand.suited) != (None, None, None):
        return hand
    return _Pattern(hand.high, hand.low, model.high_suit, model.low_suit, model.suited)


def _span(first: int, second: int) -> range:
    return range(min(first, second), max(first, second) + 1)


def _rank(letter: str) -> int | None:
    return None if letter in "x*?" else RANKS.index(letter.upper())


def _suit(letter: str) -> int | None:
    return SUITS.index(letter) if letter else None


def _why_not(text: str) -> str:
    if _NUMBER.fullmatch(text):
        return f"a number is no hand, write hands like {EXAMPLES}, or a line of 1,326 weights"
    if "+" in text:
        return "'+' stands at the end of one hand, like 'TT+' or 'A2s+'"
    if _CARDS.fullmatch(text):
        return "a hand has two cards, write several like 'AsKd,QhQd'"
    if text in ("top", "best", "bottom", "worst"):
        return f"say how much, like '{text} 20%'"
    return f"write hands like {EXAMPLES}"
