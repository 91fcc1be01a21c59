"""How cards move, kernel by kernel: against the same done with lists."""

import random

import numpy as np
import pytest

from felt.games import Betting, GameRules, Hand, Phase, Round, Showdown, Structure, load
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.dealing_kernels import _draw_card, deal, exchange, find_exchanger, throw_all

pytestmark = pytest.mark.no_jit

NO_LIMIT = Betting(Structure.NO_LIMIT, 2)


def record(players: int, **counts: int) -> tuple[np.ndarray, np.ndarray]:
    """An empty record with all players in the hand."""
    numbers, cards = np.zeros(f.NUMBERS, dtype=np.int32), np.zeros(f.BYTES, dtype=np.uint8)
    numbers[f.PLAYERS], numbers[f.LIVE], numbers[f.PHASE] = players, (1 << players) - 1, int(Phase.PASS)
    for name, count in counts.items():
        numbers[getattr(f, name.upper())] = count
    return numbers, cards


def hold(cards: np.ndarray, seat: int, held: list[int], up: int = 0) -> None:
    begin = f.CARDS + seat * f.CARDS_EACH
    cards[begin : begin + len(held)] = held
    cards[f.COUNT + seat], cards[f.UP + seat] = len(held), up


def held_by(cards: np.ndarray, seat: int) -> list[int]:
    begin = f.CARDS + seat * f.CARDS_EACH
    return cards[begin : begin + cards[f.COUNT + seat]].tolist()


def shuffled(muck: list[int]) -> list[int]:
    """The order in which a muck comes back: a shuffle by a generator of 32 bits that the cards are the seed of."""
    state, order = 0, list(muck)
    for card in muck:
        state = (1664525 * state + 1013904223 + card) % 2**32
    for i in range(len(order) - 1, 0, -1):
        state = (1664525 * state + 1013904223) % 2**32
        j = state * (i + 1) // 2**32
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize("keep", [0, 1, 3])
def test_a_used_up_deck_is_made_of_the_muck_but_for_what_was_just_thrown_away(keep):
    dice = random.Random(keep)
    for size in (keep + 1, keep + 2, 9, 20, 40):
        muck = dice.sample(range(52), size)
        numbers, cards = record(3, deck_at=4, deck_count=4, muck_count=size)
        cards[f.MUCK : f.MUCK + size] = muck
        order = shuffled(muck[: size - keep])
        assert _draw_card(numbers, cards, keep) == order[0]
        assert cards[f.DECK : f.DECK + size - keep].tolist() == order
        assert (numbers[f.DECK_AT], numbers[f.DECK_COUNT]) == (1, size - keep)
        assert cards[f.MUCK : f.MUCK + numbers[f.MUCK_COUNT]].tolist() == muck[size - keep :]


def test_what_was_just_thrown_away_comes_back_only_if_there_is_nothing_else():
    numbers, cards = record(3, deck_at=5, deck_count=5, muck_count=3)
    cards[f.MUCK : f.MUCK + 3] = [7, 8, 9]
    assert _draw_card(numbers, cards, 3) == shuffled([7, 8, 9])[0]
    assert (numbers[f.DECK_COUNT], numbers[f.MUCK_COUNT]) == (3, 0)


def test_a_deck_with_cards_left_is_not_shuffled():
    numbers, cards = record(3, deck_at=4, deck_count=5, muck_count=3)
    cards[f.DECK : f.DECK + 5] = [20, 21, 22, 23, 24]
    assert _draw_card(numbers, cards, 0) == 24
    assert (numbers[f.DECK_AT], numbers[f.DECK_COUNT], numbers[f.MUCK_COUNT]) == (5, 5, 3)


def test_cards_are_dealt_from_the_left_of_the_button_to_those_in_the_hand():
    rules = GameRules(
        "mixed", (Round("a", down=1, up=2, board=2, betting=NO_LIMIT),), ante=1, showdown=Showdown(size=2)
    )
    numbers, cards = record(4, button=1, deck_at=2, deck_count=40)
    numbers[f.LIVE] = 0b1101
    cards[f.DECK : f.DECK + 40] = range(40)
    deal(numbers, cards, compile_rules(rules).game, 0)
    assert [held_by(cards, seat) for seat in range(4)] == [[8, 9, 10], [], [2, 3, 4], [5, 6, 7]]
    assert cards[f.UP : f.UP + 4].tolist() == [0b110, 0, 0b110, 0b110]
    assert cards[f.BOARD : f.BOARD + 2].tolist() == [11, 12]
    assert (numbers[f.BOARD_COUNT], numbers[f.DECK_AT]) == (2, 13)


def test_a_folded_hand_lies_on_the_muck_and_is_remembered():
    numbers, cards = record(3, muck_count=1)
    cards[f.MUCK] = 50
    hold(cards, 1, [1, 2, 3])
    hold(cards, 2, [5, 6, 7, 8])
    throw_all(numbers, cards, 2)
    assert cards[f.MUCK : f.MUCK + numbers[f.MUCK_COUNT]].tolist() == [50, 5, 6, 7, 8]
    assert (held_by(cards, 1), held_by(cards, 2)) == ([1, 2, 3], [5, 6, 7, 8])


@pytest.mark.parametrize("phase", [Phase.DISCARD, Phase.DRAW])
def test_thrown_cards_go_to_the_muck_and_the_rest_keep_their_order_and_face(phase):
    numbers, cards = record(3, turn=1, phase=int(phase), deck_at=3, deck_count=20, muck_count=2)
    cards[f.DECK : f.DECK + 20] = range(20, 40)
    cards[f.MUCK : f.MUCK + 2] = [50, 51]
    hold(cards, 1, [5, 6, 7, 8, 9], up=0b10110)
    exchange(numbers, cards, np.zeros((f.GAME_ROWS, f.GAME_COLUMNS), dtype=np.int64), 0b01010)
    drawn = [23, 24] if phase == Phase.DRAW else []
    assert held_by(cards, 1) == [5, 7, 9, *drawn]
    assert cards[f.UP + 1] == 0b110
    assert cards[f.MUCK : f.MUCK + numbers[f.MUCK_COUNT]].tolist() == [50, 51, 6, 8]
    assert numbers[f.DECK_AT] == 3 + len(drawn)
    assert numbers[f.EXCHANGED] == 0b010


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("live", [0b1111, 0b1011, 0b0110])
def test_all_pass_at_once_to_the_next_player_in_the_hand(left, live):
    """Four players pass their first card; the next who exchanges is asked until all have."""
    rounds = (Round("a", down=2, passes=1, pass_left=left, discards=1, betting=NO_LIMIT),)
    game = compile_rules(GameRules("pass", rounds, ante=1, showdown=Showdown(size=1))).game
    numbers, cards = record(4, button=2, turn=2)
    numbers[f.LIVE] = live
    seats = [seat for seat in range(4) if live >> seat & 1]
    for seat in seats:
        hold(cards, seat, [10 * seat, 10 * seat + 1], up=0b10)
    asked = []
    while numbers[f.PHASE] == int(Phase.PASS) and find_exchanger(numbers, cards, game):
        if numbers[f.PHASE] == int(Phase.PASS):
            asked.append(int(numbers[f.TURN]))
            exchange(numbers, cards, game, 0b01)
    assert asked == [seat for seat in (3, 0, 1, 2) if seat in seats]
    for place, seat in enumerate(seats):
        giver = seats[(place - 1 if left else place + 1) % len(seats)]
        assert held_by(cards, seat) == [10 * seat + 1, 10 * giver]
        assert cards[f.UP + seat] == 0b01
    assert numbers[f.PHASE] == int(Phase.DISCARD)
    assert numbers[f.TURN] == asked[0]
    assert numbers[f.EXCHANGED] == 0


def test_nobody_exchanges_in_a_round_without_exchanges():
    numbers, cards = record(3, button=1, turn=0)
    assert not find_exchanger(numbers, cards, compile_rules(load("nlhe")).game)
    assert (numbers[f.PHASE], numbers[f.TURN]) == (int(Phase.BET), 1)


def test_a_player_who_draws_is_not_asked_again_and_folded_ones_never():
    rules = load("five-card-draw")
    hand = Hand.new(rules, rules.stack, 1, players=4)
    hand.fold()
    while hand.legal().exchange is None:
        hand.call()
    seats = []
    while hand.legal().exchange is not None:
        seats.append(hand.turn)
        hand.exchange(hand.cards(hand.turn)[:1])
    assert sorted(seats) == [seat for seat in range(4) if not hand.folded[seat]]
    assert len(seats) == 3
