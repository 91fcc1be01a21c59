"""Agents: players that are programs. One small protocol, and one file for each that comes with Felt."""

from felt.agents.api import CALL, FOLD, Agent, check_or_call, check_or_fold, raise_to
from felt.agents.dice import Dice
from felt.agents.naming import BUILT_IN, AgentError, Entrant, entrant, nearest
from felt.agents.tables import BatchAgent, Moves, Tables

__all__ = [
    "BUILT_IN",
    "CALL",
    "FOLD",
    "Agent",
    "AgentError",
    "BatchAgent",
    "Dice",
    "Entrant",
    "Moves",
    "Tables",
    "check_or_call",
    "check_or_fold",
    "entrant",
    "nearest",
    "raise_to",
]
