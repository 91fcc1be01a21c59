"""Every solver states the most memory that it takes, and takes no more; what would take more is refused in one line."""

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from felt.abstraction.abstraction import Abstraction
from felt.abstraction.buckets import expected_strength
from felt.errors import FeltError
from felt.games import load
from felt.games.views.keys import information
from felt.solvers.cfr.algorithm import ALGORITHMS
from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
from felt.solvers.cfr.solver import Solver
from felt.solvers.memory import MemoryBoundError, bytes_of, memory_beside
from felt.solvers.public_tree.build import size_of_vector, vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.registry import BETTING, METHODS, begin
from felt.solvers.sampling.betting import betting_of, size_of_public
from felt.solvers.sampling.gains import sampled_gains
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree, plain_game, size_of
from felt.solvers.trees.build_any import EACH
from felt.solvers.whole_game import whole_game
from tests.solvers.small_games import cut_holdem

LEDUC = load("leduc", ranks=9, raises=2)
CUT = cut_holdem(3, 4, boards=(3, 1), hole=1)
"""With suits that are mere names: deals are listed before those that are one are put together."""


def peak(work: Callable[[], Any]) -> int:
    """The most bytes that were allocated at a time, by Python and by NumPy."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What compiling takes is no solver's."""
    for method in METHODS:
        begin(load("kuhn"), method).run(20)
    for kind in ("float64", "int16"):
        VectorSolver(vector_tree(load("kuhn"), kind=kind), kind=kind).run(1)
    VectorSolver(vector_tree(load("kuhn"))).measure()
    VectorSolver(vector_tree(cut_holdem(3, 2))).measure()
    sampled_gains(betting_of(load("kuhn")), betting_of(load("kuhn")).infosets.uniform(), deals=40)
    build_tree(CUT)
    tree = build_tree(load("kuhn"))
    Solver(tree, form="levels").run(1)
    Solver(tree, kind="float32").run(1)
    Solver(tree, threads=2).run(1)
    Solver(tree).measure()


@pytest.mark.parametrize(
    ("method", "rules"),
    [*((method, LEDUC) for method in (*ALGORITHMS, "pruned", "public-chance")), ("public-chance", CUT), ("dcfr", CUT)],
)
def test_a_solver_of_the_whole_tree_keeps_to_its_bound(tmp_path, method, rules) -> None:
    def work() -> None:
        solver = begin(rules, method)
        solver.run(3)
        found = Solver(solver.tree, "cfr").measure()  # with the ends of the game
        if method != "pruned":
            save_strategy(tmp_path / "s.felt", solver, found)

    assert peak(work) < size_of(rules).peak


@pytest.mark.parametrize("options", [{"form": "levels"}, {"kind": "float32"}, {"threads": 2}])
def test_every_form_of_sweeps_keeps_to_the_bound(options) -> None:
    def work() -> None:
        solver = begin(LEDUC, "predictive", **options)
        solver.run(2)
        solver.measure()  # type: ignore[attr-defined]

    assert peak(work) < size_of(LEDUC).peak


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_walks_over_the_whole_tree_keep_to_its_bound(method) -> None:
    def work() -> None:
        solver = begin(LEDUC, method, whole=True)
        solver.run(3)
        Solver(solver.tree, "cfr").measure()

    assert peak(work) < size_of(LEDUC).peak


@pytest.mark.parametrize("rules", [load("leduc", players=3), CUT, load("preflop-limit")], ids=["3", "cut", "preflop"])
@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.takes(BETTING)])
def test_a_solver_that_deals_keeps_to_its_bound(tmp_path, rules, method) -> None:
    def work() -> None:
        solver = begin(rules, method)
        solver.run(20)
        sampled_gains(solver.tree, solver.average(), deals=100)
        save_strategy(tmp_path / "s.felt", solver, None)

    assert peak(work) < size_of_public(plain_game(rules))


@pytest.mark.parametrize(
    ("kind", "rules"), [("float64", LEDUC), ("float32", LEDUC), ("int16", LEDUC), ("float64", CUT), ("int16", CUT)]
)
def test_a_solver_of_the_public_tree_keeps_to_its_bound(tmp_path, kind, rules) -> None:
    def work() -> None:
        solver = VectorSolver(vector_tree(rules, kind=kind), "predictive", kind=kind)
        solver.run(2)
        save_strategy(tmp_path / "s.felt", solver, solver.measure())

    assert peak(work) < size_of_vector(rules, kind=kind).peak


def test_a_game_grown_hand_by_hand_keeps_to_its_bound() -> None:
    rules, trees = load("leduc", players=3, ranks=2), []

    def grow() -> None:
        trees.append(build_tree(rules, suits=False, key=lambda hand, seat: information(hand, seat, suits=False)))

    assert peak(grow) < len(trees[0]) * EACH
    assert peak(lambda: Solver(trees[0]).measure()) < bytes_of(trees[0]) < len(trees[0]) * EACH + 2e6


def test_an_abstraction_and_its_whole_game_keep_to_the_bound() -> None:
    small = build_tree(load("leduc"), abstraction=Abstraction(history="street", forget=True))
    solver, memory = ForgetfulSolver(small, "cfr"), 60e6

    def work() -> None:
        solver.run(2)
        whole_game(small, memory=memory_beside(small, memory)).measure(solver.average())

    assert peak(work) + bytes_of(small) < memory
    with pytest.raises(FeltError, match=r"the tree of leduc has at least .* more than the .* allowed"):
        whole_game(small, memory=memory_beside(small, 4e6))


def refusal(work: Callable[[], Any]) -> str:
    """What is said: one line with what it needs, what is allowed, and what to do."""
    with pytest.raises(FeltError) as error:
        work()
    text = str(error.value)
    assert all(part in text for part in ("needs", "more than the", "allowed", "or more memory")), text
    assert "\n" not in text
    return text


@pytest.mark.parametrize("method", METHODS)
def test_every_algorithm_refuses_what_does_not_fit(method) -> None:
    refusal(lambda: begin(LEDUC, method, memory=1.2e6))


@pytest.mark.long
@pytest.mark.parametrize("method", ["dcfr", "external"])
def test_a_large_game_is_refused_before_it_grows(method) -> None:
    large = load("limit-holdem")
    assert peak(lambda: refusal(lambda: begin(large, method))) < 100e6, "nothing large grows before it is refused"


def test_the_public_tree_and_large_betting_are_refused_too() -> None:
    tall = load("nlhe")
    refusal(lambda: vector_tree(LEDUC, memory=1.2e6))
    refusal(lambda: betting_of(tall, 2000, sizes=None, memory=30e6))
    refusal(lambda: vector_tree(tall, 2000, sizes=None, memory=30e6))
    refusal(lambda: build_tree(tall, 2000, sizes=None, memory=30e6))
    refusal(lambda: build_tree(load("stud"), memory=30e6))
    assert peak(lambda: refusal(lambda: size_of(tall, 2000, sizes=None, memory=30e6))) < 30e6


def test_cards_that_fall_in_many_ways_are_refused_before_they_are_dealt() -> None:
    """One card each of seven is few; the board of the 42 deals, in 21 ways, is counted before it is dealt."""
    rules = replace(load("leduc"), deck=load("leduc", ranks=7, suits=1).deck)
    wide = replace(rules, rounds=(rules.rounds[0], replace(rules.rounds[1], board=1)))
    assert "at least" in refusal(lambda: build_tree(wide, key=information, memory=130 * EACH))


def test_sampled_gains_refuse_more_deals_than_fit() -> None:
    tree = betting_of(load("kuhn"))
    with pytest.raises(MemoryBoundError, match=r"looking at 1,000,000,000,000 deals of kuhn needs about 1\.28e"):
        sampled_gains(tree, tree.infosets.uniform(), deals=10**12)


def test_the_strength_of_a_hand_is_found_in_portions() -> None:
    rules = cut_holdem(6, 4, boards=(4,), hole=1)
    assert peak(lambda: expected_strength(rules, [48], [])) < 15e6


def test_a_strategy_goes_on_within_the_memory_that_is_allowed(tmp_path) -> None:
    solver = begin(load("leduc"), "external")
    solver.run(10)
    save_strategy(tmp_path / "s.felt", solver, None)
    assert load_strategy(tmp_path / "s.felt").solver(memory=60e6).iterations == 10
    with pytest.raises(MemoryBoundError, match=r"public tree of leduc.* needs about .* more than the 1 MB allowed"):
        load_strategy(tmp_path / "s.felt").solver(memory=1e6)


def test_preflop_limit_takes_memory_for_what_is_decided_and_not_for_boards() -> None:
    """It took 24 GB: all that two cards and five of the board may be, though nobody decides after the board."""
    betting = betting_of(load("preflop-limit"))
    assert betting.infosets.count == 8 * 169 and size_of_public(betting.game) < 30e6
    known = betting.known(betting.deal(10, np.random.default_rng(1)))
    assert known.shape == (10, 2, 2) and known[:, 0].max() < 169 and not known[:, 1].any()
