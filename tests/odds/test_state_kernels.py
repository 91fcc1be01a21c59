"""Choosing what to exchange and playing hands out, kernel by kernel: against the same done with lists."""

import random

import numpy as np
import pytest

from felt._chance_kernels import GOLDEN, random_bits, wrapping
from felt.cards.card import format_cards
from felt.cards.ranking.evaluator import rank
from felt.games import Hand, Phase, load
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.odds.state.state_kernels import KEPT, TRIES, choose_exchange, play_out, share_of, unknown_to
from tests.games.rules_for_tests import pineapple, stacked

pytestmark = pytest.mark.no_jit

DRAW = load("five-card-draw")
LADDER = np.sort([rank(random.Random(seed).sample(range(52), 5)) for seed in range(200)])


def before_exchange(rules, cards: str, players: int = 2) -> Hand:
    """A hand with these cards dealt first, at its first exchange."""
    hand = Hand.new(rules, 100, deck=stacked(rules, cards), players=players)
    while hand.legal().exchange is None:
        hand.call()
    return hand


def chosen_by_kernel(hand: Hand, seed: int, least: int, most: int) -> int:
    compiled = compile_rules(hand.rules)
    deck, ladders = np.array(hand.rules.deck.cards, dtype=np.uint8), np.stack([LADDER, LADDER])
    with wrapping():
        arguments = (compiled.tables, compiled.extra, ladders, deck, np.uint64(seed))
        return int(choose_exchange(*hand.arrays, compiled.game, least, most, *arguments))


def chosen_slowly(hand: Hand, seed: int, least: int, most: int, board_later: int) -> int:
    """The same with lists: every choice is tried with the same few ways for the unknown cards to fall."""
    held, board = hand.cards(hand.turn), hand.board
    pool = [card for card in hand.rules.deck.cards if card not in held and card not in board]
    scores = {c: 0.0 for c in range(1 << len(held)) if least <= c.bit_count() <= most}
    state, done = seed, 0
    for tries, keep in zip(TRIES, KEPT, strict=True):
        while done < tries and len(scores) > 1:
            done += 1
            for i in range(len(held) + board_later):
                state = (state + int(GOLDEN)) % 2**64
                with wrapping():
                    bits = int(random_bits(np.uint64(state)))
                j = i + (bits % 2**32) * (len(pool) - i) // 2**32
                pool[i], pool[j] = pool[j], pool[i]
            for choice in scores:
                kept = [card for place, card in enumerate(held) if not choice >> place & 1]
                new = 0 if hand.phase == Phase.DISCARD else choice.bit_count()
                final = [*kept, *board, *pool[: new + board_later]]
                scores[choice] += int(np.searchsorted(LADDER, rank(final)))
        best = sorted(scores, key=lambda choice: (-scores[choice], choice))[:keep]
        scores = {choice: scores[choice] for choice in best}
    return next(iter(scores))


@pytest.mark.parametrize(("least", "most"), [(0, 5), (1, 3), (2, 2)])
def test_cards_to_draw_are_chosen_as_trying_them_with_lists_does(least, most):
    dice = random.Random(least)
    for seed in range(6):
        cards = dice.sample(DRAW.deck.cards, 10)
        hand = before_exchange(DRAW, format_cards(cards))
        assert chosen_by_kernel(hand, seed, least, most) == chosen_slowly(hand, seed, least, most, 0)


def test_cards_to_discard_are_chosen_as_trying_them_with_lists_does():
    rules, dice = pineapple(), random.Random(1)
    for seed in range(10):
        hand = before_exchange(rules, format_cards(dice.sample(rules.deck.cards, 10)))
        assert hand.phase == Phase.DISCARD
        assert chosen_by_kernel(hand, seed, 1, 1) == chosen_slowly(hand, seed, 1, 1, 5 - len(hand.board))


def test_unknown_cards_are_those_that_a_player_neither_holds_nor_sees():
    hand = before_exchange(pineapple(), "2c3c4c 5d6d7d 8h9hTh JsQs", 2)
    deck, pool = np.array(hand.rules.deck.cards, dtype=np.uint8), np.zeros(52, dtype=np.uint8)
    for seat in range(2):
        left = unknown_to(*hand.arrays, seat, deck, pool)
        assert pool[:left].tolist() == [c for c in hand.rules.deck.cards if c not in {*hand.cards(seat), *hand.board}]


@pytest.mark.parametrize("players", [2, 3])
def test_a_hand_is_played_out_with_other_cards_and_one_draw_of_chance_for_each_exchange(players):
    hand = Hand.new(DRAW, 100, 1, players=players)
    compiled, (h0, k0) = compile_rules(DRAW), hand.arrays
    deck = np.array(DRAW.deck.cards, dtype=np.uint8)
    order = np.random.default_rng(1).permutation(deck)
    h, k = np.empty_like(h0), np.empty_like(k0)
    with wrapping():
        arguments = (compiled.shown, compiled.tables, compiled.extra, np.stack([LADDER, LADDER]), deck, np.uint64(7))
        state = play_out(h0, k0, h, k, compiled.game, deck, order, *arguments)
    assert int(state) == (7 + players * int(GOLDEN)) % 2**64
    assert h[f.PHASE] == int(Phase.SHOWDOWN)
    twin = Hand.new(DRAW, 100, players=players, deck=[order[DRAW.deck.cards.index(card)] for card in hand_deck(hand)])
    assert sorted(k[f.DECK : f.DECK + 52].tolist()) == sorted(DRAW.deck.cards)
    before = {card for seat in range(players) for card in twin.cards(seat)}
    muck = set(k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]].tolist())
    after = {card for seat in range(players) for card in held_by(k, seat)}
    assert muck <= before and before - muck <= after


def hand_deck(hand: Hand) -> list[int]:
    numbers, cards = hand.arrays
    return cards[f.DECK : f.DECK + numbers[f.DECK_COUNT]].tolist()


def held_by(cards: np.ndarray, seat: int) -> list[int]:
    begin = f.CARDS + seat * f.CARDS_EACH
    return cards[begin : begin + cards[f.COUNT + seat]].tolist()


def test_a_share_is_of_the_pot_that_those_players_paid_for():
    rules = load("nlhe")
    hand = Hand.new(rules, 50, deck=stacked(rules, "AcAd AhKs KcKd", "2s5d9hJsQd"), players=3)
    while not hand.over:
        hand.call()
    compiled, (h, k) = compile_rules(rules), hand.arrays
    values, scratch = np.empty((3, 10), dtype=np.int64), np.empty((2, 16), dtype=np.uint8)
    shares = [
        [
            share_of(h.copy(), k, compiled.game, players, seat, compiled.tables, compiled.extra, values, scratch)
            for seat in range(3)
        ]
        for players in (0b111, 0b110, 0b010)
    ]
    assert shares == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
