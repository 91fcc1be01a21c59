"""Writing ranges: 1,326 weights back into the shortest usual text, in the spelling of several programs.

Hands are grouped as players do it: pairs, then suited hands row by row, then offsuit hands, then the
combos of classes whose suits differ in weight.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, format_cards
from felt.cards.combos import CLASS_COUNT, COMBO_CARDS, COMBO_CLASS
from felt.errors import RangeError

STYLES = ("felt", "pio", "gto+", "equilab", "texassolver")
"""The spellings that `format_weights` knows."""

TEXASSOLVER_LEAST = 0.005
"""TexasSolver silently drops weights up to this one."""

_SHORTEST_CHAIN = 3

Piece = tuple[str, float]
"""A piece of range text without its weight, and the weight."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring hands of one weight: kickers `low` to `high` under `top`, or pairs if `top` is None."""

    top: int | None
    high: int
    low: int
    weight: float
    suffix: str = ""

    def name(self, rank: int) -> str:
        return RANKS[rank if self.top is None else self.top] + RANKS[rank] + self.suffix

    def text(self, *, plus: bool) -> str:
        if self.high == self.low:
            return self.name(self.low)
        if plus and self.high == (12 if self.top is None else self.top - 1):
            return self.name(self.low) + "+"
        return f"{self.name(self.high)}-{self.name(self.low)}"

    @property
    def is_connector(self) -> bool:
        return self.top is not None and self.high == self.low == self.top - 1


def format_weights(weights: NDArray[np.float64], *, style: str = "felt") -> str:
    """The text of a range in one of `STYLES`; the empty range gives the empty text.

    ``felt`` text, read back, gives exactly the same weights. ``pio`` and ``texassolver`` name every
    class on its own, ``gto+`` puts weights around groups, ``equilab`` writes them in per cent.
    """
    if style not in STYLES:
        raise RangeError(f"there is no range style {style!r}: choose one of {', '.join(STYLES)}")
    classes, combos = _split(weights)
    runs = _runs(classes)
    if style == "gto+":
        return _gto_plus([(run.text(plus=False), run.weight) for run in runs] + combos)
    if style in ("pio", "texassolver"):
        pieces = [(run.name(rank), run.weight) for run in runs for rank in range(run.high, run.low - 1, -1)]
    elif not combos and np.all(classes == classes[0]) and classes[0] > 0:
        pieces = [("random", float(classes[0]))]
    else:
        pieces = _chained(runs)
    if style == "texassolver":
        if combos:
            raise RangeError(
                f"TexasSolver cannot hold single combos such as {combos[0][0]}: give all suits of a hand the same "
                f"weight, or choose the style 'pio'"
            )
        pieces = [(text, weight) for text, weight in pieces if weight > TEXASSOLVER_LEAST]
    spell = _at if style == "equilab" else _colon
    return ",".join(spell(text, weight) for text, weight in pieces + combos)


def class_extremes(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and the largest weight of the combos of each class."""
    least, most = np.ones(CLASS_COUNT), np.zeros(CLASS_COUNT)
    np.minimum.at(least, COMBO_CLASS, weights)
    np.maximum.at(most, COMBO_CLASS, weights)
    return least, most


def _split(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[Piece]]:
    """Weights of the classes whose combos all weigh the same (0 for others), and the other combos."""
    least, most = class_extremes(weights)
    mixed = least != most
    mixed_combos = np.flatnonzero(mixed[COMBO_CLASS] & (weights > 0))
    order = np.lexsort((-mixed_combos, COMBO_CLASS[mixed_combos]))
    combos = [(format_cards(COMBO_CARDS[i][::-1]), float(weights[i])) for i in mixed_combos[order]]
    return np.where(mixed, 0.0, least), combos


def _runs(classes: NDArray[np.float64]) -> list[_Run]:
    grid = classes.reshape(13, 13)[::-1, ::-1].tolist()  # lists are quicker here; indexed by rank, 0 = deuce
    runs = list(_runs_of([grid[rank][rank] for rank in range(13)], None))
    only_offsuit: list[_Run] = []
    for top in range(12, 0, -1):
        suited = list(_runs_of(grid[top][:top], top))
        offsuit = list(_runs_of([row[top] for row in grid[:top]], top))
        runs += [run if run in offsuit else replace(run, suffix="s") for run in suited]
        only_offsuit += [replace(run, suffix="o") for run in offsuit if run not in suited]
    return runs + only_offsuit


def _runs_of(row: list[float], top: int | None) -> Iterable[_Run]:
    """Runs of equal positive weight along a row of the grid, from the highest rank down."""
    high = len(row) - 1
    while high >= 0:
        low = high
        while low > 0 and row[low - 1] == row[high]:
            low -= 1
        if row[high] > 0:
            yield _Run(top, high, low, row[high])
        high = low - 1


def _chained(runs: list[_Run]) -> list[Piece]:
    """Text of runs, with lone connectors joined down the diagonal: ``JTs-54s``."""
    lone = {(run.suffix, run.top): run for run in runs if run.is_connector}
    pieces: list[Piece] = []
    joined: set[_Run] = set()
    for run in runs:
        if run in joined:
            continue
        chain = [run]
        while run.is_connector:
            follower = lone.get((run.suffix, chain[-1].high))
            if follower is None or follower.weight != run.weight:
                break
            chain.append(follower)
        if len(chain) >= _SHORTEST_CHAIN:
            joined.update(chain)
            pieces.append((f"{run.name(run.high)}-{chain[-1].name(chain[-1].high)}", run.weight))
        else:
            pieces.append((run.text(plus=True), run.weight))
    return pieces


def _colon(text: str, weight: float) -> str:
    """The weight as the shortest decimal that reads back as the same float."""
    return text if weight == 1 else f"{text}:{repr(float(weight)).removesuffix('.0')}"


def _at(text: str, weight: float) -> str:
    if weight == 1:
        return text
    return f"{text}@{_percent(weight)}" + ("%" if 0 < weight < 0.01 else "")  # @0.5 alone could mean a half


def _gto_plus(pieces: list[Piece]) -> str:
    """Full weights first, then one ``[w]…[/w]`` group for each other weight, heaviest first."""
    groups: dict[float, list[str]] = {}
    for text, weight in pieces:
        groups.setdefault(weight, []).append(text)
    parts = []
    for weight in sorted(groups, reverse=True):
        hands = ",".join(groups[weight])
        percent = _percent(weight, decimals=1)
        parts.append(hands if weight == 1 else f"[{percent}]{hands}[/{percent}]")
    return ",".join(parts)


def _percent(weight: float, decimals: int = 0) -> str:
    """The weight in per cent, with as many decimals as it takes to read back the same (or 17 digits)."""
    for places in range(decimals, 18):
        text = f"{weight * 100:.{places}f}"
        if float(text) / 100 == weight:
            return text
    return f"{weight * 100:.17g}"
