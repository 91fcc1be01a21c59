"""Which cards all players see, found from a tree alone.

Two ways for cards to fall are one *event* when somebody who acts later cannot tell them apart, or when a chain of such
pairs connects them. What players hold is one event for all ways it may be dealt; every board is an event of its own.
Chance nodes that share events are a *family*: places that everybody takes for the same place, where one event is drawn
for all of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from felt.solvers.trees.bounds import levels_below, luck
from felt.solvers.trees.tree import CHANCE, Floats, GameTree, Ints


@dataclass(frozen=True, eq=False)
class Events:
    """Events by family: ``first[f] … first[f + 1] - 1`` are those of family f."""

    of_node: Ints
    """The event of a node below chance, else -1."""
    family: Ints
    """Of a chance node, else -1."""
    first: Ints
    chances: Floats
    """Of each event within its family, by how often the cards fall so, whatever players do."""


def events_of(tree: GameTree) -> Events:
    """Find the events of a tree and their families.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> found = events_of(build_tree(load("leduc")))
    >>> np.unique(np.diff(found.first)).tolist()  # what is held is one event, the board is three
    [1, 3]
    """
    below = np.flatnonzero(tree.player[tree.parent] == CHANCE).astype(np.int32)
    below = below[below > 0]
    label = _joined(len(below), *_met(tree, below))
    above = tree.parent[below]
    kin = _joined(len(below), *_pairs(label, above))
    _, kin = np.unique(kin, return_inverse=True)
    keys, event = np.unique(kin.astype(np.int64) * len(below) + label, return_inverse=True)
    weights = np.bincount(event, luck(tree)[below], minlength=len(keys))
    families = keys // max(len(below), 1)
    first = np.searchsorted(families, np.arange(kin.max(initial=-1) + 2))
    chances = weights / np.bincount(families, weights)[families]
    of_node, family = np.full(len(tree), -1, dtype=np.int32), np.full(len(tree), -1, dtype=np.int32)
    of_node[below], family[above] = event, kin
    return Events(of_node, family, first.astype(np.int32), chances)


def _met(tree: GameTree, below: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a node below chance (by its place in `below`) and of an information set that may be met after it.

    Deals of different rounds are kept apart: the set is numbered together with how many deals came before.
    """
    place = np.full(len(tree), -1, dtype=np.int64)
    place[below] = np.arange(len(below))
    depth = np.zeros(len(tree), dtype=np.int64)
    for begin, end in levels_below(tree):
        depth[begin:end] = depth[tree.parent[begin:end]] + (place[begin:end] >= 0)
    node = np.flatnonzero(tree.infoset >= 0).astype(np.int32)
    known, most = tree.infoset[node].astype(np.int64), int(depth.max(initial=0)) + 1
    events, keys = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    while len(node):
        fallen = place[node] >= 0
        events.append(place[node[fallen]])
        keys.append(known[fallen] * most + depth[node[fallen]])
        node = tree.parent[node]
        node, known = node[node > 0], known[node > 0]
    pairs = np.unique(np.column_stack([np.concatenate(events), np.concatenate(keys)]), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _pairs(label: NDArray[np.int64], above: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What connects families: events, and chance nodes."""
    rows = np.arange(len(label))
    return np.concatenate([rows, rows]), np.concatenate([label, len(label) + above.astype(np.int64)])


def _joined(count: int, rows: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least of all rows that are connected with each by a chain of common keys."""
    label = np.arange(count)
    _, keys = np.unique(keys, return_inverse=True)
    while True:
        least = np.full(int(keys.max(initial=-1)) + 1, count)
        np.minimum.at(least, keys, label[rows])
        after = label.copy()
        np.minimum.at(after, rows, least[keys])
        if (after == label).all():
            return label
        label = after[after]  # what a row is joined to is joined to the same
