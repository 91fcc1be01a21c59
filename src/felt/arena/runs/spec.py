"""What runs are made of: the competition, parcels of it, and those who play and keep them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from felt.agents.naming import Entrant
from felt.arena.conduct import Conduct, Incident, Penalty
from felt.arena.table import Known
from felt.arena.worker_process import Death

if TYPE_CHECKING:
    from felt.arena.runs.bench import Bench

Record = dict[str, Any]
"""What came of a run, in values that JSON has. `play_runs` adds its number as ``run``, and what agents did wrong in it
as ``conduct``, if anything was."""

PlayedHand = tuple[int, int, list[int], list[int], list[int]]
"""A hand as a log keeps it: the level of its stakes, the button, the players by seat and their stacks, and the moves,
each as its amount times four plus its move. The engine tells the rest."""

HANDS = "all_hands"
"""Where the hands of a run are in its record, on their way to a log."""
HAND_BITS = 32


def hand_number(run: int, hand: int) -> int:
    """The number of a hand among those of all runs: its cards, the agents' dice and their faults go by it.

    >>> hand_number(3, 7)
    12884901895
    >>> run_of(hand_number(3, 7))
    (3, 7)
    """
    return run << HAND_BITS | hand


def run_of(number: int) -> tuple[int, int]:
    """The run and the hand in it that `hand_number` numbered."""
    return number >> HAND_BITS, number & (1 << HAND_BITS) - 1


class Competition(Protocol):
    """All that decides the runs of a competition. It can be pickled, and equal ones have equal runs.

    One may also have a method ``run_together(numbers, with_hands=…)``, which plays several runs at once and returns
    their records, or None if they have to be played one by one; `games`, the rules that are played, so that all is
    compiled before anybody has to decide; a `parcel`, how many runs to begin with and how many
    seconds a parcel should take; and ``files()`` and ``crew(workers)`` where it has more than its agents from files.
    """

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The agents."""

    @property
    def lineup(self) -> tuple[int, ...]:
        """For each player of a run, the place of its agent among the entrants: an agent may play several times."""

    @property
    def seed(self) -> int:
        """What chance comes from, together with the number of a run."""

    @property
    def penalty(self) -> Penalty:
        """What is done for an agent that does wrong."""

    @property
    def timeout(self) -> float:
        """Seconds for a decision."""

    def run(self, number: int, bench: "Bench") -> Record:
        """Play a run: the same record for the same number. Agents are asked through ``bench.table(number)`` or
        ``bench.floor(…)`` only."""


@dataclass(frozen=True)
class Parcel:
    """Runs to be played: `count` from `first` on. It holds all that they need, and can be sent anywhere."""

    competition: Competition
    first: int
    count: int
    known: Known = field(default_factory=dict)
    """Faults of agents in these runs that ended a process: by `hand_number` and decision, whose it was and what."""
    retired: frozenset[int] = frozenset()
    """Entrants who are not asked any more: their processes died, or were started again, too often."""
    with_hands: bool = False
    """Whether records have all hands, under `HANDS`, where the competition tells of them."""

    def informed(self, known: Known, retired: frozenset[int]) -> "Parcel":
        """The same runs, with what is known by now of the agents."""
        own = {key: what for key, what in known.items() if 0 <= run_of(key[0])[0] - self.first < self.count}
        return replace(self, known=own, retired=retired)


@dataclass(frozen=True)
class Done:
    """A parcel that was played."""

    parcel: Parcel
    records: list[Record]
    """One for each run, in order."""
    seconds: float
    """What it took the worker."""
    broken: Mapping[int, int] = field(default_factory=dict)
    """How often programs outside had to be ended, by entrant."""


@dataclass(frozen=True)
class Lost:
    """Parcels that a worker took with it; whoever handed them out does so again."""

    parcels: tuple[Parcel, ...]
    death: Death | None = None
    """The decision that cost the worker its life; None if it was lost through no agent's fault, as with a machine."""


class Crew(Protocol):
    """Those who play parcels: a process, several, or many machines. One crew may serve several competitions in turn.

    A crew need not know what a parcel is: `felt.arena.runs.do` plays one. It gives back every parcel that it was
    given once, done or lost, in any order.
    """

    @property
    def busy(self) -> bool:
        """Whether any parcel is under way."""

    def room(self) -> bool:
        """Whether one more parcel would be begun soon."""

    def submit(self, parcel: Parcel) -> None:
        """Have a parcel played."""

    def results(self) -> Iterator[Done | Lost]:
        """What has come of parcels: waits for one, not for ever, unless none is under way."""

    def close(self) -> None:
        """Let everybody go; what is under way is dropped."""


class Keep(Protocol):
    """Where records are kept as they come: `felt.store.runs` has one.

    One that wants the hands too has a `with_hands` that is true, and takes them out of the records.
    """

    def records(self) -> Iterable[Record]:
        """Those that are there, in the order of their runs, from the first on."""

    def add(self, records: Sequence[Record]) -> None:
        """Keep the next ones; when this returns they are on disk."""


def conduct_of(records: Iterable[Record], entrants: int) -> Conduct:
    """What agents did wrong in all runs, by entrant; the hands of incidents are numbered as by `hand_number`."""
    found = Conduct.of(entrants)
    for record in records:
        if "conduct" in record:
            found.join(Conduct.from_dict(record["conduct"]))
    return found


def faults_told(conduct: Conduct, entrant: int) -> dict[str, Any]:
    """What one agent did wrong, as plain values, for JSON: how often each, and the first with all that is known."""
    incidents = [
        {"fault": one.fault.value, "run": run, "hand": hand, "message": one.message, "traceback": one.details}
        for one in conduct.incidents
        if one.player == entrant
        for run, hand in [run_of(one.hand)]
    ]
    return {**conduct.counts[entrant], "incidents": incidents}


def hand_told(kind: str, number: int) -> str:
    """Where the hand of this number is, in words; `kind` is what a run is called.

    >>> hand_told("tournament", hand_number(3, 7))
    'tournament 4, hand 8'
    """
    run, hand = run_of(number)
    return f"{kind} {run + 1:,}, hand {hand + 1:,}"


def by_entrant(conduct: Conduct, lineup: Sequence[int], entrants: int) -> Conduct:
    """What players did wrong, as the doing of their agents."""
    found = Conduct.of(entrants)
    for player, counts in enumerate(conduct.counts):
        for fault, times in counts.items():
            found.counts[lineup[player]][fault] += times
    kept = Conduct.of(entrants)
    for one in sorted(conduct.incidents, key=lambda one: one.hand):
        kept.add(Incident(lineup[one.player], one.fault, one.hand, one.message, one.details))
    found.incidents = kept.incidents
    return found
