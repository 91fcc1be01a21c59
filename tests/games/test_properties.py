"""What holds in every hand, whatever the game: random hands, one by one through `Hand` and many through batches.

`make bench` does the same with millions of hands.
"""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from felt.games import Action, EventKind, Hand, Move, replay
from felt.games.engine import fields as f
from felt.games.engine.batch import BLOCK, HandBatch, play_random
from felt.games.rules import GameRules
from tests.games.rules_for_tests import every_game
from tests.reference.invariants import Checked, CheckedBatch, random_action, random_stacks, seats

GAMES = {rules.name: rules for rules in every_game()}

SHARED = "stud for eight"
"""The game in which the last card may be one for all, with a test of its own."""


def str_name(rules: GameRules) -> str:
    return rules.name


each_game = pytest.mark.parametrize("rules", GAMES.values(), ids=str_name)


@each_game
def test_every_hand_keeps_its_chips_cards_and_secrets_ends_and_can_be_replayed(rules: GameRules) -> None:
    rng = random.Random(rules.name)
    for _ in range(15):
        Checked(rules, random_stacks(rules, rng, rng.choice(seats(rules))), rng).play()


def test_the_card_for_all_of_stud_stands_in_the_record_where_it_was_dealt() -> None:
    hand = Hand.new(GAMES[SHARED], [15] * 8, seed=1)  # all in on third street
    while not hand.over:
        hand.act(calling(hand))
    assert len(hand.board) == 1 and hand.events[-1].cards == hand.board
    assert replay(hand.record()).record() == hand.record()


@each_game
def test_many_tables_keep_their_chips_and_cards_and_end(rules: GameRules) -> None:
    rng = random.Random(rules.name)
    for players in seats(rules):
        CheckedBatch(rules, 100, random_stacks(rules, rng, players), seed=players).play()


@each_game
def test_a_table_of_a_batch_and_a_hand_with_its_cards_go_the_same_way(rules: GameRules) -> None:
    rng = random.Random(rules.name)
    stacks = random_stacks(rules, rng, max(seats(rules, most=5)))
    batch = HandBatch(rules, 6, stack=stacks, seed=4)  # type: ignore[arg-type]
    hands = [batch.hand(table) for table in range(len(batch))]
    while not batch.over.all():
        moves, amounts = np.zeros(len(batch), dtype=np.int64), np.zeros(len(batch), dtype=np.int64)
        for table, hand in enumerate(hands):
            assert batch.turn[table] == hand.turn
            if hand.over:
                continue
            action = random_action(hand, rng)
            held = hand.cards(hand.turn)
            moves[table] = action.move
            amounts[table] = action.amount or sum(1 << held.index(card) for card in action.cards)
            hand.act(action)
        batch.step(moves, amounts)
        for table, hand in enumerate(hands):
            assert bytes(batch.hand(table)) == bytes(hand)
    assert batch.payoffs.tolist() == [list(hand.payoffs) for hand in hands]


@each_game
def test_a_seed_and_a_number_deal_the_same_cards_to_a_hand_and_to_a_batch(rules: GameRules) -> None:
    players = max(seats(rules))
    batch = HandBatch(rules, 3, players=players, seed=9, first=5)
    for table in range(len(batch)):
        hand, other = Hand.new(rules, players=players, seed=9, number=5 + table), batch.hand(table)
        while not hand.over:
            hand.act(calling(hand))
            other.act(calling(other))
        assert [hand.cards(seat) for seat in range(players)] == [other.cards(seat) for seat in range(players)]
        assert (hand.board, hand.payoffs) == (other.board, other.payoffs)


@each_game
def test_whole_hands_at_once_are_those_that_hand_plays_move_by_move(
    rules: GameRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled loop goes through no check; the same moves through the checked door pay the same."""
    from felt.games.engine import batch_kernels

    kept: list[NDArray[np.uint8]] = []
    play_many = batch_kernels.play_many

    def keeping(numbers: NDArray[np.int32], cards: NDArray[np.uint8], *rest: object) -> int:
        moves: int = play_many(numbers, cards, *rest)
        kept.extend(cards[numbers[:, f.DECK_COUNT] == len(rules.deck)])  # else the deck was shuffled again
        return moves

    monkeypatch.setattr(batch_kernels, "play_many", keeping)
    players = max(seats(rules, most=4))
    played = play_random(rules, 6, players=players, seed=11, always_call=True, threads=1)
    assert len(kept) == len(played.payoffs), "nobody who only calls draws so many cards"
    moves = 0
    for cards, payoffs in zip(kept, played.payoffs.tolist(), strict=True):
        hand = Hand.new(rules, players=players, deck=cards[f.DECK : f.DECK + len(rules.deck)].tolist())
        while not hand.over:
            hand.act(calling(hand))
            moves += 1
        assert list(hand.payoffs) == payoffs
    assert moves == played.moves


def calling(hand: Hand) -> Action:
    """Call or check; where cards must go, the first of them."""
    exchange = hand.legal().exchange
    return Action(Move.EXCHANGE, cards=hand.cards(hand.turn)[: exchange[1]]) if exchange else Action(Move.CALL)


def test_the_same_seed_gives_the_same_hands_on_any_number_of_threads() -> None:
    rules = GAMES["plo8"]
    one, two = (play_random(rules, 2 * BLOCK + 5, players=4, seed=3, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.payoffs, two.payoffs) and one.moves == two.moves
    assert not np.array_equal(one.payoffs, play_random(rules, 2 * BLOCK + 5, players=4, seed=4).payoffs)


@pytest.mark.parametrize("name", ["nlhe", "stud8", "badugi"])
def test_the_checks_see_what_is_wrong(name: str) -> None:
    """Else all of the above would say nothing."""
    rules = GAMES[name]
    batch = CheckedBatch(rules, 3, [rules.stack] * 3, seed=1)
    every = np.arange(3)
    batch._check_cards(every)
    batch._check_chips(every)
    batch.batch._cards[1, f.CARDS] = batch.batch._cards[1, f.CARDS + 1]
    with pytest.raises(AssertionError):
        batch._check_cards(every)
    batch.batch._numbers[2, f.STACKS] += 1
    with pytest.raises(AssertionError):
        batch._check_chips(every)


@pytest.mark.parametrize("name", ["nlhe", "stud8", "badugi"])
def test_a_card_that_slips_into_a_view_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GAMES[name]
    hand = Hand.new(rules, players=3, seed=1)
    checked = Checked(rules, hand.starting_stacks, random.Random(1), held={seat: set() for seat in range(3)})
    checked.check_view(hand, 0)
    slip = hand.events[0]._replace(kind=EventKind.SHOW, seat=1, cards=hand.cards(1))
    monkeypatch.setattr(hand, "_events", [*hand.events, slip])
    with pytest.raises(AssertionError, match="seat 0 sees"):
        checked.check_view(hand, 0)
