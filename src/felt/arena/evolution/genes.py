"""Genes: an agent that takes part says which of its parameters may be bred, and within which bounds.

It has a class attribute ``genes``, a dictionary from names of its parameters to the least and the most of each; whole
numbers at both ends make a gene of whole numbers. It keeps nothing from hand to hand (``remembers = False``). If it
also has a static method ``crowds(rules)`` that says True, it can be made with arrays in place of its genes, one figure
for each table, and decides for a whole crowd in one call of `act_batch`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from felt.agents.naming import Entrant
from felt.errors import FeltError

Genome = tuple[float, ...]
"""A figure for each gene, in order."""

STEP = 0.1
"""The spread of a mutation, as a part of the range of its gene."""


@dataclass(frozen=True)
class Gene:
    """A parameter that may be bred."""

    name: str
    low: float
    high: float
    is_integer: bool = False

    def rounded(self, value: float) -> float:
        """The nearest figure that the gene may have: with four digits, as it is written in the name of an agent."""
        inside = min(max(value, self.low), self.high)
        return round(inside) if self.is_integer else min(max(float(f"{inside:.4g}"), self.low), self.high)

    def written(self, value: float) -> str:
        """A figure as it stands in the name of an agent: with as many digits as it takes to read the same again."""
        if self.is_integer:
            return str(int(value))
        short = f"{value:g}"
        return short if float(short) == value else repr(float(value))

    def random(self, chance: Random) -> float:
        """Any figure of its range."""
        return self.rounded(self.low + (self.high - self.low) * chance.random())

    def mutated(self, value: float, chance: Random) -> float:
        """A figure nearby."""
        step = chance.gauss(0.0, STEP * (self.high - self.low))
        if self.is_integer and abs(step) < 1:
            step = 1.0 if step > 0 else -1.0
        return self.rounded(value + step)


def genes_of(agent: Entrant) -> tuple[Gene, ...]:
    """The genes of an agent; parameters that its name fixes are none.

    >>> from felt.agents import entrant
    >>> [gene.name for gene in genes_of(entrant("dials:size=1,bluff=0,per_seat=0,caution=0"))]
    ['edge', 'margin', 'per_raise']
    """
    bounds = getattr(agent.kind, "genes", None)
    if not isinstance(bounds, dict) or not bounds:
        raise FeltError(
            f"agent {agent.spec!r} has no genes: give its class an attribute like genes = {{'edge': (0.0, 1.0)}}, "
            "or breed dials"
        )
    genes = tuple(_gene(agent, name, ends) for name, ends in bounds.items() if name not in agent.parameters)
    if not genes:
        raise FeltError(f"agent {agent.spec!r} fixes all its genes: leave one of {', '.join(bounds)} open")
    if agent.remembers:
        raise FeltError(f"agent {agent.spec!r} remembers hands: agents are bred that say remembers = False")
    return genes


def _gene(agent: Entrant, name: Any, ends: Any) -> Gene:
    try:
        low, high = ends
        is_integer = isinstance(low, int) and isinstance(high, int)
        if not 0 < float(high) - float(low) < inf:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise FeltError(
            f"agent {agent.spec!r}: gene {name!r} has {ends!r}, which are no least and most: give two finite numbers"
        ) from None
    return Gene(str(name), float(low), float(high), is_integer)


def parameters_of(genes: Sequence[Gene], genome: Sequence[float]) -> dict[str, float]:
    """The parameters of an agent with a genome."""
    pairs = zip(genes, genome, strict=True)
    return {gene.name: int(value) if gene.is_integer else value for gene, value in pairs}


def spec_of(base: str, genes: Sequence[Gene], genome: Genome) -> str:
    """The name of an agent with a genome: it can be played wherever agents are named.

    >>> spec_of("dials:size=1", [Gene("edge", 0, 1), Gene("bluff", 0, 1)], (0.25, 0.125))
    'dials:size=1,edge=0.25,bluff=0.125'
    """
    own = ",".join(f"{gene.name}={gene.written(value)}" for gene, value in zip(genes, genome, strict=True))
    name, _, rest = base.partition(":")
    if name.endswith(".py"):
        kind, _, parameters = rest.partition(":")
        if "=" in kind:
            kind, parameters = "", kind
        name, rest = (f"{name}:{kind}" if kind else name), parameters
    return f"{name}:{rest},{own}" if rest else f"{name}:{own}"


def child(genes: Sequence[Gene], parents: Sequence[Genome], mutation: float, chance: Random) -> Genome:
    """A child has the genes of one parent, or each gene from either of two; then every gene may mutate."""
    values = []
    for place, gene in enumerate(genes):
        value = parents[chance.randrange(len(parents))][place]
        values.append(gene.mutated(value, chance) if chance.random() < mutation else value)
    return tuple(values)
