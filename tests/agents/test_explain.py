"""What agents say about their moves agrees with the moves, in every kind of spot."""

import random

import pytest

from felt.agents.dice import Dice
from felt.agents.naming import entrant
from felt.cli.games.table import random_action
from felt.games import Hand, Move, load

WORDS = {Move.FOLD: ("folds",), Move.CALL: ("calls", "checks"), Move.RAISE: ("bets", "raises")}


GAMES = ("nlhe", "limit-holdem", "stud", "razz", "leduc", "plo", "kuhn")
SPOTS = [(game, name) for game in GAMES for name in ("tag", "potodds", "potodds:opponents=1")]


@pytest.mark.parametrize(("game", "name"), [*SPOTS, ("nlhe", "chen"), ("limit-holdem", "chen")])
def test_the_verdict_is_the_move(game, name):
    rules, chance = load(game), random.Random(f"{game} {name}")
    agent = entrant(name).make()
    seen = 0
    for number in range(12):
        hand = Hand.new(rules, 30 if number % 2 and game == "nlhe" else None, 7, players=2, number=number)
        while hand.turn >= 0:
            view, agent.dice = hand.view(hand.turn), Dice(number)
            verdict = agent.explain(view).words.rpartition("So it ")[2].rstrip(".")
            assert verdict in WORDS[agent.act(view).move], (agent.explain(view), agent.act(view))
            if "opponents=1" in name:
                assert "against one opponent" in agent.explain(view).words
            seen += 1
            hand.act(random_action(view, chance))
    assert seen > 20


def test_a_bring_in_is_no_free_check():
    hand = Hand.new(load("stud"), seed=2, players=3)
    view = hand.view(hand.turn)
    assert view.legal.call and "bring-in" in entrant("tag").make().explain(view).words
