"""Threads: the same numbers to the last bit, however many there are."""

import numpy as np
import pytest

from felt._pool import default_threads
from felt.errors import FeltError
from felt.games import load
from felt.solvers.cfr.solver import LEAST_ENDS, Solver, cut, threads_for
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.tree import GameTree

LEDUC = build_tree(load("leduc"))
THREE = build_tree(load("kuhn", players=3, cards=4))


@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("tree", [LEDUC, THREE], ids=["two", "three"])
def test_the_number_of_threads_changes_nothing(tree: GameTree, kind: str) -> None:
    alone = Solver(tree, "predictive", kind=kind, threads=1)
    alone.run(30)
    for threads in (2, 3, 7):
        solver = Solver(tree, "predictive", kind=kind, threads=threads)
        solver.run(10)
        solver.run(20)
        for one, other in zip(solver.state, alone.state, strict=True):
            np.testing.assert_array_equal(one, other)


def test_every_end_is_in_one_part_and_no_sequence_in_two() -> None:
    for player, parts in enumerate(cut(THREE.sequence_form, THREE.sequence_form.gains, 5)):
        assert 1 < len(parts) <= 5
        written = [set(sequences[player].tolist()) for sequences, _ in parts]
        assert (
            sum(map(len, written))
            == len(set.union(*written))
            == len(set(THREE.sequence_form.sequences[player].tolist()))
        )
        assert sum(len(gains) for _, gains in parts) == len(THREE.sequence_form.chances)
        rows = np.concatenate([np.vstack([sequences, gains]) for sequences, gains in parts], axis=1)
        whole = np.vstack([THREE.sequence_form.sequences, THREE.sequence_form.gains[player]])
        np.testing.assert_array_equal(rows[:, np.lexsort(rows)], whole[:, np.lexsort(whole)])


def test_small_games_take_one_thread_and_large_ones_all() -> None:
    assert threads_for(LEAST_ENDS - 1, None) == 1
    assert threads_for(LEAST_ENDS, None) == default_threads()
    assert threads_for(10, 3) == 3
    assert Solver(LEDUC).threads == 1
    with pytest.raises(FeltError, match="0 threads"):
        Solver(LEDUC, threads=0)
