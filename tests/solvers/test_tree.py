"""Trees: the two builders agree, sizes are told before, and what does not fit is refused."""

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import GameRules, Hand, load
from felt.games.views.keys import information
from felt.solvers.trees.build import build_tree, size_of
from felt.solvers.trees.tree import CHANCE, TERMINAL, GameTree

GAMES = [
    load("kuhn"),
    load("kuhn", cards=5),
    load("kuhn", players=3, cards=4),
    load("leduc-one-raise"),
    load("leduc", ranks=2, suits=3),
]


def grown(rules: GameRules, suits: bool) -> GameTree:
    return build_tree(rules, suits=suits, key=lambda hand, seat: information(hand, seat, suits=suits))


def labels(tree: GameTree) -> list[str]:
    return [tree.infosets.labels[i] if i >= 0 else "" for i in tree.infoset]


@pytest.mark.parametrize("suits", [False, True])
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.name}-{len(rules.deck)}-{rules.min_players}")
def test_multiplying_betting_and_deals_is_growing_hand_by_hand(rules: GameRules, suits: bool) -> None:
    one, two = build_tree(rules, suits=suits), grown(rules, suits)
    for name in ("parent", "first_child", "children", "player", "chance", "levels", "payoffs"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), err_msg=name)
    assert labels(one) == labels(two)
    moves = [[tree.infosets.actions[i] if i >= 0 else None for i in tree.sequence] for tree in (one, two)]
    assert moves[0] == moves[1]
    size = size_of(rules, suits=suits)
    assert (size.nodes, size.infosets, size.sequences) == (len(one), one.infosets.count, one.infosets.sequences)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.name}-{len(rules.deck)}-{rules.min_players}")
def test_the_arrays_are_a_tree_in_level_order(rules: GameRules) -> None:
    tree = build_tree(rules)
    level = np.searchsorted(tree.levels, np.arange(len(tree)), side="right")
    assert (level[1:] == level[tree.parent[1:]] + 1).all()
    for node in np.flatnonzero(tree.children):
        below = range(tree.first_child[node], tree.first_child[node] + tree.children[node])
        assert (tree.parent[below] == node).all()
        if tree.player[node] == CHANCE:
            assert tree.chance[below].sum() == pytest.approx(1)
        else:
            first = tree.infosets.first[tree.infoset[node]]
            assert tree.sequence[below].tolist() == list(range(first, first + len(below)))
    assert ((tree.children == 0) == (tree.player == TERMINAL)).all()


def test_openspiel_and_we_have_the_same_tree_of_leduc_with_suits() -> None:
    tree = build_tree(load("leduc"), suits=True)
    assert (len(tree), tree.infosets.count, tree.infosets.sequences) == (9457 - 6, 936, 2184)  # one deal of two cards


def test_sizes_are_told_without_building() -> None:
    assert str(size_of(load("leduc"))).startswith("1,936 nodes, 288 information sets, about ")
    assert size_of(load("kuhn", cards=13, players=8)).nodes > 10**11


def test_a_tree_that_does_not_fit_is_refused_with_its_size() -> None:
    with pytest.raises(FeltError, match=r"the tree of nlhe has [\d,]+ nodes and needs about .* more than the 4 GB"):
        build_tree(load("nlhe"))
    with pytest.raises(FeltError, match="more than the 10 kB allowed"):
        build_tree(load("leduc"), memory=1e4)
    with pytest.raises(FeltError, match="more than the 1 MB allowed"):
        grown_with_memory(load("leduc"), 1e6)


@pytest.mark.parametrize("name", ["stud", "five-card-draw", "badugi", "anaconda"])
def test_games_of_open_and_exchanged_cards_are_refused_at_once(name: str) -> None:
    with pytest.raises(FeltError, match=rf"the tree of {name} has at least [\d,]+ nodes"):
        build_tree(load(name))


def grown_with_memory(rules: GameRules, memory: float) -> GameTree:
    return build_tree(rules, key=information, memory=memory)


def test_suits_that_matter_cannot_be_left_out() -> None:
    with pytest.raises(FeltError, match="suits matter in preflop-limit"):
        build_tree(load("preflop-limit"), suits=False)


def test_a_tree_from_the_middle_of_a_hand_deals_what_players_hold_anew() -> None:
    hand = Hand.new(load("leduc"), deck="KsQsJhQhJsKh")
    hand.raise_to(2)
    hand.call()
    tree = build_tree(hand)
    assert tree.children[0] == 8  # two jacks of one suit can not both be held: one lies on the board
    assert tree.chance[1:9].sum() == pytest.approx(1)
    assert set(labels(tree)[1:9]) == {"J r2 c [J]", "Q r2 c [J]", "K r2 c [J]"}


def test_a_key_that_forgets_is_refused() -> None:
    with pytest.raises(FeltError, match="would have to forget"):
        build_tree(load("leduc"), key=lambda hand, seat: information(hand, seat, suits=False)[:1] + str(hand.legal()))


def test_a_key_may_put_cards_together() -> None:
    tree = build_tree(load("kuhn"), key=lambda hand, seat: information(hand, seat, suits=False).replace("K", "Q"))
    assert tree.infosets.count == 8
