"""Questions that compile the kernels of trees and their solvers: see `felt._warm`."""

from collections.abc import Callable


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    from felt.games.catalogue import load
    from felt.solvers.best_response import evaluate
    from felt.solvers.cfr.solver import FORMS, KINDS, Solver
    from felt.solvers.public_tree.build import vector_tree
    from felt.solvers.public_tree.solver import VectorSolver
    from felt.solvers.registry import begin
    from felt.solvers.sampling.betting import betting_of
    from felt.solvers.sampling.deals import SampledSolver
    from felt.solvers.sampling.gains import sampled_gains
    from felt.solvers.trees.build import build_tree

    def solve_all() -> None:
        tree = build_tree(load("kuhn"))
        for form in FORMS:
            for kind in KINDS:
                Solver(tree, "predictive", form=form, kind=kind).run(1)
        evaluate(tree, tree.infosets.uniform())
        SampledSolver(load("kuhn")).run(1)
        public = vector_tree(load("kuhn"))
        for kind in KINDS:
            VectorSolver(public, kind=kind).run(1)

    def sample_all() -> None:
        tree = build_tree(load("kuhn"))
        for method in ("external", "outcome", "public-chance", "pruned"):
            begin(tree, method).run(20)
        betting = betting_of(load("kuhn"))
        sampled_gains(betting, betting.infosets.uniform(), deals=40)
        Solver(tree, threads=2).run(1)

    return {"small games": solve_all, "sampled games": sample_all}
