"""Solvers: equilibria of games, and how far a strategy is from one."""
