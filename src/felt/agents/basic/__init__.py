"""Agents that always do the same, or anything at all: the yardsticks of a match."""
