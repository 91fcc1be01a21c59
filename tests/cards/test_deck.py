"""Decks: what is in them, and shuffles that anyone can repeat."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.cards.card import format_cards, parse_cards
from felt.cards.deck import (
    Deck,
    kuhn_deck,
    leduc_deck,
    make_deck,
    parse_deck,
    random_stream,
    short_deck,
    standard_deck,
)
from felt.errors import CardError

EVERY_NAMED_DECK = [
    *(standard_deck(jokers=n) for n in range(3)),
    *(short_deck(jokers=n) for n in range(3)),
    *(kuhn_deck(n) for n in range(3, 14)),
    *(leduc_deck(r, s) for r in (1, 3, 6, 12, 13) for s in (1, 2, 3, 4)),
]


@pytest.mark.parametrize(
    ("deck", "size"),
    [
        (standard_deck(), 52),
        (standard_deck(jokers=1), 53),
        (standard_deck(jokers=2), 54),
        (short_deck(), 36),
        (kuhn_deck(), 3),
        (kuhn_deck(13), 13),
        (leduc_deck(), 6),
        (leduc_deck(13, 4), 52),
    ],
)
def test_sizes(deck: Deck, size: int) -> None:
    assert len(deck) == len(set(deck)) == size


def test_the_standard_deck_is_in_order() -> None:
    assert standard_deck().cards == tuple(range(52))
    assert standard_deck(jokers=2).cards == tuple(range(54))


def test_the_short_deck_starts_at_six() -> None:
    assert {card // 4 for card in short_deck()} == set(range(4, 13))
    assert parse_cards("5s")[0] not in short_deck()
    assert parse_cards("6c")[0] in short_deck()


def test_toy_games_have_their_classic_cards() -> None:
    assert format_cards(kuhn_deck()) == "JsQsKs"
    assert format_cards(leduc_deck()) == "JhJsQhQsKhKs"


@pytest.mark.parametrize("size", range(3, 14))
def test_kuhn_decks_run_up_to_the_king(size: int) -> None:
    ranks = [card // 4 for card in kuhn_deck(size)]
    assert ranks == list(range(ranks[0], ranks[0] + size))
    assert ranks[-1] == (12 if size == 13 else 11)
    assert {card % 4 for card in kuhn_deck(size)} == {3}


@pytest.mark.parametrize("deck", EVERY_NAMED_DECK, ids=lambda deck: deck.name)
def test_a_deck_is_known_by_its_name(deck: Deck) -> None:
    assert parse_deck(deck.name) == deck


def test_other_spellings_of_names() -> None:
    assert parse_deck("52") == parse_deck(" Standard ") == standard_deck()
    assert parse_deck("36") == short_deck()
    assert parse_deck("kuhn-3") == kuhn_deck()
    assert parse_deck("leduc-3x2") == leduc_deck()
    assert parse_deck("52+1") == standard_deck(jokers=1)


def test_any_cards_make_a_deck() -> None:
    assert parse_deck("As Kd 10h").cards == parse_cards("AsKdTh")
    assert len(make_deck("reds", suits=(1, 2))) == 26


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("kuhn-2", "2 cards"),
        ("kuhn-14", "14 cards"),
        ("leduc-0x2", "0 ranks"),
        ("leduc-3x5", "5 suits"),
        ("standard+3", "3 jokers"),
        ("tarot", "'tarot'"),
        ("AsAs", "stands twice"),
        ("", "no cards"),
        ("kuhn-99999999999999999999", "not a deck"),
    ],
)
def test_bad_decks(text: str, part: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_deck(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_deck_holds_each_card_once() -> None:
    with pytest.raises(CardError, match="stands twice"):
        Deck("odd", (1, 2, 1))
    with pytest.raises(CardError, match="not a card number"):
        Deck("odd", (1, 60))


def test_cards_are_read_within_the_deck() -> None:
    assert short_deck().parse("AsKd") == (51, 45)
    with pytest.raises(CardError, match="2c is not in the short deck"):
        short_deck().parse("As2c")
    with pytest.raises(CardError, match="Jk is not in the standard deck"):
        standard_deck().without("Jk")


@given(st.sets(st.integers(0, 51)))
def test_what_is_left(gone: set[int]) -> None:
    assert standard_deck().without(sorted(gone)) == tuple(card for card in range(52) if card not in gone)


@given(st.sampled_from(EVERY_NAMED_DECK), st.integers(0, 2**128), st.text(max_size=5), st.integers(0, 10**9))
def test_a_shuffle_is_the_same_cards_and_repeats(deck: Deck, seed: int, stream: str, number: int) -> None:
    shuffled = deck.shuffled(seed, stream=stream, number=number)
    assert sorted(shuffled) == sorted(deck.cards)
    assert deck.shuffled(seed, stream=stream, number=number) == shuffled


def test_seed_stream_and_number_each_matter() -> None:
    deck = standard_deck()
    shuffles = {deck.shuffled(1), deck.shuffled(2), deck.shuffled(1, stream="b"), deck.shuffled(1, number=1)}
    assert len(shuffles) == 4


def test_shuffles_never_change() -> None:
    """Recorded matches name their deals by seed: these must stay as they are for good."""
    assert format_cards(standard_deck().shuffled(1)[:10]) == "8c9dJsQd8sQh6dKhJc7h"
    assert format_cards(leduc_deck().shuffled(2024, stream="arena", number=5)) == "JhQsKhKsJsQh"


def test_every_order_is_equally_likely() -> None:
    counts = Counter(kuhn_deck(4).shuffled(3, number=number) for number in range(24 * 200))
    assert set(counts) == set(permutations(kuhn_deck(4)))
    chi_square = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert chi_square < 49.7  # 23 degrees of freedom: one seed in a thousand goes beyond


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (0, -1)])
def test_negative_seeds(seed: int, number: int) -> None:
    with pytest.raises(CardError, match="must not be negative"):
        random_stream(seed, "deck", number)
