"""Agents that are asked over HTTP: any state that can be, told by what one seat knows; all others are refused."""

import random
import time

import pytest

from felt.cards.card import format_cards
from felt.cli.games.table import random_action
from felt.games import Action, Hand, Move, load, names
from felt.interop.phh.writer import write_phh
from felt.server.agents.asking import OFFERED, AgentThreads
from felt.server.study.situations import from_phh, situation
from felt.server.web.schemas.decide import NLHE, PHH, Decided, PhhAsked, SituationAsked
from tests.server.live_helpers import BASE, MANY, refused, service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def ask(client, agent="ehs", **state):
    return client.post(f"{BASE}/decide", json={"agent": agent, "state": {"game": "nlhe", **state}, "seed": 1})


def test_a_decision_with_its_reasons(client):
    answer = client.post(f"{BASE}/decide", json=NLHE)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    Decided.model_validate(found)
    assert found["seat"] == 1 and found["fallback"] is None and found["seconds"] < 5
    assert sum(one["probability"] for one in found["probabilities"]) == pytest.approx(1, abs=1e-5)
    assert found["action"]["words"] in [one["words"] for one in found["probabilities"]]
    assert 0.4 < found["reasons"]["equity"] < 0.8 and found["reasons"]["needed"] is None
    assert client.post(f"{BASE}/decide", json=NLHE).json()["action"] == found["action"]


def test_the_price_of_a_call(client):
    found = ask(client, "potodds", stacks=[200, 200], button=1, cards="2c7d", moves=["raise 6"]).json()
    assert found["seat"] == 0 and found["reasons"]["pot_odds"] == found["reasons"]["needed"] == pytest.approx(
        1 / 3, 1e-4
    )
    assert found["reasons"]["equity"] == pytest.approx(0.3458, abs=1e-4)
    assert "needs 33% equity" in found["reasons"]["text"] and found["reasons"]["ev"] is None


def test_push_or_fold_says_what_its_moves_are_worth(client):
    found = client.post(f"{BASE}/decide", json=PHH).json()
    worth = {one["words"]: one["chips"] for one in found["reasons"]["ev"]}
    assert worth["folds"] == 0 and worth["raises to 20 and is all in"] > 0
    assert found["probabilities"] == [{**found["action"], "probability": 1.0}]
    called = ask(client, "pushfold", stacks=[20, 20], button=1, cards="AsAh", moves=["all-in"]).json()
    assert {one["words"] for one in called["reasons"]["ev"]} == {"calls 18 and is all in", "folds"}
    assert max(one["chips"] for one in called["reasons"]["ev"]) > 10


@pytest.mark.parametrize("agent", [name for name in OFFERED if name != "pushfold"])
def test_every_agent_is_offered(client, agent):
    assert ask(client, agent, stacks=[200] * 3, cards="TsTh", moves=["call"]).json()["fallback"] is None


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"stacks": [200, 200], "cards": "As"}, "has 2 cards: 1 were given"),
        ({"stacks": [200, 200], "cards": "AsAs"}, "As"),
        ({"stacks": [200, 200], "cards": "AsXx"}, "Xx"),
        ({"stacks": [200, 200], "cards": "AsKd", "board": "QsJh2h"}, "the board has 0 cards"),
        ({"stacks": [200, 200], "cards": "AsKd", "moves": ["raise 3"]}, "move 1, 'raise 3'"),
        ({"stacks": [200, 200], "cards": "AsKd", "moves": ["raise"]}, "move 1, 'raise'"),
        ({"stacks": [200, 200], "cards": "AsKd", "moves": ["<script>"]}, "is no move"),
        ({"stacks": [200, 200], "cards": "AsKd", "moves": ["fold"]}, "the hand is over"),
        ({"stacks": [200, 200], "cards": "AsKd", "moves": ["fold", "call"]}, "over already"),
        ({"stacks": [200, 200], "cards": "AsKd", "board": "AsJh2h", "moves": ["call", "check"]}, "As"),
        ({"stacks": [200, 200], "cards": "AsKd", "button": 5}, "button"),
        ({"stacks": [200, 200], "cards": "AsKd", "up": ["As"]}, "up has 1 entries"),
        ({"stacks": [200, 200], "cards": "AsKd", "up": ["As", ""]}, "0 cards face up"),
        ({"game": "stud", "stacks": [200, 200], "cards": "AsKd", "up": ["2c", "2c"]}, "2c"),
        ({"phh": "variant = 'NT'"}, "PHH"),
        ({"phh": "]["}, "PHH"),
        ({"phh": PHH["state"]["phh"].replace("AhTh", "????")}, "whose cards are unknown"),
    ],
)
def test_states_that_cannot_be(client, state, words):
    if "phh" not in state:
        state = {"game": "nlhe", **state}
    answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": state})
    refused(answer, 422, "bad_state")
    assert words in answer.json()["error"]["message"]


def test_other_questions_that_are_refused(client):
    refused(ask(client, "strategy:/etc/passwd", stacks=[20, 20], cards="AsKd"), 400, "no_agent")
    refused(ask(client, "pushfold", stacks=[20] * 3, cards="AsKd"), 400, "no_agent")
    refused(ask(client, stacks=[20] * 11, cards="AsKd"), 422, "invalid")
    refused(ask(client, game="nlhe'--", stacks=[20, 20], cards="AsKd"), 400, "invalid")
    refused(ask(client, stacks=[20, 20], cards="AsKd", parameters={"x": 1}), 400, "parameters")
    refused(client.post(f"{BASE}/decide", content=b"{" * 1000), 422, "invalid")
    refused(client.post(f"{BASE}/decide", content=b"x" * 100_000), 413, "too_large")
    foreign = {"Origin": "http://elsewhere.example"}
    refused(client.post(f"{BASE}/decide", json=NLHE, headers=foreign), 403, "foreign_origin")


def told_by(hand, moves):
    """A state as the seat to act would tell it."""
    seat, up = hand.turn, [format_cards(hand.up_cards(seat)) for seat in range(hand.players)]
    return SituationAsked(
        game=hand.rules.name,
        stacks=list(hand.starting_stacks),
        button=hand.button,
        cards=format_cards(hand.cards(seat)),
        board=format_cards(hand.board),
        up=up if any(up) else [],
        moves=[words for _, words in moves],
    )


@pytest.mark.parametrize("game", names())
def test_states_of_every_game_are_built_again_from_what_one_seat_knows(game):
    rules, dice = load(game), random.Random(game)
    for number in range(3):
        players = min(rules.max_players, dice.choice((2, 3)) if rules.min_players == 2 else rules.min_players)
        hand, moves = Hand.new(rules, players=players, seed=number), []
        while not hand.over and len(moves) < 14:
            seen = hand.view(hand.turn)
            if dice.random() < 0.5:
                built = situation(told_by(hand, [(None, _words(hand.turn, *move)) for move in moves]), rules, dice)
                theirs = built.view(built.turn)
                assert built.turn == hand.turn and theirs.legal == seen.legal and theirs.board == seen.board
                assert sorted(theirs.own) == sorted(seen.own) and theirs.stacks == seen.stacks
                ups = range(players)
                assert [theirs.up_cards(seat) for seat in ups] == [seen.up_cards(seat) for seat in ups]
            action = random_action(seen, dice)
            moves.append((hand.turn, seen.legal, action))
            hand.act(action)


def _words(viewer, seat, legal, action):
    """A move as the viewer would tell it: of others' cards how many."""
    if action.move == Move.EXCHANGE:
        what = legal.exchange[0]
        return (
            f"{what} {format_cards(action.cards)}" if seat == viewer and action.cards else f"{what} {len(action.cards)}"
        )
    return {Move.FOLD: "fold", Move.CALL: "call", Move.RAISE: f"raise to {action.amount}"}[action.move]


def test_a_partial_phh():
    hand = Hand.new(load("nlhe"), [200] * 3, seed=2)
    hand.call()
    record = hand.record()
    built = from_phh(PhhAsked(phh=write_phh(record)))
    assert built.turn == hand.turn and built.cards(built.turn) == hand.cards(hand.turn)


def test_amounts_of_a_phh_in_cents_are_told_in_its_unit(client):
    cents = PHH["state"]["phh"]
    for whole, part in (("[1, 2]", "[0.01, 0.02]"), ("min_bet = 2", "min_bet = 0.02"), ("[20, 20]", "[0.20, 0.20]")):
        assert whole in cents
        cents = cents.replace(whole, part)
    told = client.post(f"{BASE}/decide", json={"agent": "call", "state": {"phh": cents}}).json()
    assert told["action"]["words"] == "calls 0.01"
    assert "It checks and calls, whatever it costs. To call costs 0.01 for a pot of 0.0" in told["reasons"]["text"]
    nested = client.post(f"{BASE}/decide", json={"agent": "call", "state": {"phh": f"{'a.' * 9_000}a = 1"}})
    refused(nested, 422, "bad_state")
    assert "a key of more than 16 parts" in nested.json()["error"]["message"]


@pytest.mark.parametrize(
    ("think", "words"),
    [
        (lambda view: time.sleep(0.4), "did not answer in time"),
        (lambda view: 1 / 0, "failed to decide"),
        (lambda view: Action(Move.RAISE, 10**6), "made a move that is not allowed"),
        (lambda view: "fold", "failed to decide"),  # no Action
    ],
)
def test_a_rule_steps_in_for_an_agent(tmp_path, think, words):
    class Odd(AgentThreads):
        def made(self, name, rules, players):
            return type("Odd", (), {"act": staticmethod(think)})()

    from fastapi.testclient import TestClient

    from felt.server.web.app import create_app

    with TestClient(create_app(tmp_path, limits=MANY, brains=Odd(1))) as client:
        asked = {"agent": "x", "state": {"stacks": [200, 200], "cards": "AsKd"}, "time_limit": 0.1}
        found = client.post(f"{BASE}/decide", json=asked).json()
        assert words in found["fallback"] and found["action"]["words"] == "folds" and found["probabilities"] is None
