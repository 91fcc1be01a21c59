"""Leaving out what nobody should ever do: a call that loses to every hand, a fold of a hand that beats them all.

D 6.2.3 prunes two kinds of actions before a game is solved: folds where nothing is to pay, which
`felt.games.trees.tree.actions` never offers, and the call or fold of a hand that is as good as lost or won. Here an
action goes if another is at least as good against everything that others may hold and do, whatever comes afterwards: at
its very best it wins no more than the other at its very worst. What is left out can make more actions hopeless, so this
is repeated until nothing changes.

An equilibrium of the smaller game is one of the whole game, as whoever could gain by an action that was left out could
gain as much by the better one. With two players the value of the game stays the same. (Equilibria in which somebody
plays an action that only never wins more, as against one that always wins less, may be lost.)
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from felt.solvers.best_response import Evaluation, evaluate
from felt.solvers.cfr.base import AnySolver
from felt.solvers.trees.tree import TERMINAL, Floats, GameTree, Infosets, Ints, bound, levels_below

ALIKE = 1e-9
"""Chips by which rounding may make two equal values differ."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Pruned:
    """A tree without its dominated actions, and the way back to the whole one."""

    whole: GameTree
    tree: GameTree
    """The smaller one; information sets have the labels that they had."""
    dropped: Flags
    """Which sequences of the whole tree were left out."""
    sequences: Ints
    """For each sequence of the smaller tree, which one of the whole it is."""

    @property
    def share(self) -> float:
        """The share of the nodes that was left out."""
        return 1 - len(self.tree) / len(self.whole)

    def lift(self, strategy: ArrayLike) -> Floats:
        """A strategy of the smaller tree for the whole one.

        Where only mistakes of others lead, all actions that are not dominated have the same chance; that is good
        enough, as no mistake pays against any of them.
        """
        chances = np.where(self.dropped, 0.0, 1.0)
        chances[self.sequences] = np.asarray(strategy)
        return self.whole.infosets.normalised(chances)


class Lifted:
    """A solver of the smaller tree that answers for the whole one: see `felt.solvers.cfr.base.AnySolver`."""

    form, sweep_nodes = "", 0

    def __init__(self, pruned: Pruned, solver: AnySolver) -> None:
        self.pruned, self.solver = pruned, solver
        self.tree = pruned.whole
        self.algorithm = solver.algorithm

    @property
    def iterations(self) -> int:
        return self.solver.iterations

    def run(self, iterations: int) -> None:
        self.solver.run(iterations)

    def average(self) -> Floats:
        return self.pruned.lift(self.solver.average())

    def current(self) -> Floats:
        return self.pruned.lift(self.solver.current())

    def measure(self) -> Evaluation:
        return evaluate(self.tree, self.average())


def prune(tree: GameTree) -> Pruned:
    """Leave out dominated actions.

    >>> from felt.games import load
    >>> from felt.solvers.trees.build import build_tree
    >>> small = prune(build_tree(load("kuhn")))
    >>> print(f"{len(small.tree)} of {len(small.whole)} nodes")
    41 of 55 nodes
    """
    return _smaller(tree, dominated(tree))


def dominated(tree: GameTree) -> Flags:
    """The sequences that end with a dominated action; never all of an information set."""
    dropped = np.zeros(tree.infosets.sequences, dtype=np.bool_)
    while True:
        before, alive, gone = dropped.sum(), _alive(tree, dropped), _below_dropped(tree, dropped)
        for player in range(tree.players):
            most, least = (bound(tree, player, best=best, without=gone) for best in (True, False))
            _compare(tree, player, most, least, alive, dropped)
        if dropped.sum() == before:
            return dropped


def _alive(tree: GameTree, dropped: Flags) -> Flags:
    alive = ~_below_dropped(tree, dropped)
    for begin, end in levels_below(tree):
        alive[begin:end] &= alive[tree.parent[begin:end]]
    return alive


def _below_dropped(tree: GameTree, dropped: Flags) -> Flags:
    return np.append(dropped, False)[tree.sequence]


def _compare(tree: GameTree, player: int, most: Floats, least: Floats, alive: Flags, dropped: Flags) -> None:
    """Drop each action that another one beats, or equals, at every node of an information set."""
    infosets = tree.infosets
    nodes = np.flatnonzero(tree.player == player)
    met = np.bincount(tree.infoset[nodes], alive[nodes], minlength=infosets.count)
    nodes = nodes[alive[nodes] | (met[tree.infoset[nodes]] == 0)]
    sizes = np.diff(infosets.first)
    mine = np.arange(*infosets.of_player[player : player + 2])
    for a, b in permutations(range(int(sizes[mine].max(initial=0))), 2):
        both = nodes[tree.children[nodes] > max(a, b)]
        worse = most[tree.first_child[both] + a] <= least[tree.first_child[both] + b] + ALIKE
        against = np.bincount(tree.infoset[both], ~worse, minlength=infosets.count)
        sets = mine[(sizes[mine] > max(a, b)) & (against[mine] == 0)]
        worse_action, better_action = infosets.first[sets] + a, infosets.first[sets] + b
        dropped[worse_action[~dropped[worse_action] & ~dropped[better_action]]] = True


def _smaller(tree: GameTree, dropped: Flags) -> Pruned:
    """The tree of the nodes that can be reached without these actions."""
    nodes = np.flatnonzero(_alive(tree, dropped))
    number = np.full(len(tree), -1, dtype=np.int32)
    number[nodes] = np.arange(len(nodes))
    parent = tree.parent[nodes]
    parent[1:] = number[parent[1:]]
    infosets, sets, sequences = _fewer(tree.infosets, np.unique(tree.infoset[nodes[tree.infoset[nodes] >= 0]]), dropped)
    over = nodes[tree.player[nodes] == TERMINAL]
    small = GameTree(
        rules=tree.rules,
        stacks=tree.stacks,
        parent=parent,
        player=tree.player[nodes],
        sequence=_renumbered(sequences, tree.sequence[nodes]),
        chance=tree.chance[nodes],
        infoset=_renumbered(sets, tree.infoset[nodes]),
        payoffs=tree.payoffs[np.searchsorted(tree.terminals, over)],
        levels=np.searchsorted(nodes, tree.levels).astype(np.int32),
        infosets=infosets,
        suits=tree.suits,
    )
    return Pruned(tree, small, dropped, sequences)


def _fewer(infosets: Infosets, sets: NDArray[Any], dropped: Flags) -> tuple[Infosets, Ints, Ints]:
    """The information sets that are left, which of the whole they are, and which sequences are left of them."""
    sequences = np.flatnonzero(np.isin(infosets.of_sequence, sets) & ~dropped).astype(np.int32)
    sizes = np.bincount(infosets.of_sequence[sequences], minlength=infosets.count)[sets]
    begins = np.arange(infosets.sequences, infosets.sequences + infosets.players)  # of players who have not acted
    fewer = Infosets(
        players=infosets.players,
        of_player=np.searchsorted(sets, infosets.of_player).astype(np.int32),
        first=np.cumsum([0, *sizes]).astype(np.int32),
        parent=_renumbered(np.append(sequences, begins), infosets.parent[sets]),
        labels=[infosets.labels[i] for i in sets.tolist()],
        actions=[infosets.actions[i] for i in sequences.tolist()],
    )
    return fewer, sets.astype(np.int32), sequences


def _renumbered(left: NDArray[Any], numbers: NDArray[Any]) -> Ints:
    """Numbers as places among those that are kept; -1 stays."""
    return np.where(numbers < 0, -1, np.searchsorted(left, numbers)).astype(np.int32)
