"""How much memory solvers may take: one bound for all of them, checked before anything grows.

Every way to solve a game says before it starts the most that it will take at a time, building, solving, measuring and
saving included, and refuses a game for which that is more than is allowed. The figures below are upper bounds of what
was measured (`tests/solvers/test_memory.py` measures it again). Games that are grown hand by hand, whose size nobody
knows beforehand, stop growing at the bound.
"""

from felt.errors import FeltError
from felt.solvers.trees.tree import GameTree, format_bytes

MEMORY = 4e9
"""Bytes that a solver may take unless told otherwise."""

BASE = 1e6
"""What any solver takes, however small the game."""

DEALT = 20e6
"""More, where cards are dealt: deals that are made together, and what they pay."""

PLACE = 4500
"""Of a place in the betting: a hand, and what may be done there."""

WALKED_PLACE = 2500
"""More, where deals walk over the betting: the record of each end, and room for values."""

INFOSET, SEQUENCE = 250, 250
"""Of what players learn: layout, regrets, averages, strategies, and copies while they are measured and saved."""

NODE, NODE_BY_PLAYER = 140, 15
"""Of a node of a whole tree with its ends, while it is built, and while any solver walks over it."""


class MemoryBoundError(FeltError):
    """A solver would take more memory than it may."""


def check_memory(name: str, needed: float, memory: float, remedy: str, *, least: bool = False) -> None:
    """Refuse what would take more than `memory` bytes; with `least`, `needed` is only what is known so far.

    >>> check_memory("the tree of nlhe", 9e9, 4e9, "give smaller stacks")
    Traceback (most recent call last):
        ...
    felt.solvers.memory.MemoryBoundError: the tree of nlhe needs about 9 GB, more than the 4 GB allowed: give smaller stacks, or more memory
    """  # noqa: E501 - one line is what is promised
    if not needed <= memory:
        raise MemoryBoundError(
            f"{name} needs {'more than' if least else 'about'} {format_bytes(needed)}, more than the "
            f"{format_bytes(memory)} allowed: {remedy}, or more memory"
        )


def memory_beside(tree: GameTree, memory: float) -> float:
    """What is left of `memory` beside a tree that is built and solved already."""
    return memory - bytes_of(tree)


def bytes_of(tree: GameTree) -> float:
    """The most that solving and measuring a tree that is built take at a time, the tree included."""
    nodes = len(tree) * (NODE + NODE_BY_PLAYER * tree.players)
    return BASE + nodes + learned_bytes(tree.infosets.count, tree.infosets.sequences)


def learned_bytes(infosets: float, sequences: float) -> float:
    """What information sets and their actions take, in any solver."""
    return infosets * INFOSET + sequences * SEQUENCE
