"""Odds: equity, hand strength and potential, and the arithmetic of decisions."""

from felt.odds.ars import ars, rank_strength
from felt.odds.equity import equity
from felt.odds.lookup import expected_hs2_batch, expected_hs_batch
from felt.odds.result import Equity, PlayerEquity
from felt.odds.strength import Strength, strength

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
