"""The agent that plays from a file."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from felt.abstraction.abstraction import Abstraction
from felt.agents import entrant
from felt.agents.contract import check_agent
from felt.errors import FeltError
from felt.games import Action, Hand, Move, load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
from felt.solvers.cfr.solver import Solver
from felt.solvers.files import read_arrays, write_arrays
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.registry import begin
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree
from tests.solvers.variants import CUTS


@pytest.fixture
def file(tmp_path: Path) -> str:
    solver = Solver(build_tree(load("leduc")))
    solver.run(50)
    save_strategy(tmp_path / "leduc.felt", solver, evaluate(solver.tree, solver.average()))
    return str(tmp_path / "leduc.felt")


def test_it_keeps_the_contract(file: str) -> None:
    assert check_agent(f"strategy:{file}", ["leduc", "kuhn"]).refused == ("kuhn",)


KINDS: dict[str, Callable[[], Any]] = {
    "every node": lambda: Solver(build_tree(load("leduc")), form="levels"),
    "public tree": lambda: VectorSolver(vector_tree(load("leduc"))),
    "forgetful": lambda: ForgetfulSolver(build_tree(load("leduc"))),
    "public-chance": lambda: begin(build_tree(load("leduc")), "public-chance"),
    "external, whole": lambda: begin(build_tree(load("leduc")), "external"),
    "sampled": lambda: begin(load("leduc"), "sampled"),
    "external": lambda: begin(load("leduc"), "external"),
    "outcome": lambda: begin(load("leduc"), "outcome"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_any_solver_has_found_is_played(tmp_path: Path, kind: str) -> None:
    solver = KINDS[kind]()
    solver.run(30)
    save_strategy(tmp_path / "x.felt", solver, None)
    assert check_agent(f"strategy:{tmp_path}/x.felt", ["leduc"], hands=3).decisions > 0
    strategy, number = load_strategy(tmp_path / "x.felt"), solver.tree.infosets.of_player[1]
    first, last = solver.tree.infosets.first[number : number + 2]
    chances = strategy.at(1, solver.tree.infosets.labels[number])
    assert chances is not None and list(chances) == list(solver.tree.infosets.actions[first:last])
    assert list(chances.values()) == solver.average()[first:last].tolist()


def test_a_file_that_names_no_sets_is_refused(tmp_path: Path, file: str) -> None:
    about, arrays = read_arrays(Path(file))
    none = {name: np.zeros(0, dtype=arrays[name].dtype) for name in ("labels", "label_ends", "moves", "amounts")}
    write_arrays(tmp_path / "x.felt", about, {**arrays, **none})
    with pytest.raises(FeltError, match=r"its array moves has the shape .* not fit the others; solve the game again"):
        entrant(f"strategy:{tmp_path}/x.felt").make()


def test_it_plays_by_the_chances_of_the_file(file: str) -> None:
    agent = entrant(f"strategy:{file}").make()
    hand = Hand.new(load("leduc"), deck="KsQsJhQhJsKh")
    hand.raise_to(2)
    assert agent.probabilities(hand.view(1)) == load_strategy(file).at(1, "Q r2")


def test_it_says_what_it_needs(file: str) -> None:
    assert "needs the file of a strategy" in str(entrant("strategy").make().plays(load("leduc"), 2))
    assert "for leduc with 2 players" in str(entrant(f"strategy:{file}").make().plays(load("kuhn"), 2))
    with pytest.raises(FeltError, match="cannot read"):
        entrant("strategy:nothing.felt").make()


@pytest.fixture
def menu(tmp_path: Path) -> str:
    """Push/fold and a raise to three, for stacks of ten big blinds, with a board of three cards."""
    solver = Solver(build_tree(CUTS["preflop-nolimit"].of("preflop-nolimit"), 20))
    solver.run(50)
    save_strategy(tmp_path / "menu.felt", solver, None)
    return str(tmp_path / "menu.felt")


def test_raises_off_the_menu_are_translated(menu: str) -> None:
    rules, agent = CUTS["preflop-nolimit"].of("preflop-nolimit"), entrant(f"strategy:{menu}").make()
    on, off, less = (Hand.new(rules, 20, seed=3) for _ in range(3))
    on.raise_to(6)
    off.raise_to(7)
    less.raise_to(4)
    solved, strange = agent.probabilities(on.view(0)), agent.probabilities(off.view(0))
    assert solved is not None and strange is not None
    assert sum(strange.values()) == pytest.approx(1) and strange != solved
    assert all(off.legal().raise_to is None or action.amount <= 20 for action in strange)
    assert agent.probabilities(less.view(0)) is not None


def test_other_stacks_and_buttons_are_translated(menu: str) -> None:
    rules, agent = CUTS["preflop-nolimit"].of("preflop-nolimit"), entrant(f"strategy:{menu}").make()
    usual, turned = Hand.new(rules, 20, seed=3), Hand.new(rules, 20, seed=3, button=0)
    assert usual.turn == 1 and turned.turn == 0
    assert usual.cards(1) == turned.cards(0)
    assert agent.probabilities(usual.view(1)) == agent.probabilities(turned.view(0))
    deep = Hand.new(rules, [30, 24], seed=3)
    found = agent.probabilities(deep.view(1))
    assert found is not None and sum(found.values()) == pytest.approx(1)
    agent.dice = Random(1)
    deep.act(agent.act(deep.view(1)))


def test_an_abstraction_is_played(tmp_path: Path) -> None:
    tree = build_tree(load("leduc"), abstraction=Abstraction(cards="ehs:2", history="raises", forget=True))
    solver = ForgetfulSolver(tree)
    solver.run(20)
    save_strategy(tmp_path / "few.felt", solver, None)
    assert check_agent(f"strategy:{tmp_path}/few.felt", ["leduc", "kuhn"]).refused == ("kuhn",)
    agent, hand = entrant(f"strategy:{tmp_path}/few.felt").make(), Hand.new(load("leduc"), seed=1)
    hand.raise_to(2)
    hand.call()
    found = agent.probabilities(hand.view(0))
    assert found is not None and set(found) == {Action(Move.CALL), Action(Move.RAISE, 4)}


def test_what_follows_a_state_is_played_whoever_has_the_button(tmp_path: Path) -> None:
    start = Hand.new(load("leduc"), deck="KsQsJhQhJsKh", button=0)
    start.raise_to(2)
    start.call()
    solver = Solver(build_tree(start))
    solver.run(20)
    save_strategy(tmp_path / "state.felt", solver, None)
    agent = entrant(f"strategy:{tmp_path}/state.felt").make()
    for button in (0, 1):
        hand = Hand.new(load("leduc"), deck="KhQsJhQhJsKs", button=button)
        assert agent.probabilities(hand.view(hand.turn)) is None
        hand.raise_to(2)
        hand.call()
        found = agent.probabilities(hand.view(hand.turn))
        assert found == load_strategy(f"{tmp_path}/state.felt").at(1, "K r2 c [J]")
