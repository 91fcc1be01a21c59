"""A match of the Annual Computer Poker Competition: what is played, and what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.rules import GameRules
from felt.interop.acpc.writer import definition, result_text
from felt.stats.rates import Rate, rate


@dataclass(frozen=True)
class ContestLimits:
    """Seconds that a player has; those of the C dealer unless told otherwise."""

    response: float = 600.0
    """For one answer."""
    hand: float = 600.0
    """For all answers of a hand."""
    per_hand: float = 7.0
    """For all answers of the match, by hand on average."""


@dataclass(frozen=True)
class Contest:
    """What is played: `names` by player; in hand number h, player p sits at position p - h, as in the C dealer."""

    rules: GameRules
    names: tuple[str, ...]
    hands: int
    seed: int = 0
    limits: ContestLimits = field(default_factory=ContestLimits)
    name: str = "felt"
    game: str = ""
    """The file of the game, for the head of the log."""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.names)

    def header(self) -> Iterator[str]:
        """The comments at the head of a log; the game is among them."""
        yield f"# name/game/hands/seed {self.name} {self.game or self.rules.name} {self.hands} {self.seed}"
        for option, seconds in asdict(self.limits).items():
            yield f"#--t_{option} {round(1000 * seconds)}"
        yield from definition(self.rules, self.players)


@dataclass
class ContestOutcome:
    """What came of a match, by player."""

    contest: Contest
    values: list[tuple[Fraction | int, ...]] = field(default_factory=list)
    """Of every hand that was played to its end."""
    counts: list[dict[str, int]] = field(default_factory=list)
    """How often each did each wrong."""
    incidents: list[dict[str, Any]] = field(default_factory=list)
    """The first faults of each player in words."""
    ended: str = ""
    """Why there is no score; empty if the match was played to its end."""
    ended_by: int | None = None
    seconds: float = 0.0

    @property
    def scores(self) -> tuple[Fraction, ...]:
        """Chips won or lost."""
        return tuple(sum(own, Fraction(0)) for own in zip(*self.values, strict=True)) or (
            (Fraction(0),) * self.contest.players
        )

    def score_line(self) -> str:
        """The last line of a log."""
        return f"SCORE:{'|'.join(map(result_text, self.scores))}:{'|'.join(self.contest.names)}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        rates = rates_of([self])
        return {
            "game": self.contest.rules.name,
            "hands": len(self.values),
            "seed": self.contest.seed,
            "ended": self.ended,
            "ended_by": None if self.ended_by is None else self.contest.names[self.ended_by],
            "hands_per_second": round(len(self.values) / self.seconds, 1) if self.seconds else 0.0,
            "players": [
                {
                    "name": name,
                    "score": float(score),
                    "mbb_per_hand": rate.mbb,
                    "ci95": None if rate.ci95 is None else list(rate.ci95),
                    **self.counts[player],
                    "incidents": [incident for incident in self.incidents if incident["player"] == name],
                }
                for player, (name, score, rate) in enumerate(zip(self.contest.names, self.scores, rates, strict=True))
            ],
        }


def totals_of(outcomes: Sequence[ContestOutcome]) -> NDArray[np.float64]:
    """``[hands, players]``: chips that each player won with every deal, in all matches together; players in the order
    of the first match, deals that all matches got to."""
    names = outcomes[0].contest.names
    hands = min(len(outcome.values) for outcome in outcomes)
    totals = np.zeros((hands, len(names)))
    for outcome in outcomes:
        for place, player in enumerate(map(outcome.contest.names.index, names)):
            totals[:, place] += [float(values[player]) for values in outcome.values[:hands]]
    return totals


def unit_of(rules: GameRules) -> int:
    """What rates are thousandths of: the big blind, or the ante where there is none."""
    return rules.big_blind or max(rules.ante, 1)


def rates_of(outcomes: Sequence[ContestOutcome]) -> list[Rate]:
    """What each player won per hand, in the order of the first match; the same deals in several matches are one unit
    of the interval."""
    totals, unit = totals_of(outcomes), unit_of(outcomes[0].contest.rules)
    return [rate(totals[:, player], len(outcomes), unit) for player in range(totals.shape[1])]
