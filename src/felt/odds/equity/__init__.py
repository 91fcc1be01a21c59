"""Equity: the share of the pot that each hand or range wins, exact or sampled. Begin with `calculate`."""

from felt.odds.equity.calculate import equity
from felt.odds.equity.result import Equity, PlayerEquity

__all__ = ["Equity", "PlayerEquity", "equity"]
