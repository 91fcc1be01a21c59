"""Deals that differ only by the names of suits are one: the game is the same, and smaller."""

import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from felt.agents.solved.strategy import FromFile
from felt.cards.card import format_cards, parse_cards
from felt.cards.deck import Deck
from felt.games import GameRules, Hand, load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.sampling.deals import SampledSolver
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree, size_of
from felt.solvers.trees.dealt import ALL, all_deals, count_orbits, fixing, renamings, smallest
from felt.solvers.trees.tree import GameTree
from tests.solvers.small_games import cut_holdem

GAMES = [
    cut_holdem(2, 4),
    cut_holdem(3, 3),
    cut_holdem(2, 4, hole=2, boards=(3,)),
    cut_holdem(3, 2, boards=(3, 1)),
    cut_holdem(2, 3, boards=(2, 2)),
]
CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+")


def named(label: str, rules: GameRules) -> str:
    """A label by the smallest names of suits, found by trying all 24."""
    groups = [sorted(parse_cards(group)) for group in CARDS.findall(label)]
    suits = [order for order in permutations(range(4)) if all(c & ~3 | order[c & 3] in rules.deck for c in rules.deck)]
    order = min(suits, key=lambda names: [sorted(c & ~3 | names[c & 3] for c in group) for group in groups])

    def renamed(found: re.Match[str]) -> str:
        return format_cards(sorted((c & ~3 | order[c & 3] for c in parse_cards(found.group())), reverse=True))

    return CARDS.sub(renamed, label)


def seats(tree: GameTree) -> list[int]:
    return (np.searchsorted(tree.infosets.of_player, np.arange(tree.infosets.count), side="right") - 1).tolist()


def lifted(small: GameTree, whole: GameTree, chances: np.ndarray) -> np.ndarray:
    """A strategy of the smaller tree in the whole one."""
    number = {key: i for i, key in enumerate(zip(seats(small), small.infosets.labels, strict=True))}
    at = [number[s, named(text, whole.rules)] for s, text in zip(seats(whole), whole.infosets.labels, strict=True)]
    first = small.infosets.first
    return np.concatenate([chances[first[i] : first[i + 1]] for i in at])


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{len(rules.deck)} cards, {len(rules.rounds)} rounds")
def test_value_and_exploitability_are_those_of_the_whole_tree(rules: GameRules) -> None:
    small, whole = build_tree(rules), build_tree(rules, isomorphic=False)
    assert small.isomorphic and not whole.isomorphic
    assert len(small) < len(whole) * 0.51
    dice = np.random.default_rng(1)
    solver = Solver(small)
    solver.run(20)
    for chances in (small.infosets.normalised(dice.random(small.infosets.sequences)), solver.average()):
        one, two = evaluate(small, chances), evaluate(whole, lifted(small, whole, chances))
        assert one.values == pytest.approx(two.values, abs=1e-12)
        assert one.best == pytest.approx(two.best, abs=1e-12)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{len(rules.deck)} cards, {len(rules.rounds)} rounds")
def test_sizes_are_told_exactly(rules: GameRules) -> None:
    tree, size = build_tree(rules), size_of(rules)
    assert (size.nodes, size.infosets, size.sequences) == (len(tree), tree.infosets.count, tree.infosets.sequences)
    assert len(set(zip(seats(tree), tree.infosets.labels, strict=True))) == tree.infosets.count


def test_both_trees_are_solved_to_the_same_value() -> None:
    found = []
    for isomorphic in (True, False):
        solver = Solver(build_tree(GAMES[0], isomorphic=isomorphic))
        solver.run(400)
        found.append(evaluate(solver.tree, solver.average()))
    assert found[0].values == pytest.approx(found[1].values, abs=sum(one.exploitability for one in found) * 2)


def test_counts_of_the_literature() -> None:
    """As Waugh counts them (2013), who tells apart in which round a card fell."""
    deck = range(52)
    assert count_orbits(deck, [[2], [3], [1], [1]], ALL) == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert count_orbits(deck, [[3]], ALL) == [1755]
    assert len(all_deals(deck, [[2]], suits=True, renamings=ALL)[0].chance) == 169


def test_deals_are_as_likely_as_all_that_they_stand_for() -> None:
    deck, groups = [*range(40, 52)], [[1, 1], [2], [1]]
    whole = all_deals(deck, groups, suits=True)
    kept = all_deals(deck, groups, suits=True, renamings=ALL)
    sizes, chance, expected = list[int](), np.ones(1), np.ones(1)
    for group, one, two in zip(groups, kept, whole, strict=True):
        sizes += group
        chance, expected = chance[one.parent] * one.chance, expected[two.parent] * two.chance
        assert (np.diff(one.parent) >= 0).all()
        together: dict[bytes, float] = {}
        for row, share in zip(smallest(two.classes, sizes, ALL)[0], expected, strict=True):
            together[row.tobytes()] = together.get(row.tobytes(), 0) + share
        found = {row.astype(np.uint8).tobytes(): share for row, share in zip(one.classes, chance, strict=True)}
        assert found == pytest.approx(together)


def test_suits_keep_their_names_where_they_mean_something() -> None:
    assert len(renamings(load("brag"))) == 1  # nobody can say what a formula makes of a suit
    uneven = replace(cut_holdem(3, 4), deck=Deck("uneven", (*range(40, 52), 36)))
    assert len(renamings(uneven)) == 6  # one suit has a card more
    assert len(fixing(ALL, [[51, 47], [0]])) == 2
    leduc = build_tree(load("leduc"))
    assert not leduc.isomorphic and leduc.infosets.count == 288


def test_an_agent_finds_its_cards_in_the_strategy(tmp_path: Path) -> None:
    rules = cut_holdem(3, 3)
    tree = build_tree(rules)
    solver = Solver(tree)
    solver.run(5)
    save_strategy(tmp_path / "cut.felt", solver, evaluate(tree, solver.average()))
    strategy = load_strategy(tmp_path / "cut.felt")
    assert strategy.isomorphic
    np.testing.assert_array_equal(strategy.tree().infosets.first, tree.infosets.first)
    player = FromFile(str(tmp_path / "cut.felt"))
    seen = set()
    for seed in range(40):
        hand = Hand.new(rules, tree.stacks, seed=seed)
        while not hand.over:
            view = hand.view(hand.turn)
            chances = player.probabilities(view)
            assert chances is not None and sum(chances.values()) == pytest.approx(1)
            seen.add(strategy.knows(view))
            hand.call()
    assert {text for text in seen if " " not in text} <= {"Ac", "Kc", "Qc"}


def test_sampled_deals_learn_at_the_same_information_sets() -> None:
    rules = cut_holdem(2, 4)
    solver, tree = SampledSolver(rules), build_tree(rules)
    np.testing.assert_array_equal(solver.infosets.first, tree.infosets.first)
    np.testing.assert_array_equal(solver.infosets.parent, tree.infosets.parent)
    before = evaluate(tree, solver.average()).exploitability
    solver.run(3000)
    assert evaluate(tree, solver.average()).exploitability < before / 3
