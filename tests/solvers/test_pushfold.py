"""Heads-up push/fold: the game, the solvers, and what is known about its equilibria."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from felt.cards.combos import CLASS_NAMES, CLASS_SIZES, class_index, parse_class
from felt.games import Hand, load
from felt.odds import equity
from felt.solvers.pushfold.game import PushFold, PushFoldError, class_table
from felt.solvers.pushfold.headsup import ALGORITHMS, Solution, best_response_gains, share, solve

STACKS = (1.5, 3, 7, 10, 15.5, 25, 60, 100)


def test_the_table_has_every_deal_and_equities_of_both_sum_to_one():
    chance, equities, prior, _ = class_table()
    assert chance.sum() == pytest.approx(1, abs=1e-14)
    assert np.allclose(chance, chance.T, atol=1e-18)
    assert np.allclose(chance.sum(axis=1), prior, atol=1e-15)
    assert np.allclose(equities + equities.T, 1, atol=1e-15)


@pytest.mark.parametrize(
    ("first", "second"), [("AA", "KK"), ("AKs", "22"), ("AKo", "AKs"), ("72o", "72o"), ("A5s", "54s")]
)
def test_equities_of_classes_are_those_that_are_counted(first, second):
    found = class_table().equity[parse_class(first), parse_class(second)]
    assert found == pytest.approx(equity([first, second]).players[0].equity, abs=1e-12)


def test_card_removal_is_counted_pair_by_pair():
    deck = range(52)
    ace_king, ace_five = parse_class("AKo"), parse_class("A5s")
    ours = [c for c in combinations(deck, 2) if class_index(*c) == ace_king]
    theirs = [c for c in combinations(deck, 2) if class_index(*c) == ace_five]
    apart = sum(not set(a) & set(b) for a in ours for b in theirs)
    assert class_table().chance[ace_king, ace_five] == pytest.approx(apart / (1326 * 1225), rel=1e-12)


def slow_exploitability(game: PushFold, shove: np.ndarray, call: np.ndarray) -> float:
    """Both best responses, hand by hand, from the stacks: shares no arithmetic with the solver but the table."""
    chance, equities, *_ = class_table()
    small_ante, big_ante = game.ante, game.ante + game.big_blind_ante
    match = min(game.stacks[0] - small_ante, game.stacks[1] - big_ante)
    pot = 2 * match + small_ante + big_ante
    pot -= min(pot * game.rake, game.rake_cap)
    small_post, big_post = min(match, game.small_blind), min(match, game.big_blind)
    total = 0.0
    for i in range(169):
        met = chance[i].tolist()
        weight = sum(met)
        folding = -(small_ante + small_post) * weight
        shoving = 0.0
        for j in range(169):
            shown = float(equities[i, j]) * pot - match - small_ante
            shoving += met[j] * (float(call[j]) * shown + (1 - float(call[j])) * (big_ante + big_post))
        often = float(shove[i])
        total += max(folding, shoving) - often * shoving - (1 - often) * folding
    for j in range(169):
        folding = calling = 0.0
        for i in range(169):
            weight = float(chance[i, j]) * float(shove[i])
            calling += weight * ((1 - float(equities[i, j])) * pot - match - big_ante)
            folding -= weight * (big_ante + big_post)
        often = float(call[j])
        total += max(folding, calling) - often * calling - (1 - often) * folding
    return total / 2 / game.big_blind


GAMES = [
    PushFold(stacks=(10, 10)),
    PushFold(stacks=(1300, 900), small_blind=25, big_blind=100, ante=10, big_blind_ante=100),
    PushFold(stacks=(6, 20), rake=0.05, rake_cap=0.5),
    PushFold(stacks=(0.4, 5)),
]


@pytest.mark.parametrize("game", GAMES)
def test_exploitability_is_what_a_slow_best_response_finds(game):
    rng = np.random.default_rng(1)
    shove, call = rng.random((2, 169))
    fast = sum(best_response_gains(game.outcomes, shove, call)) / 2
    assert fast == pytest.approx(slow_exploitability(game, shove, call), rel=1e-9)
    solution = solve(game)
    assert solution.exploitability < 1e-5
    assert slow_exploitability(game, solution.shove, solution.call) == pytest.approx(solution.exploitability, abs=1e-12)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("stack", STACKS)
def test_both_algorithms_reach_the_target_and_the_same_value(stack, algorithm):
    solution = solve(PushFold(stacks=(stack, stack)), algorithm=algorithm, sharpened=False)
    assert 0 <= solution.exploitability <= 1e-5
    exact = solve(PushFold(stacks=(stack, stack)), target=1e-7)
    assert solution.values[0] == pytest.approx(exact.values[0], abs=2e-5)
    assert sum(solution.values) == pytest.approx(0, abs=1e-12)


def test_what_is_known_at_ten_big_blinds():
    """Shares and mixed hands as solvers for the same game print them; 58 % and 37 % are folklore."""
    solution = solve(PushFold(stacks=(10, 10)))
    assert share(solution.shove) == pytest.approx(0.583, abs=1e-3)
    assert share(solution.call) == pytest.approx(0.374, abs=1e-3)
    assert solution.values[0] == pytest.approx(-0.045371, abs=1e-6)
    mixed = [CLASS_NAMES[i] for i in np.flatnonzero((solution.shove > 0) & (solution.shove < 1))]
    assert mixed == ["43s"]


def test_evs_are_those_of_playing_it_out():
    solution = solve(PushFold(stacks=(10, 10)))
    evs, prior = solution.evs, class_table().prior
    assert evs.sb_fold == -0.5 and evs.bb_fold == -1
    value = prior @ (solution.shove * evs.shove + (1 - solution.shove) * evs.sb_fold)
    assert value == pytest.approx(solution.values[0], abs=1e-12)
    assert evs.shove[0] == evs.shove.max() and evs.call[0] == evs.call.max()
    assert ((evs.shove > evs.sb_fold - 1e-9) | (solution.shove == 0)).all()
    assert ((evs.call > evs.bb_fold - 1e-9) | (solution.call == 0)).all()
    assert ((evs.shove < evs.sb_fold + 1e-9) | (solution.shove == 1)).all()


def test_only_the_smaller_stack_matters():
    even = solve(PushFold(stacks=(8, 8)))
    for stacks in ((8, 30), (30, 8)):
        other = solve(PushFold(stacks=stacks))
        assert other.game.effective == 8
        assert other.values == even.values
        assert (other.shove == even.shove).all() and (other.call == even.call).all()


def test_the_unit_does_not_matter():
    ours = solve(PushFold(stacks=(1200, 1500), small_blind=50, big_blind=100, ante=10))
    scaled = solve(PushFold(stacks=(12, 15), small_blind=0.5, big_blind=1, ante=0.1))
    assert ours.values == pytest.approx(scaled.values, abs=1e-9)


def test_with_nothing_to_win_nobody_needs_to_play():
    """Without a small blind and antes, aces still shove for the big blind; the small blind cannot lose."""
    solution = solve(PushFold(stacks=(20, 20), small_blind=0))
    assert solution.values[0] > 0


def test_antes_widen_and_rake_lowers():
    plain = solve(PushFold(stacks=(10, 10)))
    ante = solve(PushFold(stacks=(10, 10), ante=0.1))
    assert share(ante.shove) > share(plain.shove)
    raked = solve(PushFold(stacks=(10, 10), rake=0.05))
    capped = solve(PushFold(stacks=(10, 10), rake=0.05, rake_cap=0.2))
    assert sum(raked.values) < sum(capped.values) < -1e-3
    assert raked.values[0] + raked.values[1] < plain.values[0] + plain.values[1]
    assert share(raked.call) < share(plain.call)


def test_a_big_blind_ante_is_not_an_ante_of_each():
    each = PushFold(stacks=(10, 10), ante=0.5).payoffs
    big = PushFold(stacks=(10, 10), big_blind_ante=1).payoffs
    assert (each.sb_folds, each.bb_folds, each.pot) == (-1, -1.5, 20)
    assert (big.sb_folds, big.bb_folds, big.pot) == (-0.5, -2, 19)
    assert big.sb_risk == 9 and big.bb_risk == 10


@pytest.mark.parametrize(
    ("stacks", "options"),
    [((1000, 1000), {}), ((700, 1500), {"ante": 10}), ((1500, 650), {"big_blind_ante": 100}), ((60, 1000), {})],
)
def test_payoffs_are_those_of_the_engine(stacks, options):
    rules = load("nlhe", small_blind=50, big_blind=100, **options)
    game = PushFold(stacks=stacks, small_blind=50, big_blind=100, **options)
    paid = game.payoffs
    hand = Hand.new(rules, stacks, button=0, seed=3)
    fold = hand.copy()
    fold.fold()
    assert fold.payoffs[0] / 100 == pytest.approx(paid.sb_folds)
    hand.raise_to(hand.legal().raise_to[1]) if hand.legal().raise_to else hand.call()
    if not hand.over:
        steal = hand.copy()
        steal.fold()
        assert steal.payoffs[1] / 100 == pytest.approx(paid.bb_folds)
        hand.call()
    won = max(hand.payoffs) / 100
    winner = hand.payoffs.index(max(hand.payoffs))
    assert won == pytest.approx(paid.pot - (paid.sb_risk, paid.bb_risk)[winner])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_start_from_a_neighbour_saves_iterations_and_keeps_the_target(algorithm):
    near = solve(PushFold(stacks=(24.9, 24.9)), algorithm=algorithm)
    cold = solve(PushFold(stacks=(25, 25)), algorithm=algorithm)
    warm = solve(PushFold(stacks=(25, 25)), algorithm=algorithm, start=near)
    assert warm.iterations < cold.iterations
    assert warm.exploitability <= 1e-5
    assert warm.values[0] == pytest.approx(cold.values[0], abs=2e-5)


def test_it_stops_after_so_many_iterations():
    solution = solve(PushFold(stacks=(50, 50)), iterations=3, sharpened=False)
    assert solution.iterations == 3
    assert solution.exploitability > 1e-5


def test_sharpening_never_makes_it_worse():
    game = PushFold(stacks=(33.3, 33.3))
    blurred = solve(game, target=1e-4, sharpened=False)
    assert solve(game, target=1e-4).exploitability <= blurred.exploitability


def test_frequencies_are_frequencies():
    for stack in STACKS:
        solution = solve(PushFold(stacks=(stack, stack)))
        for often in (solution.shove, solution.call):
            assert ((often >= 0) & (often <= 1)).all()
        assert solution.shove_range.combos == pytest.approx(solution.shove @ CLASS_SIZES)


def test_the_dictionary_has_what_the_command_prints():
    told = solve(PushFold(stacks=(10, 10))).as_dict()
    assert {"value_sb_bb", "exploitability_bb", "iterations", "seconds", "shove", "call"} <= set(told)
    assert list(told["shove"]) == list(told["call"]) == list(CLASS_NAMES)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"stacks": (0, 10)}, "stack 0 of the small blind"),
        ({"stacks": (10, -1)}, "stack -1 of the big blind"),
        ({"stacks": (float("nan"), 1)}, "stack nan"),
        ({"stacks": (10, float("inf"))}, "stack inf"),
        ({"stacks": (1, 2, 3)}, "stacks 1,2,3"),
        ({"ante": 10}, "ante 10 leaves the small blind nothing"),
        ({"big_blind_ante": 12}, "ante 12 leaves the big blind nothing"),
        ({"ante": -1}, "ante -1"),
        ({"big_blind": 0}, "big blind 0"),
        ({"small_blind": 2}, "small blind 2"),
        ({"rake": 1}, "rake 1"),
        ({"rake": -0.1}, "rake -0.1"),
        ({"rake_cap": -1}, "rake cap -1"),
    ],
)
def test_games_that_nobody_can_play_are_refused(changes, told):
    with pytest.raises(PushFoldError) as caught:
        replace(PushFold(stacks=(10, 10)), **changes)
    assert str(caught.value).startswith(told)
    assert ": " in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [({"algorithm": "magic"}, "'magic'"), ({"target": 0}, "target 0"), ({"iterations": 0}, "0 iterations")],
)
def test_questions_that_have_no_answer_are_refused(options, told):
    with pytest.raises(PushFoldError, match=told):
        solve(PushFold(stacks=(10, 10)), **options)


def test_a_solution_says_what_it_is():
    solution = solve(PushFold(stacks=(2, 2)))
    assert isinstance(solution, Solution)
    assert "shove" not in repr(solution)
