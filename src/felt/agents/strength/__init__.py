"""Agents that decide by the strength of their hand. Begin with `by_strength`."""
