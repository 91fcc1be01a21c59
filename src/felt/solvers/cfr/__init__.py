"""Counterfactual regret minimization over a whole tree: one update for a family of algorithms.

Begin with `algorithm`, what makes the members differ, then `solver`; regrets are updated in `update_kernels`.
"""

from felt._doors import open_door

__all__, __getattr__ = open_door(
    __name__,
    {
        "algorithm": "ALGORITHMS Algorithm",
        "base": "AnySolver State",
        "imperfect_recall": "ForgetfulSolver",
        "recursive": "Vanilla",
        "regret_pruning": "PrunedSolver",
        "solver": "Solver",
    },
)
