"""Hands between agents, at one table or at many in step, whatever the agents do.

Read `table` first: a `Table` plays a hand, counts faults and applies the penalty. `lockstep` does the same at many
tables at once. Both ask and tell through `felt.agents.conductor`. `conduct` is the record of faults; `prepare` compiles
what a game needs before a clock starts.
"""

from felt.arena.conductor.conduct import Conduct, Fault, Incident, Penalty
from felt.arena.conductor.lockstep import Lockstep
from felt.arena.conductor.table import Table

__all__ = ["Conduct", "Fault", "Incident", "Lockstep", "Penalty", "Table"]
