"""Asking policies, whatever they do. What goes wrong is counted as a fault of the player, and nothing is risked for it:
it waits instead of sitting down, and leaves instead of going on."""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from felt.arena.conductor.conduct import Fault, Incident
from felt.arena.conductor.table import IN_HAND, Table
from felt.arena.ring.policies import called, policy

if TYPE_CHECKING:
    from felt.arena.ring.spec import Ring

FIRST = -1 << 32
"""In place of the number of a decision: what a history asks policies is counted down from here, below all that has a
number by `felt.arena.conductor.table.beside`."""


class Asking:
    """The policies of all players of one history. One that was too late, or ended its process, is asked no more."""

    def __init__(self, ring: "Ring", table: Table) -> None:
        self._table, self._timeout = table, ring.timeout
        self._policies = [policy(ring.policies[entry]) for entry in ring.lineup]
        self._called = [called(ring.policies[entry]) for entry in ring.lineup]
        self._silent: set[int] = set()
        self._asked = 0

    def ask(self, player: int, method: str, arguments: tuple[Any, ...], wrong: Callable[[Any], str]) -> Any:
        """The answer of a player's policy; None in place of one that is `wrong`, in words."""
        table = self._table  # whoever watches over agents watches over policies too
        hand = table.marks[IN_HAND]  # the last that was played
        if player in self._silent or player in table.retired:
            return None
        decision = FIRST - self._asked
        self._asked += 1
        died = table.known.get((hand, decision))
        if died is not None:
            self._silent.add(player)
            return self._count(method, Incident(player, died[1], hand, died[2]))

        def decide() -> tuple[Any, str]:
            answer = getattr(self._policies[player], method)(*arguments)
            return answer, wrong(answer) if answer is not None else ""

        started = perf_counter()
        answered, incident = table.attempt(player, decision, decide, watched=True)
        if incident is None and perf_counter() - started > self._timeout:
            incident = Incident(player, Fault.TIMEOUT, hand, f"no answer within {self._timeout:g} s")
        if incident is None:
            answer, complaint = answered
            if not complaint:
                return answer
            incident = Incident(player, Fault.ILLEGAL, hand, complaint)
        if incident.fault == Fault.TIMEOUT:
            self._silent.add(player)
        return self._count(method, incident)

    def _count(self, method: str, incident: Incident) -> None:
        message = f"policy {self._called[incident.player]!r}, {method}: {incident.message}"
        self._table.conduct.add(replace(incident, message=message))
