"""Outcome sampling (Lanctot and others 2009): one hand is played, and each player learns from how it ended.

An iteration costs next to nothing and says little: what happened is weighted by how unlikely it was, so that values
are right on average, and vary much. So that nothing is unlikely beyond reason, the player who learns tries anything at
all in six of ten decisions, as the authors have it.
"""

from felt.solvers.algorithm import Algorithm
from felt.solvers.sampling import SamplingSolver

ALGORITHM = Algorithm("outcome", "outcome sampling", lambda t: (1.0, 1.0, 1.0))


class OutcomeSampling(SamplingSolver):
    """Outcome sampling at work on a tree or on the betting of a game.

    >>> from felt.games import load
    >>> solver = OutcomeSampling(load("kuhn"), seed=1)
    >>> solver.run(100)
    >>> solver.looked_at < 100 * 2 * 5
    True
    """

    algorithm = ALGORITHM
    explore = 0.6
