"""Draw games in which the deck runs out: dealers who burn cards shuffle earlier than Felt does."""

import random

import pytest

from felt.interop.phh.reader import read_phh
from felt.interop.results import check
from felt.stats.records import from_records

STACK, BLINDS, BET = 1000, (5, 10), 10


def played_by_pokerkit(name: str, players: int, seed: int) -> str:
    """The PHH of a hand in which everybody draws all or nearly all cards, burn cards before each draw."""
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    automatic = pokerkit.Automation
    automations = tuple(
        getattr(automatic, step)
        for step in (
            "ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "CARD_BURNING", "HOLE_DEALING",
            "HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING",
        )
    )  # fmt: skip
    game = getattr(pokerkit, name)
    rng = random.Random(seed)
    random.seed(seed)  # PokerKit shuffles with it
    state = game.create_state(automations, True, 0, BLINDS, BET, 2 * BET, [STACK] * players, players)
    while state.status:
        if state.can_stand_pat_or_discard():
            held = list(state.get_down_cards(state.stand_patter_or_discarder_index))
            state.stand_pat_or_discard(tuple(rng.sample(held, rng.randint(len(held) - 1, len(held)))))
        else:
            state.check_or_call()
    history = pokerkit.HandHistory.from_game_state(game(automations[:1], True, 0, BLINDS, BET, 2 * BET), state)
    return f"{history.dumps()}\nfinishing_stacks = {[int(stack) for stack in state.stacks]}\n"


@pytest.mark.filterwarnings("ignore")  # PokerKit warns that these players play badly
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "players"), [("FixedLimitDeuceToSevenLowballTripleDraw", 6), ("FixedLimitBadugi", 7)])
def test_a_reshuffle_after_a_burn_card(name, players, seed):
    (hand,) = read_phh(played_by_pokerkit(name, players, seed)).hands
    outcome = check(hand)
    assert outcome.why == "" and outcome.payoffs == tuple(end - STACK for end in hand.finishing)
    assert from_records([hand]).hands == 1


BADUGI = """\
variant = "FB"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 1000]
actions = ["d dh p1 2c3d4h5s", "d dh p2 6c7d8h9s", "p2 cc", "p1 cc", "p1 sd 2c", "p2 sd 6c", "d dh p1 NEW",
           "d dh p2 Tc", "p1 cbr 10", "p2 f"]
"""


@pytest.mark.parametrize("card", ["2c", "7d", "3d"])
def test_a_card_that_comes_again_while_the_deck_is_full_is_dealt_twice(card):
    (hand,) = read_phh(BADUGI.replace("NEW", card)).hands
    assert check(hand).why == f"card {card} is dealt twice"
    (whole,) = read_phh(BADUGI.replace("NEW", "Jc")).hands
    assert check(whole).why == ""
