"""What an equity calculation answers, and how sure it is."""

from dataclasses import asdict, dataclass
from typing import Any

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
        return {
            "players": [asdict(player) for player in self.players],
            "exact": self.exact,
            "samples": self.samples,
            "stderr": self.stderr,
            "seconds": self.seconds,
        }
