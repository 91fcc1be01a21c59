"""Agents that play what a solver found."""
