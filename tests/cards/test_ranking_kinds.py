"""Every kind of hand against the rule book: one hand at a time, and in batches."""

import random
import subprocess
import sys
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from felt.cards.card import format_cards
from felt.cards.ranking import hashing
from felt.cards.ranking.evaluator import rank, rank_batch, rank_cards, tables
from felt.cards.ranking.kinds import KINDS, example, find_kind, scale
from felt.cards.ranking.names import category
from felt.errors import CardError, FeltError
from tests.reference import ranking as slow

Hands = NDArray[np.integer]
FAMILIES = list(slow.RANKERS)
SIZES = {"badugi": (1, 2, 3, 4, 5, 6, 7), "high": (1, 2, 3, 4, 5, 6, 7), "low-a5": (1, 2, 3, 4, 5, 6, 7)}
EVERY_SIZE = [(kind, size) for kind in FAMILIES for size in SIZES.get(kind, (5, 6, 7))]


@cache
def value_of(kind: str) -> dict[slow.Strength | None, int]:
    """The value that each strength of the rule book should have: its place in the list of classes."""
    ranker = slow.RANKERS[kind if kind in slow.RANKERS else kind.rpartition("-")[0]]
    return {None: 0} | {ranker(example(v, kind)): v for v in range(1, find_kind(kind).classes + 1)}


def expected(cards: tuple[int, ...], kind: str) -> int:
    return value_of(scale(kind, len(cards)).name)[slow.RANKERS[kind](cards)]


def dealt(kind: str, size: int, count: int) -> list[tuple[int, ...]]:
    """Random hands, every other of two suits only, where flushes are common."""
    chance = random.Random(f"{kind} {size}")
    deck = range(find_kind(kind).lowest_card, 52)
    two_suits = [card for card in deck if card % 4 < 2]
    return [tuple(chance.sample(two_suits if i % 2 else deck, size)) for i in range(count)]


@pytest.mark.no_jit
@pytest.mark.parametrize(("kind", "size"), EVERY_SIZE)
def test_single_hands_agree_with_the_rule_book(kind: str, size: int) -> None:
    for cards in dealt(kind, size, 150):
        assert rank(cards, kind) == expected(cards, kind), format_cards(cards)


@pytest.mark.no_jit
@pytest.mark.parametrize(("kind", "size"), EVERY_SIZE)
def test_batches_agree_with_the_rule_book(kind: str, size: int) -> None:
    hands = dealt(kind, size, 150)
    values = rank_batch(np.array(hands, dtype=np.int8), kind)
    assert values.dtype == np.uint16
    assert values.tolist() == [expected(cards, kind) for cards in hands]


@pytest.mark.parametrize(("kind", "size"), EVERY_SIZE)
def test_batches_agree_with_single_hands(kind: str, size: int) -> None:
    hands = dealt(kind, size, 4000)
    assert rank_batch(np.array(hands, dtype=np.int8), kind).tolist() == [rank_cards(cards, kind) for cards in hands]


@pytest.mark.no_jit
@pytest.mark.parametrize("kind", KINDS)
def test_every_class_is_reached(kind: str) -> None:
    for value in range(1, find_kind(kind).classes + 1):
        assert rank(example(value, kind), kind) == value


@pytest.mark.parametrize("kind", ["high", "low-a5", "low-27", "low-8"])
def test_all_five_card_hands_of_the_full_deck(kind: str, every_five: Hands) -> None:
    """Each of the 2,598,960 hands has a class of the kind, and every class has its hands."""
    counts = np.bincount(rank_batch(every_five, kind), minlength=KINDS[kind].classes + 1)
    assert (counts[1:] > 0).all()
    assert (counts[0] > 0) == (kind == "low-8")
    assert len(counts) == KINDS[kind].classes + 1


@pytest.fixture(scope="module")
def every_five() -> Hands:
    return np.array(list(combinations(range(52), 5)), dtype=np.int8)


FIVE_CARD_COUNTS = {
    # from the best family down: straight flush, quads, full house, flush, straight, trips, two pair, pair, high card
    "high": [40, 624, 3744, 5108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540],
    # aces are high only: one straight in ten is none, its 1,024 hands count as high card or flush
    "low-27": [36, 624, 3744, 5112, 9180, 54_912, 123_552, 1_098_240, 1_303_560],
}


@pytest.mark.parametrize("kind", FIVE_CARD_COUNTS)
def test_families_have_their_known_sizes(kind: str, every_five: Hands) -> None:
    counts: dict[str, int] = {}
    for value, count in enumerate(np.bincount(rank_batch(every_five, kind)).tolist()):
        if value:
            counts[category(value, kind)] = counts.get(category(value, kind), 0) + count
    names = [
        "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind", "two pair", "pair",
        "high card",
    ]  # fmt: skip
    assert [counts[name] for name in names] == FIVE_CARD_COUNTS[kind]


def test_lows_have_their_known_sizes(every_five: Hands) -> None:
    """Five different ranks from eight: 56 choices, each in 4^5 suits; likewise any five ranks of 13."""
    assert np.bincount(rank_batch(every_five, "low-8"))[1:].tolist() == [1024] * 56
    unpaired = np.bincount(rank_batch(every_five, "low-a5"))[-1287:]
    assert unpaired.tolist() == [1024] * 1287


def test_all_short_deck_hands() -> None:
    """The 376,992 hands of 36 cards by family, which is why a flush beats a full house there."""
    hands = np.array(list(combinations(range(16, 52), 5)), dtype=np.int8)
    for kind in ("short", "short-trips"):
        counts: dict[str, int] = {}
        for value, count in enumerate(np.bincount(rank_batch(hands, kind)).tolist()[1:], start=1):
            assert count > 0
            counts[category(value, kind)] = counts.get(category(value, kind), 0) + count
        assert counts == {
            "straight flush": 24,
            "four of a kind": 288,
            "flush": 480,
            "full house": 1728,
            "straight": 6120,
            "three of a kind": 16_128,
            "two pair": 36_288,
            "pair": 193_536,
            "high card": 122_400,
        }


def test_all_badugi_hands() -> None:
    """The 270,725 hands of four cards by how many of them play (known counts of the game)."""
    hands = np.array(list(combinations(range(52), 4)), dtype=np.int8)
    counts = np.bincount(rank_batch(hands, "badugi"), minlength=1093)
    sizes = [len(example(value, "badugi")) for value in range(1, 1093)]
    by_size = [int(counts[1:][np.array(sizes) == size].sum()) for size in (1, 2, 3, 4)]
    assert by_size == [4 * 715 + 13, 96_252, 154_440, 13 * 12 * 11 * 10]


@pytest.mark.no_jit
@given(st.data())
def test_a_longer_hand_is_never_worse(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(FAMILIES))
    lowest = find_kind(kind).lowest_card
    cards = data.draw(st.lists(st.integers(lowest, 51), min_size=6, max_size=7, unique=True))
    assert rank(cards, kind) == max(rank(less, kind) for less in combinations(cards, len(cards) - 1))


@pytest.mark.no_jit
@given(st.data())
def test_neither_order_nor_names_of_suits_matter(data: st.DataObject) -> None:
    kind, size = data.draw(st.sampled_from(EVERY_SIZE))
    lowest = find_kind(kind).lowest_card
    cards = data.draw(st.lists(st.integers(lowest, 51), min_size=size, max_size=size, unique=True))
    suits = data.draw(st.permutations(range(4)))
    renamed = data.draw(st.permutations([card // 4 * 4 + suits[card % 4] for card in cards]))
    assert rank(renamed, kind) == rank(cards, kind)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("kind", "better", "worse"),
    [
        ("high", "AsAd5h5cKd", "AcAh5s5dQd"),
        ("high", "6s5h4d3c2s", "As2h3d4c5s"),
        ("high", "2s3s4s5s7s", "AsKhQdJcTs"),
        ("low-a5", "As2s3s4s5s", "As2s3s4s6s"),  # straights and flushes do not count
        ("low-a5", "KsQhJdTc9s", "2s2h3d4c5s"),
        ("low-a5", "AsAh2d3c4s", "2s2hAd3c4s"),  # a pair of aces is the lowest pair
        ("low-27", "7s5h4d3c2s", "8s5h4d3c2s"),
        ("low-27", "KsQhJdTc8s", "As2h3d4c5s"),  # the ace is high
        ("low-27", "As2h3d4c5s", "As2h3d4c6s"),  # and A-2-3-4-5 no straight
        ("low-27", "As2h3d4c5s", "2s2h3d4c5s"),
        ("low-27", "AsKhQdTc9s", "6s5h4d3c2s"),
        ("low-27", "2s3s4s5s7h8c9d", "2s3s4s5s7s"),  # a longer hand avoids the flush
        ("low-8", "8s7h6d5c4s", "9s4h3d2cAs"),
        ("low-8", "As2h3d4c5s", "As2h3d4c6s"),
        ("badugi", "Ks QhJdTc", "As2h3d4d"),  # any four cards beat three
        ("badugi", "4s3h2dAc", "5s3h2dAc"),
        ("badugi", "As2h3dKd", "As2h4dKd"),
        ("short", "6s7s8s9sJs", "AsAhAdKcKs"),  # a flush beats a full house
        ("short", "As6h7d8c9s", "AsAhAdKcQs"),
        ("short", "6s7h8d9cTs", "As6h7d8c9s"),
        ("short-trips", "6s6h6d7c8s", "AsKhQdJcTs"),
        ("high", "2s2h", "AsKh"),
        ("high", "2s2h2d", "AsAhKd"),
        ("high", "3s3h2d2c", "AsAhKdQc"),
        ("low-a5", "2sAh", "3sAh"),
        ("low-a5", "KsQhJd", "AsAh2d"),
    ],
)
def test_rules_of_thumb(kind: str, better: str, worse: str) -> None:
    assert rank(better, kind) > rank(worse, kind)


@pytest.mark.no_jit
def test_ties() -> None:
    assert rank("AsKhQdJcTs2d3d") == rank("AhKsQcJdTh9c8c")
    assert rank("As2h3d4c5s", "low-8") == rank("Ah2s3c4d5hKhKs", "low-8")
    assert rank("9s8h7d6c2s", "low-8") == rank("KsKhKdKc2s", "low-8") == 0


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("cards", "kind", "part"),
    [
        ("AsAs2c3c4c", "high", "stands twice"),
        ("", "high", "0 cards"),
        ("As2s3s4s5s6s7s8s", "high", "8 cards"),
        ("As2s3s4s", "low-27", "4 cards"),
        ("As2s3s4s", "low-8", "4 cards"),
        ("AsKsQsJs5s", "short", "5s is not in the deck of kind 'short'"),
        ("AsKsQsJsJk", "high", "Jk cannot be ranked"),
        ("AsKsQsJk", "badugi", "Jk cannot be ranked"),
        ("AsKsQsJsTs", "best", "'best' is not a kind"),
        ("AsKsQsJsTx", "high", "'T'"),
    ],
)
def test_bad_hands(cards: str, kind: str, part: str) -> None:
    with pytest.raises(FeltError) as caught:
        rank(cards, kind)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hands", "kind", "part"),
    [
        (np.zeros(5, dtype=np.int8), "high", "shape (5,)"),
        (np.zeros((1, 8), dtype=np.int8), "high", "8 cards"),
        (np.array([[0, 1, 2, 3, 52]], dtype=np.int8), "high", "52 is not a card"),
        (np.array([[0, 1, 2, 3, -1]], dtype=np.int8), "low-a5", "-1 is not a card"),
        (np.array([[0, 1, 2, 3, 300]]), "badugi", "300 is not a card"),
        (np.array([[0.0, 1, 2, 3, 4]]), "high", "float64"),
        (np.array([[20, 21, 22, 23, 15]], dtype=np.int8), "short", "5s is not in the deck"),
        (np.zeros((2, 5), dtype=np.int8), "best", "'best' is not a kind"),
    ],
)
def test_bad_batches(hands: Hands, kind: str, part: str) -> None:
    with pytest.raises(FeltError) as caught:
        rank_batch(hands, kind)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.no_jit
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64])
def test_batches_of_any_integers_and_any_layout(dtype: type) -> None:
    hands = np.array(dealt("high", 7, 50), dtype=dtype)
    values = rank_batch(hands)
    assert (rank_batch(np.asfortranarray(hands)) == values).all()
    assert (rank_batch(np.repeat(hands, 2, axis=0)[::2]) == values).all()
    assert values.tolist() == [rank(hand) for hand in hands.tolist()]


@pytest.mark.no_jit
@pytest.mark.parametrize("kind", FAMILIES)
def test_no_hands_have_no_values(kind: str) -> None:
    assert rank_batch(np.empty((0, 5), dtype=np.int8), kind).shape == (0,)


@pytest.mark.no_jit
def test_incomplete_hands_by_the_name_of_their_scale() -> None:
    assert rank("AsAd", "high-2") == rank("AsAd") == 91
    assert rank_batch(np.array([[51, 50]]), "high-2").tolist() == [91]
    with pytest.raises(FeltError, match="give 2 cards"):
        rank("AsAdKs", "high-2")


@pytest.mark.no_jit
def test_cards_given_twice_stay_inside_the_tables() -> None:
    """A batch is not searched for repeated cards, so whatever they add up to must be a slot of the tables."""
    offsets, values, _ = tables()
    for size in range(1, 8):
        sums = [sum(hashing.RANK_KEYS[r] for r in ranks) for ranks in combinations_with_replacement(range(13), size)]
        keys = np.array(sums) + (hashing.START[size] & 0xFFFFFFFF)
        slots = (keys + offsets[keys >> hashing.ROW_BITS]) & 0xFFFFFFFF
        assert slots.max() < len(values)


@pytest.mark.long
def test_shipped_tables_are_what_the_rules_give() -> None:
    from felt import _tables
    from scripts import ranking_tables

    offsets, slots = ranking_tables.displace_rows()
    assert (offsets == _tables.load("rank_offsets")).all()
    for family in ranking_tables.FAMILIES:
        made = ranking_tables.value_table(ranking_tables.rank_values(family), offsets, slots)
        assert (made == _tables.load(f"values_{family}")).all()
    for family in ranking_tables.SUITED:
        assert (ranking_tables.flush_values(family) == _tables.load(f"flushes_{family}")).all()
    assert (ranking_tables.badugi_values() == _tables.load("values_badugi")).all()


def test_one_hand_needs_no_compiler() -> None:
    code = (
        "import sys; from felt.cards import KINDS, rank, rank_omaha;"
        "[rank([51, 46, 41, 36, 31][: k.sizes[0]], k.name) for k in KINDS.values()];"
        "rank_omaha('AsKdQcJh', 'AhAdAcKs2c'); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_jokers_are_refused_in_batches() -> None:
    with pytest.raises(CardError, match="53 is not a card number"):
        rank_batch(np.array([[51, 46, 41, 36, 53]], dtype=np.int8))
