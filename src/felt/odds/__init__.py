"""Odds: equity, hand strength and potential, and the arithmetic of decisions."""

from felt.odds.equity.calculate import equity
from felt.odds.equity.result import Equity, PlayerEquity
from felt.odds.strength.ars import ars, rank_strength
from felt.odds.strength.calculate import Strength, expected_hs2_batch, strength
from felt.odds.strength.lookup import expected_hs_batch

__all__ = [
    "Equity",
    "PlayerEquity",
    "Strength",
    "ars",
    "equity",
    "expected_hs2_batch",
    "expected_hs_batch",
    "rank_strength",
    "strength",
]
