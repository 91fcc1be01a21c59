"""Gains from leaving a strategy: exact where the tree can be listed, and sampled intervals that hold them."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from felt.cards.deck import standard_deck
from felt.errors import FeltError
from felt.games import GameRules, load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.sampling import gains as module
from felt.solvers.sampling.base import ExternalSampling
from felt.solvers.sampling.betting import betting_of, walks_of
from felt.solvers.sampling.gains import _Look, sampled_gains
from felt.solvers.solving import solve
from felt.solvers.trees.build import build_tree

THREE = load("kuhn", players=3, cards=4)


@pytest.mark.parametrize(
    ("rules", "seeds", "deals"), [(THREE, 60, 1000), (load("leduc"), 25, 2000)], ids=["kuhn for three", "leduc"]
)
def test_intervals_hold_the_exact_gains(rules: GameRules, seeds: int, deals: int) -> None:
    """At least 95 % of intervals hold them: of 180, to miss 18 would be a surprise."""
    tree, betting = build_tree(rules), betting_of(rules)
    solver = Solver(tree, "cfr")
    solver.run(5)
    strategy = solver.average()
    exact = np.array(evaluate(tree, strategy).gains)
    found = [sampled_gains(betting, strategy, deals=deals, seed=seed) for seed in range(seeds)]
    low, high, learned = (np.array([getattr(one, name) for one in found]) for name in ("low", "high", "learned"))
    assert ((low <= exact) & (exact <= high)).mean() >= 0.9
    error = learned.std(axis=0) / np.sqrt(seeds)
    assert (learned.mean(axis=0) <= exact + 4 * error).all()  # a lower bound on average
    assert (high.mean(axis=0) >= exact).all()
    assert (low.mean(axis=0) > 0.3 * exact).all()  # and one that says something
    values = np.array([one.values for one in found])
    assert np.abs(values.mean(axis=0) - evaluate(tree, strategy).values).max() < 5 * values.std() / np.sqrt(seeds)


def test_more_deals_make_the_interval_narrower() -> None:
    betting = betting_of(THREE)
    strategy = betting.infosets.uniform()
    few, many = (sampled_gains(betting, strategy, deals=deals) for deals in (500, 20_000))
    assert (np.subtract(many.high, many.low) < 0.5 * np.subtract(few.high, few.low)).all()
    exact = evaluate(build_tree(THREE), strategy).gains
    assert np.abs(np.subtract(many.learned, exact)).max() < 0.06
    assert many.deals == 20_000


@pytest.mark.no_jit
@pytest.mark.parametrize("rules", [load("kuhn"), THREE], ids=["two", "three"])
def test_every_deal_once_is_exact(rules: GameRules, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, betting = build_tree(rules), betting_of(rules)
    chances = tree.infosets.normalised(np.random.default_rng(2).random(tree.infosets.sequences))
    exact = evaluate(tree, chances)
    deals = np.array(list(permutations(rules.deck.cards, tree.players)), dtype=np.uint8)
    look = _Look(walks_of(betting), np.append(chances, np.ones(tree.players)), 0)
    monkeypatch.setattr(module, "PORTION", len(deals))
    monkeypatch.setattr(type(betting), "deal", lambda self, count, dice: deals[:count])
    answers = np.append(exact.answers, np.ones(tree.players))
    found = look.at(len(deals), answers).mean(axis=0)
    assert found[:, 0] == pytest.approx(exact.values)
    assert found[:, 1] == pytest.approx(exact.best)
    best, learned = look.best(look.values)
    assert best / len(deals) == pytest.approx(exact.best)
    np.testing.assert_array_equal(learned[: -tree.players], exact.answers)


@pytest.mark.parametrize(("players", "deck"), [(5, 13), (8, 13), (8, 52)])
def test_games_whose_histories_nobody_could_list(players: int, deck: int) -> None:
    rules = load("kuhn", cards=13, players=players)
    rules = rules if deck == 13 else replace(rules, deck=standard_deck())
    solver = ExternalSampling(rules, seed=1)
    before = sampled_gains(solver.tree, solver.average(), deals=200, seed=1)
    solver.run(4000)
    after = sampled_gains(solver.tree, solver.average(), deals=400, seed=1)
    assert max(after.high) < max(before.low)  # solving takes most of it away, beyond doubt
    assert sum(after.values) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("players", "method", "most"), [(3, "predictive", 3e-6), (4, "dcfr", 6e-6)])
def test_kuhn_for_three_and_four_is_in_equilibrium(players: int, method: str, most: float) -> None:
    """Nothing guarantees it among more than two, but nobody gains by leaving: that is an equilibrium, exactly told."""
    rules = load("kuhn", players=players, cards=players + 1)
    tree = build_tree(rules)
    done = solve(Solver(tree, method), target=most / 4)
    assert max(done.evaluation.gains) < most
    assert sum(done.evaluation.values) == pytest.approx(0, abs=1e-12)
    sampled = sampled_gains(betting_of(rules), done.solver.average(), deals=4000)
    assert max(sampled.low) <= most


def test_mistakes_are_told() -> None:
    betting = betting_of(load("kuhn"))
    with pytest.raises(FeltError, match="24 sequences"):
        sampled_gains(betting, [0.5])
    with pytest.raises(FeltError, match="20 deals: give 40 or more"):
        sampled_gains(betting, betting.infosets.uniform(), deals=20)
