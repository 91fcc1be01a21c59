"""What an evolution is, and one generation of it as a competition that is made of runs."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.agents.dice import Dice
from felt.agents.naming import Entrant, entrant
from felt.arena.conductor.conduct import Penalty
from felt.arena.evolution.genes import Gene, Genome, child, genes_of, parameters_of, spec_of
from felt.arena.evolution.play import play_round, tables_of
from felt.arena.match.spec import RunSpec, check_timeout, numbered
from felt.arena.schedule.workplace import HANDS, PLAYERS, PlayedHand, Record, RunWorkplace
from felt.arena.tournament.spec import fold_or_call
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.pgdl import write_pgdl
from felt.games.rules import GameRules

STREAM = 0x65766F6C  # "evol"
BREEDER = -2
"""The number of the dice that choose parents and mutate genes."""
MOST_MEETINGS = 31
"""Rounds of a generation, by default: enough for 32 agents to meet all others."""
MOST_POPULATION = 100_000
REPRODUCTION = ("both", "sexual", "asexual")
_DESCRIBED = ["population", "seats", "stack", "meetings", "deals", "eliminate", "reproduction", "mutation", "yardstick"]
"""Fields that decide the rounds; the number of generations does not."""


@dataclass(frozen=True)
class Evolution(RunSpec):
    """The population, how it lives and how it is renewed."""

    rules: GameRules
    base: Entrant
    """The agent that is bred; all of the population are of its kind."""
    stack: int
    population: int
    seats: int
    meetings: int
    """Rounds of a generation; in each everybody sits at one table."""
    generations: int = 20
    deals: int = 20
    """Deals of a round: each is played at all tables, once for every seat that a player can have."""
    eliminate: float = 0.3
    """The share of the population that is replaced in each generation."""
    reproduction: str = REPRODUCTION[0]
    mutation: float = 0.2
    """The probability that a gene of a child changes."""
    yardstick: int = 10
    """Rounds of a generation against the first one, by which progress is measured."""

    @classmethod
    def of(
        cls,
        agent: Any,
        rules: GameRules,
        *,
        population: int = 32,
        seats: int = 2,
        stack: int | None = None,
        meetings: int | None = None,
        on_error: str = Penalty.FOLD,
        **fields: Any,
    ) -> "Evolution":
        """An evolution, checked; `fields` are the others of the class. Without `meetings` everybody meets everybody, up
        to 31 others."""
        chips = Hand.new(rules, stack, fields.get("seed", 0), players=seats).starting_stacks[0]
        if meetings is None:
            meetings = min(population - 1, MOST_MEETINGS)
        evolution = cls(
            rules, entrant(agent), chips, population, seats, meetings, penalty=fold_or_call(on_error), **fields
        )
        evolution._check()
        return evolution

    @cached_property
    def genes(self) -> tuple[Gene, ...]:
        """What is bred."""
        return genes_of(self.base)

    @property
    def rounds(self) -> int:
        """Runs of a generation: meetings, then those against the first."""
        return self.meetings + self.yardstick

    @property
    def complete(self) -> bool:
        """Whether everybody meets everybody once, so that there is a crossing table."""
        return self.seats == 2 and self.meetings == self.population - 1

    def first(self) -> tuple[Genome, ...]:
        """The genomes of the first generation, drawn from all that there can be."""
        chance = self._dice(0)
        return tuple(tuple(gene.random(chance) for gene in self.genes) for _ in range(self.population))

    def next(self, number: int, genomes: tuple[Genome, ...], fitness: list[float]) -> tuple[Genome, ...]:
        """The generation after `number`: the least fit go, and children of the others come in their places.

        Parents are any of those who stay. Every agent has a gender, drawn for each generation; children of two
        have one of each, as long as both are left.
        """
        chance = self._dice(number + 1)
        order = sorted(range(len(genomes)), key=lambda agent: (-fitness[agent], agent))
        staying = order[: len(order) - round(self.eliminate * len(order))]
        genders: list[list[int]] = [[], []]
        for agent in staying:
            genders[chance.randrange(2)].append(agent)
        children = [genomes[agent] for agent in staying]
        while len(children) < len(genomes):
            two = self.reproduction == "sexual" or (self.reproduction == "both" and chance.random() < 0.5)
            if two and all(genders):
                parents = [chance.choice(gender) for gender in genders]
            else:
                parents = chance.sample(staying, min(2, len(staying))) if two else [chance.choice(staying)]
            children.append(child(self.genes, [genomes[agent] for agent in parents], self.mutation, chance))
        return tuple(children)

    def describe(self) -> dict[str, Any]:
        """All that decides it, in values that JSON has."""
        return {
            "kind": "evolution",
            "game": write_pgdl(self.rules),
            "agent": {"spec": self.base.spec, "sha256": self.base.digest},
            **self.describe_fields(*_DESCRIBED),
        }

    def _dice(self, number: int) -> Dice:
        chance = Dice(self.seed, BREEDER)
        chance.begin(number)
        return chance

    def _check(self) -> None:
        if not 4 <= self.population <= MOST_POPULATION or self.population % self.seats:
            raise FeltError(
                f"a population of {self.population} at tables of {self.seats}: give a multiple of {self.seats}, "
                f"4 to {MOST_POPULATION:,}"
            )
        least = {"generations": 1, "meetings": 1, "deals": 1, "yardstick": 0}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise FeltError(f"{name}={getattr(self, name)}: give {lowest} or more")
        if self.seats == 2 and self.meetings >= self.population:
            raise FeltError(f"meetings={self.meetings}: {self.population} agents can meet {self.population - 1} others")
        if not 0 < self.eliminate < 1 or not 1 <= round(self.eliminate * self.population) <= self.population - 2:
            raise FeltError(f"eliminate={self.eliminate:g}: a share of the population goes, and two or more stay")
        if self.reproduction not in REPRODUCTION:
            raise FeltError(f"reproduction={self.reproduction!r}: choose {', '.join(REPRODUCTION)}")
        if not 0 <= self.mutation <= 1:
            raise FeltError(f"mutation={self.mutation:g}: a probability is 0 to 1")
        check_timeout(self.timeout)
        reason = self._example().reason_not_to_play(self.rules, self.seats)
        if reason:
            raise FeltError(f"agent {self.base.spec!r} does not play {self.rules.name} with {self.seats}: {reason}")

    def _example(self) -> Entrant:
        """One agent of the population: it cannot be made if the genes are not parameters of the agent."""
        genome = self.first()[0]
        if self.base.named:
            return entrant(spec_of(self.base.spec, self.genes, genome))
        return replace(self.base, parameters={**self.base.parameters, **parameters_of(self.genes, genome)})


def generation_seed(seed: int, number: int) -> int:
    """The seed of a generation, from that of the evolution."""
    return int(block_seed(seed, number, STREAM)) % 2**31


@dataclass(frozen=True)
class Generation:
    """One generation, for `felt.arena.schedule.runs`: a run is a round, in which everybody plays at one table."""

    evolution: Evolution
    number: int
    genomes: tuple[Genome, ...]
    founders: tuple[Genome, ...]
    """The first generation."""
    entrants: tuple[Entrant, ...] = field(init=False)
    games: tuple[GameRules, ...] = field(init=False)
    lineup: tuple[int, ...] = field(init=False)
    seed: int = field(init=False)
    penalty: Penalty = field(init=False)
    timeout: float = field(init=False)

    def __post_init__(self) -> None:
        evolution, seed = self.evolution, generation_seed(self.evolution.seed, self.number)
        own = {
            "entrants": (evolution.base,),
            "games": (evolution.rules,),
            "lineup": (0,) * evolution.seats,
            "seed": seed,
        }
        vars(self).update(own, penalty=evolution.penalty, timeout=evolution.timeout)

    def run(self, number: int, workplace: RunWorkplace) -> Record:
        """A round: chips that everybody won, against each other or against the first generation."""
        place = number - self.number * self.evolution.rounds
        tables, population = tables_of(self, place), self.evolution.population
        hands: list[PlayedHand] | None = [] if workplace.with_hands else None
        won = play_round(self, number, tables, workplace, hands)
        chips = np.zeros(2 * population, dtype=np.int64)
        np.add.at(chips, tables, won)
        record: Record = {"won": chips[:population].tolist()}
        if hands is not None:
            players = {**self._named(self.founders, 0), **self._named(self.genomes, self.number)}
            record |= {HANDS: hands, PLAYERS: players}
        return record

    def players_of(self, who: NDArray[np.int64]) -> NDArray[np.int64]:
        """The players of a log, who are numbered generation after generation: founders are in the first."""
        population = self.evolution.population
        numbers: NDArray[np.int64] = np.where(who < population, self.number * population + who, who - population)
        return numbers

    def _named(self, genomes: tuple[Genome, ...], number: int) -> dict[int, tuple[str, str]]:
        """Names and specs by player; whoever stays for several generations has the same name in all of them."""
        specs = [spec_of(self.evolution.base.spec, self.evolution.genes, genome) for genome in genomes]
        return dict(enumerate(zip(numbered(specs), specs, strict=True), number * len(genomes)))

    def spec(self, agent: int) -> str:
        """The name of an agent of the population."""
        return spec_of(self.evolution.base.spec, self.evolution.genes, self.genomes[agent])
