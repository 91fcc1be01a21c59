"""Counts of what players did, kept apart by player, indicator, position, round and in or out of position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError, counted
from felt.stats.definitions import INDICATORS, POSITIONS, Indicator, Where
from felt.stats.means import Counted

AXES = ("player", "indicator", "position", "street", "ip")
"""Names of the axes of `Table.counts`; a last one holds numerator and denominator."""

IP = ("out", "in")


@dataclass(frozen=True, eq=False)
class Table:
    """Counts that can be added and summed; every figure keeps its numerator and denominator."""

    players: tuple[str, ...]
    streets: tuple[str, ...]
    """The betting rounds by name."""
    counts: NDArray[np.int64]
    """``[player, indicator, position, street, ip, 2]``."""

    @classmethod
    def empty(cls, players: Sequence[str], streets: Sequence[str]) -> "Table":
        """Nothing counted yet."""
        shape = (len(players), len(INDICATORS), len(POSITIONS), len(streets), len(IP), 2)
        return cls(tuple(players), tuple(streets), np.zeros(shape, dtype=np.int64))

    def hands(self, player: str) -> int:
        """How many hands a player was dealt."""
        return self.of(player, "vpip_d").den

    def of(
        self,
        player: str,
        indicator: str,
        *,
        position: str | None = None,
        street: str | None = None,
        in_position: bool | None = None,
    ) -> Counted:
        """One figure: over everything, or in one position, on one street, in or out of position."""
        cells = self._cells(player, indicator)
        ip = None if in_position is None else IP[in_position]
        places = _place("position", POSITIONS, position), _place("street", self.streets, street), _place("ip", IP, ip)
        num, den = cells[places].sum(axis=(0, 1, 2)).tolist()
        return Counted(num, den, INDICATORS[indicator].ratio)

    def sum(self, *axes: str) -> NDArray[np.int64]:
        """The counts summed over the named axes (`AXES`); those that are left keep their order."""
        total: NDArray[np.int64] = self.counts.sum(axis=tuple(_find("axis", AXES, axis) for axis in axes))
        return total

    def __add__(self, other: "Table") -> "Table":
        """Counts of the same players together; games with more rounds make the table longer."""
        if self.players != other.players:
            raise FeltError(f"tables of {self.players} and of {other.players} do not add up: name the same players")
        longer, shorter = (self, other) if len(self.streets) >= len(other.streets) else (other, self)
        total = longer.counts.copy()
        total[:, :, :, : len(shorter.streets)] += shorter.counts
        return Table(self.players, merged_streets(self.streets, other.streets), total)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: by player and indicator, with the parts that have any chances."""
        return {
            player: {"hands": self.hands(player)}
            | {name: self._indicator_dict(player, indicator) for name, indicator in INDICATORS.items()}
            for player in self.players
        }

    def _indicator_dict(self, player: str, indicator: Indicator) -> dict[str, Any]:
        cells = self._cells(player, indicator.name)
        figures = _plain(cells.sum(axis=(0, 1, 2)), indicator)
        figures["by_position"] = dict(_parts(POSITIONS, cells.sum(axis=(1, 2)), indicator))
        if indicator.where in (Where.LATER, Where.EVERY):
            figures["by_street"] = dict(_parts(self.streets, cells.sum(axis=(0, 2)), indicator))
        figures["by_ip"] = dict(_parts(IP, cells.sum(axis=(0, 1)), indicator))
        return figures

    def _cells(self, player: str, indicator: str) -> NDArray[np.int64]:
        number = _find("player", self.players, player), _find("indicator", tuple(INDICATORS), indicator)
        cells: NDArray[np.int64] = self.counts[number]
        return cells


def merged_streets(streets: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Names for the rounds of two games: their own where both agree."""
    longer, shorter = (streets, other) if len(streets) >= len(other) else (other, streets)
    same = tuple(longer[: len(shorter)]) == tuple(shorter)
    return tuple(longer) if same else tuple(f"round {number}" for number in range(1, len(longer) + 1))


def _parts(names: Sequence[str], counts: NDArray[np.int64], indicator: Indicator) -> Iterator[tuple[str, Any]]:
    for name, pair in zip(names, counts, strict=True):
        if pair.any():
            yield name, _plain(pair, indicator)


def _plain(pair: NDArray[np.int64], indicator: Indicator) -> dict[str, Any]:
    figures = Counted(int(pair[0]), int(pair[1]), indicator.ratio)
    return {"num": figures.num, "den": figures.den, "share": figures.share, "ci95": figures.ci95}


def _find(noun: str, names: Sequence[str], name: str) -> int:
    if name not in names:
        shown = ", ".join(names) if len(names) <= 30 else f"{counted(len(names), noun)} are known"
        raise FeltError(f"no {noun} {name!r} in this table: {shown}")
    return names.index(name)


def _place(noun: str, names: Sequence[str], name: str | None) -> slice:
    """A part of an axis, as a slice that keeps it."""
    if name is None:
        return slice(None)
    number = _find(noun, names, name)
    return slice(number, number + 1)
