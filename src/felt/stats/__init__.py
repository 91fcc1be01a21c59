"""Statistics: win rates with their intervals, and what players do how often."""

from felt.stats.rates import Rate, Tally, rate, sentence

__all__ = ["Rate", "Tally", "rate", "sentence"]
