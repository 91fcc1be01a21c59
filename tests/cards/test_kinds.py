"""The kinds of hand: how many classes each has, and that their order is the rule book's."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import pytest

from felt.cards.ranking.kinds import KINDS, Category, example, find_kind, hand_class, hand_classes, scale
from felt.errors import FeltError
from tests.reference import ranking as slow

pytestmark = pytest.mark.no_jit

EVERY_KIND = list(KINDS)


def rule_book(kind: str) -> Callable[[Sequence[int]], slow.Strength | None]:
    """The slow ranker of a kind; incomplete hands use that of the whole family."""
    family = kind if kind in slow.RANKERS else kind.rpartition("-")[0]
    return slow.RANKERS[family]


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_every_class_is_listed_once(kind: str) -> None:
    classes = hand_classes(kind)
    assert len(classes) == len(set(classes)) == find_kind(kind).classes


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_classes_stand_in_the_order_of_the_rule_book(kind: str) -> None:
    ranker = rule_book(kind)
    strengths = [ranker(example(value, kind)) for value in range(1, find_kind(kind).classes + 1)]
    assert None not in strengths
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_examples_are_hands_of_different_cards(kind: str) -> None:
    for value in range(1, find_kind(kind).classes + 1):
        cards = example(value, kind)
        assert len(set(cards)) == len(cards)
        assert all(0 <= card < 52 for card in cards)
        assert not kind.startswith("short") or min(cards) >= 16


def test_classes_of_five_cards_by_counting() -> None:
    """Thirteen ranks: choose those that stand four, three, two times, and the rest."""
    different, straights = comb(13, 5), 10
    assert KINDS["low-a5"].classes == different + 13 * comb(12, 3) + comb(13, 2) * 11 + 13 * comb(12, 2) + 2 * 13 * 12
    assert KINDS["high"].classes == KINDS["low-a5"].classes + different  # each also suited; a straight either way
    assert KINDS["low-27"].classes == KINDS["high"].classes  # nine straights, one more unpaired hand, both twice
    families = [c.category for c in hand_classes("high")]
    assert families.count(Category.STRAIGHT) == families.count(Category.STRAIGHT_FLUSH) == straights
    assert families.count(Category.FLUSH) == families.count(Category.HIGH_CARD) == different - straights
    assert [c.category for c in hand_classes("low-27")].count(Category.STRAIGHT) == 9


def test_other_classes_by_counting() -> None:
    assert KINDS["low-8"].classes == comb(8, 5) == 56
    assert KINDS["badugi"].classes == sum(comb(13, size) for size in (1, 2, 3, 4)) == 1092
    short = comb(9, 5) * 2 + 9 * comb(8, 3) + comb(9, 2) * 7 + 9 * comb(8, 2) + 2 * 9 * 8
    assert KINDS["short"].classes == KINDS["short-trips"].classes == short == 1404


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_classes_of_incomplete_hands_by_counting(size: int) -> None:
    """Multisets of ranks: with up to four cards every choice with repetition exists."""
    assert KINDS[f"high-{size}"].classes == KINDS[f"low-a5-{size}"].classes == comb(13 + size - 1, size)


@pytest.mark.parametrize(("kind", "size"), [("high-2", 2), ("low-a5-2", 2), ("high-3", 3), ("low-a5-3", 3)])
def test_incomplete_hands_have_no_class_that_is_not_listed(kind: str, size: int) -> None:
    ranker = rule_book(kind)
    found = {ranker(cards) for cards in combinations(range(52), size)}
    listed = {ranker(example(value, kind)) for value in range(1, find_kind(kind).classes + 1)}
    assert found == listed


@pytest.mark.parametrize(
    ("kind", "ranks"),
    [
        ("high", (12,)),  # royal flush
        ("low-a5", (3, 2, 1, 0, 12)),  # 5-4-3-2-A
        ("low-27", (5, 3, 2, 1, 0)),  # 7-5-4-3-2
        ("low-8", (3, 2, 1, 0, 12)),
        ("badugi", (2, 1, 0, 12)),  # 4-3-2-A
        ("short", (12,)),
    ],
)
def test_the_best_hand(kind: str, ranks: tuple[int, ...]) -> None:
    assert hand_classes(kind)[-1].ranks == ranks


def test_the_short_deck_changes_two_families() -> None:
    def order(kind: str) -> list[Category]:
        return list(dict.fromkeys(c.category for c in hand_classes(kind)))

    assert order("short").index(Category.FLUSH) > order("short").index(Category.FULL_HOUSE)
    assert order("short").index(Category.STRAIGHT) > order("short").index(Category.TRIPS)
    assert order("short-trips").index(Category.TRIPS) > order("short-trips").index(Category.STRAIGHT)


def test_scales_of_incomplete_hands() -> None:
    assert [scale("high", n).name for n in range(1, 8)] == ["high-1", "high-2", "high-3", "high-4", *["high"] * 3]
    assert scale("low-a5", 4).name == "low-a5-4"
    assert scale("badugi", 2).name == "badugi"
    assert scale("high-2", 2).name == "high-2"


@pytest.mark.parametrize(
    ("kind", "cards", "remedy"),
    [
        ("high", 0, "give 1 to 7 cards"),
        ("high", 8, "give 1 to 7 cards"),
        ("low-27", 4, "give 5 to 7 cards"),
        ("badugi", 9, "give 1 to 7 cards"),
        ("high-1", 2, "give 1 card"),
        ("high-3", 2, "give 3 cards"),
    ],
)
def test_a_wrong_number_of_cards(kind: str, cards: int, remedy: str) -> None:
    with pytest.raises(FeltError) as caught:
        scale(kind, cards)
    assert str(caught.value).startswith(f"{cards} cards")
    assert str(caught.value).endswith(remedy)


def test_a_kind_that_is_none() -> None:
    for function in (find_kind, hand_classes, lambda kind: scale(kind, 5), lambda kind: hand_class(1, kind)):
        with pytest.raises(FeltError, match=r"'middling' is not a kind of hand: choose one of high, low-a5"):
            function("middling")


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_values_out_of_bounds(kind: str) -> None:
    classes = find_kind(kind).classes
    for value in (-1, classes + 1, *([] if kind == "low-8" else [0])):
        with pytest.raises(FeltError, match=f"values are 1 to {classes}"):
            hand_class(value, kind)


def test_no_low_has_no_class_and_no_example() -> None:
    assert hand_class(0, "low-8") is None
    with pytest.raises(FeltError, match="does not qualify"):
        example(0, "low-8")
