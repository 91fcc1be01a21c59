"""Discounted CFR (Brown & Sandholm 2019): regrets fade, those below 0 faster, and early strategies hardly count."""

from felt.solvers.algorithm import Algorithm, Weights, faded


def discounted(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Algorithm:
    """DCFR with its three parameters, by default those that its authors recommend."""

    def weights(t: int) -> Weights:
        above, below = (t - 1) ** alpha, (t - 1) ** beta
        return above / (above + 1), below / (below + 1), faded(t, gamma)

    return Algorithm("dcfr", "discounted CFR", weights)


ALGORITHM = discounted()
