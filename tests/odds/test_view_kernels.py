"""The parts of strength by a view, kernel by kernel: against the same done with lists."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from felt._chance_kernels import GOLDEN, random_bits, wrapping
from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import rank
from felt.games import Betting, GameRules, Hand, Phase, Round, Showdown, Structure, load
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.showdown_kernels import best_value
from felt.odds.state.state_kernels import _best_first, count_below
from felt.odds.state.view_kernels import _completed, _final_value, exchanged_strength, mix
from tests.games.rules_for_tests import pineapple

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_the_place_of_a_value_is_the_number_of_smaller_ones(size):
    dice = random.Random(size)
    for _ in range(30):
        ladder = np.array(sorted(dice.choices(range(8), k=size)), dtype=np.int64)
        for value in range(-1, 10):
            assert count_below(ladder, value) == sum(step < value for step in ladder.tolist())


@pytest.mark.parametrize("needed", [0, 1, 3, 6, 9])
def test_as_many_cards_as_are_needed_come_to_the_front_at_random(needed):
    seen = [Counter() for _ in range(6)]
    for seed in range(240):
        cards = np.arange(6, dtype=np.uint8)
        with wrapping():
            state = mix(cards, needed, np.uint64(seed * 31))
        assert int(state) == (seed * 31 + min(needed, 6) * int(GOLDEN)) % 2**64  # no more draws than places
        assert sorted(cards.tolist()) == list(range(6))
        for place, card in enumerate(cards.tolist()):
            seen[place][card] += 1
    for place in range(min(needed, 6)):
        assert len(seen[place]) == 6 and max(seen[place].values()) < 75  # 40 of each on average


def test_the_best_choices_come_first_and_of_equal_ones_the_smallest():
    dice = random.Random(4)
    for _ in range(60):
        count, wanted = dice.randint(1, 9), dice.randint(1, 5)
        pairs = [(dice.choice([0.0, 1.0, 2.5]), choice) for choice in dice.sample(range(20), count)]
        scores = np.array([score for score, _ in pairs] + [99.0])
        choices = np.array([choice for _, choice in pairs] + [-1])
        _best_first(scores, choices, count, wanted)
        best = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))[:wanted]
        assert list(zip(scores.tolist(), choices.tolist(), strict=True))[: len(best)] == best
        assert (scores[count], choices[count]) == (99.0, -1)


def part_beaten(ladder: list[int], value: int) -> float:
    """Of the final hands on a ladder, ties half."""
    return sum(1.0 if step < value else 0.5 if step == value else 0.0 for step in ladder) / len(ladder)


@pytest.mark.parametrize("gone", [0, 0b1, 0b10010])
@pytest.mark.parametrize("name", ["five-card-draw", "pineapple"])
def test_a_hand_is_completed_at_random_with_what_it_draws_and_what_is_to_come(name, gone):
    """Five-card draw replaces the cards that go; pineapple throws one away, with cards of the board to come."""
    rules = pineapple() if name == "pineapple" else load(name)
    hand = Hand.new(rules, 100, 2, players=2)
    while hand.legal().exchange is None:
        hand.call()
    gone &= (1 << len(hand.cards(hand.turn))) - 1
    kept = [card for place, card in enumerate(hand.cards(hand.turn)) if not gone >> place & 1]
    new = 0 if hand.phase == Phase.DISCARD else gone.bit_count()
    to_come = sum(part.board for part in rules.rounds[hand.street + 1 :])
    unseen = [card for card in reversed(rules.deck.cards) if card not in hand.cards(1 - hand.turn)]
    free = [card for card in unseen if card not in (*hand.cards(hand.turn), *hand.board)]
    ladder = sorted(rank(random.Random(seed).sample(free, 5)) for seed in range(40))
    ladder[::4] = ladder[1::4]  # some are equal
    state, total, finishes = 11, 0.0, 6 if new + to_come else 1
    for _ in range(finishes):
        for i in range(new + to_come):
            state = (state + int(GOLDEN)) % 2**64
            with wrapping():
                j = i + (int(random_bits(np.uint64(state))) % 2**32) * (len(free) - i) // 2**32
            free[i], free[j] = free[j], free[i]
        final = (*kept, *hand.board, *free[: new + to_come])
        total += part_beaten(ladder, max(map(rank, combinations(final, 5))))
    compiled, ladders = compile_rules(rules), np.array([ladder, ladder])
    with wrapping():
        arguments = (np.array(unseen, dtype=np.uint8), 6, compiled.tables, compiled.extra, ladders, np.uint64(11))
        beaten = _completed(*hand.arrays, compiled.game, hand.turn, gone, *arguments)
    assert beaten == pytest.approx(total / finishes)


def test_each_exchange_is_thought_of_anew_by_the_cards_held_then():
    """One card, two draws to come: a king that came with the first draw is kept, a deuce is thrown again."""
    betting = Betting(Structure.NO_LIMIT, 2)
    rounds = (Round("a", down=1, betting=betting), *(Round(name, draw_most=1, betting=betting) for name in "bc"))
    rules = GameRules("one card", rounds, deck=load("kuhn", cards=13).deck, ante=1, showdown=Showdown(size=1))
    low, *others = rules.deck.cards
    compiled, deck = compile_rules(rules), np.array(rules.deck.cards, dtype=np.uint8)
    ladder = np.array(sorted(rank([card]) for card in rules.deck.cards))
    hand = Hand.new(rules, 100, deck=rules.deck.cards, players=2)
    assert hand.cards(0) == (low,)
    beaten = []
    for exchanges in (0, 1, 2):
        unseen = np.array(others, dtype=np.uint8)
        with wrapping():
            arguments = (0, exchanges, 150, 4, compiled.shown, compiled.tables, compiled.extra)
            seen = (*hand.arrays, compiled.game, unseen.copy(), unseen)
            beaten.append(exchanged_strength(*seen, *arguments, np.stack([ladder, ladder]), deck, np.uint64(5)))
    assert beaten[0] == pytest.approx(0.5 / 13)  # the deuce ties with itself
    assert beaten[1] == pytest.approx(np.mean([(place + 0.5) / 13 for place in range(1, 13)]), abs=0.04)
    better = [max((place + 0.5) / 13, beaten[1]) for place in range(1, 13)]
    assert beaten[2] == pytest.approx(np.mean(better), abs=0.04)


def test_eight_cards_with_wild_ones_have_the_value_that_the_engine_gives_them():
    """Only plain kinds have a quicker way; this has deuces wild."""
    rules = replace(pineapple(), showdown=Showdown(wild=parse_cards("2c2d2h2s")))
    compiled, dice, room = compile_rules(rules), random.Random(3), np.empty(16, dtype=np.uint8)
    method, tables = compiled.game[f.METHOD, 0], compiled.tables[0]
    for number in range(12):
        cards = [*dice.sample(range(4, 52), 7), number % 4]
        dealt = np.array(cards, dtype=np.uint8)
        value = _final_value(dealt, 3, compiled.game, 0, compiled.tables, compiled.extra, room)
        assert value == best_value(dealt, 3, 5, 0, method, tables, compiled.extra, room)
