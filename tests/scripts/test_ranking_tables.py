"""The value tables, made again from the rules, against the slow rankers."""

import random
from itertools import combinations

import pytest
from scripts.ranking_tables import FAMILIES, SUITED, badugi_values, flush_values, rank_values

from felt.cards.ranking.kinds import KINDS, example, scale
from tests.reference import ranking as slow

pytestmark = pytest.mark.no_jit


def scattered(ranks: tuple[int, ...]) -> list[int]:
    """Cards of these ascending ranks with no five of one suit: equal ranks stand together."""
    return [4 * rank + i % 4 for i, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    "family", [name if name in ("high", "short") else pytest.param(name, marks=pytest.mark.long) for name in FAMILIES]
)
def test_values_by_rank_agree_with_the_rule_book(family: str) -> None:
    values = rank_values(family)
    for ranks in random.Random(family).sample(sorted(values), 1500):
        cards = scattered(ranks)
        strength, value = slow.RANKERS[family](cards), values[ranks]
        kind = scale(family, len(ranks)).name
        if strength is None:
            assert value == 0
        else:
            assert slow.RANKERS[family](example(value, kind)) == strength


@pytest.mark.parametrize(
    ("family", "count"), [("high", 76_154), ("low-a5", 76_154), ("low-27", 73_775), ("short", 10_230)]
)
def test_every_choice_of_ranks_has_a_value(family: str, count: int) -> None:
    assert len(rank_values(family)) == count


@pytest.mark.parametrize("family", SUITED)
def test_flushes_agree_with_the_rule_book(family: str) -> None:
    table = flush_values(family)
    ranks = range(4, 13) if family.startswith("short") else range(13)
    sets = [chosen for size in (5, 6, 7) for chosen in combinations(ranks, size)]
    for chosen in random.Random(family).sample(sets, min(len(sets), 800)):
        cards = [4 * rank for rank in chosen]
        value = int(table[sum(1 << rank for rank in chosen)])
        assert slow.RANKERS[family](example(value, family)) == slow.RANKERS[family](cards)


@pytest.mark.parametrize("family", SUITED)
def test_fewer_than_five_suited_cards_are_no_flush(family: str) -> None:
    table = flush_values(family)
    assert not any(table[mask] for mask in range(8192) if mask.bit_count() < 5)


def test_badugi_values_agree_with_the_rule_book() -> None:
    table = badugi_values()
    for size in (1, 2, 3, 4):
        for ranks in combinations(range(13), size):
            cards = [4 * rank + i for i, rank in enumerate(ranks)]
            value = int(table[sum(1 << rank for rank in ranks)])
            assert slow.badugi(example(value, "badugi")) == slow.badugi(cards)
    assert sum(table > 0) == KINDS["badugi"].classes
