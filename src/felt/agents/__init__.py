"""Agents: players that are programs.

Read `api` first: an `Agent` has a method ``act(view)``, and everything else is optional. `naming` finds agents by name
and has the table of those that come with Felt, one file each in `basic`, `strength` and `solved`. `outside` is any
program, `tables` are agents at many tables at once, `conductor` asks agents and tells them what happens, and `contract`
checks that an agent does what every agent must.
"""

from felt._doors import open_door
from felt.agents.api import (
    CALL,
    FOLD,
    Agent,
    AgentFault,
    Explanation,
    OutsideAgent,
    check_or_call,
    check_or_fold,
    raise_to,
)
from felt.agents.conductor import Conductor
from felt.agents.dice import Dice
from felt.agents.naming import BUILT_IN, AgentError, Entrant, entrant, nearest
from felt.agents.tables import BatchAgent, Moves, Tables

__all__ = [
    "BUILT_IN",
    "CALL",
    "FOLD",
    "Agent",
    "AgentError",
    "AgentFault",
    "BatchAgent",
    "Conductor",
    "Dice",
    "Entrant",
    "Explanation",
    "Moves",
    "OutsideAgent",
    "Tables",
    "check_or_call",
    "check_or_fold",
    "entrant",
    "nearest",
    "raise_to",
    "strategy_of",
]

_, __getattr__ = open_door(__name__, {"tabular": "strategy_of"})  # it needs solvers, which others do not load
