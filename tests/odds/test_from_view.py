"""What can be asked of a view alone: the true hand plays no part in it."""

import random

import numba
import numpy as np
import pytest

from felt._chance_kernels import wrapping
from felt.agents.dice import ManyDice
from felt.agents.tables import Tables
from felt.cards.card import format_cards, parse_cards
from felt.cards.ranking.evaluator import rank_batch
from felt.cards.starting import preflop_equity
from felt.errors import OddsError
from felt.games import Hand, load, names
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.engine.compiled import compile_rules
from felt.games.engine.showdown_kernels import best_value
from felt.games.moves import Move, Phase
from felt.odds.equity.question import Effort
from felt.odds.state import from_view
from felt.odds.state.at_state import at_state
from felt.odds.state.dealing import deal_out_equities
from felt.odds.state.from_view import (
    expected_strength,
    expected_strengths,
    holdem_strengths,
    is_holdem,
    possible_hand,
    sensible_exchange,
)
from felt.odds.state.knowledge import knowledge
from felt.odds.state.view_kernels import _final_value, exchanged_strength
from felt.odds.strength.calculate import strength
from felt.odds.strength.lookup import expected_hs_batch, flop_hs
from tests.kernel_counts import forget_kernels, loaded
from tests.kinds import each_kind
from tests.reference import strength as reference

DRAWS = [name for name in names() if load(name).has_draws]
DEALS = [name for name in names() if not load(name).has_draws]


def some_hand(game: str, seed: int, players: int | None = None) -> Hand:
    """A hand some way into its course, with a few players folded and cards exchanged at random."""
    chance = random.Random(f"{game} {seed}")
    rules = load(game)
    hand = Hand.new(rules, players=players or chance.randint(2, min(4, rules.max_players)), seed=seed)
    for _ in range(chance.randrange(14)):
        twin = hand.copy()
        move(twin, chance)
        if twin.over:
            break
        hand = twin
    return hand


def move(hand: Hand, chance: random.Random) -> None:
    legal = hand.legal()
    if legal.exchange:
        _, least, most = legal.exchange
        hand.exchange(chance.sample(hand.choosable(), chance.randint(least, most)))
    elif legal.fold and chance.random() < 0.15:
        hand.fold()
    elif legal.raise_to and chance.random() < 0.2:
        hand.raise_to(legal.raise_to[0])
    else:
        hand.call()


def remembered_hand(game: str, seed: int) -> tuple[Hand, int]:
    """A hand and a seat that is still in it."""
    hand = some_hand(game, seed)
    return hand, random.Random(seed).choice([seat for seat, folded in enumerate(hand.folded) if not folded])


# Possible hands


@pytest.mark.parametrize("game", each_kind(names()))
def test_a_possible_hand_looks_like_the_true_one(game):
    for seed in range(8):
        hand, seat = remembered_hand(game, seed)
        view = hand.view(seat)
        twin = possible_hand(view, random.Random(seed))
        assert twin.view(seat) == view
        assert twin.legal() == hand.legal()
        assert twin.arrays[0].tolist() == hand.arrays[0].tolist()


@pytest.mark.parametrize("game", each_kind(names()))
def test_a_possible_hand_has_every_card_once(game):
    for seed in range(8):
        hand, seat = remembered_hand(game, seed)
        h, k = possible_hand(hand.view(seat), random.Random(seed)).arrays
        live = [card for other, folded in enumerate(hand.folded) if not folded for card in held(h, k, other)]
        deck = k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]].tolist()
        muck = k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]].tolist()
        board = k[f.BOARD : f.BOARD + h[f.BOARD_COUNT]].tolist()
        assert sorted(live + deck + muck + board) == sorted(hand.rules.deck)
        for other, folded in enumerate(hand.folded):
            if folded:  # remembered, and lying in the muck (these hands are too short to shuffle it)
                assert set(held(h, k, other)) <= set(muck)


def held(h, k, seat):
    begin = f.CARDS + f.CARDS_EACH * seat
    return k[begin : begin + k[f.COUNT + seat]].tolist()


@pytest.mark.parametrize("game", each_kind(names()))
def test_possible_hands_can_be_played_to_the_end(game):
    for seed in range(4):
        hand, seat = remembered_hand(game, seed)
        twin = possible_hand(hand.view(seat), random.Random(seed))
        chance = random.Random(seed)
        while not twin.over:
            move(twin, chance)
        assert sum(twin.payoffs) == -twin.rake


@pytest.mark.parametrize("game", each_kind(names()))
def test_odds_in_a_possible_hand_are_those_of_the_true_one(game):
    for seed in range(3):
        hand, seat = remembered_hand(game, seed)
        if hand.phase == Phase.PASS and hand.arrays[0][f.EXCHANGED]:
            continue  # which places others have chosen to pass is not told: equal in the mean only
        options = {"samples": 40, "seed": seed, "threads": 1}
        assert at_state(possible_hand(hand.view(seat)), seat, **options) == at_state(hand, seat, **options)


def test_a_possible_hand_remembers_what_was_thrown_away_and_passed():
    hand = Hand.new(load("five-card-draw"), [400] * 3, seed=1)
    for _ in range(3):
        hand.call()
    thrower, thrown = hand.turn, hand.cards(hand.turn)[:3]
    hand.exchange(thrown)
    twin = possible_hand(hand.view(thrower), random.Random(3))
    assert set(knowledge(twin.view(thrower)).dead) == set(thrown)
    passing = Hand.new(load("anaconda"), players=3, seed=2)
    while not passing.legal().exchange:
        passing.call()
    given = {}
    while passing.legal().exchange:
        given[passing.turn] = passing.cards(passing.turn)[:3]
        passing.exchange(given[passing.turn])
    for seat, cards in given.items():
        twin = possible_hand(passing.view(seat), random.Random(seat))
        assert set(cards) <= set(twin.cards((seat + 1) % 3))


def test_a_chosen_pass_is_kept():
    hand = Hand.new(load("anaconda"), players=2, seed=2)
    while not hand.legal().exchange:
        hand.call()
    seat, chosen = hand.turn, hand.cards(hand.turn)[2:5]
    hand.exchange(chosen)
    twin = possible_hand(hand.view(seat), random.Random(1))
    twin.exchange(twin.cards(twin.turn)[:3])
    assert set(chosen) <= set(twin.cards(1 - seat))


def test_possible_hands_are_spread_over_all_that_is_unseen():
    view = Hand.new(load("nlhe"), [200, 200], seed=1).view(0)
    dice = random.Random(1)
    seen = {possible_hand(view, dice).cards(1) for _ in range(200)}
    assert len(seen) > 180
    assert not any(set(cards) & set(view.own) for cards in seen)
    assert possible_hand(view).cards(1) == possible_hand(view).cards(1)  # without dice the view decides


def test_a_hand_that_is_over_has_no_possible_hand():
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    hand.fold()
    with pytest.raises(OddsError, match="the hand is over"):
        possible_hand(hand.view(0))


# Hold'em


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("hand", "board"),
    [
        ("5h4h", "Kh6s3hQd"),
        ("AsKs", "2s7s9sJd"),
        ("2c2d", "3s7s9sJsKs"),
        ("AsKd", "3s7s9sJs2c"),
        ("8h8d", "3s7s9sKd2c"),
        ("8h7d", "3s3d3h3cAc"),
        ("Ts2d", "3h4h5h6h7h"),
        ("2h2d", "3h4h5h6h"),
    ],
)
def test_turn_and_river_are_counted_as_one_by_one(hand, board):
    cards, shared = parse_cards(hand), parse_cards(board)
    found = expected_hs_batch(np.array([cards]), np.array([shared]))[0]
    assert found == pytest.approx(float(reference.measure(cards, shared, rank=quick_rank).expected), abs=1e-12)


def quick_rank(cards: tuple[int, ...]) -> int:
    return int(rank_batch(np.array([cards], dtype=np.uint8))[0])


def test_turn_and_river_are_those_of_strength():
    chance = np.random.default_rng(1)
    for size in (4, 5):
        rows = np.array([chance.permutation(52)[: 2 + size] for _ in range(100)])
        rows[::3] = np.sort(rows[::3] // 4 * 4 % 52 + np.arange(2 + size) % 3, axis=1)  # more of one suit
        rows = np.array([row for row in rows if len(set(row.tolist())) == len(row)])
        found = expected_hs_batch(rows[:, :2], rows[:, 2:])
        texts = [(text(row[:2]), text(row[2:])) for row in rows]
        assert found.tolist() == [strength(*one).expected_hs for one in texts]


def test_a_flop_is_looked_up_and_has_the_strength_that_is_counted():
    chance = np.random.default_rng(2)
    rows = np.array([chance.permutation(52)[:5] for _ in range(60)])
    rows[::3] = np.sort(rows[::3] // 4 * 4 % 52 + np.arange(5) % 3, axis=1)  # more of one suit
    rows = np.array([row for row in rows if len(set(row.tolist())) == len(row)])
    found = [flop_hs(tuple(row[:2]), tuple(row[2:])) for row in rows.tolist()]
    assert found == expected_hs_batch(rows[:, :2], rows[:, 2:]).tolist()
    assert found == pytest.approx([strength(text(row[:2]), text(row[2:])).expected_hs for row in rows], abs=1e-12)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is switched off")
def test_the_strength_on_a_flop_calls_no_kernel():
    rules = load("nlhe")
    hand = Hand.new(rules, players=2, deck=deck(rules, "AsAhKcQc2d3d4h5h9c"))
    hand.call()
    hand.call()
    view = hand.view(0)
    first = expected_strength(view)
    from_view._holdem_strength.cache_clear()
    forget_kernels()
    assert expected_strength(view) == first and loaded() == set()


def text(cards):
    return format_cards(cards.tolist())


def test_a_card_that_stands_twice_is_refused_on_every_street():
    for board in ([0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 50]):
        with pytest.raises(OddsError, match="row 0 uses a card twice"):
            expected_hs_batch(np.array([[50, 51]]), np.array([[*board[:-1], 50]]))


def test_strength_is_that_against_one_to_the_power_of_the_opponents():
    rules = load("nlhe")
    hand = Hand.new(rules, players=4, deck=deck(rules, "AsAhKcQc2d3d4h5h9c9d9h"))
    view = hand.view(0)
    assert expected_strength(view, 1) == pytest.approx(strength("AsAh").expected_hs, abs=1e-9)
    assert expected_strength(view) == pytest.approx(expected_strength(view, 1) ** 3)
    while hand.street < 3:
        hand.call()
    assert expected_strength(hand.view(1), 2) == pytest.approx(
        strength("KcQc", format_cards(hand.board)).expected_hs ** 2
    )


def deck(rules, first):
    return rules.deck.parse(first) + rules.deck.without(first)


def test_many_strengths_are_the_same_to_the_last_bit():
    batch = HandBatch(load("nlhe"), 40, players=4, seed=3)
    for step in range(17):
        rows = np.flatnonzero(batch.turn >= 0)
        tables = Tables(batch, rows, ManyDice(np.arange(40)))
        assert expected_strengths(tables).tolist() == [expected_strength(tables.view(i)) for i in range(len(rows))]
        against_two = [expected_strength(tables.view(i), 2) for i in range(len(rows))]
        assert expected_strengths(tables, 2).tolist() == against_two
        folds = (np.arange(40) % 7 == step % 7) & (batch.legal[:, 0] == 1)
        batch.step(np.where(folds, int(Move.FOLD), int(Move.CALL)))


def test_holdem_is_known_by_its_rules():
    assert [name for name in names() if is_holdem(load(name))] == [
        "cap-holdem", "limit-holdem", "nlhe", "pot-limit-holdem", "preflop-limit", "preflop-nolimit", "spread-holdem"
    ]  # fmt: skip


def test_boards_of_different_sizes_in_one_call():
    own = np.array([[51, 50], [51, 50], [0, 4]], dtype=np.uint8)
    boards = np.array([[0, 17, 34, 9, 2], [0, 17, 34, 9, 2], [9, 9, 9, 9, 9]], dtype=np.uint8)
    found = holdem_strengths(own, boards, np.array([3, 5, 0]))
    assert found[0] == expected_hs_batch(own[:1], boards[:1, :3])[0]
    assert found[1] == expected_hs_batch(own[:1], boards[:1])[0]
    assert found[2] == pytest.approx(preflop_equity("32s"))


# Other games


@pytest.mark.parametrize("game", DEALS)
def test_strength_is_the_product_of_equities_against_each(game):
    for seed in range(2):
        hand, seat = remembered_hand(game, seed)
        view = hand.view(seat)
        known = knowledge(view)
        pairs = [(seat, other) for other in known.held]
        found = deal_out_equities(hand, seat, pairs, known, Effort(samples=3000, threads=1)).equities
        wanted = float(np.prod([found[pair] for pair in pairs]))
        assert expected_strength(view, samples=3000) == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize("game", each_kind(DRAWS))
def test_random_hands_in_draw_games_are_worth_about_a_half(game):
    hands = [Hand.new(load(game), players=2, seed=seed) for seed in range(60)]
    mean = np.mean([expected_strength(hand.view(seat), samples=64) for hand in hands for seat in (0, 1)])
    assert mean == pytest.approx(0.6 if game == "anaconda" else 0.5, abs=0.05)  # others' passes are taken as random


def test_after_the_last_draw_a_hand_is_worth_the_part_of_final_hands_that_it_beats():
    rules = load("five-card-draw")
    dealt = "AsAhAdAc2h" + "KsKhQdQc2s"
    hand = Hand.new(rules, players=2, deck=deck(rules, dealt))
    while hand.street == 0:
        hand.call()
    before = expected_strength(hand.view(0))
    hand.exchange()
    hand.exchange("2s")
    assert expected_strength(hand.view(0)) == pytest.approx(1.0, abs=0.01)
    assert before == pytest.approx(1.0, abs=0.01)
    assert 0.7 < expected_strength(hand.view(1)) < 0.97


def test_small_games_are_counted():
    rules = load("kuhn")
    worth = {}
    for seed in range(12):
        view = Hand.new(rules, seed=seed).view(0)
        worth[format_cards(view.own)[0]] = expected_strength(view)
    assert worth == {"J": 0.0, "Q": 0.5, "K": 1.0}


@pytest.mark.parametrize("game", ["stud", "plo", "27-triple-draw"])
def test_the_same_view_has_the_same_strength_and_dice_are_used_if_given(game):
    hand = Hand.new(load(game), players=3, seed=1)
    view = hand.view(0)
    first = expected_strength(view)
    from_view._remembered.clear()
    assert expected_strength(hand.view(0)) == first
    thrown = {expected_strength(view, dice=random.Random(seed)) for seed in range(5)}
    assert len(thrown) > 1
    assert expected_strength(view, dice=random.Random(1)) == expected_strength(view, dice=random.Random(1))


def test_cards_that_are_up_matter():
    rules = load("razz")

    def against(up: str) -> float:
        return expected_strength(Hand.new(rules, players=2, deck=deck(rules, "2s3s4s" + "KhKd" + up)).view(0))

    assert against("Ks") > 0.7 > against("As") > 0.4


def test_without_opponents_the_pot_is_ones_own():
    hand = Hand.new(load("plo"), players=2, seed=1)
    assert expected_strength(hand.view(0), opponents=0) == 1.0


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("game", "kind", "held", "shared"),
    [("plo8", 0, 4, 5), ("plo8", 1, 4, 5), ("cincinnati", 0, 5, 5), ("manila", 0, 2, 5)],
)
def test_hands_chosen_from_many_cards_have_the_value_that_the_showdown_gives_them(game, kind, held, shared):
    compiled, chance = compile_rules(load(game)), np.random.default_rng(3)
    room = np.empty(16, dtype=np.uint8)
    rows = [chance.permutation(compiled.deck)[: held + shared] for _ in range(12)]
    suit = compiled.deck[compiled.deck % 4 == 1]
    rows += [np.append(suit[chance.permutation(len(suit))[: held + shared - 1]], compiled.deck[2]) for _ in range(3)]
    for cards in rows:
        found = _final_value(cards, held, compiled.game, kind, compiled.tables, compiled.extra, room)
        size, exactly = compiled.game[f.SCALARS, f.GAME_SIZE], compiled.game[f.HOLE_EXACTLY, kind]
        method = compiled.game[f.METHOD, kind]
        assert found == best_value(cards, held, size, exactly, method, compiled.tables[kind], compiled.extra, room)


@pytest.mark.no_jit
@pytest.mark.parametrize("game", ["stud", "plo8"])
def test_a_few_deals_are_shared_as_the_engine_shares_them(game):
    """A deal gives one of two players a whole, three, two or one quarter of the pot, or none."""
    rules = load(game)
    hand = Hand.new(rules, players=2, seed=5)
    while hand.street < len(rules.rounds) - 1:
        hand.call()
    seat = hand.turn
    strengths = {expected_strength(hand.view(seat), samples=3, dice=random.Random(i)) for i in range(4)}
    assert strengths <= {quarters / 12 for quarters in range(13)}


@pytest.mark.no_jit
def test_a_hand_after_its_last_exchange_stands_where_its_value_does_among_final_hands():
    rules = load("five-card-draw")
    hand = Hand.new(rules, players=2, deck=deck(rules, "AsAhAdAc2h" + "KsKhQdQc2s"))
    compiled, (h, k) = compile_rules(rules), hand.arrays
    own = rank_batch(np.array([hand.cards(0)], dtype=np.uint8))[0]
    steps = np.array([[own - 2, own - 1, own, own, own + 1], [0] * 5], dtype=np.int64)
    unseen = np.array([card for card in rules.deck if card not in hand.cards(0)], dtype=np.uint8)
    with wrapping():
        found = exchanged_strength(
            h, k, compiled.game, unseen, unseen.copy(), 0, 0, 2, 3, compiled.shown, compiled.tables, compiled.extra,
            steps, compiled.deck, np.uint64(1),
        )  # fmt: skip
    assert found == pytest.approx((2 + 2 / 2) / 5)


@pytest.mark.no_jit
def test_a_draw_is_thought_through_to_its_end():
    rules = load("five-card-draw")
    hand = Hand.new(rules, players=2, deck=deck(rules, "AsAhAdAc2h" + "KsKhQdQc2s"))
    compiled, (h, k) = compile_rules(rules), hand.arrays
    aces = rank_batch(np.array([hand.cards(0)], dtype=np.uint8))[0]
    steps = np.array([[100, 5000, aces - 400, aces + 400], [0] * 4], dtype=np.int64)
    unseen = np.array([card for card in rules.deck if card not in hand.cards(0)], dtype=np.uint8)
    with wrapping():
        found = exchanged_strength(
            h, k, compiled.game, unseen, unseen.copy(), 0, 1, 1, 3, compiled.shown, compiled.tables, compiled.extra,
            steps, compiled.deck, np.uint64(1),
        )  # fmt: skip
    assert found == 0.75  # four aces stay four aces


def test_who_is_out_of_the_hand_has_no_strength():
    hand = Hand.new(load("nlhe"), players=3, seed=1)
    folder = hand.turn
    hand.fold()
    for view in (hand.view(folder), hand.view(-1)):
        with pytest.raises(OddsError, match="has no hand in play"):
            expected_strength(view)
    with pytest.raises(OddsError, match="samples=0: give 1 or more"):
        expected_strength(hand.view(hand.turn), samples=0)


# Exchanges


@pytest.mark.parametrize("game", DRAWS)
def test_exchanges_are_legal_and_their_own_view_decides(game):
    hand = Hand.new(load(game), players=3, seed=4)
    asked = 0
    while not hand.over:
        if not hand.legal().exchange:
            hand.call()
            continue
        asked += 1
        chosen = sensible_exchange(hand.view(hand.turn))
        assert chosen == sensible_exchange(hand.view(hand.turn))
        assert set(sensible_exchange(hand.view(hand.turn), random.Random(1))) <= set(hand.cards(hand.turn))
        hand.exchange(chosen)
    assert asked


def test_exchanges_are_sensible():
    rules = load("27-single-draw")
    hand = Hand.new(rules, players=2, deck=deck(rules, "2s3h5d7cKh" + "2c3d4h5s7s"))
    while not hand.legal().exchange:
        hand.call()
    chosen = {}
    while not hand.over and hand.legal().exchange:
        chosen[hand.turn] = sensible_exchange(hand.view(hand.turn))
        hand.exchange(chosen[hand.turn])
    assert chosen == {0: parse_cards("Kh"), 1: ()}


def test_who_has_nothing_to_exchange_is_told_so():
    with pytest.raises(OddsError, match="no cards to exchange"):
        sensible_exchange(Hand.new(load("nlhe"), [200, 200]).view(1))
