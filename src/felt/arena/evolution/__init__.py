"""Evolution: a population of players whose weakest are replaced by offspring of the others.

Read `spec` first; `play` has the rounds of a generation, `genes` the parameters that are bred, `result` all rounds.
"""

from felt.arena.evolution.genes import Genome, genes_of, spec_of
from felt.arena.evolution.result import EvolutionResult, play_evolution
from felt.arena.evolution.spec import Evolution, Generation

__all__ = ["Evolution", "EvolutionResult", "Generation", "Genome", "genes_of", "play_evolution", "spec_of"]
