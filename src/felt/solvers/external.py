"""External sampling (Lanctot and others 2009): all that one player may do, against one choice of everybody else's.

What is not up to the player who learns, cards and others, is drawn as it would come; so an iteration costs about what
the player's own part of the tree has, and the values need no weights.
"""

from felt.solvers.algorithm import Algorithm
from felt.solvers.sampling import SamplingSolver

ALGORITHM = Algorithm("external", "external sampling", lambda t: (1.0, 1.0, 1.0))


class ExternalSampling(SamplingSolver):
    """External sampling at work on a tree or on the betting of a game.

    >>> from felt.games import load
    >>> solver = ExternalSampling(load("kuhn", cards=13, players=8), seed=1)
    >>> solver.run(100)
    >>> solver.infosets.count, solver.looked_at / 100 < 500
    (13312, True)
    """

    algorithm = ALGORITHM
