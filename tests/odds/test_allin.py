"""All-in-adjusted payoffs: the expectation over the cards that were left, against counting by hand."""

import random
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from felt.cards import parse_cards
from felt.cards.ranking.evaluator import rank_batch
from felt.games import Action, Hand, Move, load
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.rules import First, GameRules, Rake, Showdown
from felt.games.views.facts import Facts, trace
from felt.odds.state import allin
from felt.odds.state.allin import adjusted_payoffs
from tests.games.test_view import random_action

FOLD, CALL = 0, 1


def played(rules, moves, *, players=2, deals=(0,), stack=None, seed=1) -> Facts:
    """The same moves in several deals."""
    batch = HandBatch(rules, len(deals), players=players, stack=stack, seed=seed, deals=np.array(deals))
    codes = np.tile(np.array(moves, dtype=np.int64), len(deals))
    return trace(rules, *batch.arrays, batch.stacks, codes, np.full(len(deals), len(moves)))


def to(total: int) -> int:
    return total * 4 + 2


def by_hand(rules, moves, deal, *, players=2, stack=None, seed=1) -> np.ndarray:
    """The mean payoff over every order of the cards that were left, one board after another through `Hand`."""
    hand = Hand.new(rules, stack, seed, players=players, number=deal)
    for code in moves[:-1]:
        play(hand, code)
    numbers, cards = hand.arrays
    left = cards[f.DECK + numbers[f.DECK_AT] : f.DECK + numbers[f.DECK_COUNT]].tolist()
    ended = hand.copy()
    play(ended, moves[-1])
    missing = len(ended.board) - len(hand.board)
    sums, count = np.zeros(players), 0
    for cards in combinations(left, missing):
        other = hand.stacked(cards)
        play(other, moves[-1])
        sums += other.payoffs
        count += 1
    return sums / count


def play(hand: Hand, code: int) -> None:
    hand.act(Action(Move(code & 3), code >> 2))


TURN_ALL_IN = [CALL, CALL, CALL, CALL, to(198), CALL]
FLOP_ALL_IN = [CALL, CALL, to(198), CALL]


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("nlhe", TURN_ALL_IN),
        ("nlhe", FLOP_ALL_IN),
        pytest.param("short-deck", FLOP_ALL_IN, marks=pytest.mark.no_jit),
    ],
)
def test_all_in_with_a_board_is_counted_exactly(name, moves):
    rules = load(name)
    stack = 200
    facts = played(rules, moves, deals=(3, 4), stack=stack)
    found = adjusted_payoffs(facts, np.array([3, 4]))
    assert (found != facts.payoffs).any()
    for row, deal in enumerate((3, 4)):
        assert found[row] == pytest.approx(by_hand(rules, moves, deal, stack=stack))


def test_three_players_with_a_side_pot_and_a_fold():
    rules = load("nlhe")
    moves = [CALL, CALL, CALL, to(50), CALL, FOLD, to(100), CALL]
    facts = played(rules, moves, players=3, deals=(7,), stack=152)
    assert adjusted_payoffs(facts, np.array([7]))[0] == pytest.approx(by_hand(rules, moves, 7, players=3, stack=152))


def test_heads_up_before_the_flop_the_table_and_the_samples_agree(monkeypatch):
    rules, deals = load("nlhe"), np.arange(40)
    facts = played(rules, [to(200), CALL], deals=deals, stack=200)
    exact = adjusted_payoffs(facts, deals)
    monkeypatch.setattr(allin, "_is_holdem", lambda rules: False)
    monkeypatch.setattr(allin, "SAMPLES", 4000)
    sampled = adjusted_payoffs(facts, deals)
    assert np.abs(exact - sampled).max() < 4.5 * 200 / np.sqrt(4000)
    assert (exact.sum(axis=1) == 0).all()


def test_hands_with_a_decision_on_every_street_are_left_alone():
    rules = load("nlhe")
    facts = played(rules, [CALL] * 8, deals=range(20))
    assert (adjusted_payoffs(facts, np.arange(20)) == facts.payoffs).all()
    folded = played(rules, [to(200), FOLD], deals=range(20), stack=200)
    assert (adjusted_payoffs(folded, np.arange(20)) == folded.payoffs).all()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("stud", marks=pytest.mark.long),
        pytest.param("five-card-draw", marks=pytest.mark.no_jit),
        "plo",
        pytest.param("nlhe", marks=pytest.mark.no_jit),
        pytest.param("badugi", marks=pytest.mark.no_jit),
    ],
)
def test_adjusting_moves_no_money_and_is_unbiased_by_and_large(name):
    rules, dice = load(name), random.Random(3)
    players, moves, counts, hands = 3, [], [], 40
    for number in range(hands):
        hand, count = Hand.new(rules, rules.big_blind * 3, 5, players=players, number=number), 0
        while not hand.over:
            action = random_action(hand, dice)
            held, amount = hand.cards(hand.turn), action.amount
            if action.move == Move.EXCHANGE:
                amount = sum(1 << held.index(card) for card in action.cards)
            moves.append(amount * 4 + int(action.move))
            hand.act(action)
            count += 1
        counts.append(count)
    batch = HandBatch(rules, hands, players=players, stack=rules.big_blind * 3, seed=5)
    facts = trace(rules, *batch.arrays, batch.stacks, np.array(moves), np.array(counts))
    found = adjusted_payoffs(facts, np.arange(hands))
    assert found.sum(axis=1) == pytest.approx(facts.payoffs.sum(axis=1), abs=1e-6)
    assert (found.min() >= -rules.big_blind * 3) and (found.max() <= rules.big_blind * 6)


def test_the_mean_of_many_adjusted_results_is_that_of_the_raw_ones():
    rules, deals = load("nlhe"), np.arange(30_000)
    facts = played(rules, [to(20), CALL, FOLD], players=3, deals=deals, stack=20)
    assert (facts.shown > 0).all()
    found = adjusted_payoffs(facts, deals)
    assert found.std() < 0.6 * facts.payoffs.std()
    difference = (found - facts.payoffs)[:, 0]
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(deals))


def test_a_hand_is_adjusted_the_same_whatever_is_told_beside_it():
    rules, deals = load("nlhe"), np.arange(6)
    batch = HandBatch(rules, 6, stack=200, seed=1, deals=deals)
    shove, flop = [to(200), CALL], FLOP_ALL_IN
    moves = [shove, flop, shove, flop, shove, flop]
    counts = np.array([len(one) for one in moves])
    facts = trace(rules, *batch.arrays, batch.stacks, np.concatenate(moves), counts)
    together = adjusted_payoffs(facts, deals)
    for i in range(6):
        alone = played(rules, moves[i], deals=(i,), stack=200)
        assert (adjusted_payoffs(alone, np.array([i]))[0] == together[i]).all()


TIES = {
    "all three as good as each other, unless a spade comes": (3, -1, "AcKd AdKc AhKs", "QsJsTs2c"),
    "the first two as good as each other": (3, -1, "AcKd AdKc 7h7s", "Qs7d4s2c"),
    "the last two as good as each other": (3, -1, "7h7s AcKd AdKc", "Qs7d4s2c"),
    "the first and the last as good as each other": (3, -1, "AcKd 7h7s AdKc", "Qs7d4s2c"),
    "the weakest two as good as each other": (3, -1, "QcKd QdKc 4h4c", "Qs7d4s2c"),
    "all different, with flushes to come": (3, -1, "AsKs QdQc 7h6h", "Qs7d4s2h"),
    "three left of four, the second gone": (4, 1, "AcKd 7h7s AdKc QhJh", "Qs7d4s2c"),
    "two left of three, as good as each other": (3, 0, "9c9d AcKd AdKc", "Qs7d4s2c"),
}


NLHE = load("nlhe")
RAKED = replace(NLHE, rake=Rake(0.05, 5))
LOW = replace(NLHE, name="low", showdown=Showdown(kinds=("low-a5",)))
EIGHT = replace(NLHE, name="eight or better", showdown=Showdown(kinds=("low-8",)))


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("rules", "stacks"),
    [
        pytest.param(NLHE, (60, 60, 60, 60), id="one pot"),
        pytest.param(NLHE, (41, 75, 90, 60), id="side pots"),
        pytest.param(RAKED, (90, 60, 41, 75), id="side pots and rake"),
        pytest.param(LOW, (90, 60, 41, 75), id="low"),
        pytest.param(EIGHT, (90, 60, 41, 75), id="eight or better"),
    ],
)
@pytest.mark.parametrize(("players", "folder", "hole_cards", "board"), TIES.values(), ids=TIES)
def test_two_and_three_way_ties_are_paid_as_the_cards_fall(players, folder, hole_cards, board, stacks, rules):
    """All in on the turn: each river is dealt in turn, and who is paid what, side pots and odd chips too, agrees."""
    check_rivers(rules, stacks[:players], parse_cards(hole_cards + board), folder)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    "rules",
    [replace(load("plo"), rake=Rake(0.05, 5)), load("plo8")],
    ids=["one kind of hand, rake", "two kinds of hand"],
)
def test_hands_that_are_not_told_by_who_beats_whom_are_paid_as_the_cards_fall(rules):
    """Two hole cards must count, so every river is settled in full; a short stack makes a side pot."""
    cards = parse_cards("AcKd5h4c AdKc7h6s QhJhTc9c Qs7d4s2c")
    stack = 10 * rules.big_blind
    check_rivers(rules, (9 * stack, 6 * stack, 4 * stack + 1), cards, -1)


def check_rivers(rules: GameRules, stacks: tuple[int, ...], cards: tuple[int, ...], folder: int) -> None:
    """All calls to the turn, then all in but for one who folds: the mean over all rivers is the adjusted result."""
    hand = Hand.new(rules, stacks, deck=(*cards, *rules.deck.without(cards)))
    arrays = [part.copy()[None] for part in hand.arrays]
    moves = []
    while not hand.over:
        legal, code = hand.legal(), CALL
        if len(hand.board) == 4:
            code = FOLD if hand.turn == folder else to(legal.raise_to[1]) if legal.raise_to else CALL
        moves.append(code)
        before = hand.copy()
        play(hand, code)
    payoffs = []
    for river in rules.deck.without(cards):
        other = before.stacked([river])
        play(other, moves[-1])
        assert other.board[-1] == river
        payoffs.append(other.payoffs)
    facts = trace(rules, *arrays, np.array([stacks], dtype=np.int32), np.array(moves), np.array([len(moves)]))
    assert adjusted_payoffs(facts, np.array([0]))[0] == pytest.approx(np.mean(payoffs, axis=0), abs=1e-5)


CLOSED_STUD = replace(
    load("stud"),
    rounds=tuple(
        replace(part, down=part.down + part.up, up=0, first=First.AFTER_BUTTON) for part in load("stud").rounds
    ),
    bring_in=0,
)


@pytest.mark.no_jit
@pytest.mark.parametrize("rules", [load("stud"), CLOSED_STUD], ids=["cards up", "no card up"])
def test_hole_cards_to_come_are_dealt_to_each_player(rules, monkeypatch):
    """Stud, all in on sixth street: the last cards of both are sampled, and near what counting all of them gives."""
    held = [parse_cards("KsQs9s4s2d3h"), parse_cards("7h7d8c2h3cTd")]
    first = [card for pair in zip(*held, strict=True) for card in pair]
    third = [card for seat in range(2) for card in held[seat][:3]]
    hand = Hand.new(rules, 60, deck=(*third, *first[6:], *rules.deck.without(first)), players=2)
    arrays, moves = [part.copy()[None] for part in hand.arrays], []
    while not hand.over:
        raises = hand.legal().raise_to if len(hand.cards(0)) == 6 else None
        moves.append(to(raises[1]) if raises else CALL)
        play(hand, moves[-1])
    assert [hand.cards(seat)[:6] for seat in range(2)] == held
    pairs = list(permutations(rules.deck.without(first), 2))
    values = [rank_batch(np.array([[*held[seat], pair[seat]] for pair in pairs])).astype(int) for seat in range(2)]
    chance = np.mean(np.sign(values[0] - values[1]))
    monkeypatch.setattr(allin, "SAMPLES", 600)
    facts = trace(rules, *arrays, np.array([[60, 60]], dtype=np.int32), np.array(moves), np.array([len(moves)]))
    adjusted = adjusted_payoffs(facts, np.array([0]))[0]
    assert adjusted.sum() == 0
    assert adjusted[0] == pytest.approx(60 * chance, abs=4.5 * 60 / np.sqrt(600))
    assert abs(adjusted[0]) < 50  # and not what the last cards made of it
