"""The tables of odds: parts made again by other means, and sums over the whole that only the truth satisfies."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scripts.odds_tables import board_rank_strengths

from felt import _tables
from felt.cards.card import format_cards, parse_cards
from felt.cards.combos import COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASKS
from felt.cards.isomorphism import CARD_PERMUTATIONS, BoardClasses, board_classes
from felt.cards.ranking.evaluator import rank_cards, tables
from felt.odds import strength
from felt.odds.equity.exact import BOARDS, exact_equity, matchup_counts
from felt.odds.equity.question import MASKS, ask
from felt.odds.strength import lookup as _build

Cards = tuple[int, ...]
Ints = NDArray[np.int64]


def mask(cards: Cards) -> np.uint64:
    return np.bitwise_or.reduce(MASKS[list(cards)])


def points_of(hole: Cards, board: Cards) -> int:
    """Two points for each of the 990 hands that are beaten, one for a tie; counted one by one."""
    own = rank_cards(hole + board)
    others = [rank_cards(hand + board) for hand in combinations(set(range(52)) - set(hole + board), 2)]
    assert len(others) == 990
    return sum(2 * (own > other) + (own == other) for other in others)


# Boards


def test_the_boards_that_differ() -> None:
    masks, orbits = _build.five_card_boards()
    assert len(masks) == len(np.unique(masks)) == 134_459
    assert orbits.sum() == comb(52, 5)
    assert set(np.unique(orbits).tolist()) <= {1, 4, 6, 12, 24}


@pytest.mark.no_jit
@pytest.mark.parametrize("board", ["2c3c4c5c7c", "AhKhQsJdTd", "2c2d2h2s3c"])
def test_points_of_all_hands_on_a_board(board: str) -> None:
    from felt.odds.strength.build_kernels import board_points

    cards = parse_cards(board)
    values, points = np.empty(COMBO_COUNT, dtype=np.int16), np.zeros(COMBO_COUNT, dtype=np.int64)
    board_points(mask(cards), COMBO_CARDS, tables(), values, points)
    for combo in range(0, COMBO_COUNT, 37):
        a, b = COMBO_CARDS[combo].tolist()
        if {a, b} & set(cards):
            assert values[combo] == 0
        else:
            assert values[combo] == rank_cards((a, b, *cards))
            assert points[combo] == points_of((a, b), cards)
    live = values > 0
    assert live.sum() == comb(47, 2)
    assert points[live].sum() == comb(47, 2) * 990  # what one wins another loses


# Before the flop


def test_every_matchup_adds_up() -> None:
    """On each board one of the two wins, or both tie: true of all 1,326 x 1,326 pairs, as is symmetry."""
    every = np.arange(COMBO_COUNT)
    wins, ties = matchup_counts(every, every)
    apart = COMBO_MASKS[:, None] & COMBO_MASKS == 0
    assert (wins + wins.T + ties == np.where(apart, BOARDS, 0)).all()
    assert (ties == ties.T).all()


@pytest.mark.parametrize(
    ("first", "second"),
    [("AsAd", "KsKd"), ("AsKs", "2c2d"), ("7h6h", "7c2d"), ("JcTc", "AdJh"), ("5s4s", "5h4d"), ("QhQd", "Qc3h")],
)
def test_matchups_counted_board_by_board(first: str, second: str) -> None:
    players, deals = exact_equity(ask([first, second]))
    combos = [np.array([max(hand) * (max(hand) - 1) // 2 + min(hand)]) for hand in map(parse_cards, (first, second))]
    wins, ties = matchup_counts(*combos)
    assert deals == BOARDS
    assert (round(players[0].win * deals), round(players[0].tie * deals)) == (wins[0, 0], ties[0, 0])


@pytest.mark.no_jit
def test_adding_up_matchups() -> None:
    from felt.odds.strength.build_kernels import add_matchups

    boards = [parse_cards("2c7d9hKsAs"), parse_cards("2c7d9hTsJs"), parse_cards("3c4c5c6c7c")]
    hands = [parse_cards(text) for text in ("AcAd", "KhKd", "8s7s", "AcKh", "2d3d")]
    wins, kept = np.zeros((2, 5, 5), dtype=np.int64)
    masks = np.array([mask(board) for board in boards])
    add_matchups(masks, np.array([mask(hand) for hand in hands]), tables(), 2, 4, wins, kept)
    for i, one in enumerate(hands):
        for j, other in enumerate(hands):
            met = [(one, other, b) for b in boards if len({*one, *other, *b}) == 9]
            values = [(rank_cards(x + b), rank_cards(y + b)) for x, y, b in met]
            assert wins[i, j] == 4 * sum(x > y for x, y in values)
            assert kept[i, j] == 4 * sum(x >= y for x, y in values)


# Flop and turn


def test_all_flop_hands_together_are_worth_one_half() -> None:
    """Every deal has a winner and a loser: the mean E[HS] is one half to the last point."""
    members = _build.class_members(board_classes(3))
    points = _tables.load("flop_points").astype(np.int64)
    assert members.sum() == comb(52, 3) * comb(49, 2)
    assert (points * members).sum() == members.sum() * comb(47, 2) * 990


def test_members_of_turn_classes() -> None:
    members = _build.class_members(board_classes(4))
    assert members.sum() == comb(52, 4) * comb(48, 2)
    assert set(np.unique(members).tolist()) <= {1, 2, 3, 4, 6, 8, 12, 24}


def test_flop_hands_taken_at_random() -> None:
    chance, classes = np.random.default_rng(11), board_classes(3)
    points, squares = _tables.load("flop_points"), _tables.load("flop_squares")
    for _ in range(200):
        cards = tuple(map(int, chance.choice(52, 5, replace=False)))
        found = strength(format_cards(cards[:2]), format_cards(cards[2:]))
        which = classes.index(cards[:2], cards[2:])
        assert points[which] == round(found.expected_hs * 1081 * 1980)
        assert squares[which] == round(found.expected_hs2 * 1081 * 1980**2)


def boards_over(cards: Cards) -> tuple[NDArray[np.uint64], Ints]:
    """The boards of five that hold `cards` under some names of suits: the smallest of each orbit, and its size."""
    orbits = {}
    for rest in combinations(set(range(52)) - set(cards), 5 - len(cards)):
        renamed = CARD_PERMUTATIONS[:, list(cards + rest)]
        masks = np.unique(np.bitwise_or.reduce(MASKS[renamed], axis=1))
        orbits[masks[0]] = len(masks)
    return np.array(list(orbits), dtype=np.uint64), np.array(list(orbits.values()), dtype=np.int64)


def added_up(cards: Cards, classes: BoardClasses) -> tuple[Ints, Ints, slice]:
    """Points and squares of the classes beside one board, as the builder makes them, and which those are."""
    from felt.odds.strength.build_kernels import add_points

    sums, squares = np.zeros((2, classes.count), dtype=np.int64)
    masks, orbits = boards_over(cards)
    add_points(
        classes.size, masks, orbits, COMBO_CARDS, tables(), CARD_PERMUTATIONS, classes.board_id, classes.renaming,
        classes.base, classes.local, sums, squares,
    )  # fmt: skip
    which = next(i for i, board in enumerate(classes.boards) if tuple(sorted(cards)) == tuple(sorted(board.tolist())))
    part = slice(classes.base[which], classes.base[which + 1])
    members = _build.class_members(classes)[part]
    return _build.divide(sums[part], members), _build.divide(squares[part], members), part


def canonical(size: int, wanted: set[int]) -> Cards:
    """A board that is its own smallest renaming, with so many cards in its suits."""
    suits = board_classes(size).boards & 3
    for board, own in zip(board_classes(size).boards[::-7], suits[::-7], strict=True):
        if set(np.bincount(own, minlength=4).tolist()) == wanted:
            return tuple(board.tolist())
    raise AssertionError("no such board")


@pytest.mark.parametrize("suits", [{3, 0}, {2, 1, 0}, {1, 0}], ids=["one suit", "two suits", "three suits"])
def test_flops_made_again(suits: set[int]) -> None:
    points, squares, part = added_up(canonical(3, suits), board_classes(3))
    assert (points == _tables.load("flop_points")[part]).all()
    assert (squares == _tables.load("flop_squares")[part]).all()


@pytest.mark.parametrize("suits", [{4, 0}, {2, 0}, {2, 1, 0}, {1}], ids=["4", "2+2", "2+1+1", "1+1+1+1"])
def test_turn_boards_made_and_counted_hand_by_hand(suits: set[int]) -> None:
    board, classes = canonical(4, suits), board_classes(4)
    points, squares, part = added_up(board, classes)
    for combo in range(5, COMBO_COUNT, 29):
        hole = tuple(COMBO_CARDS[combo].tolist())
        if not set(hole) & set(board):
            found = strength(format_cards(hole), format_cards(board))
            which = classes.index(hole, board) - part.start
            assert points[which] == round(found.expected_hs * 46 * 1980)
            assert squares[which] == round(found.expected_hs2 * 46 * 1980**2)


@pytest.mark.no_jit
def test_a_sum_that_does_not_divide_is_an_error_of_ours() -> None:
    assert _build.divide(np.array([6, 9]), np.array([2, 3])).tolist() == [3, 3]
    with pytest.raises(AssertionError, match="missed some boards"):
        _build.divide(np.array([6, 10]), np.array([2, 3]))


# Average Rank Strength


@pytest.mark.no_jit
def test_adding_up_ranks() -> None:
    from felt.odds.strength.build_kernels import add_ranks

    boards = [parse_cards("2c7d9hKsAs"), parse_cards("3c3d5h8cQc")]
    counts, sums, most = np.zeros((3, 7463, 169), dtype=np.int64)
    least = np.full((7463, 169), 1980, dtype=np.int64)
    masks = np.array([mask(board) for board in boards])
    add_ranks(masks, np.array([12, 24]), COMBO_CARDS, COMBO_CLASS, tables(), counts, sums, least, most)
    assert counts.sum() == (12 + 24) * comb(47, 2)
    assert sums.sum() == (12 + 24) * comb(47, 2) * 990
    met: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for board, orbit in zip(boards, (12, 24), strict=True):
        for combo in np.flatnonzero(COMBO_CLASS == 30).tolist():
            hole = tuple(COMBO_CARDS[combo].tolist())
            if not set(hole) & set(board):
                met.setdefault((rank_cards(hole + board), 30), []).append((orbit, points_of(hole, board)))
    assert met
    for cell, seen in met.items():
        assert counts[cell] == sum(orbit for orbit, _ in seen)
        assert sums[cell] == sum(orbit * points for orbit, points in seen)
        assert (least[cell], most[cell]) == (min(p for _, p in seen), max(p for _, p in seen))


def test_flop_table_made_again() -> None:
    from felt.odds.strength.ars import SCALE

    found = board_rank_strengths(board_classes(3), _tables.load("flop_points") / (1081 * _build.POINTS))
    assert found.counts.sum() == comb(52, 2) * comb(50, 3)
    seen = found.counts > 0
    assert (found.least[seen] <= found.mean[seen] + 1e-12).all()
    assert (found.mean[seen] <= found.most[seen] + 1e-12).all()
    for name, table in _tables.load_archive("ars_flop").items():
        assert (table == np.where(seen, np.round(getattr(found, name) * SCALE), 0)).all()
