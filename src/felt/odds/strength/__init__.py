"""Hand strength, potential and expected strength. Begin with `calculate`."""

from felt.odds.strength.ars import ars, rank_strength
from felt.odds.strength.calculate import (
    Strength,
    expected_hs2_batch,
    potentials,
    sampled_expected_hs,
    starting_strength,
    strength,
)
from felt.odds.strength.lookup import expected_hs_batch

__all__ = [
    "Strength",
    "ars",
    "expected_hs2_batch",
    "expected_hs_batch",
    "potentials",
    "rank_strength",
    "sampled_expected_hs",
    "starting_strength",
    "strength",
]
