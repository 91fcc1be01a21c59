"""Renaming suits: what is one and the same gets one number, and the numbers are as many as counting says."""

from collections import Counter
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt.cards.card import parse_cards
from felt.cards.combos import CLASS_NAMES, COMBO_CARDS, COMBO_CLASS, class_index
from felt.cards.isomorphism import (
    CARD_PERMUTATIONS,
    CLASS_REPRESENTATIVE,
    COMBO_PERMUTATIONS,
    COMBO_TO_REPRESENTATIVE,
    SUIT_PERMUTATIONS,
    board_classes,
    board_number,
    symmetries,
)
from felt.cards.ranges.range import Range
from felt.cards.ranking.hashing import CARD_MASKS
from felt.odds import expected_hs2_batch, expected_hs_batch
from tests.reference.strength import canonical

Cards = tuple[int, ...]


def count_classes(*sizes: int) -> int:
    """How many situations differ when suits have no names: sets of cards of these sizes, one after the other.

    Burnside: the mean, over the 24 renamings, of how many situations a renaming leaves as they are. Those are
    made of whole cycles of the renaming: in each of 13 ranks, each cycle of suits lies whole in one of the sets,
    or in none.
    """
    fixed = 0
    for suits in permutations(range(4)):
        ways = Counter({tuple(sizes): 1})  # by how many cards each set still lacks
        for length in cycles(suits) * 13:
            more = Counter(ways)
            for lacking, count in ways.items():
                for i, lack in enumerate(lacking):
                    if lack >= length:
                        more[(*lacking[:i], lack - length, *lacking[i + 1 :])] += count
            ways = more
        fixed += ways[(0,) * len(sizes)]
    assert fixed % 24 == 0
    return fixed // 24


def cycles(suits: tuple[int, ...]) -> list[int]:
    """Lengths of the cycles of a renaming."""
    lengths, seen = [], set[int]()
    for start in range(4):
        length, suit = 0, start
        while suit not in seen:
            seen.add(suit)
            suit = suits[suit]
            length += 1
        if length:
            lengths.append(length)
    return lengths


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("sizes", "count"),
    [
        ((2,), 169),
        ((3,), 1_755),
        ((4,), 16_432),
        ((5,), 134_459),
        ((2, 3), 1_286_792),
        ((2, 4), 13_960_050),  # the board as a set: all that strength depends on
        ((2, 3, 1), 55_190_538),  # which card came last is told apart
        ((2, 5), 123_156_254),
        ((2, 3, 1, 1), 2_428_287_420),
    ],
)
def test_known_numbers_of_classes(sizes: tuple[int, ...], count: int) -> None:
    """Hole cards, then streets. The larger numbers of the literature count streets one by one."""
    assert count_classes(*sizes) == count


@pytest.mark.parametrize(("size", "boards"), [(3, 1_755), (4, 16_432)])
def test_classes_are_as_many_as_counting_says(size: int, boards: int) -> None:
    classes = board_classes(size)
    assert len(classes.boards) == boards
    assert classes.count == count_classes(2, size)
    assert sorted(set(classes.board_id.tolist())) == list(range(boards))
    for which in range(0, boards, 97):  # no number is left out
        local = classes.local[which]
        beside = sorted(set(local[local != 65535].tolist()))
        assert beside == list(range(classes.base[which + 1] - classes.base[which]))


def situations(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 51), min_size=2 + size, max_size=2 + size, unique=True)


@given(st.sampled_from([3, 4]).flatmap(situations), st.permutations(range(4)), st.data())
def test_names_of_suits_and_order_of_cards_do_not_matter(
    cards: list[int], suits: list[int], data: st.DataObject
) -> None:
    classes = board_classes(len(cards) - 2)
    renamed = [card // 4 * 4 + suits[card % 4] for card in cards]
    hole, board = data.draw(st.permutations(renamed[:2])), data.draw(st.permutations(renamed[2:]))
    assert classes.index(tuple(hole), tuple(board)) == classes.index(tuple(cards[:2]), tuple(cards[2:]))


@given(st.permutations(range(52)), st.permutations(range(4)))
def test_names_of_suits_do_not_change_the_strength(deck: list[int], suits: list[int]) -> None:
    cards = np.array(deck[:50]).reshape(10, 5)  # ten hands and flops at once
    renamed = cards // 4 * 4 + np.array(suits)[cards % 4]
    for measure in (expected_hs_batch, expected_hs2_batch):
        assert (measure(cards[:, :2], cards[:, 2:]) == measure(renamed[:, :2], renamed[:, 2:])).all()


@pytest.mark.parametrize("size", [3, 4])
def test_equal_numbers_mean_the_same_situation(size: int) -> None:
    """Situations of few ranks, where many are alike, against all 24 renamings written out."""
    classes, chance = board_classes(size), np.random.default_rng(size)
    numbers: dict[tuple[Cards, Cards], int] = {}
    for _ in range(2000):
        cards = tuple(map(int, chance.choice(12, 2 + size, replace=False)))
        hole, board = cards[:2], cards[2:]
        number = classes.index(hole, board)
        assert numbers.setdefault(canonical(hole, board), number) == number
    assert len(set(numbers.values())) == len(numbers)
    assert len(numbers) < 1500  # or nothing was compared


@pytest.mark.no_jit
def test_a_renaming_moves_cards_and_combos_alike() -> None:
    assert SUIT_PERMUTATIONS[0].tolist() == [0, 1, 2, 3]
    assert len(np.unique(SUIT_PERMUTATIONS, axis=0)) == 24
    for cards, combos, suits in zip(CARD_PERMUTATIONS, COMBO_PERMUTATIONS, SUIT_PERMUTATIONS, strict=True):
        assert [(card // 4, card % 4) for card in cards.tolist()] == list(product(range(13), suits.tolist()))
        moved = [sorted(pair) for pair in cards[COMBO_CARDS].tolist()]
        assert [sorted(pair) for pair in COMBO_CARDS[combos].tolist()] == moved


@pytest.mark.no_jit
def test_each_combo_is_taken_to_the_first_of_its_class() -> None:
    for combo in range(1326):
        goal = COMBO_PERMUTATIONS[COMBO_TO_REPRESENTATIVE[combo], combo]
        assert goal == CLASS_REPRESENTATIVE[COMBO_CLASS[combo]] == np.flatnonzero(COMBO_CLASS == COMBO_CLASS[combo])[0]


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("board", "count"), [("", 24), ("2c3d4h", 1), ("2c3c4c", 6), ("2c3c4d", 2), ("2c2d4h", 2), ("2c2d2h2s", 24)]
)
def test_symmetries_of_a_board(board: str, count: int) -> None:
    here = np.zeros(52)
    here[list(parse_cards(board))] = 1
    found = symmetries(here)
    assert len(found) == count
    for suits in found:
        assert {card // 4 * 4 + int(suits[card % 4]) for card in parse_cards(board)} == set(parse_cards(board))


@pytest.mark.no_jit
@pytest.mark.parametrize(("text", "count"), [("AA", 24), ("AKs", 24), ("AsKs", 6), ("AsKd", 2), ("AsKs,AhKh:0.5", 2)])
def test_symmetries_of_a_range(text: str, count: int) -> None:
    assert len(symmetries(Range.parse(text).weights)) == count


@pytest.mark.no_jit
def test_boards_are_numbered_without_gaps() -> None:
    for size in (2, 3):
        numbers = [board_number(board) for board in combinations(range(52), size)]
        assert sorted(numbers) == list(range(comb(52, size)))
    assert board_number((5, 1, 9)) == board_number((9, 5, 1))


@pytest.mark.no_jit
def test_the_kernels_find_the_169_starting_hands() -> None:
    """Two cards as a board, so that the kernels can be run whole without the compiler."""
    from felt.cards.iso_kernels import smallest_renamings

    masks, renamings = np.empty(1326, dtype=np.uint64), np.empty(1326, dtype=np.uint8)
    smallest_renamings(2, SUIT_PERMUTATIONS, masks, renamings)
    by_mask: dict[int, set[str]] = {}
    for low, high in combinations(range(52), 2):
        number = board_number((low, high))
        moved = CARD_PERMUTATIONS[renamings[number]]
        assert int(masks[number]) == sum(CARD_MASKS[moved[card]] for card in (low, high))
        by_mask.setdefault(int(masks[number]), set()).add(CLASS_NAMES[class_index(low, high)])
    assert all(len(names) == 1 for names in by_mask.values())
    assert set.union(*by_mask.values()) == set(CLASS_NAMES)
    assert len(by_mask) == 169


@pytest.mark.no_jit
@pytest.mark.parametrize("board", ["2c3c4c", "2c2d3h", "2c3d4h"])
def test_the_kernels_number_hands_beside_a_board(board: str) -> None:
    from felt.cards.iso_kernels import number_combos

    cards = parse_cards(board)
    masks = np.array([sum(CARD_MASKS[card] for card in cards)], dtype=np.uint64)
    base, local = np.empty(2, dtype=np.int64), np.empty((1, 1326), dtype=np.uint16)
    number_combos(masks, SUIT_PERMUTATIONS, COMBO_PERMUTATIONS, COMBO_CARDS, base, local)
    own = [suits for suits in permutations(range(4)) if {c // 4 * 4 + suits[c % 4] for c in cards} == set(cards)]
    alike: dict[frozenset[Cards], int] = {}
    for hole, number in zip(COMBO_CARDS.tolist(), local[0].tolist(), strict=True):
        if set(hole) & set(cards):
            assert number == 65535
            continue
        orbit = frozenset(tuple(sorted(c // 4 * 4 + suits[c % 4] for c in hole)) for suits in own)
        assert alike.setdefault(orbit, number) == number
    assert sorted(alike.values()) == list(range(len(alike))) == list(range(base[1]))


@pytest.mark.no_jit
def test_the_kernel_numbers_the_classes_of_combos_beside_each_board() -> None:
    """Against classes made of sets: two combos are alike if a renaming that leaves the board alone swaps them."""
    from felt.cards.iso_kernels import number_combos

    boards = [set(parse_cards(text)) for text in ("2c3d4h", "2c3c4c", "2c2d2h2s", "2c3c4d")]
    masks = np.array([sum(int(CARD_MASKS[card]) for card in board) for board in boards], dtype=np.uint64)
    base = np.full(len(boards) + 1, -7, dtype=np.int64)
    local = np.zeros((len(boards), 1326), dtype=np.uint16)
    number_combos(masks, SUIT_PERMUTATIONS, COMBO_PERMUTATIONS, COMBO_CARDS, base, local)
    total = 0
    for i, board in enumerate(boards):
        leaves = [cards for cards in CARD_PERMUTATIONS.tolist() if {cards[card] for card in board} == board]
        numbers: dict[frozenset[frozenset[int]], int] = {}
        assert base[i] == total
        for combo, pair in enumerate(COMBO_CARDS.tolist()):
            if board & set(pair):
                assert local[i, combo] == 65535
                continue
            alike = frozenset(frozenset(cards[card] for card in pair) for cards in leaves)
            assert local[i, combo] == numbers.setdefault(alike, len(numbers)), (board, pair)
        total += len(numbers)
    assert base[-1] == total
