"""The public tree with a vector of hands: the numbers of the history tree, the engine's payments, spots of hold'em."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from felt.cards.deck import Deck
from felt.cards.ranges.range import Range
from felt.errors import FeltError
from felt.games import GameRules, Hand, load, names
from felt.games.rules import Rake
from felt.games.trees.tree import plain_deals
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.public_tree import kernels as vector_kernels
from felt.solvers.public_tree.build import size_of_vector, spot, vector_tree
from felt.solvers.public_tree.kernels import terminal_values
from felt.solvers.public_tree.solver import KINDS, StoredRows, VectorSolver, evaluate_rows, rows_of
from felt.solvers.public_tree.tree import VectorTree, _laid
from felt.solvers.solving import solve
from felt.solvers.strategy import load_strategy, save_strategy
from felt.solvers.trees.build import build_tree
from tests.solvers.small_games import cut_holdem

METHODS = ["cfr", "cfr+", "linear", "dcfr", "predictive"]
GAMES = {
    "kuhn": load("kuhn", cards=5),
    "leduc": load("leduc"),
    "one card and four": cut_holdem(2, 4),
    "two cards and three": cut_holdem(2, 4, hole=2, boards=(3,)),
    "three rounds": cut_holdem(2, 3, boards=(2, 2)),
    "high and low": replace(
        cut_holdem(3, 3),
        showdown=replace(load("omaha8").showdown, hole_exactly=0),
        deck=Deck("low", (*range(8), 48, 49)),
    ),
    "raked": replace(cut_holdem(3, 2), rake=Rake(0.1, cap=3, no_flop_no_drop=False)),
}


def at_last_street(rules: GameRules, stacks: int | None = None, seed: int = 0) -> Hand:
    """A hand that was called and checked to its last round."""
    hand = Hand.new(rules, stacks, seed=seed, players=2)
    while hand.street < max(i for i, part in enumerate(rules.rounds) if part.betting):
        hand.call()
    return hand


@pytest.mark.parametrize("isomorphic", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_an_iteration_is_that_of_the_history_tree(name: str, isomorphic: bool) -> None:
    """From random regrets: where actions are worth exactly the same, rounding would decide what is played later on."""
    rules = GAMES[name]
    tree, public = build_tree(rules, isomorphic=isomorphic), vector_tree(rules, isomorphic=isomorphic)
    for part in ("first", "parent", "of_player"):
        np.testing.assert_array_equal(getattr(public.infosets, part), getattr(tree.infosets, part))
    assert list(public.infosets.labels) == list(tree.infosets.labels)
    assert list(public.infosets.actions) == list(tree.infosets.actions)
    dice = np.random.default_rng(4)
    for method in METHODS if len(tree) < 3000 else ["dcfr", "predictive"]:
        one, two = Solver(tree, method), VectorSolver(public, method)
        regrets = (
            dice.random(len(one.state.regrets)) if one.algorithm.floor else dice.normal(size=len(one.state.regrets))
        )
        one.state.regrets[:] = regrets
        one.state.averages[:] = dice.random(len(one.state.averages))
        one.state.strategy[: tree.infosets.sequences] = tree.infosets.normalised(one.state.regrets[:-2])
        one.iterations = 7
        one.reset_reach()
        two.restore(one.state._asdict(), 7)
        np.testing.assert_allclose(two.current(), one.current(), atol=1e-12)
        one.run(1)
        two.run(1)
        for part in ("regrets", "averages", "predicted"):
            mine, theirs = getattr(two.state, part), getattr(one.state, part)
            np.testing.assert_allclose(mine[:-2], theirs[:-2], atol=1e-12, err_msg=f"{method} {part}")
        found, expected = two.measure(), evaluate(tree, one.average())
        assert found.values == pytest.approx(expected.values, abs=1e-12)
        assert found.best == pytest.approx(expected.best, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.no_jit), "leduc"])
def test_many_iterations_are_those_of_the_history_tree(name: str, method: str) -> None:
    one, two = Solver(build_tree(load(name)), method), VectorSolver(vector_tree(load(name)), method)
    one.run(20)
    two.run(20)
    np.testing.assert_allclose(two.average(), one.average(), atol=1e-12)
    np.testing.assert_allclose(two.current(), one.current(), atol=1e-11)


def test_the_values_of_kuhn_and_leduc() -> None:
    for name, value, target in (("kuhn", -1 / 18, 1e-4), ("leduc", -0.085606424, 1e-4)):
        done = solve(VectorSolver(vector_tree(load(name)), "cfr+"), target=target)
        assert done.evaluation.values[0] == pytest.approx(value, abs=2 * target)


def plain_variants() -> list[str]:
    return [name for name in names() if plain_deals(load(name))]


@pytest.mark.parametrize("name", plain_variants())
def test_ends_pay_what_the_engine_pays(name: str) -> None:
    """Every variant whose betting does not depend on cards, on its last street with a deck that was cut."""
    rules = load(name)
    if len(rules.deck) > 16:
        step = 3 if len(rules.showdown.kinds) > 1 else 2
        rules = replace(rules, deck=Deck("cut", (*rules.deck.cards[::step][:10], *rules.deck.cards[-7:-1])))
    tree = vector_tree(at_last_street(rules, seed=1))
    assert (tree.terminals.shown == 1).any() and (tree.terminals.shown == 0).any()
    check_ends(tree)


@pytest.mark.no_jit
def test_ends_of_a_small_deck() -> None:
    check_ends(vector_tree(at_last_street(cut_holdem(3, 3, hole=2, boards=(3,)))), samples=20)


@pytest.mark.parametrize("rake", [Rake(), Rake(0.05, cap=3)])
def test_ends_of_holdem_with_all_cards(rake: Rake) -> None:
    check_ends(vector_tree(at_last_street(replace(load("nlhe"), rake=rake), 40)))


def check_ends(tree: VectorTree, samples: int = 60) -> None:
    """Against single hands of the opponent, dealt at random."""
    table, dice = tree.table, np.random.default_rng(5)
    sums = np.zeros(len(tree.hands)), np.zeros(55)
    ends = np.flatnonzero(tree.terminals.end >= 0)
    for node in dice.choice(ends, samples):
        theirs, me = int(dice.integers(len(tree.hands))), int(dice.integers(2))
        board = int(tree.board[node])
        reach = np.zeros(len(tree.hands))
        reach[theirs] = table.alive[board, theirs]
        terminal_values(tuple(tree.terminals), int(node), board, me, reach, sums)
        street = tree.game.nodes[tree.bet_node[node]].street
        lying = table.deals[street].classes[board - table.first[street]]
        chance = tree.norm * (table.weights[street] if table.simple else 1.0)
        for mine in dice.choice(len(tree.hands), 10):
            pair = (mine, theirs) if me == 0 else (theirs, mine)
            rows = np.concatenate([tree.hands[pair[0]], tree.hands[pair[1]], lying]).astype(np.int64)
            taken = table.counted(rows[None])[0]
            if (taken > table._classes[1]).any():
                assert reach[mine] == pytest.approx(0, abs=1e-12)
                continue
            ways = 1.0 if table.simple else table.ways[board, mine, theirs]
            paid = tree.game.pay(int(tree.bet_node[node]), _laid(table, rows[None], 2))[0, me]
            assert reach[mine] == pytest.approx(paid * chance * ways, abs=1e-12)


def by_label(tree: VectorTree, whole: object, chances: np.ndarray) -> np.ndarray:
    """A strategy of another tree of the same sets, in the order of this one's."""
    ours, theirs = tree.infosets, whole.infosets  # type: ignore[attr-defined]
    number = {}
    for i, text in enumerate(theirs.labels):
        number[int(np.searchsorted(theirs.of_player, i, side="right")), text] = i
    at = [number[int(np.searchsorted(ours.of_player, i, side="right")), text] for i, text in enumerate(ours.labels)]
    return np.concatenate([chances[theirs.first[i] : theirs.first[i + 1]] for i in at])


@pytest.mark.parametrize(
    "rules", [load("leduc"), cut_holdem(3, 3, boards=(3, 1)), cut_holdem(2, 4, hole=2, boards=(3,))], ids=range(3)
)
def test_a_state_of_a_hand_is_what_may_follow_it(rules: GameRules) -> None:
    hand = Hand.new(rules, seed=3)
    while hand.street < 1:
        hand.call()
    tree, whole = vector_tree(hand), build_tree(hand)
    chances = whole.infosets.normalised(np.random.default_rng(0).random(whole.infosets.sequences))
    found = evaluate_rows(
        vector_tree(hand, isomorphic=False),
        rows_of(vector_tree(hand, isomorphic=False), by_label(tree, whole, chances)),
    )
    expected = evaluate(whole, chances)
    assert found.values == pytest.approx(expected.values, abs=1e-12)
    assert found.best == pytest.approx(expected.best, abs=1e-12)


@pytest.mark.parametrize("ranges", [None, ("AK, AQ, JJ", "KQ, AJ, QQ")], ids=["all hands", "ranges"])
def test_boards_that_differ_by_names_of_suits_are_one_from_a_state(ranges: tuple[str, str] | None) -> None:
    """What the smaller tree finds is worth the same in the whole one, to the best answers too."""
    rules = cut_holdem(4, 4, hole=2, boards=(3, 1))
    hand = Hand.new(rules, deck="AhKhQhJhAsKsQsAcAdKcKdQcQdJcJdJs")
    while hand.street < 1:
        hand.call()
    given = ranges and [Range.parse(text) for text in ranges]
    small, whole = (vector_tree(hand, ranges=given, isomorphic=choice) for choice in (True, False))
    assert len(small.game.renamings) == 6 and len(small) < len(whole) / 1.5
    done = solve(VectorSolver(small), iterations=30)
    found = evaluate_rows(whole, rows_of(whole, done.solver.average()))
    assert found.values == pytest.approx(done.evaluation.values, abs=1e-12)
    assert found.best == pytest.approx(done.evaluation.best, abs=1e-12)
    uneven = [Range.parse("AcKc, JJ"), Range.parse("QQ")]  # clubs are not diamonds any more
    assert len(vector_tree(hand, ranges=uneven).game.renamings) == 2


BOARD = "QsJh2h7c3d"


def test_nuts_and_air_against_a_bluff_catcher() -> None:
    """With a bet of the pot, half the air is bet, half the bets are called, and three quarters of the pot are won."""
    hand = spot(BOARD, pot=12, stacks=12)
    polar, catcher = Range.from_hands(["JsJd", "JcJd", "5s4s", "6s5c"]), Range.from_hands(["AcAd"])
    first = hand.turn
    tree = vector_tree(hand, sizes=(1.0,), ranges=(polar, catcher))
    done = solve(VectorSolver(tree, "cfr+"), target=1e-4)
    assert done.evaluation.values[first] == pytest.approx(0.75 * 12 - 6, abs=1e-3)
    sets, average = tree.infosets, done.solver.average()
    chances = {}
    for i, label in enumerate(sets.labels):
        chances[int(np.searchsorted(sets.of_player, i, side="right")) - 1, label] = average[
            sets.first[i] : sets.first[i + 1]
        ]
    told = next(label for seat, label in chances if seat == first).split(" ", 1)[1]
    assert chances[first, f"JsJd {told}"][1] == pytest.approx(1, abs=1e-2)
    bluffs = chances[first, f"5s4s {told}"][1] + chances[first, f"6s5c {told}"][1]
    assert bluffs == pytest.approx(1, abs=2e-2)
    assert chances[1 - first, f"AdAc {told} r12"][1] == pytest.approx(0.5, abs=2e-2)
    hands = {tuple(cards): i for i, cards in enumerate(tree.hands.tolist())}
    nuts = done.evaluation.hands[first, hands[37, 39]]  # type: ignore[attr-defined]
    assert nuts == pytest.approx(6 + 0.5 * 12, abs=0.1)


def test_all_hands_of_a_river() -> None:
    hand = spot(BOARD, pot=12, stacks=34)
    sizes = (0.5, 1, math.inf)
    tree = vector_tree(hand, sizes=sizes)
    assert len(tree.hands) == 1081
    done = solve(VectorSolver(tree), iterations=60)
    assert done.evaluation.exploitability < 0.02 * 12
    assert sum(done.evaluation.values) == pytest.approx(0, abs=1e-9)
    assert np.nanmax(done.evaluation.hands) <= 40  # type: ignore[attr-defined]


def test_what_a_regret_is_kept_in() -> None:
    hand = spot(BOARD, pot=12, stacks=18)
    found = {}
    for kind in KINDS:
        tree = vector_tree(hand, kind=kind)
        solver = VectorSolver(tree, kind=kind)
        solver.run(100)
        found[kind] = solver.measure().exploitability
        size = size_of_vector(hand, kind=kind)
        assert (size.nodes, size.rows, size.hands) == (len(tree), tree.rows, 1081)
        assert solver.bytes == pytest.approx(size.bytes, rel=0.1)
    assert found["float32"] == pytest.approx(found["float64"], rel=0.2)
    assert found["int16"] == pytest.approx(found["float64"], rel=0.3)


@pytest.mark.no_jit
def test_numbers_of_16_bits_are_right_on_average() -> None:
    kept = StoredRows.empty((3, 40), 1, "int16")
    block, back = (np.zeros((3, 40), dtype=np.float32) for _ in range(2))
    block[:] = np.random.default_rng(0).normal(size=(3, 40))
    step, total, times = np.abs(block).max() / 32766, np.zeros((3, 40)), 400
    for _ in range(times):
        vector_kernels.keep(tuple(kept), 0, 0, block, 3)
        vector_kernels.load(tuple(kept), 0, 0, back, 3)
        assert np.abs(back - block).max() <= step * 1.01
        total += back
    assert np.abs(total / times - block).max() < step * 0.15
    assert abs((total / times - block).mean()) < step * 0.01


def test_sizes_are_told_before_and_what_does_not_fit_is_refused() -> None:
    for rules in GAMES.values():
        tree, size = vector_tree(rules), size_of_vector(rules)
        assert (size.nodes, size.rows, size.hands, size.boards) == (
            len(tree), tree.rows, len(tree.hands), int(tree.table.first[-1]),
        )  # fmt: skip
        assert size.widest == np.diff(tree.levels).max()
    with pytest.raises(
        FeltError, match=r"public tree of nlhe has [\d,]+ nodes for 1,326 hands and needs about .* 4 GB"
    ):
        vector_tree(load("nlhe"), 20)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_files_are_those_of_the_history_tree(tmp_path: Path, kind: str) -> None:
    rules = cut_holdem(3, 3)
    solver = VectorSolver(vector_tree(rules), "predictive", kind=kind)
    solver.run(12)
    save_strategy(tmp_path / "cut.felt", solver, solver.measure())
    strategy = load_strategy(tmp_path / "cut.felt")
    assert evaluate(strategy.tree(), strategy.chances).exploitability == pytest.approx(
        strategy.exploitability, abs=1e-6
    )
    again = strategy.vector_solver()
    assert again.iterations == 12
    np.testing.assert_allclose(again.average(), solver.average(), atol=1e-6)
    np.testing.assert_allclose(again.current(), solver.current(), atol=1e-5)
    history = strategy.solver(strategy.tree())
    history.run(1)
    again.run(1)
    assert again.measure().exploitability == pytest.approx(
        evaluate(history.tree, history.average()).exploitability, rel=0.1
    )


def test_spots_are_states_of_a_hand() -> None:
    hand = spot("QsJh2h", pot=49, stacks=(100, 80))
    assert (hand.street, hand.pot, hand.stacks, hand.turn) == (1, 49, (100, 80), 0)
    assert hand.board == load("nlhe").deck.parse("QsJh2h")
    before = spot("", pot=3, stacks=np.int64(20))  # type: ignore[arg-type]
    assert (before.street, before.turn, before.button, before.stacks) == (0, 0, 0, (20, 20))
    assert all(spot(board, pot=12, stacks=9).turn == 0 for board in ("", "QsJh2h", "QsJh2h7c", BOARD))
    assert spot("AsKsQs2d", pot=40, stacks=100, game="plo").street == 2
    for board, pot, stacks, words in (
        ("QsJh", 10, 5, "give 0, 3, 4, 5 cards"),
        ("QsJh2h", 1, 5, "a pot of 1"),
        ("QsJh2h", 2.5, 5, "a pot of 2.5: give 2 whole chips or more"),
        ("QsJh2h", 10, 1.5, "stacks of 1.5: give whole chips above 0"),
        ("QsJh2h", 10, "20", "stacks of 20: give whole chips above 0"),
        ("QsJh2h", 10, (5, 0), r"stacks of \(5, 0\)"),
    ):
        with pytest.raises(FeltError, match=words):
            spot(board, pot=pot, stacks=stacks)
    with pytest.raises(FeltError, match="stud: spots are"):
        spot("", pot=10, stacks=10, game="stud")


def test_mistakes_are_told() -> None:
    hand = at_last_street(load("nlhe"), 20)
    with pytest.raises(FeltError, match="kind='float16'"):
        vector_tree(load("kuhn"), kind="float16")
    with pytest.raises(FeltError, match="stud: a public tree is of games"):
        vector_tree(load("stud"))
    with pytest.raises(FeltError, match="leave no two hands"):
        vector_tree(hand, ranges=[Range.from_hands(["AcAd"])] * 2)
    with pytest.raises(FeltError, match="1 ranges: give one"):
        vector_tree(hand, ranges=[Range.full()])
    with pytest.raises(FeltError, match="give a hand and not its rules"):
        vector_tree(load("nlhe"), ranges=[Range.full()] * 2)
    with pytest.raises(FeltError, match="two players in a hand that goes on"):
        vector_tree(Hand.new(load("nlhe"), 20, players=3))
    tree = vector_tree(load("kuhn"))
    with pytest.raises(FeltError, match="do not add up to 1"):
        evaluate_rows(tree, np.full((tree.rows, 3), 0.4))
    with pytest.raises(FeltError, match="24 sequences"):
        rows_of(tree, [0.5])
    with pytest.raises(FeltError, match="kept in a file only of a whole tree"):
        solver = VectorSolver(vector_tree(hand))
        save_strategy("never.felt", solver, evaluate_rows(solver.tree, solver.average_rows()))
