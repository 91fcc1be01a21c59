"""Hand ranks of every kind (high, lows, badugi, wild cards), one at a time or a million. Begin with `evaluator`."""

from felt.cards.ranking.evaluator import rank, rank_batch, rank_omaha, rank_omaha_batch
from felt.cards.ranking.kinds import KINDS
from felt.cards.ranking.names import category, describe

__all__ = ["KINDS", "category", "describe", "rank", "rank_batch", "rank_omaha", "rank_omaha_batch"]
