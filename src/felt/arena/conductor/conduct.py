"""How players behave: what they do wrong is counted and told, and a rule decides in their place."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from felt.agents.api import AgentFault, OutsideAgent, check_or_call, check_or_fold
from felt.errors import describe_error, error_text
from felt.games.actions import Action
from felt.games.views.view import View

MOST_KEPT = 5
"""Faults of a player that are kept with all that is known of them; the others are counted."""
MOST_TEXT = 4000


class Fault(StrEnum):
    """What an agent can do wrong."""

    ILLEGAL = "illegal"
    """It answered with a move that the rules do not allow, or with no move at all."""
    TIMEOUT = "timeouts"
    """It answered late, or not at all."""
    ERROR = "errors"
    """It raised an exception, or its process died."""


class Penalty(StrEnum):
    """What is done in place of an agent that did wrong."""

    FOLD = "fold"
    """Check if that is free, else fold."""
    CALL = "call"
    """Check or call."""
    FORFEIT = "forfeit"
    """As `FOLD` for the rest of the hand; the match ends with the set."""

    def action(self, view: View) -> Action:
        """The move that is made."""
        return check_or_call(view) if self == Penalty.CALL else check_or_fold(view)


@dataclass(frozen=True)
class Incident:
    """One thing that a player did wrong."""

    player: int
    fault: Fault
    hand: int
    """Number of the hand in the match."""
    message: str
    """One line."""
    details: str = ""
    """The traceback, where there is one."""


@dataclass
class Conduct:
    """What the players of a match, or of a part of it, did wrong."""

    counts: list[dict[str, int]]
    """For each player, how often each fault."""
    incidents: list[Incident] = field(default_factory=list)
    """The first few of each player."""
    forfeits: dict[int, int] = field(default_factory=dict)
    """Under the rule `FORFEIT`: the first hand in which a player did wrong."""

    @classmethod
    def of(cls, players: int) -> "Conduct":
        """Nobody has done anything yet."""
        return cls([{fault.value: 0 for fault in Fault} for _ in range(players)])

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Conduct":
        """What `dataclasses.asdict` told of."""
        incidents = [Incident(**{**incident, "fault": Fault(incident["fault"])}) for incident in data["incidents"]]
        return cls(data["counts"], incidents, {int(player): hand for player, hand in data["forfeits"].items()})

    @property
    def clean(self) -> bool:
        """Whether nobody did anything wrong."""
        return not any(any(count.values()) for count in self.counts)

    def add(self, incident: Incident, times: int = 1) -> None:
        """Count a fault; keep it if it is one of the first."""
        self.counts[incident.player][incident.fault.value] += times
        self._keep(incident)

    def to_dict(
        self, player: int, where: Callable[[int], dict[str, int]] = lambda hand: {"hand": hand}
    ) -> dict[str, Any]:
        """What a player did wrong, as plain values, for JSON: how often each, and the first incidents.

        `where` tells where a hand is, by its number.
        """
        incidents = [
            {
                "fault": incident.fault.value,
                **where(incident.hand),
                "message": incident.message,
                "traceback": incident.details,
            }
            for incident in self.incidents
            if incident.player == player
        ]
        return {**self.counts[player], "incidents": incidents}

    def forfeit(self, player: int, hand: int) -> None:
        """Note that a player has forfeited the match."""
        self.forfeits[player] = min(hand, self.forfeits.get(player, hand))

    def before(self, hand: int) -> "Conduct":
        """Of a match that was forfeited, what was done wrong before a hand: all of it is among the incidents, since
        the first fault ended the match."""
        earlier = Conduct.of(len(self.counts))
        for incident in self.incidents:
            if incident.hand < hand:
                earlier.add(incident)
        earlier.forfeits = {player: at for player, at in self.forfeits.items() if at < hand}
        return earlier

    def join(self, other: "Conduct") -> None:
        """Add what happened in another part of the match."""
        for count, more in zip(self.counts, other.counts, strict=True):
            for fault, times in more.items():
                count[fault] += times
        for incident in other.incidents:
            self._keep(incident)
        for player, hand in other.forfeits.items():
            self.forfeit(player, hand)

    def _keep(self, incident: Incident) -> None:
        """Of each player the first few by the number of the hand, whatever the order in which they are told."""
        self.incidents.append(incident)
        self.incidents.sort(key=lambda other: (other.player, other.hand))
        own = [place for place, other in enumerate(self.incidents) if other.player == incident.player]
        del self.incidents[own[0] + MOST_KEPT : own[-1] + 1]


def take_stock(agents: Sequence[Any], conduct: Conduct, hand: int) -> dict[int, int]:
    """Of programs outside, since this was last called: count the answers that came a second time, which change nothing;
    returns how often they had to be ended, by player."""
    outside = {player: agent for player, agent in enumerate(agents) if isinstance(agent, OutsideAgent)}
    for player, agent in outside.items():
        repeated = agent.take_repeated()
        if repeated:
            message = "it answered what it had answered before; its first answer counts"
            conduct.add(Incident(player, Fault.ILLEGAL, hand, message), repeated)
    return {player: times for player, agent in outside.items() if (times := agent.take_broken())}


def raised(player: int, hand: int, error: BaseException) -> Incident:
    """An exception as an incident, with its traceback; what a program outside did, as it is told."""
    if isinstance(error, AgentFault):
        return Incident(player, Fault(error.kind), hand, error_text(error), error.details[-MOST_TEXT:])
    details = "".join(traceback.format_exception(error))
    return Incident(player, Fault.ERROR, hand, describe_error(error), details[-MOST_TEXT:])
