"""Statistics: win rates with their intervals, and what players do how often."""

from felt.stats.definitions import INDICATORS
from felt.stats.indicators import count, count_chunks
from felt.stats.means import Counted
from felt.stats.rates import Rate, Tally, rate, sentence
from felt.stats.records import Recorded, from_records
from felt.stats.table import Table

__all__ = [
    "INDICATORS",
    "Counted",
    "Rate",
    "Recorded",
    "Table",
    "Tally",
    "count",
    "count_chunks",
    "from_records",
    "rate",
    "sentence",
]
