"""What an equity calculation answers, and how sure it is."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WON, TIED, SHARES, SQUARES = range(4)
"""Columns of what kernels count for each player: pots won alone, pots shared, parts of pots, and squares of these."""


@dataclass(frozen=True)
class PlayerEquity:
    """One player's part."""

    hand: str
    """The hand or range as it was given."""
    equity: float
    """Expected share of the pot, 0 to 1; the players' equities add up to 1."""
    win: float
    """Chance to win the whole pot alone."""
    tie: float
    """Chance to share it."""


def players_equity(names: Sequence[str], counts: NDArray[np.int64], unit: int, deals: int) -> list[PlayerEquity]:
    """Every player's part from what was counted over some deals, shares in `unit`-ths of a pot."""
    return [
        PlayerEquity(name, float(shares / unit / deals), float(won / deals), float(tied / deals))
        for name, (won, tied, shares, _) in zip(names, counts, strict=True)
    ]


@dataclass(frozen=True)
class Equity:
    """The answer to an equity question."""

    players: tuple[PlayerEquity, ...]
    exact: bool
    """True: every deal was counted. False: deals were sampled."""
    samples: int
    """Deals counted or sampled; for weighted ranges, the number of deals before weighting."""
    stderr: float
    """The largest standard error among the players' equities; 0 when exact."""
    seconds: float
    method: str
    """How it was found: "table", "enumeration" or "simulation"."""

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, as ``felt equity --json`` prints it: programs rely on these names."""
        values = asdict(self)
        del values["method"]
        return values | {"players": list(values["players"])}
