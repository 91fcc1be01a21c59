"""The agent that plays from a file."""

from pathlib import Path

import pytest

from felt.agents import entrant
from felt.agents.contract import check_agent
from felt.errors import FeltError
from felt.games import Hand, load
from felt.solvers.best_response import evaluate
from felt.solvers.build import build_tree
from felt.solvers.solver import Solver
from felt.solvers.strategy import load_strategy, save_strategy


@pytest.fixture
def file(tmp_path: Path) -> str:
    solver = Solver(build_tree(load("leduc")))
    solver.run(50)
    save_strategy(tmp_path / "leduc.felt", solver, evaluate(solver.tree, solver.average()))
    return str(tmp_path / "leduc.felt")


def test_it_keeps_the_contract(file: str) -> None:
    assert check_agent(f"strategy:{file}", ["leduc", "kuhn"]).refused == ("kuhn",)


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
