"""Reading ranges: every notation that players paste, into 1,326 weights.

A range is a list of items, separated by commas, semicolons, spaces or lines; a later item paints over
an earlier one. The text is read in two steps: `_scan` cuts it into items and handles weights, groups
and percentages; `notation_hands` turns one item such as ``A5s-A2s`` into combos. docs/study/ranges.md is
the reference for users.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import COMBO_CLASS, COMBO_COUNT
from felt.cards.ranges.notation_hands import EXAMPLES, UnreadableError, expand_hand
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
                    raise UnreadableError(_weight_or_share(token))
                items.append(_share(token, ranking))
            elif token["open"] is not None:
                groups.append(_Group(len(items), _factor(token["factor"]), None, position))
            elif token["close"] is not None:
                _close(items, groups, None, _weight(token))
            elif token["bracket"] is not None:
                _bracket(items, groups, token)
        except UnreadableError as reason:
            raise _error(text, position, token.end(), str(reason)) from None
        last = token
        position = _skip_separators(scanned, token.end())
    _close_at_the_end(text, items, groups)
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


def _weight_or_share(token: re.Match[str]) -> str:
    share = token[0].strip()
    return f"it is unclear if this is a weight or a share of hands; write ':{share}' or ', top {share}'"


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


def _factor(text: str | None) -> float:
    """The weight in front of a parenthesis: ``0.5(AA,KK)`` or ``50%(AA,KK)``."""
    return 1.0 if text is None else _read_weight(":", text.replace(" ", ""))


def _bracket(items: list[_Item], groups: list[_Group], token: re.Match[str]) -> None:
    """GTO+'s ``[25.0]AA,KK[/25.0]``; a new ``[50]`` also ends one that was left open."""
    inside = token["bracket"]
    if token["shut"]:
        _close(items, groups, inside, _weight(token))
        return
    try:
        weight = float(inside.removesuffix("%")) / 100
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise UnreadableError("a bracket holds a weight in per cent, like '[50]AA,KK[/50]'")
    if groups and groups[-1].bracket is not None:
        _close(items, groups, groups[-1].bracket, 1.0)
    groups.append(_Group(len(items), weight, inside, token.start()))


def _close(items: list[_Item], groups: list[_Group], bracket: str | None, weight: float) -> None:
    if not groups or (groups[-1].bracket is None) != (bracket is None):
        raise UnreadableError("nothing is open that this could close")
    group = groups.pop()
    if bracket and group.bracket and float(group.bracket.rstrip("%")) != _number_or_nan(bracket):
        raise UnreadableError(f"it closes '[{group.bracket}]', write '[/{group.bracket}]'")
    for item in items[group.first_item :]:
        item.weight = item.weight * (group.weight * weight)


def _close_at_the_end(text: str, items: list[_Item], groups: list[_Group]) -> None:
    """An open ``[50]`` reaches to the end of the text; an open parenthesis is a mistake."""
    while groups:
        if groups[-1].bracket is None:
            raise _error(text, groups[-1].position, groups[-1].position + 1, "this '(' is never closed, add ')'")
        _close(items, groups, groups[-1].bracket, 1.0)


def _number_or_nan(text: str) -> float:
    try:
        return float(text.rstrip("%"))
    except ValueError:
        return float("nan")


def _error(text: str, start: int, end: int, reason: str) -> RangeError:
    item = _shorten(text[start:end].strip())
    place = f"position {start + 1} of {text!r}" if len(text) <= _QUOTED_LENGTH else f"position {start + 1}"
    return RangeError(f"cannot read {item!r} ({place}): {reason}")


def _shorten(text: str) -> str:
    return text if len(text) <= _QUOTED_LENGTH else text[: _QUOTED_LENGTH - 1] + "…"
