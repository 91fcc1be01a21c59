"""Dealing at random, compiled: the same deals one by one, with lists and the rule book's ranking."""

import numpy as np
import pytest

from felt._chance_kernels import GOLDEN, random_bits, wrapping
from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import tables
from felt.cards.ranking.hashing import CARD_MASKS
from felt.odds.equity.sample_kernels import SHARE_UNIT, simulate
from tests.reference import ranking

pytestmark = pytest.mark.no_jit


class Stream:
    """Random numbers as the kernel takes them: 64 bits at a time, the lower half first."""

    def __init__(self, seed: int) -> None:
        self.state, self.bits = seed, 0

    def draw(self) -> int:
        self.state = (self.state + int(GOLDEN)) % 2**64
        with wrapping():
            self.bits = int(random_bits(np.uint64(self.state)))
        return self.bits

    def below(self, n: int) -> int:
        return (self.bits % 2**32) * n // 2**32


def deal_slowly(seed, samples, deck, board, missing, ranges, strangers, tries):
    """What `simulate` counts; each range is a list of (cards, chance to keep it, the hand taken instead)."""
    stream, deck = Stream(seed), list(deck)
    counts, done = [[0, 0, 0, 0] for _ in range(len(ranges) + strangers)], 0
    while done < samples and tries:
        tries -= 1
        hands, clash = [], False
        for hand_range in ranges:
            number = 0
            if len(hand_range) > 1:
                stream.draw()
                number = stream.below(len(hand_range))
                if stream.bits // 2**32 >= hand_range[number][1] * 2**32:
                    number = hand_range[number][2]
            if any(set(hand_range[number][0]) & set(hand) for hand in hands):
                clash = True
                break
            hands.append(hand_range[number][0])
        if clash:
            continue
        taken, drawn, at = {card for hand in hands for card in hand}, [], 0
        while len(drawn) < missing + 2 * strangers:
            if at % 2 == 0:
                stream.draw()
            else:
                stream.bits >>= 32
            other = at + stream.below(len(deck) - at)
            deck[at], deck[other] = deck[other], deck[at]
            if deck[at] not in taken:
                drawn.append(deck[at])
            at += 1
        hands += [drawn[missing + 2 * i : missing + 2 * i + 2] for i in range(strangers)]
        values = [ranking.high([*hand, *board, *drawn[:missing]]) for hand in hands]
        winners = [player for player, value in enumerate(values) if value == max(values)]
        for player in winners:
            share = SHARE_UNIT // len(winners)
            for column, more in enumerate((len(winners) == 1, len(winners) > 1, share, share**2)):
                counts[player][column] += more
        done += 1
    return counts, done


FIXED = [("AsKd", 1.0, 0)]
PAIRS = [("QsQd", 1.0, 0), ("QhQc", 0.25, 2), ("JsJd", 0.75, 0), ("AsAh", 0.5, 1)]
CLASHING = [("AsAd", 1.0, 0), ("AhAc", 0.5, 0)]


@pytest.mark.parametrize(
    ("board", "ranges", "strangers", "samples", "tries"),
    [
        pytest.param("2c7d9h", [FIXED, PAIRS], 0, 40, 1000, id="a hand and a range"),
        pytest.param("2c7d9hTc", [PAIRS, CLASHING, PAIRS], 0, 30, 1000, id="ranges that clash"),
        pytest.param("QcQsJh", [FIXED], 2, 25, 1000, id="a hand and two strangers"),
        pytest.param("", [PAIRS], 1, 12, 1000, id="the whole board to come"),
        pytest.param("AcKcQcJcTc", [PAIRS, CLASHING], 1, 12, 1000, id="everybody shares"),
        pytest.param("2c7d9h", [FIXED, CLASHING, CLASHING], 0, 40, 25, id="too few tries"),
    ],
)
def test_deals_are_those_of_the_stream_and_counted_as_the_rule_book_says(board, ranges, strangers, samples, tries):
    known = parse_cards(board)
    parsed = [[(parse_cards(cards), keep, other) for cards, keep, other in hand_range] for hand_range in ranges]
    fixed = {card for hand_range in parsed if len(hand_range) == 1 for card in hand_range[0][0]}
    deck = [card for card in range(52) if card not in fixed and card not in known]
    flat = [entry for hand_range in parsed for entry in hand_range]
    starts = np.cumsum([0, *map(len, parsed)])
    first = [start for start, hand_range in zip(starts.tolist(), parsed, strict=False) for _ in hand_range]
    out = np.zeros((len(parsed) + strangers, 4), dtype=np.int64)
    with wrapping():
        done = simulate(
            np.uint64(5), samples, np.array(deck, dtype=np.int64), mask(known), 5 - len(known),
            np.array([mask(cards) for cards, _, _ in flat]), starts, np.array([keep for _, keep, _ in flat]),
            np.array([other + start for (_, _, other), start in zip(flat, first, strict=True)]),
            strangers, tables("high"), tries, out,
        )  # fmt: skip
    expected, expected_done = deal_slowly(5, samples, deck, known, 5 - len(known), parsed, strangers, tries)
    assert done == expected_done
    assert out.tolist() == expected


def mask(cards: tuple[int, ...]) -> np.uint64:
    return np.uint64(sum(int(CARD_MASKS[card]) for card in cards))
