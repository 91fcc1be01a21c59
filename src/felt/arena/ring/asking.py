"""Asking policies, whatever they do. What goes wrong is counted as a fault of the player, and nothing is risked for it:
it waits instead of sitting down, and leaves instead of going on."""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from felt.arena.conduct import Fault, Incident, raised
from felt.arena.ring.policies import called, policy
from felt.arena.table import NOBODY, Late, Table

if TYPE_CHECKING:
    from felt.arena.ring.spec import Ring

FIRST = -1 << 32
"""In place of the number of a decision: what a history asks policies is counted down from here, below all that has a
number by `felt.arena.table.beside`."""


class Asking:
    """The policies of all players of one history. One that was too late, or ended its process, is asked no more."""

    def __init__(self, ring: "Ring", table: Table) -> None:
        self._table, self._timeout = table, ring.timeout
        self._policies = [policy(ring.policies[entry]) for entry in ring.lineup]
        self._called = [called(ring.policies[entry]) for entry in ring.lineup]
        self._silent: set[int] = set()
        self._asked = 0

    def ask(self, player: int, method: str, given: tuple[Any, ...], wrong: Callable[[Any], str]) -> Any:
        """The answer of a player's policy; None in place of one that is `wrong`, in words."""
        table, marks = self._table, self._table.marks  # whoever watches over agents watches over policies too
        hand = marks[1]  # the last that was played
        if player in self._silent or player in table.retired:
            return None
        decision = FIRST - self._asked
        self._asked += 1
        died = table.known.get((hand, decision))
        if died is not None:
            return self._never_again(Incident(player, died[1], hand, self._said(player, method, died[2])))
        started, marks[2] = perf_counter(), decision
        try:
            marks[0] = player
            answer = getattr(self._policies[player], method)(*given)
            told = wrong(answer) if answer is not None else ""
            marks[0] = NOBODY
        except Late:
            marks[0] = NOBODY
            return self._late(player, hand, method)
        except table.faults as error:
            marks[0] = NOBODY
            incident = raised(player, hand, error)
            table.conduct.add(replace(incident, message=self._said(player, method, incident.message)))
            return None
        if perf_counter() - started > self._timeout:
            return self._late(player, hand, method)
        if told:
            table.conduct.add(Incident(player, Fault.ILLEGAL, hand, self._said(player, method, told)))
            return None
        return answer

    def _late(self, player: int, hand: int, method: str) -> None:
        said = self._said(player, method, f"no answer within {self._timeout:g} s")
        self._never_again(Incident(player, Fault.TIMEOUT, hand, said))

    def _never_again(self, incident: Incident) -> None:
        self._table.conduct.add(incident)
        self._silent.add(incident.player)

    def _said(self, player: int, method: str, told: str) -> str:
        return f"policy {self._called[player]!r}, {method}: {told}"
