"""The agents that come with Felt: each does what its rule says."""

from collections import Counter

import numpy as np
import pytest

from felt.agents import CALL, FOLD, Agent, Dice, Tables, entrant
from felt.agents.dice import ManyDice
from felt.agents.strength.by_strength import prices, spot_of, spots_of
from felt.agents.strength.ehs import LIMIT, NO_LIMIT, Ehs
from felt.games import Action, Hand, Move, load, names
from felt.games.engine.batch import HandBatch
from felt.odds.state.at_state import at_state
from felt.odds.state.from_view import expected_strength, sensible_exchange
from tests.kinds import each_kind


def made(spec: str) -> Agent:
    agent: Agent = entrant(spec).make()
    agent.dice = Dice(1)
    return agent


def dealt(game: str, cards: str, players: int = 2, stack: int | None = None) -> Hand:
    rules = load(game)
    return Hand.new(rules, stack, players=players, deck=rules.deck.parse(cards) + rules.deck.without(cards))


def raises(total: int) -> Action:
    return Action(Move.RAISE, total)


def rate(first: str, second: str, sets: int, game: str = "nlhe", seed: int = 1) -> tuple[float, float]:
    """Big blinds a hand of the first against the second in duplicate sets, and the half of its 95 % interval."""
    agents, rules, won = [entrant(first).make(), entrant(second).make()], load(game), []
    for player, agent in enumerate(agents):
        agent.dice = Dice(seed, player)
    for number in range(sets):
        total = 0
        for turned in (0, 1):
            hand, seats = Hand.new(rules, players=2, seed=seed, number=number), agents[::-1] if turned else agents
            for agent in agents:
                agent.dice.begin(2 * number + turned)
            while not hand.over:
                hand.act(seats[hand.turn].act(hand.view(hand.turn)))
            total += hand.payoffs[turned]
        won.append(total / 2 / rules.big_blind)
    return float(np.mean(won)), float(1.96 * np.std(won) / sets**0.5)


# Simple ones


def test_fold_call_raise_and_allin():
    view = dealt("nlhe", "AsAhKcQd").view(1)  # the button, with one chip to call
    assert [made(name).act(view) for name in ("fold", "call", "raise", "allin")] == [FOLD, CALL, raises(4), raises(200)]
    limit = dealt("limit-holdem", "AsAhKcQd").view(1)
    assert made("allin").act(limit) == raises(4)


def test_fold_checks_where_that_is_free():
    hand = dealt("nlhe", "AsAhKcQd")
    hand.call()
    assert made("fold").act(hand.view(0)) == CALL


def test_random_does_everything_with_the_same_chance():
    agent, view = made("random"), dealt("nlhe", "AsAhKcQd", stack=8).view(1)
    found = Counter()
    for hand in range(3000):
        agent.dice.begin(hand)
        found[agent.act(view)] += 1
    chances = agent.probabilities(view)
    assert set(found) == set(chances) == {FOLD, CALL, *map(raises, range(4, 9))}
    for action, chance in chances.items():
        assert found[action] / 3000 == pytest.approx(chance, abs=0.04)


# Spots


@pytest.mark.parametrize("game", each_kind([name for name in names() if not load(name).rake.share]))
def test_the_price_of_a_call_is_that_of_the_state(game):
    chance = np.random.default_rng(5)
    rules = load(game)
    for seed in range(4):
        hand = Hand.new(rules, players=min(4, rules.max_players), seed=seed)
        while not hand.over:
            legal = hand.legal()
            if legal.exchange:
                hand.exchange(hand.choosable()[: legal.exchange[1]])
                continue
            spot = spot_of(hand.view(hand.turn), 0.5)
            state = at_state(hand, samples=1, threads=1)
            assert spot.cost / spot.pot == pytest.approx(state.required)
            assert spot.opponents == state.opponents
            if legal.raise_to and chance.random() < 0.4:
                hand.raise_to(int(chance.integers(legal.raise_to[0], legal.raise_to[1] + 1)))
            elif legal.fold and chance.random() < 0.1:
                hand.fold()
            else:
                hand.call()


def test_spots_at_many_tables_are_those_of_their_views():
    batch = HandBatch(load("nlhe"), 30, players=5, seed=2)
    chance = np.random.default_rng(1)
    while not batch.over.all():
        rows = np.flatnonzero(batch.turn >= 0)
        tables = Tables(batch, rows, ManyDice(np.arange(30)))
        assert list(spots_of(tables, np.full(len(rows), 0.5))) == [
            spot_of(tables.view(row), 0.5) for row in range(len(rows))
        ]
        cost, pot = prices(tables)
        assert (cost >= 0).all() and (pot > 0).all()
        moves = np.where((chance.random(30) < 0.3) & (batch.legal[:, 2] > 0), 2, chance.integers(0, 2, 30))
        batch.step(np.where(batch.legal[:, 0] == 1, moves, 1), batch.legal[:, 2])


def test_players_behind_are_those_before_the_button():
    hand = Hand.new(load("nlhe"), players=4, seed=1)  # seat 2 acts first, seat 3 is the button
    assert spot_of(hand.view(2), 0.5).behind == 1
    hand.call()
    assert spot_of(hand.view(3), 0.5).behind == 0
    hand.fold()
    assert spot_of(hand.view(0), 0.5).behind == 2


# Pot odds


def test_pot_odds_calls_at_a_good_price_only():
    agent = made("potodds")
    hand = dealt("nlhe", "2c7d" + "AsAh")
    hand.raise_to(6)  # 4 to call for 12: needs a third, has 0.346
    assert agent.act(hand.view(0)) == CALL
    hand = dealt("nlhe", "2c7d" + "AsAh")
    hand.raise_to(8)  # 6 to call for 16: needs 0.375
    assert agent.act(hand.view(0)) == FOLD
    assert made("potodds:opponents=3").act(dealt("nlhe", "Kc7d" + "AsAh").view(1)) == CALL


def test_pot_odds_never_raises():
    agent = made("potodds")
    for seed in range(20):
        hand = Hand.new(load("stud"), players=3, seed=seed)
        while not hand.over:
            action = agent.act(hand.view(hand.turn))
            assert action.move in (Move.FOLD, Move.CALL)
            hand.act(action)


# E[HS]


def chances(game: str, cards: str, *, players: int = 2, calls: int = 0, stack: int | None = None, spec: str = "ehs"):
    hand = dealt(game, cards, players, stack)
    for _ in range(calls):
        hand.call()
    return {move: round(chance, 6) for move, chance in made(spec).probabilities(hand.view(hand.turn)).items()}


def test_the_table_is_that_of_the_document():
    assert [sum(row) for row in LIMIT] == [100] * 4
    assert [sum(row) for row in NO_LIMIT] == [100, 95, 100, 100]  # so it is printed


def test_no_limit_chances_of_every_band():
    """Heads-up the button acts first, with 1 chip to call of 200; a raise of 10 % is to 1 + 1 + 19."""
    sizes = [raises(total) for total in (21, 41, 101, 200)]
    assert chances("nlhe", "KcQd" + "AsAh") == {
        FOLD: 0.01,
        CALL: 0.19,
        **dict(zip(sizes, (0.2, 0.15, 0.15, 0.3), strict=True)),
    }
    assert chances("nlhe", "KcQd" + "AsKh") == {
        FOLD: 0.05,
        CALL: 0.5,
        **dict(zip(sizes, (0.25, 0.1, 0.05, 0.05), strict=True)),
    }
    row = {FOLD: 50, CALL: 30, sizes[0]: 10, sizes[1]: 3, sizes[2]: 2}
    assert chances("nlhe", "KcQd" + "2s3h") == {move: round(weight / 95, 6) for move, weight in row.items()}
    assert chances("nlhe", "KcQd" + "9h8h" + "2s7h", players=3, spec="ehs:opponents=4") == {FOLD: 1.0}


def test_limit_chances_of_every_band():
    assert chances("limit-holdem", "KcQd" + "AsAh") == {FOLD: 0.01, CALL: 0.19, raises(4): 0.8}
    assert chances("limit-holdem", "KcQd" + "AsKh") == {FOLD: 0.05, CALL: 0.5, raises(4): 0.45}
    assert chances("limit-holdem", "KcQd" + "2s3h") == {FOLD: 0.5, CALL: 0.3, raises(4): 0.2}


def test_a_fold_is_a_check_where_that_is_free():
    assert chances("limit-holdem", "2s3h" + "KcQd", calls=1) == {CALL: 0.8, raises(4): 0.2}


def test_raises_that_are_too_small_or_too_large_are_made_legal():
    few = chances("nlhe", "KcQd" + "AsAh", stack=10)  # 9 behind: 10 % of that is nothing
    assert few == {FOLD: 0.01, CALL: 0.19, raises(4): 0.35, raises(6): 0.15, raises(10): 0.3}
    most = chances("plo", "KcQd2h3s" + "AsAhKsKh")
    assert max(move.amount for move in most) == 6  # a pot: 2 · 2 + … of 100 big blinds


def test_where_no_raise_is_allowed_it_calls():
    hand = dealt("nlhe", "KcQd" + "AsAh")
    hand.raise_to(200)
    found = made("ehs").probabilities(hand.view(0))
    assert set(found) == {FOLD, CALL}


def test_the_bring_in_is_posted():
    hand = Hand.new(load("stud"), players=2, seed=1)
    assert not hand.legal().fold
    assert FOLD not in made("ehs").probabilities(hand.view(hand.turn))


def test_draws_are_sensible_ones():
    hand = Hand.new(load("five-card-draw"), players=2, seed=3)
    while not hand.legal().exchange:
        hand.call()
    view = hand.view(hand.turn)
    wanted = Action(Move.EXCHANGE, cards=sensible_exchange(view))
    assert made("ehs").act(view) == made("tag").act(view) == wanted
    assert made("ehs").probabilities(view) == {wanted: 1.0}


def test_moves_come_as_often_as_the_probabilities_say():
    agent, view = Ehs(), dealt("nlhe", "KcQd" + "AsKh").view(1)
    agent.dice = Dice(3)
    found = Counter()
    for hand in range(4000):
        agent.dice.begin(hand)
        found[agent.act(view)] += 1
    for action, chance in agent.probabilities(view).items():
        assert found[action] / 4000 == pytest.approx(chance, abs=0.03)


# Chen


def test_chen_before_the_flop():
    def move(cards: str, **options: int) -> Action:
        return made("chen").act(dealt("nlhe", "2c7d" + cards, **options).view(1))

    assert move("AsKh") == raises(6)  # ten points
    assert move("Jc6h") == FOLD  # two
    assert move("9s6s") == CALL  # five
    assert made("chen:raise_at=5").act(dealt("nlhe", "2c7d" + "9s6s").view(1)) == raises(6)


def test_chen_wants_more_from_who_sits_in_front_and_against_raises():
    ring = dealt("nlhe", "2c7d2h7h" + "9s7c" + "3d8d3h8h", players=5)
    assert ring.turn == 2
    assert made("chen").act(ring.view(2)) == FOLD  # five points, two behind
    assert made("chen").act(dealt("nlhe", "2c7d" + "9s7c").view(1)) == CALL
    hand = dealt("nlhe", "KsTs" + "2c7d")
    hand.raise_to(6)
    assert made("chen").act(hand.view(0)) == CALL  # eight points, one behind, one raise: five


def test_chen_plays_games_with_two_hole_cards_and_a_board():
    agent = made("chen")
    assert agent.plays(load("nlhe"), 6) is None
    assert "two hole cards and a board" in str(agent.plays(load("plo"), 6))
    assert "two hole cards and a board" in str(agent.plays(load("five-card-draw"), 6))


# The tight-aggressive player


def test_tag_bets_two_thirds_of_the_pot_with_good_hands():
    hand = dealt("nlhe", "KcQd" + "AsAh")
    assert made("tag").act(hand.view(1)) == raises(2 + 4 * 2 // 3)
    assert made("tag").act(dealt("limit-holdem", "KcQd" + "AsAh").view(1)) == raises(4)


def test_tag_is_tighter_with_more_opponents_and_out_of_position():
    def good(players: int, seat: int) -> bool:
        rules = load("nlhe")
        cards = rules.deck.parse("AsTh")
        others = [card for card in rules.deck if card not in cards]
        order = [*others[: 2 * seat], *cards, *others[2 * seat :]]
        hand = Hand.new(rules, players=players, deck=order)
        while hand.turn != seat:
            hand.call()
        return made("tag:edge=0.25").act(hand.view(seat)).move == Move.RAISE

    assert good(2, 1)
    assert not good(6, 5)
    assert not good(2, 0) or good(2, 1)


def test_tag_gives_up_what_costs_too_much():
    hand = dealt("nlhe", "2c7d" + "AsAh")
    hand.raise_to(8)
    assert made("tag").act(hand.view(0)) == FOLD


# Against each other


@pytest.mark.parametrize("other", ["call", "raise", "random"])
def test_ehs_beats_the_simple_ones_heads_up(other):
    mean, error = rate("ehs", other, 2500 if other == "raise" else 800)
    assert mean - error > 0


@pytest.mark.parametrize("other", ["call", "raise", "random", "ehs"])
def test_tag_beats_them_all_heads_up(other):
    mean, error = rate("tag", other, 1500 if other == "ehs" else 500)
    assert mean - error > 0


@pytest.mark.parametrize("game", ["stud", "plo", "five-card-draw"])
def test_tag_beats_random_in_other_games(game):
    mean, error = rate("tag", "random", 60, game)
    assert mean - error > 0


def test_always_fold_loses_exactly_three_quarters_of_a_big_blind_to_always_raise():
    assert rate("fold", "raise", 50) == (-0.75, 0.0)


def test_strength_is_what_ehs_goes_by():
    view = dealt("nlhe", "KcQd" + "AsAh").view(1)
    assert Ehs().measure(view) == expected_strength(view)
    assert Ehs(opponents=3).measure(view) == expected_strength(view, 3)
