"""Deals as classes: all of them, with the chances that permutations give."""

from collections import Counter
from itertools import permutations

import pytest

from felt.games import load, names
from felt.games.trees.tree import plain_deals, suits_matter
from felt.solvers.trees.dealt import all_deals, count_deals


@pytest.mark.parametrize("suits", [True, False])
@pytest.mark.parametrize("groups", [[[1, 1], [1]], [[2, 2], [1]], [[1, 1, 1]], [[2, 1], [], [2]]])
def test_deals_have_the_chances_of_permutations(groups: list[list[int]], suits: bool) -> None:
    deck = [36, 37, 40, 41, 42, 44, 45]
    needed = sum(map(sum, groups))
    expected: Counter[tuple[int, ...]] = Counter()
    for order in permutations(deck, needed):
        row, at = [], 0
        for size in (size for sizes in groups for size in sizes):
            row += sorted(card if suits else card >> 2 for card in order[at : at + size])
            at += size
        expected[tuple(row)] += 1
    deals = all_deals(deck, groups, suits=suits)
    chance = deals[0].chance
    for dealt in deals[1:]:
        assert (dealt.parent == sorted(dealt.parent)).all()
        chance = chance[dealt.parent] * dealt.chance
    found = {tuple(row): share for row, share in zip(deals[-1].classes.tolist(), chance, strict=True)}
    total = expected.total()
    assert found == pytest.approx({row: count / total for row, count in expected.items()})
    assert count_deals(deck, groups, suits=suits) == [len(dealt.chance) for dealt in deals]


def test_suits_are_left_out_only_where_they_never_matter() -> None:
    assert [name for name in names() if not suits_matter(load(name))] == ["kuhn", "leduc", "leduc-one-raise"]


def test_games_whose_betting_does_not_depend_on_cards() -> None:
    assert plain_deals(load("nlhe")) and plain_deals(load("kuhn"))
    assert not plain_deals(load("stud")) and not plain_deals(load("five-card-draw"))
