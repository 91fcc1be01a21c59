"""Linear CFR (Brown & Sandholm 2019): regrets and strategies count in proportion to the number of their iteration."""

from felt.solvers.algorithm import Algorithm, faded

ALGORITHM = Algorithm("linear", "linear CFR", lambda t: (faded(t, 1), faded(t, 1), faded(t, 1)))
