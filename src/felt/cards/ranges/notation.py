"""Reading ranges: every notation that players paste, into 1,326 weights.

A range is a list of items, separated by commas, semicolons, spaces or lines; a later item paints over
an earlier one. The text is read in two steps: `_scan` cuts it into items and handles weights, groups
and percentages; `expand_hand` turns one item such as ``A5s-A2s`` into combos. docs/study/ranges.md is
the reference for users.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, SUITS
from felt.cards.combos import CLASS_SIZES, COMBO_CLASS, COMBO_COUNT, combo_index
from felt.cards.starting import DEFAULT_RANKING, RANKINGS, WEIGHT_DECIMALS, top_classes
from felt.errors import RangeError

# Look-alikes, one character for one, so that positions in error messages stay true. NUL marks what is
# dropped later: the invisible characters that follow a suit symbol or hide in copied text.
_LOOKALIKES = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹣－", "-")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")
    | dict.fromkeys("\ufe0e\ufe0f\u200b\u200c\u200d\ufeff", "\0")
    | dict.fromkeys("“”„‘’‚«»", '"')
    | dict(zip("♣♦♥♠♧♢♡♤：，；％＋＠", "cdhscdhs:,;%+@", strict=True))
    | dict(zip("АКТОаоСсХх", "AKTOaoCcXx", strict=True))  # Cyrillic letters that look Latin
)

EXAMPLES = "'AKs', 'TT+', 'A5s-A2s:0.5', 'AsKd' or '20%'"

_EVERYTHING = frozenset({"random", "any", "all", "atc", "*", "**", "x", "xx"})
_CLASS_COMBOS = np.split(np.argsort(COMBO_CLASS, kind="stable"), np.cumsum(CLASS_SIZES)[:-1])

_RANK = "[2-9tjqka]"
_SUIT_LETTERS = re.compile(rf"({_RANK})([cdhswxyz*?])({_RANK})([cdhswxyz*?])")
_HAND = re.compile(r"([2-9tjqkax*?])([cdhs]?)(?:([2-9tjqkax*?])([cdhs]?))?([so]?)")
_CARDS = re.compile(rf"(?:{_RANK}[cdhs]){{3,}}")

_QUOTED_LENGTH = 60
"""Longer text is not repeated in error messages."""

_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_NOT_SEPARATOR = re.compile(r"[^\s,;|\"']")
_PROMPT = re.compile(r"\s*(?:set_range\w*(?:\s+(?:oop|ip)\b)?|#\w+#)", re.IGNORECASE)  # PioSOLVER, TexasSolver
_CARD = r"(?:10|[2-9tjqka])[cdhs]\0*"
_LONE_CARD = re.compile(_CARD, re.IGNORECASE)
_WORD = r"[^\s,;|\"'()\[\]#:@-]+"
_TOKEN = re.compile(
    rf"""(?: (?P<tag>\#[^\#]*\#)
    | \[ \s* (?P<shut>/)? \s* (?P<bracket>[^\[\]]*?) \s* \]
    | (?P<factor>{_NUMBER}\s*%?)? \s* (?P<open>\()
    | (?P<close>\))
    | (?: (?P<end>top|best|bottom|worst) \s* )? (?P<low>{_NUMBER}) \s* (?: %? \s* - \s* (?P<high>{_NUMBER}) \s* )? %
      (?: \s* by \s+ (?P<ranking>\w+) )?
    | (?P<cards>{_CARD} [ \t]+ {_CARD}) (?=$|[\s,;|\"'()\[\]:@])
    | (?P<hand>{_WORD} (?: \s* - \s* (?:{_WORD})? )?)
    ) (?: \s* (?P<mark>[:@]) \s* (?P<weight>[^\s,;|()\[\]]*) )?""",
    re.IGNORECASE | re.VERBOSE,
)


class UnreadableError(Exception):
    """Why an item cannot be read, in words that fit after a colon; the caller adds item and place."""


def parse_weights(text: str, *, ranking: str = DEFAULT_RANKING) -> NDArray[np.float64]:
    """``float64[1326]`` weights of the range that `text` describes.

    Raises RangeError, in one line, for text that cannot be read and for a range with nothing in it.

    >>> parse_weights("TT+, AKs:0.5").sum()
    np.float64(32.0)
    """
    if ranking not in RANKINGS:
        raise RangeError(f"there is no ranking {ranking!r}: choose one of {', '.join(RANKINGS)}")
    weights = _weight_line(text)
    if weights is None:
        weights = np.zeros(COMBO_COUNT)
        for item in _scan(text, ranking):
            weights[item.combos] = item.weight
    if not weights.any():
        raise RangeError(f"the range {_shorten(text)!r} is empty: write hands like {EXAMPLES}")
    return weights


def _weight_line(text: str) -> NDArray[np.float64] | None:
    """PioSOLVER's line of 1,326 numbers, whose order (2d2c, 2h2c, 2h2d …) is that of our combos."""
    if len(text) < 2 * COMBO_COUNT - 1:
        return None
    prompt = _PROMPT.match(text)
    parts = text[prompt.end() if prompt else 0 :].replace(",", " ").split()
    if len(parts) != COMBO_COUNT:
        return None
    try:
        weights = np.array(parts, dtype=np.float64)
    except ValueError:  # 1,326 hands with a weight each, not bare numbers
        return None
    wrong = np.flatnonzero(~((weights >= 0) & (weights <= 1)))
    if wrong.size:
        place = int(wrong[0])
        raise RangeError(f"weight {parts[place]!r}, number {place + 1} of 1,326, is not between 0 and 1")
    return weights


@dataclass(slots=True)
class _Item:
    combos: NDArray[np.intp]
    weight: float | NDArray[np.float64]


@dataclass(slots=True)
class _Group:
    first_item: int
    weight: float
    bracket: str | None  # the text between [ ] that must be repeated to close the group
    position: int


def _scan(text: str, ranking: str) -> list[_Item]:
    """The items of a range with their weights, in the order in which they are written."""
    scanned, start = _strip(text.translate(_LOOKALIKES))
    items: list[_Item] = []
    groups: list[_Group] = []
    last: re.Match[str] | None = None
    position = _skip_separators(scanned, start)
    while position < len(scanned):
        token = _TOKEN.match(scanned, position)
        if token is None:
            raise _error(text, position, position + 1, f"write hands like {EXAMPLES}")
        try:
            if token["hand"] is not None or token["cards"] is not None:
                _check_lone_card(last, token)
                items.append(_Item(expand_hand(token["cards"] or token["hand"]), _weight(token)))
            elif token["low"] is not None:
                if last and last["hand"] and _only_spaces_between(last, token) and not token["end"]:
                    share = token[0].strip()
                    write = f"write ':{share}' or ', top {share}'"
                    raise UnreadableError(f"it is unclear if this is a weight or a share of hands; {write}")
                items.append(_share(token, ranking))
            elif token["open"] is not None:
                factor = token["factor"]  # 0.5(AA,KK) or 50%(AA,KK)
                weight = 1.0 if factor is None else _read_weight(":", factor.replace(" ", ""))
                groups.append(_Group(len(items), weight, None, position))
            elif token["close"] is not None:
                _close(items, groups, None, _weight(token))
            elif token["bracket"] is not None:
                _bracket(items, groups, token)
        except UnreadableError as reason:
            raise _error(text, position, token.end(), str(reason)) from None
        last = token
        position = _skip_separators(scanned, token.end())
    while groups:  # an open [50] reaches to the end of the text; an open parenthesis is a mistake
        if groups[-1].bracket is None:
            raise _error(text, groups[-1].position, groups[-1].position + 1, "this '(' is never closed, add ')'")
        _close(items, groups, groups[-1].bracket, 1.0)
    return items


def _only_spaces_between(first: re.Match[str], second: re.Match[str]) -> bool:
    return not first.string[first.end() : second.start()].strip(" \t")


def _check_lone_card(last: re.Match[str] | None, token: re.Match[str]) -> None:
    """``As Kd`` is one hand; refuse ``As, Kd``, which could also be all hands with either card."""
    card = token["hand"]
    if last is None or card is None or not _LONE_CARD.fullmatch(card):
        return
    if last["cards"] and _only_spaces_between(last, token):
        raise UnreadableError("a hand has two cards, write several like 'AsKd,QhQd'")
    if last["hand"] and _LONE_CARD.fullmatch(last["hand"]):
        both = f"'{last['hand']}{card}' for that hand, or '{last['hand']}X, {card}X' for all with either card"
        raise UnreadableError(f"write {both}")


def _skip_separators(text: str, position: int) -> int:
    next_item = _NOT_SEPARATOR.search(text, position)
    return next_item.start() if next_item else len(text)


def _strip(text: str) -> tuple[str, int]:
    """Leave out what surrounds a pasted range: ``Hand 0: 63.6% { 99+, AJs+ }``, ``set_range OOP``."""
    if text.count("{") == 1 and text.count("}") == 1 and text.index("{") < text.index("}"):
        return text[: text.index("}")], text.index("{") + 1
    prompt = _PROMPT.match(text)
    return text, prompt.end() if prompt else 0


def _share(token: re.Match[str], ranking: str) -> _Item:
    """The item for ``20%``, ``top 3%``, ``5%-20%`` or ``bottom 10%``."""
    ranking = (token["ranking"] or ranking).lower()
    if ranking not in RANKINGS:
        raise UnreadableError(f"there is no ranking {ranking!r}, choose one of {', '.join(RANKINGS)}")
    first, second = float(token["low"]), float(token["high"] or 0)
    low, high = min(first, second), max(first, second)
    if high > 100:
        raise UnreadableError("a share of hands is at most 100%")
    if (token["end"] or "").lower() in ("bottom", "worst"):
        low, high = 100 - high, 100 - low
    classes = top_classes(high, ranking) - top_classes(low, ranking)
    weights = np.round(classes, WEIGHT_DECIMALS)[COMBO_CLASS]
    combos = np.flatnonzero(weights)
    return _Item(combos, weights[combos] * _weight(token))


def _weight(token: re.Match[str]) -> float:
    """The weight that stands behind an item: ``:0.5``, ``:50%``, ``@50``; 1 without one."""
    if token["mark"] is None:
        return 1.0
    return _read_weight(token["mark"], token["weight"].replace("\0", ""))


@lru_cache(maxsize=1024)
def _read_weight(mark: str, text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise UnreadableError(f"{text!r} is not a weight, write ':0.5' or '@50'") from None
    percent = text.endswith("%") or mark == "@"
    if mark == "@" and 0 < number < 1 and not text.endswith("%"):
        raise UnreadableError(f"'@' takes per cent, write '@{100 * number:g}' or ':{number:g}'")
    weight = number / 100 if percent else number
    if not 0 <= weight <= 1:
        hint = f"write ':{number / 100:g}' or '@{number:g}'" if 1 < number <= 100 else "write ':0.5' or '@50'"
        raise UnreadableError(f"a weight is from 0 to 1, or 0 to 100 after '@'; {hint}")
    return weight


def _bracket(items: list[_Item], groups: list[_Group], token: re.Match[str]) -> None:
    """GTO+'s ``[25.0]AA,KK[/25.0]``; a new ``[50]`` also ends one that was left open."""
    inside = token["bracket"]
    if token["shut"]:
        _close(items, groups, inside, _weight(token))
        return
    weight = _number_or_nan(inside.removesuffix("%")) / 100
    if not 0 <= weight <= 1:
        raise UnreadableError("a bracket holds a weight in per cent, like '[50]AA,KK[/50]'")
    if groups and groups[-1].bracket is not None:
        _close(items, groups, groups[-1].bracket, 1.0)
    groups.append(_Group(len(items), weight, inside, token.start()))


def _close(items: list[_Item], groups: list[_Group], bracket: str | None, weight: float) -> None:
    if not groups or (groups[-1].bracket is None) != (bracket is None):
        raise UnreadableError("nothing is open that this could close")
    group = groups.pop()
    if bracket and group.bracket and float(group.bracket.rstrip("%")) != _number_or_nan(bracket.rstrip("%")):
        raise UnreadableError(f"it closes '[{group.bracket}]', write '[/{group.bracket}]'")
    for item in items[group.first_item :]:
        item.weight = item.weight * (group.weight * weight)


def _number_or_nan(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _error(text: str, start: int, end: int, reason: str) -> RangeError:
    item = _shorten(text[start:end].strip())
    place = f"position {start + 1} of {text!r}" if len(text) <= _QUOTED_LENGTH else f"position {start + 1}"
    return RangeError(f"cannot read {item!r} ({place}): {reason}")


def _shorten(text: str) -> str:
    return text if len(text) <= _QUOTED_LENGTH else text[: _QUOTED_LENGTH - 1] + "…"


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

    def combos(self) -> NDArray[np.intp]:
        high, low = self.high, self.low
        if high is not None and low is not None and self.high_suit is None and self.low_suit is None:
            suited, offsuit = _CLASS_COMBOS[(12 - high) * 13 + 12 - low], _CLASS_COMBOS[(12 - low) * 13 + 12 - high]
            if self.suited is None and high != low:
                return np.concatenate((suited, offsuit))
            return suited if self.suited else offsuit
        highs = [card for card in range(52) if high in (None, card >> 2) and self.high_suit in (None, card & 3)]
        lows = [card for card in range(52) if low in (None, card >> 2) and self.low_suit in (None, card & 3)]
        pairs = ((a, b) for a in highs for b in lows if a != b and self.suited in (None, a & 3 == b & 3))
        return np.array(sorted({combo_index(a, b) for a, b in pairs}), dtype=np.intp)


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
        return [replace(hand, high=rank, low=rank - high + low) for rank in range(high, 13)]
    return [replace(hand, low=kicker) for kicker in range(low, high)]


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
        return [replace(first, high=rank, low=rank - gap) for rank in _span(high, other_high)]
    if high == other_high:
        return [replace(first, low=kicker) for kicker in _span(low, other_low)]
    if low == other_low:
        return [replace(first, high=rank) for rank in _span(high, other_high)]
    raise UnreadableError("the ends must share a card or a gap, like 'A5s-A2s', '99-22' or 'JTs-54s'")


def _two_ranks(hand: _Pattern, remedy: str) -> tuple[int, int]:
    if hand.high is None or hand.low is None:
        raise UnreadableError(remedy)
    return hand.high, hand.low


def _same_suits(hand: _Pattern, model: _Pattern) -> _Pattern:
    """Let ``A2-A5s`` mean what it must: an end without suits takes those of the other end."""
    if (hand.high_suit, hand.low_suit, hand.suited) != (None, None, None):
        return hand
    return replace(model, high=hand.high, low=hand.low)


def _span(first: int, second: int) -> range:
    return range(min(first, second), max(first, second) + 1)


def _rank(letter: str) -> int | None:
    return None if letter in "x*?" else RANKS.index(letter.upper())


def _suit(letter: str) -> int | None:
    return SUITS.index(letter) if letter else None


def _why_not(text: str) -> str:
    if re.fullmatch(_NUMBER, text):
        return f"a number is no hand, write hands like {EXAMPLES}, or a line of 1,326 weights"
    if "+" in text:
        return "'+' stands at the end of one hand, like 'TT+' or 'A2s+'"
    if _CARDS.fullmatch(text):
        return "a hand has two cards, write several like 'AsKd,QhQd'"
    if text in ("top", "best", "bottom", "worst"):
        return f"say how much, like '{text} 20%'"
    return f"write hands like {EXAMPLES}"
