"""Solvers: equilibria of games, and how far a strategy is from one.

Read `registry` first: it lists the methods, and `begin` starts one. `solving` runs a solver up to a target,
`best_response` measures a strategy exactly, `strategy` saves and loads it. Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from felt._doors import open_door

if TYPE_CHECKING:
    from felt.solvers.best_response import Evaluation as Evaluation
    from felt.solvers.best_response import evaluate as evaluate
    from felt.solvers.cfr.imperfect_recall import ForgetfulSolver as ForgetfulSolver
    from felt.solvers.cfr.solver import Solver as Solver
    from felt.solvers.public_tree.build import spot as spot
    from felt.solvers.public_tree.build import vector_tree as vector_tree
    from felt.solvers.public_tree.solver import VectorSolver as VectorSolver
    from felt.solvers.registry import METHODS as METHODS
    from felt.solvers.registry import begin as begin
    from felt.solvers.sampling.deals import SampledSolver as SampledSolver
    from felt.solvers.sampling.gains import sampled_gains as sampled_gains
    from felt.solvers.solving import Solved as Solved
    from felt.solvers.solving import solve as solve
    from felt.solvers.strategy import Strategy as Strategy
    from felt.solvers.strategy import load_strategy as load_strategy
    from felt.solvers.strategy import save_strategy as save_strategy
    from felt.solvers.trees.build import build_tree as build_tree
    from felt.solvers.trees.build import size_of as size_of

__all__, __getattr__ = open_door(
    __name__,
    {
        "best_response": "Evaluation evaluate",
        "cfr.imperfect_recall": "ForgetfulSolver",
        "cfr.solver": "Solver",
        "public_tree.build": "spot vector_tree",
        "public_tree.solver": "VectorSolver",
        "registry": "METHODS begin",
        "sampling.deals": "SampledSolver",
        "sampling.gains": "sampled_gains",
        "solving": "Solved solve",
        "strategy": "Strategy load_strategy save_strategy",
        "trees.build": "build_tree size_of",
    },
)
