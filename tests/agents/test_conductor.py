"""The conductor: whoever plays hands through it, an agent hears the same events; what agents leave out is filled in."""

import pytest

from felt.agents import Agent, check_or_call
from felt.agents.adapters import as_agent
from felt.agents.api import EVENTS, OutsideAgent
from felt.agents.basic.call import Call
from felt.agents.conductor import Conductor
from felt.arena.conductor.conduct import Penalty
from felt.arena.conductor.table import Table
from felt.games import Action, Hand, Move, load

HANDS = 4


class Recorder(Agent):
    """Writes down all that it hears, and raises now and then."""

    def __init__(self):
        self.heard = []

    def act(self, view):
        legal = view.legal
        if legal.exchange:
            return Action(Move.EXCHANGE, cards=view.choosable()[: legal.exchange[1]])
        self.heard.append(("act", self.dice.random(), view.as_dict()))
        return check_or_call(view)

    def hand_started(self, view):
        self.heard.append(("hand_started", view.as_dict()))

    def action_seen(self, view, event):
        self.heard.append(("action_seen", event, view.as_dict()))

    def showdown(self, view):
        self.heard.append(("showdown", view.as_dict()))

    def hand_over(self, view):
        self.heard.append(("hand_over", view.as_dict()))


def step_machine(rules):
    recorder = Recorder()
    conductor = Conductor([Call(), recorder], seed=5)
    for number in range(HANDS):
        hand = Hand.new(rules, None, 5, players=2, number=number, button=1)
        conductor.begin(hand, number)
        while hand.turn >= 0:
            hand.act(conductor.ask())
            conductor.tell_move()
    return recorder.heard


def at_a_table(rules):
    recorder = Recorder()
    table = Table([Call(), recorder], seed=5, penalty=Penalty.FOLD, timeout=10)
    for number in range(HANDS):
        hand = Hand.new(rules, None, 5, players=2, number=number, button=1)
        table.play(hand, number, (0, 1), [])
    assert table.conduct.clean
    return recorder.heard


def in_an_environment(rules):
    from felt.learning.environments import PokerEnv

    env = PokerEnv(rules, opponents=Recorder, players=2)
    for number in range(HANDS):
        env.reset(seed=5 if number == 0 else None, options={"button": 1})
        over = False
        while not over:
            allowed = env.action_masks().nonzero()[0]
            _, _, over, _, _ = env.step(1 if 1 in allowed else int(allowed[0]))
    return env.opponents.agents[1].heard


@pytest.mark.parametrize("game", ["kuhn", "leduc", "nlhe", "stud", "five-card-draw"])
def test_an_agent_hears_the_same_whoever_conducts(game):
    rules = load(game)
    heard = step_machine(rules)
    assert {name for name, *_ in heard} == {"act", *EVENTS}
    assert at_a_table(rules) == heard
    assert in_an_environment(rules) == heard


class Bare:
    """The least that plays: nothing of its own can be set on it."""

    __slots__ = ()

    def act(self, view):
        return check_or_call(view)


def test_what_an_agent_leaves_out_is_filled_in_once():
    agent = as_agent(Bare())
    assert isinstance(agent, Agent) and agent.remembers
    view = Hand.new(load("kuhn")).view(0)
    assert agent.probabilities(view) is agent.values(view) is agent.save() is agent.plays(load("kuhn"), 2) is None
    table = Table([Bare(), Bare()], seed=1, penalty=Penalty.FOLD, timeout=10)
    assert table.play(Hand.new(load("kuhn"), seed=1), 0, (0, 1), []) == 2 and table.conduct.clean
    assert not any(table._listeners.values()), "nobody has a method for an event"
    already = Call()
    assert as_agent(already) is already


def test_an_object_that_listens_hears_though_it_is_no_agent():
    class Listening(Bare):
        __slots__ = ("seen",)

        def hand_over(self, view):
            self.seen = view.payoffs

    listening = Listening()
    table = Table([listening, Call()], seed=1, penalty=Penalty.FOLD, timeout=10)
    table.play(Hand.new(load("kuhn"), seed=1), 0, (0, 1), [])
    assert sum(listening.seen) == 0


def test_who_forfeits_is_not_asked_again_in_the_hand_and_is_in_the_next():
    class Wrong(Agent):
        def __init__(self):
            self.asked = 0

        def act(self, view):
            self.asked += 1
            return Action(Move.RAISE, -1)

    wrong = Wrong()
    table = Table([wrong, Call()], seed=1, penalty=Penalty.FORFEIT, timeout=10)
    codes = []
    table.play(Hand.new(load("nlhe"), seed=1, players=2), 0, (1, 0), codes)
    assert wrong.asked == 1 and table._forfeited == 0 and table.conduct.forfeits == {0: 0}
    assert all(code >= 0 for code in codes)
    table.play(Hand.new(load("nlhe"), seed=1, players=2), 1, (1, 0), [])
    assert wrong.asked == 2 and table.conduct.counts[0]["illegal"] == 2


def test_an_outside_agent_needs_no_more_than_act():
    class Outside(OutsideAgent):
        def act(self, view):
            return check_or_call(view)

    agent = Outside()
    agent.begin(), agent.dismiss()
    assert agent.take_broken() == agent.take_repeated() == 0 and not agent.errors
    table = Table([agent, Call()], seed=1, penalty=Penalty.FOLD, timeout=1e-9)
    table.play(Hand.new(load("kuhn"), seed=1), 0, (0, 1), [])
    assert table.conduct.counts[0]["timeouts"] == 0, "it limits its time itself"
    assert table.conduct.counts[1]["timeouts"] > 0
