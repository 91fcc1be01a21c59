"""Questions that compile the kernels of this room: see `felt._warm`."""

from collections.abc import Callable

from felt.solvers import pushfold_warm
from felt.solvers.tree_warm import tree_steps


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    return {**pushfold_warm.steps(), **tree_steps()}
