"""Solvers: sweeps agree with plain recursion, values are those of theory, exploitability is OpenSpiel's."""

from dataclasses import replace

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import Betting, Round, Structure, load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.algorithm import ALGORITHMS
from felt.solvers.cfr.recursive import Vanilla
from felt.solvers.cfr.solver import FORMS, Solver
from felt.solvers.solving import solve
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.tree import TERMINAL, GameTree
from tests.solvers.openspiel import policy_of

KUHN = build_tree(load("kuhn"))
THREE = build_tree(load("kuhn", players=3, cards=4))
LEDUC = build_tree(load("leduc"))

LEDUC_VALUE = -0.085606424


@pytest.mark.no_jit
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ALGORITHMS)
@pytest.mark.parametrize("tree", [KUHN, THREE, LEDUC], ids=["kuhn", "kuhn for three", "leduc"])
def test_each_iteration_is_that_of_plain_recursion(tree: GameTree, method: str, form: str) -> None:
    fast, slow = Solver(tree, method, form=form), Vanilla(tree, method)
    sequences = tree.infosets.sequences
    for _ in range(4):
        fast.run(1)
        slow.run(1)
        np.testing.assert_allclose(fast.state.regrets[:sequences], slow.regrets, rtol=0, atol=1e-12)
        np.testing.assert_allclose(fast.state.averages[:sequences], slow.averages, rtol=0, atol=1e-12)
        np.testing.assert_allclose(fast.current(), slow.strategy, rtol=0, atol=1e-12)
        np.testing.assert_allclose(fast.average(), slow.average(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ALGORITHMS)
def test_kuhn_is_worth_minus_one_eighteenth(method: str) -> None:
    """Kuhn (1950)."""
    solver = Solver(KUHN, method)
    solver.run(100_000 if method == "cfr" else 20_000)
    found = evaluate(KUHN, solver.average())
    assert found.exploitability < (1e-4 if method == "cfr" else 2e-5)
    assert found.values[0] == pytest.approx(-1 / 18, abs=2e-5 if method == "cfr" else 1e-6)


def test_leduc_is_worth_what_is_published() -> None:
    done = solve(Solver(LEDUC, "dcfr"), target=5e-6)
    assert done.evaluation.values[0] == pytest.approx(LEDUC_VALUE, abs=1e-6)
    assert done.evaluation.values[1] == pytest.approx(-LEDUC_VALUE, abs=1e-6)


def test_leduc_with_suits_is_the_same_game() -> None:
    told_apart = build_tree(load("leduc"), suits=True)
    one, two = Solver(LEDUC, "cfr+"), Solver(told_apart, "cfr+")
    one.run(50)
    two.run(50)
    first, second = evaluate(LEDUC, one.average()), evaluate(told_apart, two.average())
    assert first.values == pytest.approx(second.values, abs=1e-12)
    assert first.exploitability == pytest.approx(second.exploitability, abs=1e-12)


def test_three_players_gain_next_to_nothing_by_leaving() -> None:
    """Szafron, Gibson & Sturtevant (2013): the third player wins at least 1/48 in the equilibria that they found."""
    done = solve(Solver(THREE, "predictive"), target=1e-6)
    assert max(done.evaluation.gains) < 3e-6
    assert sum(done.evaluation.values) == pytest.approx(0, abs=1e-12)
    assert done.evaluation.values[1] == pytest.approx(-1 / 48, abs=1e-4)


def test_floats_of_32_bits() -> None:
    solver = Solver(LEDUC, "cfr+", kind="float32")
    solver.run(1000)
    assert evaluate(LEDUC, solver.average()).exploitability < 1e-3
    assert solver.state.regrets.dtype == np.float32


@pytest.mark.no_jit
def test_best_answers_are_those_of_trying_everything() -> None:
    """In Kuhn's game each player has 64 plans: the best of them is the best answer."""
    chances = np.random.default_rng(1).dirichlet([1, 1], size=12).ravel()
    found = evaluate(KUHN, chances)
    for seat in range(2):
        mine = slice(12 * seat, 12 * seat + 12)
        best = -9.0
        for plan in range(64):
            tried = chances.copy()
            tried[mine] = [float(plan >> i & 1 == a) for i in range(6) for a in range(2)]
            best = max(best, walk(KUHN, tried)[seat])
        assert found.best[seat] == pytest.approx(best)
    assert found.values == pytest.approx(walk(KUHN, chances))


def walk(tree: GameTree, chances: np.ndarray, node: int = 0) -> np.ndarray:
    """What everybody wins, by plain recursion."""
    if tree.player[node] == TERMINAL:
        return tree.payoffs[np.searchsorted(tree.terminals, node)]
    begin = tree.first_child[node]
    return sum(
        (tree.chance[child] if tree.sequence[child] < 0 else chances[tree.sequence[child]]) * walk(tree, chances, child)
        for child in range(begin, begin + tree.children[node])
    )


@pytest.mark.parametrize(("ours", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_exploitability_is_openspiels(ours: str, theirs: str) -> None:
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make bench installs it")
    game, tree = spiel.load_game(theirs), build_tree(load(ours))
    dice = np.random.default_rng(3)
    solver = Solver(tree, "cfr")
    solver.run(10)
    for chances in (
        tree.infosets.uniform(),
        tree.infosets.normalised(dice.random(tree.infosets.sequences)),
        solver.average(),
    ):
        policy = policy_of(spiel, game, tree, chances)
        assert evaluate(tree, chances).exploitability == pytest.approx(spiel.exploitability(game, policy), abs=1e-9)


def test_solving_to_a_target_or_a_number_of_iterations() -> None:
    seen: list[tuple[int, float]] = []
    done = solve(Solver(LEDUC, "cfr+"), target=1e-2, watch=lambda *told: seen.append(told))
    assert done.evaluation.exploitability <= 1e-2 < seen[-2][1]
    assert [told[0] for told in seen] == [told[0] for told in done.course]
    assert solve(Solver(LEDUC), iterations=77).solver.iterations == 77
    assert solve(Solver(LEDUC), iterations=77, target=1e-9).solver.iterations == 77


def test_mistakes_are_told() -> None:
    with pytest.raises(FeltError, match=r"no algorithm 'dfcr': did you mean dcfr\?"):
        Solver(KUHN, "dfcr")
    with pytest.raises(FeltError, match="form='rows'"):
        Solver(KUHN, form="rows")
    with pytest.raises(FeltError, match="0 iterations"):
        solve(Solver(KUHN), iterations=0)
    with pytest.raises(FeltError, match="a target of -1"):
        solve(Solver(KUHN), target=-1)
    with pytest.raises(FeltError, match="24 sequences"):
        evaluate(KUHN, [0.5])
    with pytest.raises(FeltError, match="the chances at 'J'"):
        evaluate(KUHN, np.full(24, 0.4))


def test_a_game_with_exchanges() -> None:
    """One card each of four, which may be exchanged once, and a bet after that."""
    rounds = (Round("only", down=1, draw_most=1, betting=Betting(Structure.LIMIT, 1, max_raises=1)),)
    tree = build_tree(replace(load("kuhn", cards=4), name="exchange", rounds=rounds))
    done = solve(Solver(tree, "cfr+"), target=1e-3)
    assert done.evaluation.exploitability <= 1e-3
    assert sum(done.evaluation.values) == pytest.approx(0, abs=1e-12)
