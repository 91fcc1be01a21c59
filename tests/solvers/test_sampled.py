"""Sampled deals: the same information sets as the whole tree, and the same equilibria."""

from dataclasses import replace

import numpy as np
import pytest

from felt.cards.deck import standard_deck
from felt.errors import FeltError
from felt.games import GameRules, load
from felt.solvers.best_response import evaluate
from felt.solvers.sampling.deals import SampledSolver
from felt.solvers.trees.build import build_tree
from tests.solvers.small_games import cut_holdem

GAMES = [load("kuhn"), load("kuhn", players=3, cards=4), load("leduc"), load("leduc-one-raise"), cut_holdem(2, 4)]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.name}-{rules.min_players}")
def test_information_sets_are_numbered_as_in_the_whole_tree(rules: GameRules) -> None:
    public, whole = SampledSolver(rules).infosets, build_tree(rules).infosets
    for name in ("of_player", "first", "parent"):
        np.testing.assert_array_equal(getattr(public, name), getattr(whole, name), err_msg=name)
    assert list(public.labels) == list(whole.labels)
    assert list(public.actions) == list(whole.actions)


@pytest.mark.parametrize("rules", GAMES[:2], ids=["two", "three"])
def test_deals_lead_to_an_equilibrium(rules: GameRules) -> None:
    solver = SampledSolver(rules, seed=1)
    solver.run(50_000)
    found = evaluate(build_tree(rules), solver.average())
    assert max(found.gains) < 0.02
    if rules.min_players == 2:
        assert found.values[0] == pytest.approx(-1 / 18, abs=3e-3)


@pytest.mark.no_jit
def test_one_deal_changes_what_its_players_saw_and_nothing_else() -> None:
    rules = load("leduc")
    solver, tree = SampledSolver(rules, seed=5), build_tree(rules)
    solver.run(1)
    learned = np.flatnonzero(np.add.reduceat(np.abs(solver.state.regrets[:-2]), tree.infosets.first[:-1]))
    seats = [
        {tree.infosets.labels[i][0] for i in learned if (i >= tree.infosets.of_player[1]) == seat} for seat in (0, 1)
    ]
    assert [len(cards) for cards in seats] == [1, 1]
    boards = {label[label.index("[") + 1] for i in learned if "[" in (label := tree.infosets.labels[i])}
    assert len(boards) == 1


def test_the_same_seed_deals_the_same_hands() -> None:
    one, two, other = (SampledSolver(load("kuhn"), seed=seed) for seed in (3, 3, 4))
    for solver in (one, two, other):
        solver.run(100)
    assert (one.average() == two.average()).all() and (one.average() != other.average()).any()


def test_decks_of_any_size() -> None:
    """Kuhn's game with all 52 cards: cards of one rank tie, and suits are not told apart."""
    solver = SampledSolver(replace(load("kuhn", cards=13), deck=standard_deck()))
    solver.run(100)
    assert solver.infosets.count == 13 * 4


def test_games_with_open_cards_are_refused() -> None:
    with pytest.raises(FeltError, match="stud: deals can be sampled only where"):
        SampledSolver(load("stud"))
