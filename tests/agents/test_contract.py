"""The contract: our own agents keep it in every game that they claim, and agents that do not are found out."""

import random

import numpy as np
import pytest

from felt.agents import BUILT_IN, CALL, FOLD, Agent, check_or_call, entrant, raise_to
from felt.agents.contract import BrokenContract, check_agent
from felt.errors import FeltError
from felt.games import Action, Move, load, names
from tests.kinds import each_kind


@pytest.mark.parametrize("game", each_kind(names()))
def test_built_in_agents_keep_the_contract(game):
    for name in BUILT_IN:
        if entrant(name).make().plays(load(game), 2) is None:
            assert check_agent(name, [game], hands=2).games == (game,)


def test_most_play_everything():
    claimed = {name: [game for game in names() if not entrant(name).make().plays(load(game), 2)] for name in BUILT_IN}
    assert [name for name, games in claimed.items() if games != list(names())] == ["chen", "pushfold", "strategy"]
    assert claimed["chen"] == [
        "cap-holdem", "limit-holdem", "manila", "nlhe", "pot-limit-holdem", "preflop-limit", "preflop-nolimit",
        "short-deck", "spread-holdem",
    ]  # fmt: skip
    assert claimed["pushfold"] == ["nlhe", "preflop-nolimit"]


def complaint(agent: object, games=("nlhe",), **options: object) -> str:
    with pytest.raises(BrokenContract) as caught:
        check_agent(agent, games, **options)  # type: ignore[arg-type]
    assert isinstance(caught.value, AssertionError) and isinstance(caught.value, FeltError)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class Good(Agent):
    """Keeps the contract, and a memory that matters."""

    def __init__(self) -> None:
        self.seen = 0
        self.told: list[str] = []

    def act(self, view):
        return raise_to(view, 0) if self.seen % 3 == 0 else check_or_call(view)

    def hand_started(self, view):
        self.told.append("started")

    def action_seen(self, view, event):
        assert event == view.history[-1] or len(view.history) > 1
        self.told.append(str(event.kind))

    def showdown(self, view):
        self.told.append("showdown")

    def hand_over(self, view):
        assert view.payoffs is not None
        self.seen += 1

    def match_over(self):
        assert self.told

    def save(self):
        return bytes([self.seen])

    def load(self, memory):
        self.seen = memory[0]


def test_an_agent_with_a_memory_keeps_the_contract():
    found = check_agent(Good, ["nlhe", "stud", "badugi"])
    assert found.games == ("nlhe", "stud", "badugi")
    assert found.hands == 3 * 3 * 2 * 6
    assert found.decisions > found.hands


def test_objects_can_be_checked_as_well():
    assert check_agent(Good(), ["nlhe"], players=[2]).hands == 12


class Folder(Agent):
    remembers = False

    def act(self, view):
        return FOLD


def test_illegal_moves():
    told = complaint(Folder, ["stud"])
    assert told.startswith("agent 'Folder' breaks the contract in stud, 2 players, hand ")
    assert "cannot fold" in told

    class Word(Agent):
        def act(self, view):
            return "call"

    assert "answers 'call': 'call' is no action" in complaint(Word)

    class TooMuch(Agent):
        def act(self, view):
            return Action(Move.RAISE, 10**6)

    assert "cannot raise to 1000000; legal now: fold, call 1, raise to 4–200" in complaint(TooMuch)


def test_exceptions_are_told_with_their_place():
    class Breaks(Agent):
        def act(self, view):
            return {}["act"]

    told = complaint(Breaks)
    assert "it raises KeyError: 'act' (test_contract.py, line " in told

    class Deaf(Agent):
        def act(self, view):
            return check_or_call(view)

        def hand_over(self, view):
            raise RuntimeError("so soon")

    assert "hand 0: it raises in hand_over: RuntimeError: so soon" in complaint(Deaf)


def test_chance_that_does_not_come_from_the_dice():
    class Gambler(Agent):
        remembers = False

        def act(self, view):
            return random.choice([check_or_call(view), raise_to(view, 0)])

    assert "does not play the same hands the same way with the same dice" in complaint(Gambler)


def test_a_memory_that_is_denied():
    class Counts(Good):
        remembers = False

    told = complaint(Counts)
    assert "plays hands otherwise in another order, though it says that it remembers nothing" in told


def test_a_memory_that_is_not_saved_whole():
    class Forgets(Good):
        def load(self, memory):
            self.seen = 0

    assert "plays otherwise after save and load" in complaint(Forgets, hands=8)

    class Text(Good):
        def save(self):
            return "much"

    assert "saves str: save() gives bytes, or None" in complaint(Text)


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ({CALL: 0.5}, "add up to 0.5, not to 1"),
        ({CALL: 0.5, Action(Move.RAISE, 1): 0.5}, "gives a probability for Action(move=<Move.RAISE: 2>, amount=1"),
        ({FOLD: 1.0}, "makes the move Action(move=<Move.CALL: 1>, amount=0, cards=()), for which it gives no"),
        ({CALL: 2.0, FOLD: -1.0}, "gives probabilities that are none"),
        ([CALL], "gives probabilities as list"),
    ],
    ids=["sum", "illegal", "another", "negative", "list"],
)
def test_probabilities_that_are_wrong(chances, told):
    class Odd(Agent):
        def act(self, view):
            return check_or_call(view)

        def probabilities(self, view):
            return chances

    assert told in complaint(Odd)


def test_asking_for_probabilities_must_not_move_the_dice():
    class Throws(Agent):
        remembers = False

        def act(self, view):
            return check_or_call(view) if self.dice.random() < 0.5 else raise_to(view, 0)

        def probabilities(self, view):
            self.dice.random()
            other = raise_to(view, 0)
            return {CALL: 1.0} if other == CALL else {CALL: 0.5, other: 0.5}

    assert "does not play the same hands the same way" in complaint(Throws)


def test_a_view_that_is_changed():
    class Cheat(Agent):
        def act(self, view):
            action = check_or_call(view)
            view.own = (51, 50)
            return action

    assert "changes the view that it is shown" in complaint(Cheat)


def test_a_batch_form_that_does_something_else():
    class Differs(Agent):
        remembers = False

        def act(self, view):
            return check_or_call(view)

        def act_batch(self, tables):
            return np.where(tables.legal[:, 2] > 0, 2, 1), tables.legal[:, 2]

    assert "act_batch makes move 2 with 4, act call 0" in complaint(Differs)

    class Few(Differs):
        def act_batch(self, tables):
            return np.ones(1, dtype=int), np.zeros(1, dtype=int)

    assert "act_batch gives arrays of shape (1,) for 3 tables" in complaint(Few)

    class Fails(Differs):
        def act_batch(self, tables):
            raise RuntimeError("no")

    assert "raises in act_batch: RuntimeError: no" in complaint(Fails)


def test_agents_say_in_words_what_they_do_not_play():
    assert complaint("chen", ["stud"]) == "agent 'chen' plays none of these games: stud"
    found = check_agent("chen", ["stud", "nlhe"], hands=2)
    assert (found.games, found.refused) == (("nlhe",), ("stud",))

    class Vague(Agent):
        def plays(self, rules, players):
            return False

    assert "plays() says False: give None, or the reason why not in words" in complaint(Vague)
