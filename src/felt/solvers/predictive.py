"""Predictive CFR+ (Farina, Kroer & Sandholm 2021): CFR+ that expects the last regrets to come again."""

from felt.solvers.algorithm import Algorithm, faded

ALGORITHM = Algorithm(
    "predictive", "predictive CFR+", lambda t: (1.0, 1.0, faded(t, 2)), floor=True, predictive=True
)  # fmt: skip
