"""Agents as tables: what they lose at most is exact, and agrees with other people's code."""

import numpy as np
import pytest

from felt.agents import Agent, check_or_call
from felt.agents.naming import AgentError
from felt.agents.tabular import strategy_of
from felt.errors import FeltError
from felt.games import load
from felt.solvers import build_tree, evaluate

AGENTS = ("fold", "call", "raise", "random", "potodds", "ehs", "tag")

# The NashConv of uniform random play in Leduc is 4.747222 (OpenSpiel, and others after it); half of it is ours.
KNOWN = {
    ("kuhn", "random"): 11 / 24,
    ("kuhn", "call"): 1 / 3,
    ("kuhn", "fold"): 1.0,
    ("leduc", "random"): 4.747222222222222 / 2,
}


@pytest.mark.parametrize(("game", "agent"), KNOWN)
def test_what_is_known_from_elsewhere(game, agent):
    tree = build_tree(load(game))
    assert evaluate(tree, strategy_of(agent, tree)).exploitability == pytest.approx(KNOWN[game, agent], abs=1e-9)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_suits_make_no_difference_where_they_do_not_matter(game, agent):
    by_rank, by_card = build_tree(load(game)), build_tree(load(game), suits=True)
    results = [evaluate(tree, strategy_of(agent, tree)) for tree in (by_rank, by_card)]
    assert results[0].exploitability == pytest.approx(results[1].exploitability, abs=1e-9)
    assert results[0].values == pytest.approx(results[1].values, abs=1e-9)


def test_chances_are_those_that_the_agent_tells_everywhere():
    tree = build_tree(load("leduc"))
    chances, infosets = strategy_of("ehs", tree), tree.infosets
    assert np.allclose(np.add.reduceat(chances, infosets.first[:-1]), 1)
    steps = []
    strategy_of("random", tree, progress=lambda done, count: steps.append((done, count)))
    assert steps[-1] == (infosets.count, infosets.count) and len(steps) == infosets.count


def test_games_with_exchanges_go_by_histories():
    rules = load("kuhn")
    plain = build_tree(rules)
    from felt.agents import tabular

    by_history = dict(tabular._views_by_history(plain))
    by_label = dict(tabular._views_by_label(plain))
    assert by_history.keys() == by_label.keys() == set(range(plain.infosets.count))
    assert all(by_history[number].own == by_label[number].own for number in by_label)


class Remembers(Agent):
    def act(self, view):
        return check_or_call(view)


class Silent(Remembers):
    remembers = False


class Large(Silent):
    def probabilities(self, view):
        from felt.games import Action, Move

        return {Action(Move.RAISE, view.legal.raise_to[0] + 7) if view.legal.raise_to else check_or_call(view): 1.0}


@pytest.mark.parametrize(
    ("agent", "game", "words"),
    [
        (Remembers, "kuhn", "'Remembers' remembers what it has seen"),
        (Silent, "kuhn", "'Silent' does not tell its probabilities"),
        ("chen", "kuhn", "'chen' does not play kuhn: Chen's points are for"),
        ("nobody", "kuhn", "there is no agent 'nobody'"),
    ],
)
def test_agents_without_a_strategy(agent, game, words):
    with pytest.raises(AgentError, match=words.replace("(", r"\(")) as caught:
        strategy_of(agent, build_tree(load(game)))
    assert "\n" not in str(caught.value)


class Raises(Silent):
    def probabilities(self, view):
        raise ZeroDivisionError("no idea")


class Lists(Silent):
    def probabilities(self, view):
        return [0.5, 0.5]


@pytest.mark.parametrize(("agent", "words"), [(Raises, "ZeroDivisionError: no idea"), (Lists, "does not tell")])
def test_an_agent_that_fails_is_told_in_one_line(agent, words):
    with pytest.raises(AgentError, match=words):
        strategy_of(agent, build_tree(load("kuhn")))


def test_a_move_that_is_not_in_the_tree():
    tree = build_tree(load("leduc"))
    with pytest.raises(AgentError, match=r"may raise to \d+ in '.*', which is not in this tree"):
        strategy_of(Large, tree)


def test_only_whole_games():
    from felt.games import Hand

    with pytest.raises(FeltError, match="whole games"):
        strategy_of("call", build_tree(Hand.new(load("kuhn"))))
