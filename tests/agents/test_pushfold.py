"""The push/fold agent: plays the equilibrium, and wins as it must."""

import numpy as np
import pytest

from felt.agents import CALL, FOLD, Agent, Dice, entrant
from felt.arena.match.run import play
from felt.arena.match.spec import Match
from felt.games import Action, Hand, Move, load
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.headsup import solve

RULES = load("nlhe")


def made() -> Agent:
    agent: Agent = entrant("pushfold").make()
    agent.dice = Dice(1)
    return agent


def dealt(cards: str, stacks=(20, 20), rules=RULES) -> Hand:
    return Hand.new(rules, stacks, button=0, deck=rules.deck.parse(cards) + rules.deck.without(cards))


def holding(cards: str, seat: int, stacks=(20, 20), rules=RULES) -> Hand:
    """A hand in which the seat holds two cards, whichever order they are dealt in."""
    for number in range(100_000):
        hand = Hand.new(rules, stacks, button=0, seed=7, number=number)
        if set(hand.cards(seat)) == set(rules.deck.parse(cards)):
            return hand
    raise AssertionError(f"{cards} was not dealt")


def test_on_the_small_blind_it_shoves_or_folds():
    assert made().act(holding("AsAd", 0).view(0)) == Action(Move.RAISE, 20)
    assert made().act(holding("7s2d", 0).view(0)) == FOLD


def test_on_the_big_blind_it_calls_folds_raises_or_checks():
    for cards, shoved, raised, limped in (("KsKd", CALL, Action(Move.RAISE, 20), Action(Move.RAISE, 20)),
                                          ("7s2d", FOLD, FOLD, CALL)):  # fmt: skip
        hand = holding(cards, 1)
        for move, answer in ((Action(Move.RAISE, 20), shoved), (Action(Move.RAISE, 5), raised), (CALL, limped)):
            copy = hand.copy()
            copy.act(move)
            assert made().act(copy.view(1)) == answer


def test_after_a_check_it_gives_up():
    hand = holding("7s2d", 1)
    hand.call()
    hand.call()
    assert made().act(hand.view(1)) == CALL
    hand.call()
    hand.raise_to(4)
    assert made().act(hand.view(1)) == FOLD


@pytest.mark.parametrize("stacks", [(20, 20), (13, 60), (60, 9)])
@pytest.mark.parametrize("parameters", [{}, {"ante": 1}, {"big_blind_ante": 2}])
def test_frequencies_are_those_of_the_stacks_before_the_deal(stacks, parameters):
    rules = load("nlhe", **parameters)
    wanted = solve(PushFold(stacks=stacks, small_blind=1, big_blind=2, **parameters))
    from felt.cards.combos import class_index

    for number in range(60):
        hand = Hand.new(rules, stacks, button=0, seed=2, number=number)
        told = made().probabilities(hand.view(0))
        shove = wanted.shove[class_index(*hand.cards(0))]
        assert told[Action(Move.RAISE, hand.legal().raise_to[1])] == pytest.approx(shove, abs=1e-12)
        hand.raise_to(hand.legal().raise_to[1])
        told = made().probabilities(hand.view(1))
        assert told[CALL] == pytest.approx(wanted.call[class_index(*hand.cards(1))], abs=1e-12)


@pytest.mark.parametrize("opponent", ["fold", "raise", "random"])
def test_it_beats_those_of_the_2020_thesis(opponent):
    """2020, 7.3.2: always folding, always raising, random; here with intervals, at ten big blinds."""
    result = play(Match.of(["pushfold", opponent], RULES, stack=20, seed=4, duplicate=True), hands=100_000)
    rate = result.rate(0)
    assert rate.low is not None and rate.low > 0


def test_against_itself_it_wins_nothing():
    result = play(Match.of(["pushfold", "pushfold"], RULES, stack=20, seed=4, duplicate=True), hands=100_000)
    rate = result.rate(0)
    assert rate.half is not None and abs(rate.mbb) <= rate.half


def test_other_games_are_refused_in_words():
    agent = made()
    assert agent.plays(RULES, 2) is None
    assert "two players" in agent.plays(RULES, 3)
    for game in ("limit-holdem", "plo", "kuhn", "short-deck", "cap-holdem"):
        assert "no-limit hold'em" in agent.plays(load(game), 2)


def test_a_stack_that_the_ante_takes_has_nothing_to_decide():
    rules = load("nlhe", ante=5)
    hand = Hand.new(rules, (5, 40), button=0, seed=1)
    while not hand.over:
        hand.act(made().act(hand.view(hand.turn)))
    assert np.sum(hand.payoffs) == 0
