"""Records of runs: what they hold, how hands are numbered in them, and what agents did wrong in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from felt.arena.conductor.conduct import Conduct

Record = dict[str, Any]
"""The result of a run, in values that JSON has. `play_runs` adds its number as ``run``, and what agents did wrong in it
as ``conduct``, if anything was."""

PlayedHand = tuple[int, int, list[int], list[int], list[int]] | tuple[int, int, list[int], list[int], list[int], int]
"""A hand on its way to a log: the level of its stakes, the button, the players by seat and their stacks, and the moves,
each as its amount times four plus its move; then its deal, if that is not its `hand_number`. The engine computes the
rest."""

HANDS = "all_hands"
"""Where the hands of a run are in its record, on their way to a log."""
PLAYERS = "all_players"
"""The same for players whom the description of a competition does not name: name and agent by number."""
HAND_BITS = 32


def hand_number(run: int, hand: int) -> int:
    """The number of a hand among those of all runs: its cards, the agents' dice and their faults depend on it.

    >>> hand_number(3, 7)
    12884901895
    >>> run_of(hand_number(3, 7))
    (3, 7)
    """
    return run << HAND_BITS | hand


def run_of(number: int) -> tuple[int, int]:
    """The run and the hand in it that `hand_number` numbered."""
    return number >> HAND_BITS, number & (1 << HAND_BITS) - 1


def format_hand(kind: str, number: int) -> str:
    """Where the hand of this number is, in words; `kind` is what a run is called.

    >>> format_hand("tournament", hand_number(3, 7))
    'tournament 4, hand 8'
    """
    run, hand = run_of(number)
    return f"{kind} {run + 1:,}, hand {hand + 1:,}"


def conduct_of(records: Iterable[Record], entrants: int) -> Conduct:
    """What agents did wrong in all runs, by entrant; the hands of incidents are numbered as by `hand_number`."""
    conduct = Conduct.of(entrants)
    for record in records:
        if "conduct" in record:
            conduct.join(Conduct.from_dict(record["conduct"]))
    return conduct


Spec = TypeVar("Spec", bound=Any)


@dataclass(frozen=True, eq=False)
class RunResult(Generic[Spec]):
    """The records of a competition that was repeated. Agents are counted by their places among the entrants."""

    competition: Spec
    records: Sequence[Record]
    seconds: float
    known: int
    """Runs that a log had already; the others were played in those seconds."""

    run_name: ClassVar[str]

    @property
    def repeats(self) -> int:
        """How many runs there are."""
        return len(self.records)

    @property
    def hands(self) -> int:
        """Hands of all runs, at all tables."""
        return sum(record["hands"] for record in self.records)

    @cached_property
    def conduct(self) -> Conduct:
        """What agents did wrong; hands are numbered over all runs, see `run_of`."""
        return conduct_of(self.records, len(self.competition.entrants))

    def where(self, hand: int) -> str:
        """Where a hand is, in words."""
        return format_hand(self.run_name, hand)

    def faults_to_dict(self, agent: int) -> dict[str, Any]:
        """What an agent did wrong, as plain values, for JSON."""
        return self.conduct.to_dict(agent, lambda hand: dict(zip(("run", "hand"), run_of(hand), strict=True)))


def by_entrant(conduct: Conduct, lineup: Sequence[int], entrants: int) -> Conduct:
    """What players did wrong, counted for their agents."""
    joined = Conduct.of(entrants)
    for incident in sorted(conduct.incidents, key=lambda incident: incident.hand):
        joined.add(replace(incident, player=lineup[incident.player]))
    joined.counts = Conduct.of(entrants).counts
    for player, counts in enumerate(conduct.counts):
        for fault, times in counts.items():
            joined.counts[lineup[player]][fault] += times
    return joined
