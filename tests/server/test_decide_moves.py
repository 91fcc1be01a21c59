"""Every move that an answer of /decide uses can be asked with: hands of all games are played by its answers alone."""

import random

import pytest

from felt.cards.card import format_cards, parse_cards
from felt.cli.games.table import random_action
from felt.games import Action, Hand, Move, load, names
from felt.server.agents.deciding import move_told
from felt.server.study.situations import situation
from felt.server.web.schemas.decide import SituationAsked
from tests.server.live_helpers import BASE, service

QUICK_GAMES = ("27-triple-draw", "anaconda", "nlhe", "roll-your-own", "stud")
"""Draws, passes, bets and a bring-in; the other games take longer together."""
GAMES = [name if name in QUICK_GAMES else pytest.param(name, marks=pytest.mark.long) for name in names()]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def state_of(hand, moves):
    """What the seat to act knows, with the moves as they are handed in."""
    up = [format_cards(hand.up_cards(seat)) for seat in range(hand.players)]
    return {
        "game": hand.rules.name,
        "stacks": list(hand.starting_stacks),
        "button": hand.button,
        "cards": format_cards(hand.cards(hand.turn)),
        "board": format_cards(hand.board),
        "up": up if any(up) else [],
        "moves": moves,
    }


def decide(client, hand, moves, agent):
    answer = client.post(f"{BASE}/decide", json={"agent": agent, "state": state_of(hand, moves), "seed": len(moves)})
    assert answer.status_code == 200, (answer.text, moves)
    return answer.json()


def played(move):
    return Action(Move[move["move"].upper()], move["amount"], parse_cards("".join(move["cards"])))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", ["object", "words"])
def test_every_move_that_an_answer_uses_can_be_asked_with(client, game, form):
    rules = load(game)
    dice = random.Random(f"{game} {form}")
    for number in range(2):
        hand, moves = Hand.new(rules, players=max(rules.min_players, min(3, rules.max_players)), seed=number), []
        while not hand.over:
            action = decide(client, hand, moves, "call" if hand.legal().fold and dice.random() < 0.6 else "random")
            move = action["action"]
            moves.append(move if form == "object" else move["words"])
            hand.act(played(move))


@pytest.mark.parametrize("form", ["object", "words", "own"])
@pytest.mark.parametrize(
    ("game", "players"),
    [("27-triple-draw", 6), pytest.param("badugi", 7, marks=pytest.mark.long), ("anaconda", 2)],
)
def test_long_hands_can_be_asked_with_after_passes_and_reshuffles(game, players, form):
    """As each seat would tell them: with all cards, with none, or with its own only."""
    rules, dice = load(game), random.Random(f"{game} {form}")
    hand, told = Hand.new(rules, players=players, seed=2), []
    while not hand.over:
        seat, seen = hand.turn, hand.view(hand.turn)
        with_cards = {"object": range(players), "words": (), "own": (seat,)}[form]
        moves = [move if who in with_cards else move["words"] for who, move in told]
        built = situation(SituationAsked(**state_of(hand, moves)), rules, dice)
        assert built.turn == seat and sorted(built.cards(seat)) == sorted(hand.cards(seat))
        assert built.view(seat).legal == seen.legal and built.view(seat).stacks == seen.stacks
        action = random_action(seen, dice)
        if action.move == Move.FOLD:
            action = Action(Move.CALL)
        told.append((seat, move_told(seen, action)))
        hand.act(action)


def test_likely_and_priced_moves_can_be_asked_with(client):
    hand = Hand.new(load("nlhe"), [20, 20], seed=3)
    answer = decide(client, hand, [], "pushfold")
    for move in (*answer["probabilities"], *answer["reasons"]["ev"]):
        after = hand.copy()
        after.act(played(move))
        if not after.over:
            assert decide(client, after, [move], "call")["seat"] == after.turn


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("nlhe", ["raises to 3"], "move 1, 'raises to 3': seat 2 cannot raise to 3"),
        ("nlhe", [{"move": "raise", "amount": 3}], "move 1, 'raise': seat 2 cannot raise to 3"),
        ("nlhe", [{"move": "exchange", "cards": ["As"]}], "move 1, 'exchange'"),
        ("five-card-draw", ["calls 2", "calls 1", "checks", "draws 9 cards"], "seat 0 holds 5 cards, not 9"),
        ("five-card-draw", ["calls 2", "calls 1", "checks", "passes 2 cards"], "'passes' is not what is asked for"),
    ],
)
def test_moves_that_cannot_be_are_refused_in_each_form(client, game, moves, words):
    state = {**state_of(Hand.new(load(game), players=3, seed=1), moves), "board": ""}
    answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": state})
    assert answer.status_code == 422 and words in answer.json()["error"]["message"], answer.text


def test_cards_are_given_in_one_text_or_one_by_one(client):
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    state = state_of(hand, [])
    listed = {**state, "cards": [format_cards([card]) for card in hand.cards(hand.turn)], "board": []}
    answers = [
        client.post(f"{BASE}/decide", json={"agent": "ehs", "state": one, "seed": 1}).json() for one in (state, listed)
    ]
    assert answers[0]["action"] == answers[1]["action"]


def test_numbers_are_chips_and_texts_are_in_the_amounts_of_the_game(client):
    halves = {"game": "nlhe", "parameters": {"small_blind": 0.5, "big_blind": 1}, "stacks": [200, 200], "cards": "AsKd"}
    for move in ("raise to 2.5", {"move": "raise", "amount": 5}):
        answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": {**halves, "moves": [move]}})
        assert answer.json()["action"]["words"] == "calls 1.5", answer.text
    answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": {**halves, "moves": ["raise to 300"]}})
    assert "raise to 2–100" in answer.json()["error"]["message"], answer.text
