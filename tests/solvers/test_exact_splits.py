"""Solvers divide pots exactly: no odd chip moves the value of a game."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from felt.games import Hand, load
from felt.games.engine.exact_payoffs import exact_payoffs
from felt.games.trees.tree import Tree
from felt.games.views.keys import information
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.sampling.betting import betting_of, walks_of
from felt.solvers.sampling.gains import sampled_gains
from felt.solvers.trees.build import build_tree
from tests.solvers.small_games import cut_holdem

OPENSPIEL = (-0.15861304, -0.01909722, 0.17771026)
"""What each player of leduc_poker(players=3) wins when all play at random: OpenSpiel 2.0.2, expected_game_score."""

THREE = load("leduc", players=3)


@pytest.fixture(scope="module")
def tree():
    return build_tree(THREE)


def test_leduc_for_three_is_the_game_of_the_literature(tree) -> None:
    assert len(THREE.deck) == 8 and len(load("leduc").deck) == 6 and len(load("leduc", players=3, ranks=3).deck) == 6
    assert evaluate(tree, tree.infosets.uniform()).values == pytest.approx(OPENSPIEL, abs=1e-8)


def test_every_end_of_leduc_for_three_is_shared_out_exactly(tree) -> None:
    assert np.abs(tree.payoffs.sum(axis=1)).max() < 1e-12
    assert (tree.payoffs % 1).any(), "there are ties of two among three"


def test_games_grown_hand_by_hand_share_exactly() -> None:
    """One raise, to keep it small; the other way to build a tree has the same values."""
    rules = load("leduc", players=3, ranks=3, raises=1)
    plain = build_tree(rules)
    grown = build_tree(rules, suits=False, key=lambda hand, seat: information(hand, seat, suits=False))
    values = [evaluate(one, one.infosets.uniform()).values for one in (plain, grown)]
    assert (plain.payoffs % 1).any() and (grown.payoffs % 1).any()
    assert values[1] == pytest.approx(values[0], abs=1e-12)


def test_sweeps_over_ends_and_over_levels_agree_on_shared_pots(tree) -> None:
    both = [Solver(tree, "cfr", form=form) for form in ("ends", "levels")]
    for solver in both:
        solver.run(3)
    assert np.allclose(both[0].average(), both[1].average(), atol=1e-12)


def test_walks_that_deal_cards_share_exactly() -> None:
    """External and outcome sampling, public chance and sampled gains are all paid by this kernel."""
    from felt.solvers.sampling.walk_kernels import pay

    betting = betting_of(THREE)
    walks = walks_of(betting)
    ends = {int(end): place for place, end in enumerate(betting.terminals) if end >= 0}
    cards = np.array([[0, 1, 4, 8], [0, 4, 1, 12], [0, 4, 8, 1]], dtype=np.uint8) + 36  # ten, jack, queen, king
    odd = 0
    for end, place in ends.items():
        paid = betting.game.pay(place, cards)
        for row in range(len(cards)):
            pay(end, cards[row : row + 1], walks.payments)
            assert walks.payments[3][0].tolist() == paid[row].tolist()
        odd += bool((paid % 1).any())
    assert odd, "there are ties of two among three"
    values = sampled_gains(betting, betting.infosets.uniform(), deals=4000, seed=3).values
    assert sum(values) == pytest.approx(0, abs=1e-9) and values == pytest.approx(OPENSPIEL, abs=0.15)


def test_trees_of_the_engine_have_the_same_values() -> None:
    rules = load("leduc", players=3, ranks=2, raises=1)
    tree = build_tree(rules)
    uniform = evaluate(tree, tree.infosets.uniform()).values
    assert Tree.of_game(rules).simulate() == pytest.approx(uniform, abs=1e-12)


def played(rules, deck: str, stacks: list[int]) -> Hand:
    first = rules.deck.parse(deck)
    hand = Hand.new(rules, stacks, deck=(*first, *(card for card in rules.deck if card not in first)))
    while not hand.over:
        hand.call()
    return hand


def test_high_and_low_share_quarters() -> None:
    """Equal lows of two, one better high: three quarters and one quarter of a pot of two chips."""
    rules = replace(load("omaha8"), blinds=(1, 1))
    hand = played(rules, "As 2s Kh Kc Ad 2d Qh Qc 3h 7h 8c Ts Js", [100, 100])
    assert set(hand.payoffs) <= {-1, 0, 1}
    assert exact_payoffs(hand) == (0.5, -0.5)


def test_rake_stays_in_whole_chips_and_the_rest_is_shared() -> None:
    """Three chips of a raked pot of four, for two equal hands."""
    rules = load("nlhe")
    raked = replace(rules, rake=replace(rules.rake, share=0.3, cap=0))
    hand = played(raked, "As Ks Ah Kh 2c 3d 7h 8c 9d", [100, 100])
    assert sorted(hand.payoffs) == [-1, 0] and exact_payoffs(hand) == (-0.5, -0.5)


def test_two_players_who_share_a_pot_get_what_the_engine_pays() -> None:
    """The contested pot of two is even, so every value of such a game is as it was."""
    tree = build_tree(cut_holdem(3, 2))
    assert not (tree.payoffs % 1).any()
    leduc = build_tree(load("leduc"))
    before = (-0.07812500000000001, 0.07812499999999997)  # to the bit, as with whole chips
    assert evaluate(leduc, leduc.infosets.uniform()).values == before


@pytest.mark.no_jit
def test_all_orders_of_three_hands() -> None:
    """Whoever is equal, the shares are equal, and nobody else has any."""
    rules = load("leduc", players=3)
    for order in permutations(["Ks", "Kh", "Qs"]):
        paid = exact_payoffs(played(rules, " ".join([*order, "Js"]), [13, 13, 13]))
        assert [paid[seat] for seat in range(3) if order[seat] != "Qs"] == [0.5, 0.5] and sum(paid) == 0
