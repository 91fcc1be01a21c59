"""How many betting sequences heads-up no-limit hold'em has, by arithmetic instead of by playing.

Raises of a street never get smaller, so the ways to bet up to b chips are the partitions of b into parts of a big
blind or more; going all in is always possible. A street depends on nothing but the chips behind.
"""

import numpy as np


def decisions(stack: int, big_blind: int, rounds: int = 4, *, exact: bool = True) -> list[int]:
    """Sequences after which a player decides, by round, for equal stacks; all modulo 2^64 unless `exact`."""
    kind = object if exact else np.uint64
    ways = np.array([1] + [0] * (stack - 1), dtype=kind)
    for size in range(big_blind, stack):
        for begin in range(size, stack, size):
            end = min(begin + size, stack)
            ways[begin:end] = ways[begin:end] + ways[begin - size : end - size]
    up_to = np.cumsum(ways)  # over all bets smaller than the stack behind: facing them, and facing an all-in raise
    # the first player and, after a check, the second may open; and decide themselves
    per_street = np.concatenate([np.array([0], dtype=kind), 2 + 2 * (2 * up_to - 1)]).astype(kind)
    reached = np.array([0] * stack, dtype=kind)
    reached[big_blind] += 1  # chips that both have put in at the start of the street
    found = []
    for _ in range(rounds):
        found.append(int((reached * per_street[stack - np.arange(stack)]).sum()))
        after = reached.copy()  # check and check
        for bet in np.nonzero(ways)[0][1:]:
            after[bet:] = after[bet:] + 2 * ways[bet] * reached[: stack - bet]
        reached = after
    return found
