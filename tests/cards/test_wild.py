"""Wild cards: counting gives what trying every card gives."""

import random

import numpy as np
import pytest

from felt.cards.card import format_cards, parse_cards
from felt.cards.ranking.evaluator import rank, rank_batch
from felt.cards.ranking.wild import FIVE_ACES, ROYAL_FLUSH, describe_wild, rank_wild, rank_wild_batch, wild_bits
from felt.errors import CardError
from tests.reference.ranking import Strength
from tests.reference.wild import FIVE_OF_A_KIND, bug_high, wild_high

pytestmark = pytest.mark.no_jit

THREES_AND_NINES = "3c3d3h3s9c9d9h9s"


def strengths(hands: list[tuple[int, ...]], wild: tuple[int, ...], bug: bool) -> list[Strength]:
    return [bug_high(hand, wild) if bug else wild_high(hand, wild) for hand in hands]


def in_the_same_order(hands: list[tuple[int, ...]], wild: tuple[int, ...], *, bug: bool = False) -> bool:
    """Whether values compare as the slow strengths do: equal ones equal, better ones better."""
    values = [rank_wild(hand, wild, bug=bug) for hand in hands]
    pairs = sorted(set(zip(strengths(hands, wild, bug), values, strict=True)))
    return [value for _, value in pairs] == sorted({value for _, value in pairs}) and len(
        {strength for strength, _ in pairs}
    ) == len(pairs)


@pytest.mark.parametrize(("size", "wilds", "hands"), [(5, 1, 60), (5, 2, 40), (6, 1, 30), (7, 1, 15), (6, 2, 3)])
def test_values_order_hands_as_trying_every_card_does(size: int, wilds: int, hands: int) -> None:
    chance = random.Random(size * 10 + wilds)
    wild = tuple(range(4, 8))  # threes
    natural = [card for card in range(52) if card not in wild]
    dealt = [(*chance.sample(natural, size - wilds), *chance.sample(wild, wilds)) for _ in range(hands)]
    assert in_the_same_order(dealt, wild)


def test_values_order_suited_and_connected_hands_as_trying_every_card_does() -> None:
    chance = random.Random(1)
    pool = parse_cards("2s4s5s6s7sAsKsAhKh5h4h6dAd")
    dealt = [(*chance.sample(pool, 5), 52) for _ in range(40)]
    assert in_the_same_order(dealt, (52,))


def test_three_wild_cards() -> None:
    dealt = [parse_cards(text) for text in ("AsKs3c3d3h", "AsKd3c3d3h", "7s7d3c3d3h")]
    assert in_the_same_order(dealt, parse_cards("3c3d3h"))


def test_without_wild_cards_the_values_are_those_of_high_hands() -> None:
    hands = np.array([random.Random(i).sample(range(52), 7) for i in range(2000)], dtype=np.uint8)
    assert (rank_wild_batch(hands) == rank_batch(hands)).all()


def test_more_than_seven_cards_are_their_best_seven() -> None:
    for i in range(50):
        cards = random.Random(i).sample(range(52), 9)
        best = max(rank([c for c in cards if c not in (a, b)]) for a in cards for b in cards if a < b)
        assert rank_wild(cards) == best, format_cards(cards)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AsAdAhAcJk", "five of a kind, aces"),
        ("2s2d2h3c9d", "five of a kind, twos"),
        ("3s3d3h9c9d", "five of a kind, aces"),
        ("2s3d3h9c9d", "five of a kind, twos"),
        ("AsKsQsJs3d", "royal flush"),
        ("As2s4s5s3d", "straight flush, five high"),
        ("KsQsJsTs3d", "royal flush"),
        ("7s7d7hKc3d", "four of a kind, sevens, king kicker"),
        ("7s7dKhKc3d", "full house, kings full of sevens"),
        ("AsKsTs4s3d", "flush, ace-king-queen-ten-four"),
        ("KsJs8s4s3d", "flush, ace-king-jack-eight-four"),
        ("AsKdQsJs3d", "straight, ace high"),
        ("As2d4s5s3d", "straight, five high"),
        ("7s7dKhQc3d", "three of a kind, sevens, king-queen kickers"),
        ("As7dKhQc3d", "pair of aces, king-queen-seven kickers"),
        ("As7dKhQc3dTs2h", "straight, ace high"),
        ("JkJK4d8hQs", "three of a kind, queens, eight-four kickers"),
    ],
)
def test_hands_in_words(cards: str, words: str) -> None:
    assert describe_wild(rank_wild(cards, THREES_AND_NINES)) == words


def test_five_of_a_kind_beats_the_royal_flush() -> None:
    values = [rank_wild([4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3, 52]) for r in range(13)]
    assert values == list(range(ROYAL_FLUSH + 1, FIVE_ACES + 1))
    assert wild_high(parse_cards("AsAdAhAcJk"), (52,)) == (FIVE_OF_A_KIND, 12)


def test_bits() -> None:
    assert int(wild_bits("2c As")) == 1 | 1 << 51
    assert int(wild_bits("")) == 0


@pytest.mark.parametrize(
    ("cards", "message"),
    [("AsKsQsJs", r"5 to 16 cards"), ("AsKsQsJsJs", "Js stands twice"), ("AsKsQsJsX", "cannot read a card")],
)
def test_what_is_no_hand_is_refused(cards: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        rank_wild(cards)


@pytest.mark.parametrize("wrong", [-1, 54, 255])
def test_numbers_that_are_no_cards_are_refused(wrong: int) -> None:
    with pytest.raises(CardError, match=rf"^{wrong} is not a card number: cards are 0 \(2c\) to 53 \(JK\)"):
        rank_wild_batch(np.array([[0, 1, 2, 3, wrong]], dtype=np.int16))


# Jokers that are bugs


@pytest.mark.parametrize(("size", "bugs", "hands"), [(5, 1, 80), (5, 2, 25), (6, 1, 25), (7, 1, 8), (7, 0, 30)])
def test_bugs_order_hands_as_trying_every_card_does(size: int, bugs: int, hands: int) -> None:
    chance = random.Random(size * 10 + bugs)
    dealt = [(*chance.sample(range(52), size - bugs), *(52, 53)[:bugs]) for _ in range(hands)]
    assert in_the_same_order(dealt, (), bug=True)


def test_bugs_order_suited_connected_and_paired_hands_as_trying_every_card_does() -> None:
    chance = random.Random(3)
    for pool in (parse_cards("2s4s5s6s7sAsKsAhKh5h4h6dAd"), parse_cards("AsAhAdAcKsKhKdKcQs2s3s4s")):
        dealt = [(*chance.sample(pool, 5), 52) for _ in range(30)] + [(*chance.sample(pool, 4), 53) for _ in range(30)]
        assert in_the_same_order(dealt, (), bug=True)


def test_bugs_beside_cards_that_are_wild_in_full() -> None:
    wild = parse_cards("2c2d2h2s")
    texts = ("AsKd2c9hJk", "AsAd2c9hJk", "KsKd2c9hJk", "9s8s2c6sJk", "KsKd2c2dJk", "AsAd2c2dJk", "3h4d2c9sJk")
    assert in_the_same_order([parse_cards(text) for text in texts], wild, bug=True)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AsAdAhAcJk", "five of a kind, aces"),
        ("KsKdKhKcJk", "four of a kind, kings, ace kicker"),
        ("KsKdKhQcJk", "three of a kind, kings, ace-queen kickers"),
        ("KsKdQhQcJk", "two pair, kings and queens, ace kicker"),
        ("AsAdQhQcJk", "full house, aces full of queens"),
        ("9s8d6h5cJk", "straight, nine high"),
        ("As2d3h4cJk", "straight, five high"),
        ("Ks9s6s5sJk", "flush, ace-king-nine-six-five"),
        ("As9s6s5sJk", "flush, ace-king-nine-six-five"),
        ("KsQsJsTsJk", "royal flush"),
        ("9s7d5h2cJk", "high card, ace"),
        ("Ts9d7h2cJkJK", "straight, jack high"),
        ("9s9d9h2cJkJK", "full house, nines full of aces"),
        ("AsAd9h2cJkJK", "four of a kind, aces, nine kicker"),
    ],
)
def test_hands_with_bugs_in_words(cards: str, words: str) -> None:
    assert describe_wild(rank_wild(cards, bug=True)).startswith(words)


def test_without_jokers_there_is_no_bug() -> None:
    hands = np.array([random.Random(i).sample(range(52), 7) for i in range(500)], dtype=np.uint8)
    assert (rank_wild_batch(hands, bug=True) == rank_batch(hands)).all()
