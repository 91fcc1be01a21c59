"""Ranges of hole cards: 1,326 weights, their notations, and charts. Begin with `range`."""

from felt.cards.ranges.range import Range, format_range

__all__ = ["Range", "format_range"]
