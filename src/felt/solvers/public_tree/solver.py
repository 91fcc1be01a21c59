"""Solving a public tree: the same algorithms as `felt.solvers.cfr.solver`, with all hands of a node at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from felt.errors import FeltError
from felt.solvers.best_response import EXACT, Evaluation
from felt.solvers.cfr.algorithm import Algorithm, find_algorithm
from felt.solvers.cfr.base import State, saved_state
from felt.solvers.public_tree.tree import KINDS, NO_CARD, VectorTree
from felt.solvers.trees.tree import Array, Floats, Infosets

MOST = 32766
"""The largest of a node's numbers in 16 bits."""


class StoredRows(NamedTuple):
    """Numbers by row and hand, in the form that was chosen; in this order for the kernels."""

    floats: Array
    shorts: NDArray[np.int16]  # instead of floats: shares of the largest number of a node
    scales: Array  # by node, for `shorts`
    dice: NDArray[np.int64]  # one number, from which the chances of rounding come

    @classmethod
    def empty(cls, shape: tuple[int, int], nodes: int, kind: str) -> "StoredRows":
        """All 0."""
        number, short = np.float64 if kind == "float64" else np.float32, kind == "int16"
        return cls(
            np.zeros((0, 0) if short else shape, dtype=number),
            np.zeros(shape if short else (0, 0), dtype=np.int16),
            np.zeros(nodes if short else 0, dtype=number),
            np.ones(1, dtype=np.int64),
        )

    def rows(self, tree: VectorTree) -> Floats:
        """As floats."""
        if len(self.scales) == 0:
            return self.floats.astype(np.float64)
        return np.asarray(self.shorts * self.scales[tree.node_of_row][:, None], dtype=np.float64)

    def store(self, tree: VectorTree, rows: Floats) -> None:
        """Take other numbers."""
        if len(self.scales) == 0:
            self.floats[:] = rows
            return
        nodes = np.flatnonzero(tree.row >= 0)
        self.scales[nodes] = np.maximum.reduceat(np.abs(rows).max(axis=1), tree.row[nodes]) / MOST
        scale = self.scales[tree.node_of_row][:, None]
        self.shorts[:] = np.round(np.divide(rows, scale, out=np.zeros_like(rows), where=scale > 0))


@dataclass(frozen=True)
class VectorEvaluation(Evaluation):
    """A strategy of a public tree, measured exactly. `answers` is empty: best answers are measured, not kept."""

    hands: Floats
    """``[players, hands]``: chips that each hand wins on average; not a number where the opponent can hold nothing."""
    best_hands: Floats
    """The same with the best answer."""


class VectorSolver:
    """An algorithm at work on a public tree.

    `kind` is what regrets and averages are kept in: float64, float32, or int16 with one scale for each node. The
    numbers are those of a `felt.solvers.cfr.solver.Solver` on the history tree of the game.

    >>> from felt.games import load
    >>> from felt.solvers.public_tree.build import vector_tree
    >>> solver = VectorSolver(vector_tree(load("kuhn")), "cfr+")
    >>> solver.run(1000)
    >>> round(solver.measure().values[0], 4)
    -0.0556
    """

    form = "vector"
    dice_state = None
    sweep_nodes = 0

    def __init__(self, tree: VectorTree, method: str | Algorithm = "dcfr", *, kind: str = "float64") -> None:
        if kind not in KINDS:
            raise FeltError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
        self.tree, self.kind = tree, kind
        self.algorithm = find_algorithm(method)
        self.iterations = 0
        """How many have been done."""
        shape, number = (tree.rows, len(tree.hands)), np.float64 if kind == "float64" else np.float32
        self.regrets, self.averages = (StoredRows.empty(shape, len(tree), kind) for _ in range(2))
        self.predicted = np.zeros(shape if self.algorithm.predictive else (0, 0), dtype=number)
        self._room = _room(tree, number)

    @property
    def infosets(self) -> Infosets:
        """What players can tell apart, as the history tree numbers it."""
        return self.tree.infosets

    @property
    def bytes(self) -> int:
        """Memory of what is learned, of what an iteration works with, and of the tree."""
        learned = *self.regrets, *self.averages, self.predicted
        nodes, *rest = self.tree.arrays
        return int(sum(array.nbytes for array in (*learned, *self._room[0], *nodes, *rest))) + self.tree.terminals.bytes

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        from felt.solvers.public_tree.kernels import LEARN, go_down, go_up

        tree, ends, (room, sums) = self.tree.arrays, tuple(self.tree.terminals), self._room
        regrets, averages, floor = tuple(self.regrets), tuple(self.averages), self.algorithm.floor
        for weights in self.algorithm.schedule(self.iterations, iterations).astype(room[0].dtype):
            for player in range(2):  # in turn, each against the other's newest
                go_down(tree, player, regrets, self.predicted, averages, weights, room)
                go_up(tree, ends, player, regrets, self.predicted, LEARN, weights, floor, room, sums)
        self.iterations += iterations

    def average_rows(self) -> Floats:
        """The strategy that the algorithm has arrived at: chances by row and hand."""
        return normalised_rows(self.tree, self.averages.rows(self.tree))

    def current_rows(self) -> Floats:
        """The strategy of the next iteration, by row and hand."""
        matched = self.regrets.rows(self.tree)
        return normalised_rows(self.tree, matched + self.predicted if self.algorithm.predictive else matched)

    def average(self) -> Floats:
        """The strategy that the algorithm has arrived at: chances by sequence, as the history tree numbers them."""
        return self._by_sequence(self.average_rows())

    def current(self) -> Floats:
        """The strategy of the next iteration, by sequence."""
        return self._by_sequence(self.current_rows())

    def measure(self) -> VectorEvaluation:
        """How good the average strategy is."""
        return evaluate_rows(self.tree, self.average_rows())

    @property
    def state(self) -> State:
        """What was learned, by sequence: for files, and for a solver of the history tree to go on with."""
        number, members, none = self._room[0][0].dtype, self.tree.sets.members, np.zeros(self.tree.players)

        def padded(numbers: Floats) -> Array:
            return np.append(numbers, none).astype(number)

        regrets = padded(self._by_sequence(self.regrets.rows(self.tree)) * members)
        averages, current = padded(self._by_sequence(self.averages.rows(self.tree))), padded(self.current())
        predicted = np.zeros(0, dtype=number)
        if self.algorithm.predictive:
            predicted = padded(self._by_sequence(self.predicted) * members)
        return State(regrets, averages, current, np.ones_like(regrets), predicted)

    def stored_arrays(self) -> dict[str, Array]:
        """What was learned just as it is kept, by row and hand: for files, to go on with the very same numbers."""
        pairs = (("regrets", self.regrets), ("averages", self.averages))
        arrays = {f"kept_{name}_{part}": array for name, stored in pairs for part, array in stored._asdict().items()}
        return {name: array for name, array in {**arrays, "kept_predicted": self.predicted}.items() if array.size}

    def saved_arrays(self) -> dict[str, Array]:
        """What a file keeps: what was learned by sequence, for any solver, and just as it is kept here."""
        return saved_state(self.state) | self.stored_arrays()

    def restore(self, state: Mapping[str, ArrayLike], iterations: int) -> None:
        """Go on from what a solver has learned: from all `stored_arrays`, or from what it has by sequence.

        By sequence those are its `regrets`, `averages`, `strategy` and, if the algorithm predicts, `predicted`: numbers
        of a solver of any form, which this one rounds to its own.
        """
        self.iterations = iterations
        mine, arrays = self.stored_arrays(), {name: np.asarray(array) for name, array in state.items()}
        kinds = {name: (array.shape, array.dtype) for name, array in arrays.items()}
        if all(kinds.get(name) == (array.shape, array.dtype) for name, array in mine.items()):
            for name, array in mine.items():
                array[:] = arrays[name]
            return
        sets = self.tree.sets
        count = len(sets.places)
        regrets, averages = (arrays[name][:count].astype(np.float64) for name in ("regrets", "averages"))
        self.regrets.store(self.tree, rows_of(self.tree, regrets / sets.members))
        self.averages.store(self.tree, rows_of(self.tree, averages))
        if not self.algorithm.predictive:
            return
        if len(arrays.get("predicted", ())):
            self.predicted[:] = rows_of(self.tree, arrays["predicted"][:count] / sets.members)
        else:  # of a solver that predicts nothing: what makes its strategy the next one
            self.predicted[:] = rows_of(self.tree, arrays["strategy"][:count]) - self.regrets.rows(self.tree)

    def _by_sequence(self, rows: Array) -> Floats:
        return np.asarray(rows.reshape(-1)[self.tree.sets.places], dtype=np.float64)


def normalised_rows(tree: VectorTree, weights: Array) -> Floats:
    """Weights as chances; where all actions of a hand have 0, all have the same."""
    weights = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
    nodes = np.flatnonzero(tree.row >= 0)
    count = tree.children[nodes]
    totals = np.repeat(np.add.reduceat(weights, tree.row[nodes], axis=0), count, axis=0)
    alike = np.repeat(1 / count, count)[:, None]
    return np.asarray(np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), alike))


def rows_of(tree: VectorTree, sequences: ArrayLike) -> Floats:
    """Numbers by sequence, as the history tree orders them, by row and hand: the way back from `average`.

    Hands that differ by the names of suits get the same; impossible ones get 0.
    """
    numbers = np.asarray(sequences, dtype=np.float64)
    if numbers.shape != tree.sets.places.shape:
        raise FeltError(f"{numbers.size:,} numbers for a game with {len(tree.sets.places):,} sequences")
    rows = np.zeros((tree.rows, len(tree.hands)))
    padded, first = np.append(numbers, 0.0), tree.infosets.first
    for node in np.flatnonzero(tree.row >= 0):
        sets = tree.sets.of_hands(tree.table, int(tree.bet_node[node]), int(tree.board[node]), from_hand=tree.from_hand)
        begin = np.where(sets >= 0, first[sets], 0)
        for action in range(tree.children[node]):
            rows[tree.row[node] + action] = padded[np.where(sets >= 0, begin + action, len(numbers))]
    return rows


def evaluate_rows(tree: VectorTree, strategy: ArrayLike) -> VectorEvaluation:
    """Measure a strategy by row and hand: what it wins, and what the best answers to it win."""
    from felt.solvers.public_tree.kernels import BEST, PLAY, go_down, go_up

    chances = np.array(strategy, dtype=np.float64)
    if chances.shape != (tree.rows, len(tree.hands)):
        raise FeltError(f"a strategy of shape {chances.shape} for {tree.rows:,} rows of {len(tree.hands):,} hands")
    nodes = np.flatnonzero(tree.row >= 0)
    possible = tree.table.alive[tree.board[nodes]]
    if len(nodes) and np.abs(possible * (np.add.reduceat(chances, tree.row[nodes], axis=0) - 1)).max() > EXACT:
        raise FeltError("the chances of a hand's actions do not add up to 1: give those of a strategy")
    room, sums = _room(tree, np.float64)
    nothing = tuple(StoredRows.empty((0, 0), 0, "float64"))
    played, weights = (chances, *nothing[1:]), np.ones(3)
    by_node = np.empty((2, 2, len(tree.hands)))
    for me in range(2):
        for row, mode in enumerate((PLAY, BEST)):
            go_down(tree.arrays, me, played, nothing[0], nothing, weights, room)
            go_up(tree.arrays, tuple(tree.terminals), me, played, nothing[0], mode, weights, False, room, sums)
            by_node[row, me] = room[0][0]
    totals = (by_node * tree.start).sum(axis=2)
    against = np.array([tree.table.against(tree.start[1 - me]) for me in range(2)]) * tree.norm
    by_hand = np.where(against > 0, by_node / np.where(against > 0, against, 1.0), np.nan)
    values, best = map(tuple, totals.tolist())
    return VectorEvaluation(values, best, answers=np.zeros(0), hands=by_hand[0], best_hands=by_hand[1])


def _room(tree: VectorTree, number: Any) -> tuple[tuple[Array, ...], tuple[Floats, Floats]]:
    """Room for a sweep: worth of nodes, the player's own reach of two levels, two blocks of a node, a sum by hand."""
    hands, most = len(tree.hands), int(tree.children.max(initial=1))
    widest = int(np.diff(tree.levels).max())
    shapes = (len(tree), hands), (2, widest, hands), (most, hands), (most, hands), (hands,)
    return tuple(np.zeros(shape, dtype=number) for shape in shapes), (np.zeros(hands), np.zeros(NO_CARD + 1))
