"""A game tree as flat arrays, level by level: what every solver sees of a game.

Nodes are numbered so that those of one level stand together and the children of one node too. Who builds it is
`felt.solvers.trees.build`; nothing here knows cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.rules import GameRules

if TYPE_CHECKING:
    from felt.solvers.trees.build import Origin

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Array = NDArray[Any]

CHANCE, TERMINAL = -1, -2
"""What stands in `GameTree.player` where nobody decides."""

BYTES_PER_NODE = 4 * 5 + 1 + 8
"""Of the arrays with an entry for each node."""


@dataclass(frozen=True, eq=False)
class Infosets:
    """What players can tell apart, and what they may do there: the layout of everything that a solver learns.

    Those of player 0 come first, and of one player those nearer to the root. An action at an information set is a
    sequence: ``first[i] … first[i + 1] - 1`` are those of set i. Behind them stands one for each player who has not
    acted yet.
    """

    players: int
    of_player: Ints
    """``[players + 1]``: where each player's sets begin."""
    first: Ints
    """``[sets + 1]``: where each set's sequences begin."""
    parent: Ints
    """``[sets]``: the sequence that the player has played when they come here."""
    labels: Sequence[str]
    """What the player knows, as `felt.games.views.keys.information` has it."""
    actions: Sequence[Action]
    """One for each sequence, without those of players who have not acted."""

    @property
    def count(self) -> int:
        """How many information sets there are."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """How many actions there are at all of them."""
        return int(self.first[-1])

    def by_player(self) -> Iterator[tuple[int, int, int]]:
        """Each player, and where their sets begin and end."""
        bounds = self.of_player.tolist()
        return zip(range(self.players), bounds, bounds[1:], strict=False)

    @cached_property
    def of_sequence(self) -> Ints:
        """The information set of each sequence."""
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.first))

    def uniform(self) -> Floats:
        """Every action with the same chance."""
        return np.repeat(1.0 / np.diff(self.first), np.diff(self.first))

    def normalised(self, weights: NDArray[Any]) -> Floats:
        """Weights of sequences as chances; where all weights are 0, every action has the same."""
        weights = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
        if self.count == 0:
            return weights
        totals = np.add.reduceat(weights, self.first[:-1])
        each = np.repeat(totals, np.diff(self.first))
        return np.where(each > 0, weights / np.where(each > 0, each, 1.0), self.uniform())


class LevelOrder:
    """Nodes in level order: those of one level stand together, and the children of one node too."""

    parent: Ints

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def children(self) -> Ints:
        """How many each node has."""
        return np.bincount(self.parent[1:], minlength=len(self)).astype(np.int32)

    @cached_property
    def first_child(self) -> Ints:
        """-1 if a node has none."""
        count = self.children
        return np.where(count > 0, 1 + np.cumsum(count) - count, -1).astype(np.int32)


@dataclass(frozen=True, eq=False)
class GameTree(LevelOrder):
    """Every history of a game. ``tree.levels[d] … tree.levels[d + 1] - 1`` are the nodes of level d."""

    rules: GameRules
    stacks: tuple[int, ...]
    parent: Ints
    """-1 at the root."""
    player: NDArray[np.int8]
    """Who acts; `CHANCE` where cards fall, `TERMINAL` where the hand is over."""
    sequence: Ints
    """The action that leads to a node, as a sequence of who took it; -1 below chance and at the root."""
    chance: Floats
    """Of a node below chance; 1 elsewhere."""
    infoset: Ints
    """-1 where nobody decides."""
    payoffs: Floats
    """``[terminals, players]``: chips won, in the order of the terminal nodes."""
    levels: Ints
    infosets: Infosets
    suits: bool = True
    """Whether suits were told apart; else cards of one rank are the same."""
    origin: "Origin | None" = None
    """What it was built from, to build it again; None where nobody said."""
    isomorphic: bool = False
    """Whether deals that differ only by the names of suits are one."""

    lists_deals: ClassVar[bool] = True
    """Whether its nodes have all deals, and not the betting alone."""

    @property
    def players(self) -> int:
        """How many play."""
        return self.infosets.players

    @cached_property
    def terminals(self) -> Ints:
        """The nodes where the hand is over."""
        return np.flatnonzero(self.player == TERMINAL).astype(np.int32)

    @cached_property
    def range_of_payoffs(self) -> float:
        """The most that anybody can win less the most that anybody can lose."""
        return float(self.payoffs.max() - self.payoffs.min())

    @property
    def links(self) -> tuple[NDArray[Any], ...]:
        """The arrays of nodes that kernels want, in their order."""
        return self.parent, self.first_child, self.children, self.player, self.sequence, self.chance

    @cached_property
    def bytes(self) -> int:
        """Memory that the arrays take."""
        return sum(array.nbytes for array in (*self.links, self.infoset, self.payoffs))

    @property
    def forgets(self) -> bool:
        """Whether players forget what they knew or did, as an abstraction may have it."""
        return self.origin is not None and self.origin.abstraction is not None and self.origin.abstraction.forget

    @cached_property
    def sequence_form(self) -> "SequenceForm":
        """The terminal nodes as solvers need them most often: by what everybody has played to come there."""
        if self.forgets:
            raise FeltError(
                "players of this game forget, so what they have played is not known at its end: solve it with "
                "felt.solvers.cfr.imperfect_recall, and measure it in the whole game (felt.solvers.whole_game)"
            )
        return sequence_form_of(self)


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """How hands end: what everybody has played, and what that pays.

    Terminals that differ only by cards which make no difference to what players knew are one. A sweep over these arrays
    gives all counterfactual values of a game whose players forget nothing.
    """

    sequences: Ints
    """``[players, ends]``: each player's last sequence."""
    gains: Floats
    """``[players, ends]``: payoff times the chance of the cards."""
    chances: Floats
    """``[ends]``: the chance of the cards."""


def sequence_form_of(tree: GameTree) -> SequenceForm:
    """Follow every terminal node up to the root."""
    players, node = tree.players, tree.terminals.astype(np.int64)
    last, chance = np.full((players, len(node)), -1, dtype=np.int64), np.ones(len(node))
    owner = np.repeat(np.arange(players), np.diff(tree.infosets.of_player))[tree.infosets.of_sequence]
    while (node > 0).any():
        inside = node > 0
        chance[inside] *= tree.chance[node[inside]]
        played = tree.sequence[node]
        for seat in range(players):
            mine = inside & (played >= 0) & (last[seat] < 0)
            mine[mine] = owner[played[mine]] == seat
            last[seat, mine] = played[mine]
        node = np.where(inside, tree.parent[node], 0)
    for seat in range(players):
        last[seat, last[seat] < 0] = tree.infosets.sequences + seat
    order = np.lexsort(last[::-1])  # ends with equal sequences of all players as one
    last, chance, gains = last[:, order], chance[order], (tree.payoffs * chance[:, None])[order].T
    new = np.ones(last.shape[1], dtype=bool)
    new[1:] = (last[:, 1:] != last[:, :-1]).any(axis=0)
    at = np.flatnonzero(new)
    return SequenceForm(
        np.ascontiguousarray(last[:, at].astype(np.int32)),
        np.ascontiguousarray(np.add.reduceat(gains, at, axis=1)),
        np.add.reduceat(chance, at),
    )


def too_large(name: str, nodes: int, needed: float, memory: float, *, least: bool = False) -> FeltError:
    """What is said of a tree that does not fit; with `least`, it may be larger still."""
    return FeltError(
        f"the tree of {name} has {'at least ' if least else ''}{nodes:,} nodes and needs "
        f"{'more than' if least else 'about'} {format_bytes(needed)}, more than the "
        f"{format_bytes(memory)} allowed: give smaller stacks, fewer sizes of raises, fewer cards, or more memory"
    )


def format_bytes(count: float) -> str:
    """An amount of memory in words."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB" if count < 1e6 else f"{count:.1e} GB"


def levels_below(tree: GameTree) -> Iterator[tuple[int, int]]:
    """Where the nodes of each level but the first begin and end."""
    return iter(zip(tree.levels[1:-1].tolist(), tree.levels[2:].tolist(), strict=True))


def luck(tree: GameTree) -> Floats:
    """How likely cards fall so that each node can come about, whatever players do."""
    chance = np.ones(len(tree))
    for begin, end in levels_below(tree):
        chance[begin:end] = chance[tree.parent[begin:end]] * tree.chance[begin:end]
    return chance


def bound(tree: GameTree, player: int, *, best: bool, without: NDArray[np.bool_] | None = None) -> Floats:
    """The most (or the least) that each node can be worth to a player when all choose for (or against) them.

    `without` marks nodes that nobody chooses. Cards are no choice: their outcomes are averaged.
    """
    values = np.zeros(len(tree))
    values[tree.terminals] = tree.payoffs[:, player]
    gone = np.zeros(len(tree), dtype=np.bool_) if without is None else without
    extreme, never = (np.maximum, -np.inf) if best else (np.minimum, np.inf)
    for begin, end in reversed(list(levels_below(tree))):
        above = np.unique(tree.parent[begin:end])
        starts = tree.first_child[above] - begin
        chosen = extreme.reduceat(np.where(gone[begin:end], never, values[begin:end]), starts)
        fallen = np.add.reduceat(tree.chance[begin:end] * values[begin:end], starts)
        values[above] = np.where(tree.player[above] == CHANCE, fallen, chosen)
    return values
