"""Pruning: what is left out is never missed, by dominance before solving and by regrets while solving."""

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import load
from felt.games.moves import Move
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.regret_pruning import PrunedSolver
from felt.solvers.cfr.solver import Solver
from felt.solvers.registry import begin
from felt.solvers.solving import solve
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.dominance import dominated, prune
from felt.solvers.trees.tree import TERMINAL, GameTree

KUHN = build_tree(load("kuhn"))
THREE = build_tree(load("kuhn", players=3, cards=4))
LEDUC = build_tree(load("leduc"))
ONE_RAISE = build_tree(load("leduc-one-raise"))

TREES = pytest.mark.parametrize(
    "tree", [KUHN, THREE, LEDUC, ONE_RAISE], ids=["kuhn", "kuhn for three", "leduc", "leduc, one raise"]
)


def dropped_words(tree: GameTree) -> set[str]:
    words = {Move.FOLD: "fold", Move.CALL: "call"}
    gone, infosets = dominated(tree), tree.infosets
    return {
        f"{infosets.labels[infosets.of_sequence[s]]}: {words.get(infosets.actions[s].move, 'raise')}"
        for s in np.flatnonzero(gone)
    }


def test_kuhns_dominated_actions_are_those_of_kuhn() -> None:
    """Kuhn (1950): nobody calls with the jack or folds the king.

    That known, the second player bets every king that was checked to (only queens could call), and never a queen.
    """
    assert dropped_words(KUHN) == {
        "J r1: call",
        "K r1: fold",
        "J c r1: call",
        "K c r1: fold",
        "Q c: raise",
        "K c: call",
    }


def test_folding_is_never_offered_where_checking_is_free() -> None:
    for tree in (KUHN, LEDUC, THREE):
        for label, first in zip(tree.infosets.labels, tree.infosets.first, strict=False):
            moves = label.split("]")[-1].split() if "]" in label else label.split()[1:]
            to_pay = any(move.startswith("r") for move in moves)
            assert (tree.infosets.actions[int(first)].move == Move.FOLD) == to_pay


def test_a_pair_is_never_folded_in_leduc() -> None:
    gone = dropped_words(LEDUC)
    infosets = LEDUC.infosets
    for i, label in enumerate(infosets.labels):
        if "[" in label and label[0] == label[label.index("[") + 1] and infosets.actions[infosets.first[i]].move == 0:
            assert f"{label}: fold" in gone


@TREES
def test_dropped_actions_are_worse_whatever_others_hold_and_do(tree: GameTree) -> None:
    """By plain recursion, for those that are dropped in the first place: at its best it wins what another wins at
    worst."""

    def extremes(node: int, seat: int) -> tuple[float, float]:
        if tree.player[node] == TERMINAL:
            won = float(tree.payoffs[np.searchsorted(tree.terminals, node), seat])
            return won, won
        below = range(tree.first_child[node], tree.first_child[node] + tree.children[node])
        below = [child for child in below if tree.sequence[child] < 0 or not gone[tree.sequence[child]]]
        found = [extremes(child, seat) for child in below]
        if tree.player[node] == -1:
            chances = tree.chance[below]
            return float(chances @ [one for one, _ in found]), float(chances @ [one for _, one in found])
        return min(one for one, _ in found), max(one for _, one in found)

    gone, infosets = dominated(tree), tree.infosets
    for s in np.flatnonzero(gone)[:40]:
        i = int(infosets.of_sequence[s])
        seat = int(np.searchsorted(infosets.of_player, i, side="right")) - 1
        nodes = np.flatnonzero(tree.infoset == i)
        others = [o for o in range(infosets.first[i], infosets.first[i + 1]) if not gone[o]]
        assert others
        reached = [node for node in nodes if not on_dropped_way(tree, gone, int(node))] or list(nodes)
        assert any(
            all(
                extremes(tree.first_child[node] + s - infosets.first[i], seat)[1]
                <= extremes(tree.first_child[node] + o - infosets.first[i], seat)[0] + 1e-9
                for node in reached
            )
            for o in others
        )


def on_dropped_way(tree: GameTree, gone: np.ndarray, node: int) -> bool:
    while node > 0:
        if tree.sequence[node] >= 0 and gone[tree.sequence[node]]:
            return True
        node = int(tree.parent[node])
    return False


@TREES
def test_the_smaller_tree_is_a_tree_with_the_same_names(tree: GameTree) -> None:
    small = prune(tree)
    below = small.tree
    level = np.searchsorted(below.levels, np.arange(len(below)), side="right")
    assert (level[1:] == level[below.parent[1:]] + 1).all()
    for node in np.flatnonzero(below.children):
        children = range(below.first_child[node], below.first_child[node] + below.children[node])
        assert (below.parent[children] == node).all()
        if below.player[node] >= 0:
            first = below.infosets.first[below.infoset[node]]
            assert below.sequence[children].tolist() == list(range(first, first + len(children)))
    known = set(zip(*named(tree), strict=True))
    assert set(zip(*named(below), strict=True)) <= known
    for s, whole in enumerate(small.sequences):
        assert below.infosets.actions[s] == tree.infosets.actions[whole]


def named(tree: GameTree) -> tuple[list[int], list[str]]:
    seats = np.repeat(np.arange(tree.players), np.diff(tree.infosets.of_player)).tolist()
    return seats, list(tree.infosets.labels)


@TREES
def test_a_solution_of_the_smaller_tree_is_one_of_the_whole(tree: GameTree) -> None:
    small = prune(tree)
    assert small.share > 0.05
    done = solve(Solver(small.tree, "predictive"), target=1e-4)
    lifted = evaluate(tree, small.lift(done.solver.average()))
    assert lifted.exploitability == pytest.approx(done.evaluation.exploitability, abs=1e-12)
    assert lifted.values == pytest.approx(done.evaluation.values, abs=1e-12)


def test_the_value_stays_the_same() -> None:
    for tree, value in ((KUHN, -1 / 18), (LEDUC, -0.085606424)):
        solver = begin(tree, "predictive", prune=True)
        solver.run(20_000 if tree is KUHN else 6000)
        assert evaluate(tree, solver.average()).values[0] == pytest.approx(value, abs=5e-6)
        assert (solver.average()[dominated(tree)] == 0).all()


def test_a_larger_share_goes_with_more_players() -> None:
    """D 6.2.3 leaves out 0.5 % of its nodes (free folds), and 8 % with hands that win or lose in 95 % of cases."""
    shares = [prune(tree).share for tree in (KUHN, THREE, LEDUC, build_tree(load("kuhn", players=4, cards=5)))]
    assert shares == pytest.approx([0.2545, 0.3095, 0.1085, 0.4256], abs=1e-4)


@pytest.mark.no_jit
@pytest.mark.parametrize("method", ["cfr", "linear"])
def test_before_the_first_review_it_is_the_same_as_without_pruning(method: str) -> None:
    pruned, plain = PrunedSolver(KUHN, method), Solver(KUHN, method)
    pruned.run(15)
    plain.run(15)
    np.testing.assert_array_equal(pruned.state.regrets, plain.state.regrets)
    np.testing.assert_array_equal(pruned.average(), plain.average())
    assert pruned.looked_at == pruned.looked_at_without


@pytest.mark.parametrize("method", ["cfr", "linear"])
def test_what_is_pruned_would_not_have_been_played(method: str) -> None:
    """In Kuhn's game nothing that is pruned ever comes back: the strategies are the same to the last digit."""
    pruned, plain = PrunedSolver(KUHN, method), Solver(KUHN, method)
    for _ in range(20):
        pruned.run(50)
        plain.run(50)
        np.testing.assert_allclose(pruned.average(), plain.average(), atol=1e-12)
    assert pruned.looked_at < 0.75 * pruned.looked_at_without


@pytest.mark.parametrize("method", ["cfr", "linear"])
def test_leduc_converges_the_same_with_fewer_ends(method: str) -> None:
    pruned, plain = PrunedSolver(LEDUC, method), Solver(LEDUC, method)
    pruned.run(10_000)
    plain.run(10_000)
    one, two = (evaluate(LEDUC, solver.average()).exploitability for solver in (pruned, plain))
    assert one < 1.25 * two
    assert pruned.looked_at < 0.7 * pruned.looked_at_without


def test_no_regret_grows_by_more_than_the_bound_in_one_iteration() -> None:
    """What pruning relies on: for any strategies, those of CFR and wild ones."""
    most, dice = PrunedSolver(LEDUC)._most[:-2], np.random.default_rng(1)
    solver = Solver(LEDUC, "cfr")
    for round_ in range(60):
        if round_ % 2:
            solver.state.strategy[:-2] = LEDUC.infosets.normalised(dice.random(len(most)) ** 8)
            solver.reset_reach()
        before = solver.state.regrets[:-2].copy()
        solver.run(1)
        assert (solver.state.regrets[:-2] - before <= most + 1e-12).all()
    assert (most < LEDUC.range_of_payoffs).all()  # and it is less than what anybody would say without looking


@pytest.mark.no_jit
def test_what_best_answers_would_have_won_is_no_less_than_what_was_regretted() -> None:
    from felt.solvers.cfr.sweep_kernels import back_up_best, gather

    solver, infosets = PrunedSolver(KUHN, "linear"), KUHN.infosets
    solver.run(15)
    best, answers = np.zeros(26), np.zeros(26)
    for player in range(2):
        begin_at, end = infosets.of_player[player : player + 2].tolist()
        gather(KUHN.sequence_form.sequences, KUHN.sequence_form.gains, player, solver._seen, best)
        back_up_best(infosets.first, infosets.parent, begin_at, end, best, answers)
    gaps = best[:24] - solver._totals[infosets.of_sequence]
    assert (gaps >= solver.state.regrets[:24] - 1e-12).all()
    last = [s for s in range(24) if s not in infosets.parent]  # nothing comes after these, so there they are the same
    np.testing.assert_allclose(gaps[last], solver.state.regrets[last], atol=1e-12)


def test_pruned_actions_are_not_played() -> None:
    solver, infosets = PrunedSolver(LEDUC, "cfr"), LEDUC.infosets
    met = 0
    for _ in range(400):
        solver.run(1)
        pruned = np.flatnonzero(solver.pruned[: infosets.sequences])
        looked_at = pruned[~solver._dead[infosets.parent[infosets.of_sequence[pruned]]]]
        assert (solver.current()[looked_at] == 0).all()
        met += len(looked_at)
    assert met > 1000


def test_mistakes_are_told() -> None:
    with pytest.raises(FeltError, match="3 players: regrets prune games of two only"):
        PrunedSolver(THREE)
    for method in ("cfr+", "dcfr", "predictive"):
        with pytest.raises(FeltError, match="prune with cfr or linear"):
            PrunedSolver(KUHN, method)
    with pytest.raises(FeltError, match="has no tree to prune"):
        begin(load("kuhn"), "external", prune=True)
