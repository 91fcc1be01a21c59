"""Odds: equity, hand strength and potential, and the arithmetic of decisions."""

from felt.odds.equity import equity
from felt.odds.result import Equity, PlayerEquity

__all__ = ["Equity", "PlayerEquity", "equity"]
