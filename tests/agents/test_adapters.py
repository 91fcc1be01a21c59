"""A plain agent at batch tables, a batch agent at a plain table: both decide as at home."""

import numpy as np
import pytest

from felt.agents import Agent, Dice, Tables, check_or_call, entrant
from felt.agents.adapters import NO_MOVE, AsBatch, AsPlain
from felt.agents.contract import check_agent
from felt.agents.dice import ManyDice
from felt.agents.tables import OneTable
from felt.games import Action, Hand, Move, load
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.views.view import HIDDEN


class Historian(Agent):
    """Decides by the history, and throws dice as often as it likes."""

    remembers = False

    def act(self, view):
        legal = view.legal
        if legal.exchange:
            return Action(Move.EXCHANGE, cards=tuple(self.dice.sample(view.choosable(), legal.exchange[1])))
        raised = sum(event.kind == "raise" for event in view.history)
        seen = sum(card for event in view.history for card in event.cards)
        if legal.raise_to and (seen + raised + self.dice.randrange(3)) % 3 == 0:
            return Action(Move.RAISE, self.dice.randint(*legal.raise_to))
        return check_or_call(view)


class Both(Historian):
    """The same at many tables."""

    def act_batch(self, tables):
        return AsBatch(Historian()).act_batch(tables)


@pytest.mark.parametrize("game", ["nlhe", "stud", "five-card-draw", "anaconda", "roll-your-own", "27-triple-draw"])
def test_a_plain_agent_plays_the_same_at_batch_tables_history_and_dice_included(game):
    assert check_agent(Both, [game], hands=5).decisions > 20


def test_without_steps_the_history_begins_now():
    batch = HandBatch(load("nlhe"), 3, seed=1)
    moves = np.ones(3, dtype=np.int64)
    batch.step(moves)
    rows = np.arange(3)
    seen = Tables(batch, rows, ManyDice(rows)).view(1)
    assert seen.history == ()
    whole = Tables(batch, rows, ManyDice(rows), [moves]).view(1)
    assert [event.kind for event in whole.history] == ["down", "down", "call"]
    assert whole.own == seen.own
    assert whole.legal == seen.legal


class Sometimes(Agent):
    """Fails at some tables."""

    def act(self, view):
        if view.own[0] % 2:
            raise RuntimeError("odd")
        return check_or_call(view) if view.own[1] % 2 else "call"


def test_what_fails_at_one_table_does_not_at_the_others():
    batch = HandBatch(load("nlhe"), 40, seed=1)
    rows = np.arange(40)
    adapter = AsBatch(Sometimes())
    moves, amounts = adapter.act_batch(Tables(batch, rows, ManyDice(rows)))
    own = [batch.hand(row).view(int(batch.turn[row])).own for row in rows]
    assert moves.tolist() == [1 if cards[0] % 2 == 0 and cards[1] % 2 else NO_MOVE for cards in own]
    assert not amounts.any()
    assert {type(error) for row, error in adapter.errors.items() if own[row][0] % 2} == {RuntimeError}
    assert set(adapter.errors) == set(np.flatnonzero(moves == NO_MOVE).tolist())


class Many:
    """A batch agent: raises with one card in two, by dice."""

    def act_batch(self, tables):
        wanted = (tables.own[:, 0] % 2 == 0) & (tables.random() < 0.8) & (tables.legal[:, 2] > 0)
        fewest = tables.legal[:, 4]
        moves = np.where(fewest >= 0, 3, np.where(wanted, 2, 1))
        return moves, np.where(fewest >= 0, (1 << np.maximum(fewest, 0)) - 1, np.where(wanted, tables.legal[:, 2], 0))


@pytest.mark.parametrize("game", ["nlhe", "razz", "badugi", "anaconda", "roll-your-own"])
def test_a_batch_agent_plays_the_same_at_plain_tables(game):
    assert check_agent(Many, [game], hands=5).decisions > 20


def test_an_agent_by_batch_needs_nothing_but_act_batch():
    found = entrant(Many)
    assert found.batch
    assert not found.remembers
    assert isinstance(found.make(), Many)


def test_hidden_cards_do_not_reach_a_batch_agent_at_a_plain_table():
    for game in ("nlhe", "stud", "five-card-draw"):
        hand = Hand.new(load(game), players=4, seed=2)
        seat = hand.turn
        table = OneTable(hand.view(seat), Dice(1))
        cards = table._arrays[1][0]
        for other in range(4):
            begin = f.CARDS + f.CARDS_EACH * other
            held = cards[begin : begin + len(hand.cards(other))].tolist()
            shown = [card for card in held if card != HIDDEN]
            assert sorted(shown) == sorted(hand.cards(seat) if other == seat else hand.up_cards(other))
        assert set(cards[f.DECK : f.MUCK].tolist()) <= {0, HIDDEN}
        assert table.view(0).own == hand.cards(seat)


@pytest.mark.parametrize("game", ["nlhe", "cap-holdem", "stud", "plo", "27-triple-draw", "kuhn"])
def test_one_table_has_the_numbers_of_many(game):
    rules = load(game)
    batch = HandBatch(rules, 6, players=min(4, rules.max_players), seed=3)
    chance = np.random.default_rng(1)
    while not batch.over.all():
        rows = np.flatnonzero(batch.turn >= 0)
        tables = Tables(batch, rows, ManyDice(np.arange(6)))
        for row in range(len(rows)):
            one = OneTable(tables.view(row), Dice(1))
            for name in ("seat", "street", "count", "board_count", "pot", "stacks", "bets", "put", "folded", "raises",
                         "behind", "opponents", "legal"):  # fmt: skip
                assert getattr(one, name)[0].tolist() == getattr(tables, name)[row].tolist(), name
            held, lying = int(tables.count[row]), int(tables.board_count[row])
            assert one.own[0, :held].tolist() == tables.own[row, :held].tolist() == list(one.view(0).own)
            assert one.board[0, :lying].tolist() == tables.board[row, :lying].tolist() == list(one.view(0).board)
        legal = batch.legal
        moves = np.where((chance.random(6) < 0.2) & (legal[:, 0] == 1), 0, 1)
        moves = np.where((chance.random(6) < 0.3) & (legal[:, 2] > 0), 2, moves)
        moves = np.where(legal[:, 4] >= 0, 3, moves)
        batch.step(moves, np.where(moves == 3, (1 << np.maximum(legal[:, 4], 0)) - 1, legal[:, 2]))


def test_who_does_not_have_the_turn_has_no_table():
    hand = Hand.new(load("nlhe"), [200, 200])
    with pytest.raises(ValueError, match="not the turn of seat 0"):
        OneTable(hand.view(0), Dice(1))


def test_adapters_hand_on_which_games_are_played():
    rules = load("stud")
    chen = entrant("chen").make()
    assert AsBatch(chen).plays(rules, 2) == AsPlain(chen).plays(rules, 2) == chen.plays(rules, 2)
    assert AsPlain(Many()).plays(rules, 2) is None
