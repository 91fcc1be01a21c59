"""Counterfactual regret minimization as it was first published (Zinkevich and others 2007)."""

from felt.solvers.algorithm import Algorithm

ALGORITHM = Algorithm("cfr", "CFR", lambda t: (1.0, 1.0, 1.0))
