"""Cards as integers and as text: every spelling, and one clear line for everything else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.cards.card import (
    CARD_NAMES,
    RANKS,
    SUITS,
    format_card,
    format_cards,
    is_joker,
    make_card,
    parse_card,
    parse_cards,
    pretty_cards,
)
from felt.errors import CardError, FeltError

any_card = st.integers(0, 53)
distinct_cards = st.lists(any_card, unique=True, max_size=54)


def spellings(card: int) -> list[str]:
    """Every way that people write a card."""
    if is_joker(card):
        return {52: ["Jk", "jk", "🃏", "🃏\ufe0f"], 53: ["JK"]}[card]
    rank, suit = RANKS[card // 4], card % 4
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    suits = {"cdhs"[suit], "CDHS"[suit], "♣♦♥♠"[suit], "♧♢♡♤"[suit], "♣♦♥♠"[suit] + "\ufe0f"}
    return [r + s for r in sorted(ranks) for s in sorted(suits)]


def test_first_and_last_card() -> None:
    assert (parse_card("2c"), parse_card("As")) == (0, 51)


def test_numbers_are_four_times_the_rank_plus_the_suit() -> None:
    for rank, r in enumerate(RANKS):
        for suit, s in enumerate(SUITS):
            card = parse_card(r + s)
            assert card == 4 * rank + suit
            assert make_card(rank, suit) == card


def test_all_names_are_different_and_read_back() -> None:
    assert len(set(CARD_NAMES)) == 54
    assert [parse_card(name) for name in CARD_NAMES] == list(range(54))
    assert [format_card(card) for card in range(54)] == list(CARD_NAMES)


@pytest.mark.parametrize("card", range(54))
def test_every_spelling_is_read(card: int) -> None:
    for text in spellings(card):
        assert parse_card(text) == card, text


@given(distinct_cards, st.data())
def test_any_mix_of_spellings_and_separators_is_read(cards: list[int], data: st.DataObject) -> None:
    separator = st.sampled_from(["", " ", ",", ", ", "\t", "\n", "\u00a0", "  "])
    text = "".join(data.draw(st.sampled_from(spellings(card))) + data.draw(separator) for card in cards)
    assert parse_cards(text) == tuple(cards)


@given(distinct_cards)
def test_text_goes_back_and_forth(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(format_cards(cards, separator=" ")) == tuple(cards)
    assert parse_cards(pretty_cards(cards)) == tuple(cards)


@given(st.lists(any_card, unique=True, max_size=10))
def test_numbers_pass_through_as_plain_integers(cards: list[int]) -> None:
    assert parse_cards(np.array(cards, dtype=np.int8)) == tuple(cards)
    assert all(type(card) is int for card in parse_cards(np.array(cards, dtype=np.int8)))


def test_no_text_is_no_cards() -> None:
    assert parse_cards("") == parse_cards(" , ") == parse_cards([]) == ()


def test_repeats_are_allowed_when_asked_for() -> None:
    assert parse_cards("AsAs", unique=False) == (51, 51)
    assert parse_cards([51, 51], unique=False) == (51, 51)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ZZ", ["'ZZ'", "position 1", "'As' or '10h'"]),
        ("AsZd", ["'Zd'", "position 3", "'AsZd'"]),
        ("Ax", ["'A'", "position 1", "no suit", "'As'"]),
        ("Kd 10", ["'10'", "position 4", "no suit", "'10s'"]),
        ("A", ["'A'", "no suit"]),
        ("1h", ["'1h'", "position 1"]),
        ("0c", ["'0c'"]),
        ("11h", ["'11'"]),
        ("A s", ["'A s'", "no suit"]),
        ("As-Kd", ["'-K'", "position 3"]),
        ("jK", ["'j'", "no suit"]),
        ("♠A", ["'♠A'", "position 1"]),
        ("AhAh", ["card Ah stands twice", "'AhAh'"]),
        ("10h Th", ["card Th stands twice", "'10h Th'"]),
        ("Jk🃏", ["card Jk stands twice"]),
        ("As\x00", ["position 3", "\\x00"]),
    ],
)
def test_bad_text_is_quoted_with_its_place_and_the_remedy(text: str, parts: list[str]) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("cards", "quoted"),
    [
        ([54], "54"),
        ([-1], "-1"),
        ([0, 99], "99"),
        ([3.5], "3.5"),
        ([None], "None"),
        (["As"], "As"),
        ([2**70], str(2**70)),
    ],
)
def test_numbers_that_are_no_cards(cards: list[object], quoted: str) -> None:
    for function in (parse_cards, format_cards, pretty_cards):
        with pytest.raises(CardError, match="not a card number") as caught:
            function(cards)  # type: ignore[operator]
        assert quoted in str(caught.value)


def test_the_same_number_twice() -> None:
    with pytest.raises(CardError, match="card As stands twice in 'AsKdAs'"):
        parse_cards([51, 45, 51])


@pytest.mark.parametrize("text", ["", "AsKd", "As Kd Qh"])
def test_one_card_means_one(text: str) -> None:
    with pytest.raises(CardError, match="where one is wanted"):
        parse_card(text)


@given(st.text())
def test_any_text_is_cards_or_one_line(text: str) -> None:
    try:
        cards = parse_cards(text)
    except FeltError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert parse_cards(format_cards(cards)) == cards


def test_a_megabyte_of_text_is_not_quoted_in_full() -> None:
    with pytest.raises(CardError) as caught:
        parse_cards("As" * 500_000)
    assert len(str(caught.value)) < 200


def test_cards_for_people() -> None:
    assert pretty_cards([51, 34, 9, 0]) == "A♠ T♥ 4♦ 2♣"
