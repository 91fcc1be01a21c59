"""Corners of the rules and of the doors, each of which was wrong once."""

from dataclasses import replace

import numpy as np
import pytest

from felt.cards.card import format_cards
from felt.cards.deck import Deck
from felt.errors import FeltError
from felt.games import (
    Action,
    Betting,
    GameRules,
    Hand,
    IllegalAction,
    Move,
    Round,
    RulesError,
    Showdown,
    Structure,
    load,
    read_pgdl,
    replay,
    write_pgdl,
)
from felt.games.describing import facts
from felt.games.engine.batch import HandBatch, play_random
from felt.games.trees.tree import Tree
from felt.games.views.keys import information
from felt.games.views.view import made_hand
from felt.odds.state.at_state import at_state

NO_LIMIT = Betting(Structure.NO_LIMIT, 2)


def dealt(rules: GameRules, cards: str, stacks: list[int]) -> Hand:
    first = rules.deck.parse(cards)
    return Hand.new(rules, stacks, deck=(*first, *rules.deck.without(first)))


# Cards face up


@pytest.mark.parametrize(("fourth", "first"), [("Ac", 0), ("2c", 1)])
@pytest.mark.no_jit
def test_a_joker_face_up_makes_a_pair(fourth, first):
    jokers = load("five-card-draw-jokers")
    rules = replace(load("stud"), deck=jokers.deck, showdown=replace(load("stud").showdown, wild=jokers.showdown.wild))
    hand = dealt(rules, f"4c5cJk 6d7d3d {fourth} 3h", [500, 500])
    while hand.street == 0:
        hand.call()
    assert hand.turn == first


def test_wild_cards_face_up_count_in_baseball():
    hand = dealt(load("baseball"), "4c5c9c 6d7dQd 2c Kh", [500, 500])
    while hand.street == 0:
        hand.call()
    assert [format_cards(hand.up_cards(seat)) for seat in range(2)] == ["9c2c", "QdKh"]
    assert hand.turn == 0


def test_only_four_cards_up_are_compared_with_wild_ones():
    rounds = (Round("a", up=5, betting=NO_LIMIT, first=load("stud").rounds[1].first),)
    with pytest.raises(RulesError, match="compares 5 cards up"):
        GameRules("wild", rounds, ante=1, showdown=Showdown(wild=(0,)))


# Money


def test_a_forced_bet_is_a_whole_bet():
    text = (
        '<PokerGame name="x" ante="1"><Players minimum="2" maximum="5"/><Round faceDownCardsDealt="4" '
        'faceUpCardsDealt="1" forceBet="yes"><BettingStructure type="limit"><Bet value="4"/></BettingStructure>'
        '<BettingOrder firstPlayerBetting="lowestUpCard"/></Round></PokerGame>'
    )
    hand = Hand.new(read_pgdl(text), [100] * 3, 1)
    assert str(hand.legal()) == "call 4"
    hand.call()
    assert str(hand.legal()) == "fold, call 4, raise to 8"


def test_half_a_bet_is_whole_for_those_to_come_but_must_be_faced_to_raise_again():
    """Bring-in 10, bet 40, all in for 25: those who have acted face 15, less than half a bet (TDA 47)."""
    hand = dealt(load("stud"), "KsKd2c QsQd3h JsJd4h TsTd5h", [4000, 4000, 30, 4000])
    hand.call()
    hand.call()
    assert hand.turn == 2
    hand.raise_to(25)
    assert hand.legal().raise_to == (65, 65)  # seat 3 has not acted
    hand.call()
    assert (hand.turn, hand.legal().raise_to) == (0, None)


def test_blinds_without_betting_are_refused():
    with pytest.raises(RulesError, match=r"blinds .* need betting in the first round"):
        GameRules("y", (Round("a", down=2), Round("b", board=5, betting=NO_LIMIT)), blinds=(1, 2))


def test_two_kinds_of_antes_are_refused():
    with pytest.raises(RulesError, match="choose one"):
        replace(load("nlhe"), ante=1, big_blind_ante=2)


# Too few cards


def test_eight_players_of_stud_share_the_last_card():
    hand = Hand.new(load("stud"), [4000] * 8, 3)
    while not hand.over:
        hand.call()
    assert len(hand.board) == 1 and {len(hand.cards(seat)) for seat in range(8)} == {6}
    assert replay(hand.record()).record() == hand.record()


@pytest.mark.parametrize(
    ("game", "players", "board"),
    [("baseball", 8, 1), ("razz", 8, 1), ("razz", 9, 2)],
    ids=["eight players of baseball", "eight players of razz", "nine players of razz"],
)
def test_a_full_table_of_stud_shares_the_cards_that_are_too_few(game, players, board):
    """Nine players get five cards each; seven are left for sixth street, so that card and the last are for all."""
    assert load(game).max_players >= players
    hand = Hand.new(load(game), [4000] * players, 3)
    while not hand.over:
        hand.call()
    assert len(hand.board) == board and {len(hand.cards(seat)) for seat in range(players)} == {7 - board}
    assert sum(hand.payoffs) == 0 and replay(hand.record()).record() == hand.record()


def test_nine_players_of_razz_get_cards_of_their_own_where_two_fold():
    hand = Hand.new(load("razz"), [4000] * 9, 3)
    hand.call()
    for _ in range(3):
        hand.fold()
    while not hand.over:
        hand.call()
    assert hand.board == () and sorted(len(hand.cards(seat)) for seat in range(9)) == [3] * 3 + [7] * 6


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("cards", "players", "folds", "cards_each", "board"),
    [
        pytest.param(9, 3, 0, 3, 0, id="three cards for three players"),
        pytest.param(8, 3, 0, 2, 1, id="two cards for three players: one for all"),
        pytest.param(10, 4, 1, 2, 1, id="two cards for three of four players: one for all"),
        pytest.param(10, 4, 2, 3, 0, id="two cards for two of four players"),
    ],
)
def test_the_last_cards_go_to_each_player_where_they_just_suffice(cards, players, folds, cards_each, board):
    """Two cards for each player in the first round, one in the second: the deck has exactly enough, or one too few."""
    rounds = (Round("a", down=1, up=1, betting=NO_LIMIT), Round("b", up=1, betting=NO_LIMIT))
    rules = GameRules("short", rounds, deck=load("kuhn", cards=cards).deck, ante=1, showdown=Showdown(size=1))
    hand = Hand.new(rules, [10] * players, 1)
    first = [hand.cards(seat) for seat in range(players)]
    live = set(range(players))
    for _ in range(folds):
        live.remove(hand.turn)
        hand.fold()
    while hand.street == 0:
        hand.call()
    assert {len(hand.cards(seat)) for seat in live} == {cards_each}
    assert len(hand.board) == board
    assert all(hand.cards(seat)[:2] == first[seat] for seat in live)


def test_one_card_for_all_is_not_for_several_each():
    rules = GameRules(
        "two and three",
        (Round("a", down=2, betting=NO_LIMIT), Round("b", down=3, betting=NO_LIMIT)),
        deck=load("short-deck").deck,
        ante=1,
        showdown=Showdown(kinds=("short",), size=5),
    )
    with pytest.raises(FeltError, match="8 players need 40 cards and the deck has 36"):
        Hand.new(rules, [10] * 8)


# Passing


def passing() -> GameRules:
    rounds = (
        Round("a", down=3, betting=NO_LIMIT),
        Round("b", passes=1, pass_left=True, betting=NO_LIMIT),
        Round("c", passes=1, pass_left=False, betting=NO_LIMIT),
        Round("d", discards=1, betting=NO_LIMIT),
    )
    return GameRules("left and right", rounds, ante=1, showdown=Showdown(size=2))


def test_passes_in_two_directions_are_replayed():
    hand = Hand.new(passing(), [10] * 3, 1)
    while not hand.over:
        hand.exchange(hand.cards(hand.turn)[:1]) if hand.legal().exchange else hand.call()
    assert replay(hand.record()).record() == hand.record()


def test_players_know_the_cards_that_they_were_passed():
    rules = GameRules(
        "pass",
        (Round("a", down=2, passes=1, betting=NO_LIMIT),),
        deck=load("kuhn", cards=5).deck,
        ante=1,
        showdown=Showdown(size=1),
    )
    known = []
    for deck in ("9sTsJsQsKs", "9sTsKsQsJs"):
        hand = Hand.new(rules, [5, 5], deck=deck)
        hand.exchange(hand.cards(0)[:1])
        hand.exchange(hand.cards(1)[:1])
        known.append(information(hand, 0))
    assert known == ["Ts9s p1(9s) p1 +Js", "Ts9s p1(9s) p1 +Ks"]


# The doors


@pytest.mark.parametrize("total", [6.0, "6", None, np.float64(6)])
def test_a_raise_to_no_whole_number_changes_nothing(total):
    hand = Hand.new(load("nlhe"), [200, 200], 1)
    before = bytes(hand), hand.events
    with pytest.raises(IllegalAction, match="no whole number; legal now: fold, call 1"):
        hand.raise_to(total)
    assert (bytes(hand), hand.events) == before


def test_numbers_of_numpy_become_plain():
    hand = Hand.new(load("nlhe"), np.array([200, 200]), 1)
    hand.raise_to(np.int64(6))
    assert type(hand.events[-1].amount) is int
    assert all(type(stack) is int for stack in hand.starting_stacks)


def test_what_is_no_action_is_refused():
    hand = Hand.new(load("five-card-draw"))
    with pytest.raises(FeltError, match="'fold' is no action"):
        hand.act("fold")
    with pytest.raises(IllegalAction, match="FOLD, CALL, RAISE, EXCHANGE"):
        hand.act(Action(99))
    hand.act(Action(Move.CALL))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"stacks": [200.5, 200]}, "chips are whole numbers"),
        ({"stacks": [200, 200], "players": 3}, "2 stacks were given for 3 players"),
        ({"players": 0}, "2 to 10 players, not 0"),
        ({"players": 10**12}, "2 to 10 players, not 1000000000000"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"seed": "x"}, "seed='x'"),
        ({"number": -1}, "number=-1"),
        ({"posts": [2**33, 0]}, "posts"),
    ],
)
def test_a_hand_that_cannot_begin(args, words):
    with pytest.raises(FeltError, match=words):
        Hand.new(load("nlhe"), **args)


@pytest.mark.parametrize("count", [0, -1, 1.5])
def test_no_hands_are_no_batch(count):
    with pytest.raises(FeltError, match=f"hands={count}"):
        play_random(load("nlhe"), count)
    with pytest.raises(FeltError, match=f"tables={count}"):
        HandBatch(load("nlhe"), count)


def test_a_restored_hand_has_no_history_to_tell():
    hand = Hand.new(load("nlhe"), [200, 200], 1)
    hand.call()
    twin = Hand.from_bytes(load("nlhe"), bytes(hand))
    assert hand.whole and not twin.whole and not twin.copy().whole
    for ask in (twin.record, lambda: information(twin, 0)):
        with pytest.raises(FeltError, match="snapshot or a batch"):
            ask()


@pytest.mark.parametrize("name", ["plo", "nlhe"])
def test_a_tree_with_too_many_deals_is_refused_at_once(name):
    with pytest.raises(FeltError, match=f"the tree of {name} has more than 100 nodes"):
        Tree.of_game(load(name), players=6, limit=100)


def test_a_simulation_is_not_called_exact():
    found = at_state(Hand.new(load("27-triple-draw"), seed=1), samples=1)
    assert (found.exact, found.method) == (False, "simulation")
    with pytest.raises(FeltError, match="samples=1000000000"):
        at_state(Hand.new(load("nlhe")), samples=10**9)


def test_rules_of_the_wrong_kind():
    with pytest.raises(RulesError, match="structure is 'nolimit'"):
        Betting("nolimit", 2)
    with pytest.raises(RulesError, match="tuples"):
        replace(load("nlhe"), blinds=[1, 2])


# Jokers that are bugs


BUG = load("five-card-draw-bug")


def test_a_bug_is_no_king_but_an_ace():
    """Four kings and the bug are four kings with an ace; wild in full they would be five kings."""
    hand = dealt(BUG, "KsKdKhKcJk 2s2d2h2c3s", [400, 400])
    assert made_hand(hand.view(0)).startswith("four of a kind, kings, ace kicker")
    wild = replace(BUG, showdown=replace(BUG.showdown, bug=False))
    assert made_hand(dealt(wild, "KsKdKhKcJk 2s2d2h2c3s", [400, 400]).view(0)) == "five of a kind, kings"


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ("9s8d7h5cJk", "AsAdAh2c3d", 0),
        ("KsKdQh5cJk", "KhKcAh2c3d", 0),
        ("AsAdAhAcJk", "KsQsJsTs9s", 0),
        ("7s7d7h2cJk", "8s8d8h3c4c", 1),
    ],
    ids=["a straight", "an ace beside two kings", "five aces", "three sevens, no four"],
)
def test_the_pot_goes_by_bugs(first, second, winner):
    hand = dealt(BUG, f"{first} {second}", [400, 400])
    while not hand.over:
        if hand.legal().exchange:
            hand.exchange()
        else:
            hand.call()
    assert hand.payoffs[winner] > 0


def test_rules_with_a_bug_are_written_and_read_and_are_another_game():
    assert BUG.showdown.bug and read_pgdl(write_pgdl(BUG)) == BUG
    wild = replace(BUG, showdown=replace(BUG.showdown, bug=False))
    assert read_pgdl(write_pgdl(wild)) == wild and wild != BUG
    with pytest.raises(FeltError, match="is of another game"):
        Hand.from_bytes(wild, bytes(Hand.new(BUG, seed=1)))
    listed = replace(BUG, deck=Deck("mine", BUG.deck.cards))
    assert read_pgdl(write_pgdl(listed)) == listed
    assert "jokers are bugs" in facts(BUG)["deck"]


def test_a_bug_needs_a_joker():
    with pytest.raises(RulesError, match="jokers are bugs, but there is none among the wild cards"):
        Showdown(bug=True)


@pytest.mark.no_jit
@pytest.mark.parametrize(("bug", "fourth", "first"), [(True, "Ac", 0), (True, "Kc", 1), (False, "Kc", 0)])
def test_a_bug_face_up_is_an_ace_for_who_acts_first(bug, fourth, first):
    """Beside a king it is no second king: the pair of threes of the other player acts first."""
    stud = load("stud")
    showdown = replace(stud.showdown, wild=BUG.showdown.wild, bug=bug)
    hand = dealt(replace(stud, deck=BUG.deck, showdown=showdown), f"4c5cJk 6d7d3d {fourth} 3h", [500, 500])
    while hand.street == 0:
        hand.call()
    assert hand.turn == first
