# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled chance: a stream of random bits that costs next to nothing."""

from contextlib import AbstractContextManager, nullcontext

import numpy as np

from felt._jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def random_bits(state):
    """The 64 random bits that belong to a state; the next state is ``state + GOLDEN`` (splitmix64: Steele, Lea &
    Flood 2014)."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def wrapping() -> AbstractContextManager[None]:
    """Where to call kernels that draw: their generator wraps around, and only without the compiler NumPy would warn."""
    return _COMPILED if hasattr(random_bits, "py_func") else np.errstate(over="ignore")


_COMPILED = nullcontext()


@kernel
def below(bits, n):
    """A number below `n` from 32 random bits (Lemire 2019; the bias, n / 2³², is far below any error here)."""
    return np.int64(((bits & np.uint64(0xFFFFFFFF)) * np.uint64(n)) >> np.uint64(32))
