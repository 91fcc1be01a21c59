"""Abstractions: what is put together, what is forgotten, and the way back into the whole game."""

import sys
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from felt.abstraction.abstraction import Abstraction
from felt.abstraction.buckets import CARD_HOOKS, expected_strength
from felt.abstraction.translation import pseudo_harmonic, real_action, shadows
from felt.agents import entrant
from felt.errors import FeltError
from felt.games import Action, Betting, Hand, Move, Structure, load
from felt.games.views.keys import information
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.algorithm import ALGORITHMS
from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
from felt.solvers.cfr.solver import Solver
from felt.solvers.files import read_arrays, write_arrays
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree
from felt.solvers.whole_game import whole_game

LEDUC = load("leduc")
TREE = build_tree(LEDUC)
FREE = replace(
    load("kuhn", cards=4), name="free", stack=12,
    rounds=(replace(load("kuhn").rounds[0], betting=Betting(Structure.NO_LIMIT, 1, max_raises=2)),),
)  # fmt: skip
"""Kuhn's game with bets of any size."""


def kings(own: object, boards: object) -> str:
    """A hook of one's own: whether a king is held, and what lies."""
    return f"{'K' if any(card >> 2 == 11 for card in own) else '-'} {len(boards)}"  # type: ignore[attr-defined,arg-type]


def nothing(streets: object) -> str:
    """A hook of one's own: no move is remembered."""
    return ""


def test_nothing_changes_unless_told() -> None:
    same = build_tree(LEDUC, abstraction=Abstraction())
    assert sorted(same.infosets.labels) == sorted(TREE.infosets.labels)
    solver = Solver(same, "cfr+")
    solver.run(50)
    whole = whole_game(same).measure(solver.average())
    assert whole.exploitability == pytest.approx(evaluate(same, solver.average()).exploitability, abs=1e-12)


def test_the_menu_is_that_of_the_abstraction() -> None:
    small = Abstraction(cards="ehs:2", sizes=(0.5,))
    expected = len(build_tree(FREE, abstraction=small))
    assert len(build_tree(FREE, abstraction=small, sizes=(0.5,))) == expected
    assert len(build_tree(FREE, abstraction=small, sizes=(1.0, float("inf")))) == expected  # as if it were left out
    for other in ((0.5, 1.0), None):
        with pytest.raises(FeltError, match="leave key and sizes out"):
            build_tree(FREE, abstraction=small, sizes=other)


@pytest.mark.long
@pytest.mark.parametrize(
    ("cards", "infosets", "least", "most"),
    [("ranks", 288, 0, 0.02), ("suits", 468, 0, 0.02), ("ehs:2", 132, 0.5, 0.7), ("ehs:3", 228, 0.3, 0.5)],
)
def test_what_an_abstraction_costs_in_leduc(cards: str, infosets: int, least: float, most: float) -> None:
    tree = build_tree(LEDUC, abstraction=Abstraction(cards=cards))
    solver = Solver(tree, "dcfr")
    solver.run(300)
    assert tree.infosets.count == infosets
    assert evaluate(tree, solver.average()).exploitability < 0.02
    assert least <= whole_game(tree).measure(solver.average()).exploitability < most


def test_suits_by_another_name_are_the_169_hands() -> None:
    hook = CARD_HOOKS["suits"]("")(load("nlhe"))
    found = {hook(pair, ()) for pair in combinations(range(51, -1, -1), 2)}
    assert len(found) == 169


def test_strength_is_the_share_of_the_pot_at_showdown() -> None:
    king, jack = (next(card for card in LEDUC.deck if card >> 2 == rank) for rank in (11, 9))
    pair = next(card for card in LEDUC.deck if card >> 2 == 11 and card != king)
    assert expected_strength(LEDUC, [king], [pair]) == 1.0
    assert expected_strength(LEDUC, [jack], [king]) == pytest.approx((0.5 * 1 + 0 * 3) / 4)
    holdem = load("nlhe")
    aces = [card for card in holdem.deck if card >> 2 == 12][:2]
    assert expected_strength(holdem, aces, []) == pytest.approx(0.852, abs=1e-3)


@pytest.mark.parametrize("method", ALGORITHMS)
def test_who_forgets_nothing_learns_the_same(method: str) -> None:
    one, two = Solver(TREE, method), ForgetfulSolver(TREE, method)
    one.run(7)
    two.run(7)
    sequences = TREE.infosets.sequences
    np.testing.assert_allclose(two.state.regrets[:sequences], one.state.regrets[:sequences], rtol=0, atol=1e-11)
    np.testing.assert_allclose(two.average(), one.average(), rtol=0, atol=1e-11)


def test_players_may_forget_where_that_is_said() -> None:
    with pytest.raises(FeltError, match="leaves out moves: say forget=True"):
        Abstraction(history="street")
    tree = build_tree(LEDUC, abstraction=Abstraction(history="raises", forget=True))
    assert tree.infosets.count < TREE.infosets.count
    with pytest.raises(FeltError, match="players of this game forget"):
        Solver(tree)
    solver = ForgetfulSolver(tree, "cfr+")
    solver.run(150)
    found = whole_game(tree).measure(solver.average()).exploitability
    assert found < evaluate(TREE, TREE.infosets.uniform()).exploitability / 4


@pytest.mark.long
@pytest.mark.parametrize("history", ["street", "raises", f"{__name__}:nothing"])
def test_what_may_be_done_is_never_forgotten(history: str) -> None:
    """In no-limit games what is left to be bet hangs on moves that are forgotten."""
    first, second = (replace(part, betting=Betting(Structure.NO_LIMIT, 2, max_raises=2)) for part in LEDUC.rounds)
    rules = replace(LEDUC, name="no-limit leduc", stack=9, rounds=(first, second))
    tree = build_tree(rules, abstraction=Abstraction(history=history, sizes=(0.5, 1.0, np.inf), forget=True))
    moves = [tuple(action.move for action in tree.infosets.actions[a:b]) for a, b in pairwise(tree.infosets.first)]
    assert tree.infosets.count < build_tree(rules, sizes=(0.5, 1.0, np.inf)).infosets.count
    assert {label.split("(")[1] for label in tree.infosets.labels} == {
        "".join({Move.FOLD: "f", Move.CALL: "c", Move.RAISE: "r"}[move] for move in menu) + ")" for menu in moves
    }
    solver = ForgetfulSolver(tree)
    solver.run(20)
    assert whole_game(tree).measure(solver.average()).exploitability < 2


def test_raises_off_the_menu_are_their_neighbours() -> None:
    assert pseudo_harmonic(0.5, 0.5, 1) == 1 and pseudo_harmonic(1, 0.5, 1) == 0
    assert pseudo_harmonic(1 / 3, 0, 1) == pytest.approx(0.5)
    hand = Hand.new(load("nlhe"), [200, 200])
    hand.raise_to(9)  # 3.5 pots of 2 above the call, between the pot and twice the pot
    menu = (1.0, 2.0, np.inf)
    found = shadows(hand, stacks=(200, 200), sizes=menu)
    assert [shadow.bets[1] for _, shadow in found] == [6, 10]
    assert found[0][0] == pytest.approx(pseudo_harmonic(7 / 4, 1, 2)) and sum(w for w, _ in found) == pytest.approx(1)
    assert [shadow.bets[1] for _, shadow in shadows(hand, stacks=(200, 200), sizes=menu, chance=False)] == [10]
    shoved = Hand.new(load("nlhe"), [50, 50])
    shoved.raise_to(50)
    assert [shadow.bets[1] for _, shadow in shadows(shoved, stacks=(200, 200), sizes=menu)] == [200]


def test_actions_come_back_as_shares_of_the_pot() -> None:
    real, shadow = Hand.new(load("nlhe"), [100, 100]), Hand.new(load("nlhe"), [200, 200])
    real.raise_to(9)
    shadow.raise_to(6)
    legal = real.legal()
    assert real_action(Action(Move.RAISE, 18), shadow, real, legal) == Action(Move.RAISE, 27)  # the pot
    assert real_action(Action(Move.RAISE, 200), shadow, real, legal) == Action(Move.RAISE, 100)
    assert real_action(Action(Move.FOLD), shadow, real, legal) == Action(Move.FOLD)
    assert real_action(Action(Move.CALL), shadow, real, legal) == Action(Move.CALL)


def test_a_small_menu_in_the_game_with_every_bet() -> None:
    small = build_tree(FREE, abstraction=Abstraction(sizes=(1.0, np.inf)))
    solver = Solver(small, "dcfr")
    solver.run(500)
    drawn, fixed = (whole_game(small, sizes=None, chance=chance) for chance in (True, False))
    assert len(drawn.tree) > len(small)
    for whole in (drawn, fixed):
        played = whole.strategy(solver.average())
        totals = np.add.reduceat(played, whole.tree.infosets.first[:-1])
        np.testing.assert_allclose(totals, 1, atol=1e-12)
        found = whole.measure(solver.average()).exploitability
        assert 1e-3 < found < 0.5
    assert not np.allclose(drawn.strategy(solver.average()), fixed.strategy(solver.average()))


def test_ones_own_hook_is_found_again(tmp_path: object) -> None:
    tree = build_tree(load("leduc-one-raise"), abstraction=Abstraction(cards=kings))
    save_strategy(f"{tmp_path}/x.felt", Solver(tree), None)
    strategy = load_strategy(f"{tmp_path}/x.felt", trust=True)
    assert strategy.abstraction == Abstraction(cards=f"{__name__}:kings")
    assert list(strategy.tree().infosets.labels) == list(tree.infosets.labels)


HOSTILE = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
def hook(*about):
    return "x"
"""


@pytest.mark.parametrize("where", ["cards", "history", "key"])
def test_a_file_cannot_have_functions_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Whoever writes a file names what is run when it is read; all but Felt's own needs the reader's word."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("FELT_TRUST_HOOKS", raising=False)
    tree = build_tree(load("kuhn"), abstraction=Abstraction(history="street", forget=True))
    save_strategy(tmp_path / "x.felt", ForgetfulSolver(tree), None)
    assert load_strategy(tmp_path / "x.felt").abstraction is not None
    about, arrays = read_arrays(tmp_path / "x.felt")
    module = "street" if where == "history" else "hostile"  # the first is the name of a ready hook too
    (tmp_path / f"{module}.py").write_text(HOSTILE)
    name = f"{module}:hook"
    (about if where == "key" else about["abstraction"])[where] = name
    write_arrays(tmp_path / "x.felt", about, arrays)
    told = f"x.felt' is not trusted: it names the function '{name}', which would be run: if you trust the file, set"
    with pytest.raises(FeltError, match=told):
        load_strategy(tmp_path / "x.felt")
    with pytest.raises(FeltError, match="is not trusted"):
        entrant(f"strategy:{tmp_path}/x.felt").make()
    monkeypatch.setenv("FELT_TRUST_HOOKS", "1")
    with pytest.raises(FeltError, match="is not trusted"):
        load_strategy(tmp_path / "x.felt", trust=False)
    assert not list(tmp_path.glob("*.ran"))
    assert load_strategy(tmp_path / "x.felt").infosets == tree.infosets.count
    assert list(tmp_path.glob("*.ran"))
    del sys.modules[module]


def test_keys_that_felt_has_need_no_trust(tmp_path: Path) -> None:
    save_strategy(tmp_path / "x.felt", Solver(build_tree(load("kuhn"), key=information)), None)
    assert load_strategy(tmp_path / "x.felt", trust=False).origin.key is information


def test_hooks_that_fail_are_told() -> None:
    with pytest.raises(FeltError, match=r"cards='os:getcwd' fails for \(\(\d+,\), \(\)\): TypeError: .* no arguments"):
        build_tree(LEDUC, abstraction=Abstraction(cards="os:getcwd"))
    with pytest.raises(FeltError, match=r"history='os:getcwd' fails for \(\[''\]\): TypeError"):
        build_tree(LEDUC, abstraction=Abstraction(history="os:getcwd", forget=True))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"cards": "nothing"}, "cards='nothing' cannot be found"),
        ({"cards": "nothing"}, "cannot be found: use one of all, ranks, suits, ehs, or a function as module:function"),
        ({"cards": "os:path"}, "cards='os:path' is no function"),
        ({"cards": "felt.games:nothing"}, "cannot be found"),
        ({"cards": "ehs:0"}, "give the number of steps"),
        ({"cards": "ranks:3"}, "ranks has no number behind it"),
    ],
)
def test_hooks_that_are_not_there_are_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(FeltError, match=told):
        Abstraction(**given)  # type: ignore[arg-type]
