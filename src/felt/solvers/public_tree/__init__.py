"""The public tree: public actions and boards, and a vector of hands at each node.

Begin with `tree`, then `solver`; terminals are valued in `kernels`, and `build.spot` makes a hand to study.
"""

from felt._doors import open_door

__all__, __getattr__ = open_door(
    __name__,
    {
        "build": "size_of_vector spot vector_tree",
        "solver": "VectorEvaluation VectorSolver",
        "tree": "VectorSize VectorTree",
    },
)
