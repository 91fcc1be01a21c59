"""CFR+ (Tammelin 2014): regrets below 0 are forgotten, and strategies count by their number."""

from felt.solvers.algorithm import Algorithm, faded

ALGORITHM = Algorithm("cfr+", "CFR+", lambda t: (1.0, 1.0, faded(t, 1)), floor=True)
