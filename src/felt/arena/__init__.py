"""The arena: agents against each other, and what the result means."""

from felt.arena.conduct import Conduct, Fault, Incident, Penalty
from felt.arena.match import play
from felt.arena.result import Result
from felt.arena.spec import Match

__all__ = ["Conduct", "Fault", "Incident", "Match", "Penalty", "Result", "play"]
