"""The sampling members of the CFR family, and what best responses gain by sampled deals.

Begin with `base`: external and outcome sampling; `betting` is the tree that needs no list of deals.
"""

from felt._doors import open_door

__all__, __getattr__ = open_door(
    __name__,
    {
        "base": "ExternalSampling OutcomeSampling",
        "betting": "PublicTree betting_of",
        "deals": "SampledSolver",
        "gains": "SampledGains sampled_gains",
        "public_chance": "PublicChanceSampling",
    },
)
