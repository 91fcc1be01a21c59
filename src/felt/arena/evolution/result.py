"""Plays an evolution generation by generation, and has its results."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._moved import renamed_arguments
from felt.arena.conductor.conduct import Conduct
from felt.arena.evolution.play import tables_of
from felt.arena.evolution.spec import Evolution, Generation
from felt.arena.schedule.runs import Keeper, Progress, play_runs
from felt.arena.schedule.scheduler import employ
from felt.arena.schedule.tasks import Executor
from felt.arena.schedule.workplace import Record, conduct_of, format_hand, run_plan
from felt.stats.means import Mean, mean


@renamed_arguments(crew="executor", kept="log")
def play_evolution(
    evolution: Evolution,
    *,
    workers: int | None = None,
    log: Keeper | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> "EvolutionResult":
    """Play all generations; see `felt.arena.schedule.runs.play_runs` for `workers`, `log` and `executor`.

    A generation is made from the results of the one before: the rounds in a log are enough to go on, and a longer
    evolution goes on with a shorter one.
    """
    logged = iter(log.records() if log is not None else ())
    founders = genomes = evolution.first()
    generations: list[GenerationResult] = []
    known, started = 0, perf_counter()
    plan = run_plan(Generation(evolution, 0, genomes, founders))
    with employ(plan, workers, executor, most=evolution.rounds) as hired:
        for number in range(evolution.generations):
            generation = Generation(evolution, number, genomes, founders)
            part = None if log is None else _Part(log, list(islice(logged, evolution.rounds)))
            known += 0 if part is None else len(part.before)
            records = play_runs(
                generation, evolution.rounds, first=number * evolution.rounds, workers=workers, log=part,
                executor=hired, progress=_progress_of(progress, number, evolution),
            )  # fmt: skip
            generations.append(GenerationResult(generation, records))
            genomes = evolution.next(number, genomes, generations[-1].won.tolist())
    return EvolutionResult(evolution, generations, perf_counter() - started, known)


class _Part:
    """The rounds of one generation in a log that has them all."""

    def __init__(self, log: Keeper, before: list[Record]) -> None:
        self.before, self.records, self.add = before, before.copy, log.add
        self.with_hands: bool = getattr(log, "with_hands", False)


def _progress_of(progress: Progress | None, number: int, evolution: Evolution) -> Progress | None:
    if progress is None:
        return None
    before, every = number * evolution.rounds, evolution.generations * evolution.rounds
    return lambda done, _: progress(before + done, every)


@dataclass(frozen=True, eq=False)
class GenerationResult:
    """What one generation did."""

    generation: Generation
    records: Sequence[Record]

    @cached_property
    def rounds(self) -> NDArray[np.int64]:
        """``[rounds, agents]``: chips won in each meeting."""
        meetings = self.generation.evolution.meetings
        return np.array([record["won"] for record in self.records[:meetings]], dtype=np.int64)

    @cached_property
    def won(self) -> NDArray[np.int64]:
        """Chips that everybody won from the others: the fitness by which they stay or go."""
        total: NDArray[np.int64] = self.rounds.sum(axis=0)
        return total

    @property
    def ranking(self) -> list[int]:
        """The agents, the fittest first."""
        return sorted(range(len(self.won)), key=lambda agent: (-self.won[agent], agent))

    def fitness(self, agent: int) -> Mean:
        """The fitness of an agent in mbb/hand, with its interval over meetings."""
        return mean((self._mbb * self.rounds[:, agent]).tolist())

    @cached_property
    def progress(self) -> Mean | None:
        """What an agent of this generation wins from those of the first, in mbb/hand; None if that was not played."""
        evolution = self.generation.evolution
        rounds = [float(np.mean(record["won"])) * self._mbb for record in self.records[evolution.meetings :]]
        return mean(rounds) if rounds else None

    def crossing(self) -> NDArray[np.float64]:
        """``[agent, other]``: what each won from each, in mbb/hand; nan where they did not meet. For tables of two."""
        evolution = self.generation.evolution
        crossing = np.full((evolution.population, evolution.population), np.nan)
        for place, won in enumerate(self.rounds):
            first, second = tables_of(self.generation, place).T
            crossing[first, second] = won[first] * self._mbb
            crossing[second, first] = won[second] * self._mbb
        return crossing

    def crossing_to_list(self) -> list[list[float | None]]:
        """The same with None where agents did not meet."""
        return [[None if cell != cell else cell for cell in row] for row in self.crossing().tolist()]

    @property
    def _mbb(self) -> float:
        """A chip of a round, in mbb/hand."""
        evolution = self.generation.evolution
        return 1000 / (evolution.deals * evolution.seats * evolution.rules.big_blind)


@dataclass(frozen=True, eq=False)
class EvolutionResult:
    """All generations."""

    evolution: Evolution
    generations: Sequence[GenerationResult]
    seconds: float
    known: int
    """Rounds that a log had already."""

    @property
    def hands(self) -> int:
        """Hands of all generations."""
        return len(self.generations) * self._hands(self.evolution.rounds)

    @property
    def speed(self) -> str:
        """How fast, in words."""
        evolution = self.evolution
        complete, rest = divmod(self.known, evolution.rounds)
        played = self.hands - complete * self._hands(evolution.rounds) - self._hands(rest)
        return f"{played / self.seconds:,.0f} hands a second" if played else "all of it was in the log"

    def _hands(self, rounds: int) -> int:
        """Hands of the first rounds of a generation."""
        evolution = self.evolution
        meetings = min(rounds, evolution.meetings)
        tables = meetings * (evolution.population // evolution.seats) + (rounds - meetings) * evolution.population
        return tables * evolution.deals * evolution.seats

    @cached_property
    def conduct(self) -> Conduct:
        """What agents did wrong, all together."""
        return conduct_of((record for generation in self.generations for record in generation.records), 1)

    def where(self, hand: int) -> str:
        """Where a hand is, in words."""
        return format_hand("round", hand)

    @property
    def last(self) -> GenerationResult:
        """The last generation."""
        return self.generations[-1]

    @cached_property
    def best(self) -> str:
        """The fittest of the last generation, by the name under which it can be played."""
        return self.last.generation.spec(self.last.ranking[0])

    def gene(self, place: int) -> NDArray[np.float64]:
        """``[3, generations]``: the quartiles and the median of a gene."""
        rows = [[genome[place] for genome in played.generation.genomes] for played in self.generations]
        quantiles: NDArray[np.float64] = np.quantile(np.array(rows), (0.25, 0.5, 0.75), axis=1)
        return quantiles

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        evolution, last, genes = self.evolution, self.last, list(enumerate(self.evolution.genes))
        values = {
            "game": evolution.rules.name,
            "agent": evolution.base.spec,
            "genes": {gene.name: [gene.low, gene.high] for gene in evolution.genes},
            "population": evolution.population,
            "seats": evolution.seats,
            "seed": evolution.seed,
            "hands": self.hands,
            "best": self.best,
            "generations": [
                {
                    "generation": number,
                    "against_first": _figure(played.progress),
                    "fittest": played.generation.spec(played.ranking[0]),
                    "genes": {gene.name: self.gene(place)[:, number].tolist() for place, gene in genes},
                }
                for number, played in enumerate(self.generations)
            ],
            "agents": [
                {"agent": last.generation.spec(agent), "fitness": _figure(last.fitness(agent))}
                for agent in last.ranking
            ],
            **self.conduct.counts[0],
        }
        if evolution.complete:
            cells = last.crossing_to_list()
            values["crossing"] = [[cells[agent][other] for other in last.ranking] for agent in last.ranking]
        return values


def _figure(figure: Mean | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    return {"mbb_per_hand": figure.value, "ci95": None if figure.ci95 is None else list(figure.ci95)}
