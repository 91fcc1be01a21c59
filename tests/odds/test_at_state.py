"""The odds in a state: prices and pots to the chip, equities against slow twins, and no look at hidden cards."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from felt.cards.card import format_cards, parse_cards
from felt.errors import OddsError
from felt.games import GameRules, Hand, Rake, load, names
from felt.odds import equity
from felt.odds.decisions import implied_odds, required_fold_equity
from felt.odds.equity.question import ALL_CORES
from felt.odds.state.at_state import PotShare, at_state
from felt.odds.state.dealing import deal_out_equities
from felt.odds.state.knowledge import knowledge
from tests.kinds import each_kind


def dealt(rules: GameRules, cards: str, stacks: list[int] | None = None) -> Hand:
    """A hand that deals these cards first."""
    first = parse_cards(cards)
    return Hand.new(rules, stacks, deck=(*first, *rules.deck.without(first)))


# The price


def test_the_price_of_a_call():
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    hand.raise_to(6)
    found = at_state(hand)
    assert (found.seat, found.call, found.pot) == (0, 4, 8)
    assert found.odds is not None and found.odds.ratio == 2.0
    assert found.required == pytest.approx(1 / 3)
    assert found.ev_call == pytest.approx(found.equity * 12 - 4)
    assert found.pots == (PotShare(12, (0, 1), found.equity),)


def test_what_must_be_won_later_and_how_often_others_must_fold():
    rules = load("nlhe")
    hand = dealt(rules, "2c7d KsKd", [200, 200])
    hand.raise_to(30)
    found = at_state(hand)
    assert found.ev_call < 0
    assert found.implied == pytest.approx(implied_odds(pot=found.pot, call=found.call, equity=found.equity))
    asked = required_fold_equity(pot=32, bet=88, call=28, equity=found.equity)
    assert found.required_fold_equity(88) == pytest.approx(asked) and 0 < asked < 1
    cheap = dealt(rules, "AsAd 2c7d", [200, 200])
    cheap.raise_to(4)
    assert at_state(cheap).implied == 0
    assert at_state(cheap).required_fold_equity(20) == 0, "aces may be called"


def test_a_check_is_free():
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    hand.call()
    found = at_state(hand)
    assert (found.call, found.pot, found.odds, found.required) == (0, 4, None, 0.0)
    assert found.ev_call == pytest.approx(4 * found.equity)


def test_chips_that_cannot_be_matched_are_not_in_the_pot():
    hand = Hand.new(load("nlhe"), [50, 200], seed=1)
    hand.raise_to(100)
    found = at_state(hand)
    assert (found.call, found.pot) == (48, 52), "the other half of the raise goes back"


def test_side_pots_are_priced_one_by_one():
    hand = dealt(load("nlhe"), "KsKd 2c2d 7h8h", [20, 200, 200])
    hand.raise_to(50)
    hand.call()  # all in with 20
    found = at_state(hand)
    assert (found.seat, found.call, found.pot) == (1, 48, 72)
    main, side = found.pots
    assert (main.chips, main.seats) == (60, (0, 1, 2))
    assert (side.chips, side.seats) == (60, (1, 2))
    three = equity(["2c2d", "random", "random"]).players[0].equity
    two = equity(["2c2d", "random"]).players[0].equity
    assert main.equity == pytest.approx(three, abs=0.003)
    assert side.equity == pytest.approx(two, abs=0.003)
    assert found.ev_call == pytest.approx(60 * main.equity + 60 * side.equity - 48)
    assert found.share == pytest.approx((main.equity + side.equity) / 2)
    assert found.equity == main.equity
    assert found.required == pytest.approx(48 / 120)


def test_players_yet_to_act_contest_what_they_have_paid_for():
    hand = dealt(load("nlhe"), "KsKd 2c2d 7h8h AsAd", [200] * 4)
    hand.raise_to(6)  # seat 2
    hand.fold()
    found = at_state(hand)  # the small blind; the big blind has 2 in and may call
    assert (found.seat, found.call, found.pot) == (0, 5, 9)
    assert [(pot.chips, pot.seats) for pot in found.pots] == [(6, (0, 1, 2)), (8, (0, 2))]
    assert found.opponents == 2
    assert found.share > found.equity


def test_a_seat_that_is_not_to_act_may_ask():
    hand = Hand.new(load("nlhe"), [200] * 3, seed=1)
    hand.raise_to(10)
    assert at_state(hand, 1).call == 8
    assert at_state(hand, 2).call == 0


def test_rake_makes_the_price_higher():
    rules = load("nlhe")
    raked = replace(rules, rake=Rake(share=0.05, cap=3))
    hand = Hand.new(raked, [200, 200], seed=1)
    hand.raise_to(30)
    found = at_state(hand)
    assert found.pots[0].chips == 57  # 5 % of 60
    assert found.required == pytest.approx(28 / 57)
    hand = Hand.new(raked, [200, 200], seed=1)
    hand.raise_to(100)
    assert at_state(hand).pots[0].chips == 197  # the cap
    quiet = Hand.new(replace(load("kuhn"), rake=Rake(share=0.25)), seed=1)
    quiet.raise_to(1)
    assert at_state(quiet).pots[0].chips == 4, "a game that ends in its first round is not raked"


def test_the_bring_in_is_a_call():
    hand = Hand.new(load("stud"), [4000] * 3, seed=1)
    found = at_state(hand, samples=200)
    assert (found.call, found.pot, found.odds) == (10, 15, None), "nobody has matched it yet"
    assert found.ev_call == pytest.approx(15 * found.equity)


# Equity


def test_holdem_is_exact():
    hand = dealt(load("nlhe"), "AsAd 7h2c")
    found = at_state(hand, 0)
    assert found.exact
    assert found.equity == equity(["AsAd", "random"]).players[0].equity


@pytest.mark.parametrize(
    ("name", "game", "cards"),
    [("plo", "omaha", "AsAdKsKd"), ("omaha8", "omaha-hilo", "AsAd2s3d"), ("short-deck", "short-deck", "AsAd")],
)
def test_games_that_equity_knows(name, game, cards):
    hand = dealt(load(name), cards + "9h8h7c6c"[: len(cards)] + "TsJsQh")
    while len(hand.board) < 3:
        hand.call()
    found, known = at_state(hand, 0), equity([cards, "random"], board="TsJsQh", game=game).players[0]
    assert found.equity == pytest.approx(known.equity, abs=1e-9 if found.exact else 0.003)


def test_stud_by_the_cards_face_up_and_folded():
    hand = Hand.new(load("stud"), [4000] * 3, seed=6)
    hand.call()
    folder = hand.turn
    hand.fold()
    seat, other = (seat for seat in range(3) if seat != folder)
    found = at_state(hand, seat)
    known = equity(
        [format_cards(hand.cards(seat)), format_cards(hand.up_cards(other))],
        dead=format_cards(hand.up_cards(folder)),
        game="stud",
    )
    assert found.equity == pytest.approx(known.players[0].equity, abs=0.004)


def test_dealing_through_the_engine_gives_what_counting_gives():
    hand = dealt(load("nlhe"), "AsKd7h2c" + "Ts9s3dKh")
    while len(hand.board) < 4:
        hand.call()
    known = knowledge(hand.view(0))
    truth = equity(["AsKd", "random"], board="Ts9s3dKh").players[0].equity
    counted = deal_out_equities(hand, 0, [(0, 1)], known, ALL_CORES)
    assert counted.method == "simulation", "45,540 deals are too many to count here"
    assert counted.equities[0, 1] == pytest.approx(truth, abs=4 * counted.stderr)
    hand.call()
    hand.call()
    river = deal_out_equities(hand, 0, [(0, 1)], knowledge(hand.view(0)), ALL_CORES)
    assert (river.method, river.samples, river.stderr) == ("enumeration", 990, 0.0)
    board = format_cards(hand.board)
    assert river.equities[0, 1] == pytest.approx(equity(["AsKd", "random"], board=board).players[0].equity, abs=1e-12)


def leduc_equity(own: int, board: int | None, deck: tuple[int, ...]) -> Fraction:
    """By the rule book: a pair with the board wins, else the higher rank."""
    total, count = Fraction(0), 0
    unseen = [card for card in deck if card not in (own, board)]
    for other in unseen:
        for fifth in [board] if board is not None else [card for card in unseen if card != other]:
            ranks = [(card // 4 == fifth // 4, card // 4) for card in (own, other)]
            total += Fraction(1) if ranks[0] > ranks[1] else Fraction(1, 2) if ranks[0] == ranks[1] else Fraction(0)
            count += 1
    return total / count


@pytest.mark.parametrize("seed", range(6))
def test_leduc_to_the_last_digit(seed):
    rules = load("leduc")
    hand = Hand.new(rules, seed=seed)
    for _ in range(2):
        found = at_state(hand)
        board = hand.board[0] if hand.board else None
        assert found.exact
        assert found.equity == pytest.approx(float(leduc_equity(hand.cards(hand.turn)[0], board, rules.deck.cards)))
        hand.call()
        hand.call()


def test_kuhn_to_the_last_digit():
    for seed in range(6):
        hand = Hand.new(load("kuhn"), seed=seed)
        rank = hand.cards(0)[0] // 4 - 9
        assert at_state(hand, 0).equity == pytest.approx(rank / 2)


def test_wild_cards_count():
    hand = Hand.new(load("baseball"), [4000] * 2, deck=_baseball_deck())
    while hand.street < 4:
        hand.call()
    found = at_state(hand, 0, samples=2000)
    assert found.equity > 0.99, "five aces with two wild cards"


def _baseball_deck() -> tuple[int, ...]:
    rules = load("baseball")
    cards = "AsAd3c KsQd2h" + "Ah4c Ac5d 9c6h 9d7h"
    first = parse_cards(cards)
    return (*first, *rules.deck.without(first))


def test_formulas_count():
    rules = load("brag")
    hand = dealt(rules, "3s3d3c KsQsJs")  # a prial of threes beats everything
    found = at_state(hand, 0)
    assert found.exact and found.samples == len(list(combinations(range(49), 3)))
    assert found.equity == 1.0


@pytest.mark.parametrize(
    ("name", "cards", "least"),
    [
        ("five-card-draw", "AsKsQsJsTs", 0.999),
        ("five-card-draw-jokers", "AsAdAcAhJk", 0.999),
        ("27-single-draw", "2s3d4c5h7s", 0.999),
        ("27-triple-draw", "2s3d4c5h7s", 0.999),
        ("a5-triple-draw", "As2d3c4h5s", 0.98),
        ("badugi", "As2d3c4h", 0.98),
    ],
)
def test_the_best_hand_is_not_drawn_to(name, cards, least):
    hand = dealt(load(name), cards)
    assert at_state(hand, 0, samples=300).equity >= least


def test_a_draw_is_worth_drawing():
    rules = load("five-card-draw")
    before = dealt(rules, "KsQs9s4s2d" + "7h7d7c2h3c")
    after = before.copy()
    flush_draw = at_state(before, 0, samples=1500).equity
    while not after.legal().exchange:
        after.call()
    after.exchange()
    after.exchange()
    assert flush_draw > at_state(after, 0).equity + 0.05, "king high stands no chance as it is"


def test_cards_are_thrown_as_players_do():
    import numpy as np

    from felt.games.engine.compiled import compile_rules
    from felt.odds.state.dealing import ladders
    from felt.odds.state.state_kernels import choose_exchange

    def thrown(name: str, cards: str) -> str:
        hand = dealt(load(name), cards)
        while not hand.legal().exchange:
            hand.call()
        compiled = compile_rules(hand.rules)
        deck = np.array(hand.rules.deck.cards, dtype=np.uint8)
        _, least, most = hand.legal().exchange
        with np.errstate(over="ignore"):
            chosen = choose_exchange(
                *hand.arrays, compiled.game, least, most, compiled.tables, compiled.extra, ladders(hand.rules), deck,
                np.uint64(7),
            )  # fmt: skip
        return format_cards(card for i, card in enumerate(hand.cards(hand.turn)) if chosen >> i & 1)

    assert thrown("five-card-draw", "AsAdAc7h2s") in ("7h2s", "2s")
    assert thrown("five-card-draw", "AsAdKcKh2s") == "2s"
    assert thrown("27-triple-draw", "2s3d4c7hKs") == "Ks"
    assert set(parse_cards(thrown("badugi", "As2d3cKc"))) == set(parse_cards("Kc"))
    assert len(parse_cards(thrown("anaconda", "AsAdAcAh2s7d9c"))) == 3


# What it must not do


@pytest.mark.parametrize("name", ["nlhe", "stud", "five-card-draw", "leduc", "anaconda", "cincinnati"])
def test_hidden_cards_have_no_part_in_the_answer(name):
    """Swap what the seat has not seen: every digit of the answer stays."""
    rules = load(name)
    dice = random.Random(name)
    hand = Hand.new(rules, seed=8)
    for _ in range(2):
        seat = hand.turn
        unseen = list(knowledge(hand.view(seat)).unseen)
        shuffled = unseen[:]
        dice.shuffle(shuffled)
        twin = _renamed(hand, dict(zip(unseen, shuffled, strict=True)))
        one, two = at_state(hand, samples=200, seed=3), at_state(twin, samples=200, seed=3)
        assert one == two
        if hand.legal().exchange:
            hand.exchange(hand.cards(hand.turn)[: hand.legal().exchange[1]])
        else:
            hand.call()


def _renamed(hand: Hand, names_of: dict[int, int]) -> Hand:
    """The same hand with cards renamed where they lie hidden."""
    twin = hand.copy()
    _, cards = twin.arrays
    from felt.games.engine import fields as f

    for begin, end in ((f.CARDS, f.BOARD), (f.DECK, f.BYTES)):
        part = cards[begin:end]
        part[:] = [names_of.get(int(card), int(card)) for card in part]
    return twin


@pytest.mark.parametrize("name", each_kind(names()))
def test_there_is_an_answer_in_every_state(name):
    rules = load(name)
    hand = Hand.new(rules, players=min(3, rules.max_players), seed=4)
    while not hand.over:
        seat = hand.turn
        found = at_state(hand, samples=40)
        assert found.call == (hand.legal().call or 0)
        assert 0 <= found.equity <= 1 and 0 <= found.share <= 1
        price = sum(pot.chips for pot in found.pots) - found.pot
        assert 0 <= price <= found.call and found.pot <= hand.pot
        assert found.seat == seat and found.opponents == hand.players - 1
        if hand.legal().exchange:
            hand.exchange(hand.cards(seat)[: hand.legal().exchange[1]])
        else:
            hand.call()


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads():
    hand = Hand.new(load("27-single-draw"), seed=1)
    one = at_state(hand, samples=1200, seed=5, threads=1)
    assert one == at_state(hand, samples=1200, seed=5, threads=2)
    assert one != at_state(hand, samples=1200, seed=6)


def test_questions_without_an_answer():
    hand = Hand.new(load("nlhe"), [200] * 3, seed=1)
    hand.fold()
    with pytest.raises(OddsError, match="seat 2 has folded"):
        at_state(hand, 2)
    with pytest.raises(OddsError, match="seat 7: seats are 0 to 2"):
        at_state(hand, 7)
    for wrong in ({"samples": 0}, {"seed": -1}, {"threads": 0}):
        with pytest.raises(OddsError, match=f"{next(iter(wrong))}="):
            at_state(hand, **wrong)
    hand.fold()
    with pytest.raises(OddsError, match="the hand is over"):
        at_state(hand, 1)


def test_plain_values_for_json():
    hand = Hand.new(load("kuhn"), seed=1)
    told = at_state(hand).as_dict()
    assert told["odds"] is None and told["exact"] is True
    hand.raise_to(1)
    assert at_state(hand).as_dict()["odds"] == {"ratio": 3.0, "fraction": 0.25}
