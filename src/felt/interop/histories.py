"""What reading a file of hands gives: the hands that could be read, and a line for each that could not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from felt.errors import FeltError
from felt.games.history import HandRecord


class HistoryError(FeltError):
    """A hand or a file that cannot be read or written; the message says where and why."""


class Problem(NamedTuple):
    """A hand that was not read."""

    line: int
    """Where it begins or breaks, counted from 1; 0 where the source has no lines to speak of."""
    hand: str
    """What the source calls it; empty where not even that could be read."""
    why: str


@dataclass(frozen=True)
class Histories:
    """The hands of one source. A broken hand costs nobody the others."""

    hands: tuple[HandRecord, ...]
    problems: tuple[Problem, ...] = ()
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    """What each player won over all hands together, where the source says so (ACPC logs)."""


def quoted(text: object, most: int = 60) -> str:
    """Input for an error message: in quotes, on one line, and not endless."""
    shown = str(text)
    return repr(shown if len(shown) <= most else shown[: most - 1] + "…")
