"""Trees of games: published sizes, a naive counter, states found again, and theory's value of a small game."""

import json
import math
import random
from itertools import permutations

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import Action, Hand, Move, load, names
from felt.games.trees.counts import count_betting
from felt.games.trees.tree import Tree, actions, children, deals, first_deals, raise_amounts, ways_to_deal
from felt.games.views.keys import betting_key, information, state_key
from tests.kinds import each_kind
from tests.reference import no_limit

HUNL = "hunl_acpc_2010_2013_size_20000_50_100"


@pytest.fixture(scope="module")
def leduc() -> Tree:
    return Tree.of_game(load("leduc"))


def shape(hand: Hand, sizes, depth: int) -> list[int]:
    """Decisions, choices, folds and showdowns below a hand, by walking every branch."""
    if hand.over:
        return [0, 0, int(not hand.showdown), int(bool(hand.showdown))]
    if depth == 0:
        return [0, 0, 0, 0]
    total = [1, 0, 0, 0]
    for _, child in children(hand, sizes=sizes, cards=False):
        total = [a + b for a, b in zip(total, shape(child, sizes, depth - 1), strict=True)]
        total[1] += 1
    return total


def totals(counts) -> list[int]:
    return [sum(counts.decisions), sum(counts.choices), sum(counts.folds), counts.showdowns]


@pytest.mark.parametrize("name", names())
def test_counting_states_once_gives_what_walking_every_branch_gives(name):
    hand = Hand.new(load(name), seed=2)
    assert totals(count_betting(hand, depth=5)) == shape(hand, (1.0, math.inf), 5)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-one-raise", "preflop-limit", "preflop-nolimit", "brag"])
def test_whole_games_too(name):
    hand = Hand.new(load(name), seed=2)
    assert totals(count_betting(hand)) == shape(hand, (1.0, math.inf), 99)


@pytest.mark.parametrize("stack", [3, 5, 9])
def test_every_amount_of_no_limit_with_small_stacks(stack):
    hand = Hand.new(load("nlhe"), [stack, stack + 2], seed=2)
    assert totals(count_betting(hand, sizes=None)) == shape(hand, None, 99)


def test_three_players_with_different_stacks():
    hand = Hand.new(load("preflop-nolimit"), [7, 30, 12], seed=2)
    assert totals(count_betting(hand)) == shape(hand, (1.0, math.inf), 99)


@pytest.mark.parametrize("stack", range(3, 13))
def test_no_limit_holdem_by_playing_and_by_arithmetic(stack):
    counts = count_betting(Hand.new(load("nlhe"), [stack, stack]), sizes=None)
    assert list(counts.decisions) == no_limit.decisions(stack, 2)


def test_no_limit_holdem_has_the_size_that_johanson_published(shared_data):
    """20,000 chips and blinds of 50 and 100, all figures modulo 2^64.

    The published totals count the sequences of a round again in every later one: for all rounds together they are
    the fourfold of the first, the threefold of the second, the double of the third, and the fourth.
    """
    published = json.loads((shared_data / "reference" / "constants.json").read_text())
    figures = {key: int(text) % 2**64 for key, text in published[HUNL].items() if key != "source"}
    with np.errstate(over="ignore"):
        found = no_limit.decisions(20_000, 100, exact=False)
    assert found[0] == figures["preflop_betting_sequences"]
    so_far = [sum(found[: i + 1]) for i in range(4)]
    assert sum(so_far) % 2**64 == figures["betting_sequences"]
    deals = count_betting(Hand.new(load("nlhe"))).deals
    assert sum(a * b for a, b in zip(so_far, deals, strict=True)) % 2**64 == figures["infosets_all_cards"]


def test_toy_games_have_their_published_sizes(shared_data, leduc):
    published = json.loads((shared_data / "reference" / "constants.json").read_text())["toy_games"]
    counts = Tree.of_game(load("kuhn")).counts()
    assert counts.infosets == published["kuhn_decision_points"]
    assert counts.sequences == published["kuhn_sequences"]
    counts, collapsed = leduc.counts(), leduc.counts(suits=False)
    assert counts.infosets == published["leduc_decision_points_open_spiel"]
    assert counts.sequences == published["leduc_sequences_open_spiel"]
    assert collapsed.infosets == published["leduc_decision_points_suit_collapsed"]
    assert collapsed.sequences == published["leduc_sequences_suit_collapsed"]


def test_toy_games_have_the_sizes_that_a_count_by_hand_gives(leduc):
    """Kuhn: 3 cards in 2 x 2 places to act, and a sequence for each action beside the two empty ones.

    Leduc: a card of six (three where suits do not count), alone or with a board card, in each place to act.
    """
    kuhn = Tree.of_game(load("kuhn")).counts()
    assert (kuhn.infosets, kuhn.sequences) == (3 * 4, 3 * 4 * 2 + 2)
    first, later = 6, 5 * 6  # places to act in the first round; in the second, after the five ways to end the first
    counts, collapsed = leduc.counts(), leduc.counts(suits=False)
    assert counts.infosets == 6 * first + 6 * 5 * later
    assert collapsed.infosets == 3 * first + 3 * 3 * later


@pytest.mark.parametrize("name", ["kuhn", "leduc-one-raise"])
def test_the_two_ways_of_counting_agree(name):
    rules = load(name)
    dealt, betting = Tree.of_game(rules).counts(), count_betting(Hand.new(rules))
    assert (dealt.infosets, dealt.sequences) == (betting.infosets, betting.sequences)


def test_limit_holdem_has_the_size_that_johanson_measured():
    """Heads-up limit hold'em: 3.19 × 10^14 information sets (Johanson 2013, table 1)."""
    counts = count_betting(Hand.new(load("limit-holdem")))
    assert counts.infosets == 319_365_922_522_608
    assert counts.decisions == (8, 70, 630, 5670)


def test_leduc_has_9457_histories_with_the_nodes_where_cards_are_dealt(leduc):
    """The number of OpenSpiel's states: ours have the cards dealt within the move before."""
    dealt = {(node.parent, node.action) for node in leduc.nodes if node.chance < 1 and node.parent >= 0}
    first_card, root = 6, 1
    assert len(leduc) + len(dealt) + first_card + root == 9457


def test_more_players_and_cards_in_kuhn():
    rules = load("kuhn", players=3, cards=4)
    counts = Tree.of_game(rules).counts()
    assert counts.infosets == 48  # 4 cards, 12 betting sequences after which a player decides
    assert counts.decisions == 4 * 3 * 2 * 12


def uniform_value(hand: Hand) -> list[float]:
    """Expected chips when all act at random, by plain recursion over the cards as they lie."""
    if hand.over:
        return [float(chips) for chips in hand.payoffs]
    below = [uniform_value(child) for _, child in children(hand)]
    return [sum(values) / len(below) for values in zip(*below, strict=True)]


def test_simulating_the_whole_tree_is_the_average_over_all_decks():
    rules = load("leduc-one-raise")
    decks = list(permutations(rules.deck.cards, 3))
    total = [0.0, 0.0]
    for first in decks:
        value = uniform_value(Hand.new(rules, deck=(*first, *rules.deck.without(first))))
        total = [a + b for a, b in zip(total, value, strict=True)]
    assert Tree.of_game(rules).simulate() == pytest.approx([sum_ / len(decks) for sum_ in total])


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_kuhns_equilibria_are_worth_minus_one_eighteenth(alpha):
    """Kuhn (1950): the first player bets the jack with alpha, the king with 3 alpha, calls with the queen α + 1/3."""

    def policy(hand: Hand, moves: tuple[Action, ...]) -> list[float]:
        (card,) = (card // 4 for card in hand.cards(hand.turn))
        jack, king = card == 9, card == 11
        first = hand.turn == 0
        if Move.FOLD in [move.move for move in moves]:
            call = 0.0 if jack else 1.0 if king else (alpha + 1 / 3 if first else 1 / 3)
            return [1 - call, call]
        bet = (alpha if jack else 3 * alpha if king else 0.0) if first else (1 / 3 if jack else 1.0 if king else 0.0)
        return [1 - bet, bet]

    tree = Tree.of_game(load("kuhn"))
    assert tree.simulate(policy) == pytest.approx((-1 / 18, 1 / 18))
    assert tree.simulate(policy, lookup=False) == pytest.approx((-1 / 18, 1 / 18))


def test_states_that_were_calculated_are_looked_up(leduc):
    tree = leduc
    fresh = tree.simulate(lookup=False)
    assert tree.lookups == 0
    assert tree.simulate() == pytest.approx(fresh)
    assert tree.lookups == len(tree) - tree.counts().states > 1000


def test_a_cut_tree_does_not_take_a_state_for_one_with_less_below():
    hand = Hand.new(load("leduc"), seed=4)
    tree = Tree.of(hand, depth=4)
    assert tree.simulate() == pytest.approx(tree.simulate(lookup=False))


def test_a_state_is_found_however_it_came_about(leduc):
    rules, tree = load("leduc"), leduc
    deck = rules.deck.shuffled(9)
    bet_first, check_first = Hand.new(rules, deck=deck), Hand.new(rules, deck=deck)
    bet_first.raise_to(2)
    bet_first.call()
    check_first.call()
    check_first.raise_to(2)
    check_first.call()
    assert state_key(bet_first) == state_key(check_first)
    assert bet_first in tree and tree.find(bet_first) is tree.find(check_first)
    found = tree.find(bet_first)
    assert found is not None and found.depth == 2
    assert information(bet_first, 0) != information(check_first, 0)


def test_a_state_of_other_chips_or_cards_is_not_found(leduc):
    assert Hand.new(load("leduc"), [12, 13]) not in leduc
    assert leduc.find(Hand.new(load("kuhn"))) is None


def test_the_key_does_not_see_the_order_of_cards():
    rules = load("nlhe")
    one = Hand.new(rules, [200, 200], deck=(*rules.deck.parse("AsKs2c3d"), *rules.deck.without("AsKs2c3d")))
    two = Hand.new(rules, [200, 200], deck=(*rules.deck.parse("KsAs3d2c"), *reversed(rules.deck.without("AsKs2c3d"))))
    other = Hand.new(rules, [200, 200], deck=(*rules.deck.parse("AsKs2c3h"), *rules.deck.without("AsKs2c3h")))
    assert state_key(one) == state_key(two) != state_key(other)


@pytest.mark.parametrize("name", each_kind(names()))
def test_equal_betting_keys_have_equal_branches(name):
    """States that are counted once have the same legal moves."""
    dice = random.Random(name)
    seen: dict[bytes, str] = {}
    for number in range(30):
        hand = Hand.new(load(name), seed=5)  # one deal, since it may decide who acts first
        while not hand.over:
            key = betting_key(*hand.arrays, hand.rules)
            assert seen.setdefault(key, str(hand.legal())) == str(hand.legal()), number
            hand.act(dice.choice(list(actions(hand, cards=False))))


def test_every_set_of_cards_may_be_exchanged():
    hand = Hand.new(load("five-card-draw"), seed=1)
    hand.call()
    hand.call()
    assert len(list(actions(hand))) == 2**5
    assert [len(action.cards) for action in actions(hand, cards=False)] == [0, 1, 2, 3, 4, 5]


def test_folding_for_nothing_is_not_a_branch():
    hand = Hand.new(load("nlhe"), [200, 200])
    hand.call()
    assert Move.FOLD not in [action.move for action in actions(hand)]


def test_a_menu_of_raises():
    hand = Hand.new(load("nlhe"), [200, 200])
    assert raise_amounts(hand, [0, 0.5, 1, 2, math.inf]) == [4, 6, 10, 200]  # half a pot of 4 is the least as well
    assert list(raise_amounts(hand, None)) == list(range(4, 201))
    with pytest.raises(FeltError, match="a raise of -1 pots"):
        raise_amounts(hand, [-1])


def test_cards_that_fall_with_a_move():
    rules = load("leduc")
    hand = Hand.new(rules, seed=1)
    hand.call()
    fallen = list(deals(hand, Action(Move.CALL)))
    assert len(fallen) == 4
    assert sum(chance for chance, _ in fallen) == pytest.approx(1)
    assert {child.board for _, child in fallen} == {
        (card,) for card in rules.deck.without(hand.cards(0) + hand.cards(1))
    }
    assert [chance for chance, _ in deals(hand, Action(Move.RAISE, 2))] == [1.0]


def test_first_deals_are_all_different():
    hands = [hand for _, hand in first_deals(load("kuhn"))]
    assert len({(hand.cards(0), hand.cards(1)) for hand in hands}) == len(hands) == 6


def test_ways_to_deal():
    assert sorted(ways_to_deal([1, 2, 3], [2, 1])) == [(1, 2, 3), (1, 3, 2), (2, 3, 1)]
    assert len(list(ways_to_deal(range(6), [2, 1, 1]))) == 15 * 4 * 3


def test_a_tree_that_is_too_large_says_so():
    hand = Hand.new(load("nlhe"), [200, 200])
    with pytest.raises(FeltError, match=r"more than 50 nodes: give a depth, fewer sizes"):
        Tree.of(hand, limit=50)
    with pytest.raises(FeltError, match=r"more than 50 betting states: give a depth, fewer sizes"):
        count_betting(hand, limit=50)


def test_a_tree_from_the_middle_of_a_hand():
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    hand.raise_to(6)
    tree = Tree.of(hand, depth=2)
    assert tree.nodes[0].hand.turn == 0
    assert {child.action.move for child in tree.nodes[1:4]} == {Move.FOLD, Move.CALL, Move.RAISE}
    assert hand.turn == 0, "the hand itself is left alone"
    assert count_betting(hand).deals is None
