"""Rake in every game: with no flop there is no drop by default, as a setting; beside PokerKit's."""

import random
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from felt.cli.app import run
from felt.games import Hand, load, names
from felt.games.replay import replay
from felt.games.rules import First, Rake, RulesError
from felt.interop.phh.reader import read_phh
from felt.interop.results import playable
from felt.interop.rooms.ledger import Ledger
from felt.odds.state.at_state import at_state

SHARE = 0.05
STEPS = (
    "ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "CARD_BURNING", "HOLE_DEALING", "BOARD_DEALING",
    "HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING",
)  # fmt: skip
GAMES = {
    "FixedLimitRazz": (True, 20, 20, 40, 80),
    "FixedLimitSevenCardStud": (True, 20, 20, 40, 80),
    "FixedLimitBadugi": (True, 0, (20, 40), 40, 80),
    "NoLimitTexasHoldem": (True, 0, (20, 40), 40),
    "PotLimitOmahaHoldem": (True, 0, (20, 40), 40),
}
"""PokerKit's games and their stakes; all amounts are such that 5 % of a pot is a whole number."""


def theirs(name: str, seed: int, *, no_flop_no_drop: bool):
    """A random hand that PokerKit plays with rake: its history, and what the house took."""
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    automations = tuple(getattr(pokerkit.Automation, step) for step in STEPS)
    game, rng = getattr(pokerkit, name), random.Random(seed)
    random.seed(seed)  # PokerKit shuffles with it
    rake = partial(pokerkit.rake, percentage=SHARE, no_flop_no_drop=no_flop_no_drop)
    state = game.create_state(automations, *GAMES[name], [20_000] * 3, 3, rake=rake)
    while state.status:
        if state.can_stand_pat_or_discard():
            state.stand_pat_or_discard(())
        elif state.can_post_bring_in():
            state.post_bring_in()
        elif rng.random() < 0.35 and state.can_fold():
            state.fold()
        elif rng.random() < 0.2 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    history = pokerkit.HandHistory.from_game_state(game(automations[:1], *GAMES[name]), state)
    return history.dumps(), 60_000 - sum(state.stacks)


def left_out(record, hand: Hand) -> int:
    """What PokerKit does not rake: if all others fold, it gives the winner's whole bet of the last street back."""
    ledger = Ledger.of(record)
    for event in record.events:
        ledger.apply(event)
    if hand.showdown:
        return 0
    (winner,), (_, over) = ledger.live, ledger.uncalled()
    return ledger.bets[winner] - over


@pytest.mark.filterwarnings("ignore")  # PokerKit warns of folds that are free
@pytest.mark.parametrize("name", GAMES)
def test_rake_beside_pokerkit(name):
    ends: Counter[str] = Counter()
    for seed in range(12):
        for spared in (True, False):
            text, taken = theirs(name, seed, no_flop_no_drop=spared)
            (record,) = read_phh(text).hands
            hand = replay(replace(playable(record), rules=replace(record.rules, rake=Rake(SHARE, 0, spared))))
            assert hand.over
            first = hand.street == 0
            ends["first round" if first else "later"] += 1
            board = any(part.board for part in record.rules.rounds)
            if spared and not board:  # PokerKit never sees a flop there, Felt goes by the betting
                assert taken == 0 and (hand.rake == 0) == first
            elif first and spared:
                assert hand.rake == taken == 0
            else:
                assert hand.rake == taken + SHARE * left_out(record, hand) > 0
    assert ends["first round"] and ends["later"]


def play(rules, moves: str, players: int = 3) -> Hand:
    hand = Hand.new(rules, 1000, players=players, seed=1)
    for move in moves.split():
        if move == "f":
            hand.fold()
        elif move == "-":
            hand.exchange(())
        else:
            hand.call()
    assert hand.over
    return hand


def test_razz_without_a_flop_pays_no_drop_on_third_street():
    rules = replace(load("razz", rake="10%"), ante=20)
    assert rules.rake == Rake(0.1) and rules.raked_from == 1
    assert play(rules, "c f f").rake == 0
    dropped = replace(rules, rake=Rake(0.1, no_flop_no_drop=False))
    assert play(dropped, "c f f").rake == 6  # of three antes; the bring-in goes back
    assert play(rules, "c c c f f").rake > 6  # fourth street was dealt


def test_a_round_without_betting_is_not_the_first():
    rules = load("nlhe", rake=0.1)
    dealt = replace(rules.rounds[0], name="deal", betting=None)
    bet = replace(rules.rounds[1], name="bets", board=1)
    two = replace(rules, blinds=(), rounds=(replace(dealt, first=First.AFTER_BUTTON), bet, *rules.rounds[1:3]))
    assert two.raked_from == 2 and rules.raked_from == 1
    assert at_state(Hand.new(rules, 100, players=2, seed=1), 1).pot > 0


@pytest.mark.parametrize("name", [*names()])
def test_every_game_of_the_catalogue_can_be_raked(name):
    rules = load(name, rake="2.5%", rake_cap=3, no_flop_no_drop="no")
    assert rules.rake == Rake(0.025, 3, no_flop_no_drop=False) and load(name).rake == Rake()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"rake": "100%"}, "rake='100%' is no share of a pot: write it like 0.05 or 5%"),
        ({"rake": "much"}, "rake='much' is no share"),
        ({"rake_cap": "0.3"}, "rake_cap='0.3' is no amount of this game: write a multiple of 1"),
        ({"no_flop_no_drop": "perhaps"}, "no_flop_no_drop='perhaps' is no answer: write yes or no"),
    ],
)
def test_settings_that_make_no_sense(settings, why):
    with pytest.raises(RulesError, match=why):
        load("razz", **settings)


def test_rake_is_set_on_the_command_line(capsys):
    assert run(["game", "show", "razz", "--set", "rake=5%", "--set", "rake_cap=3"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "5% of the pot, at most 3; none of hands that end in the first betting round" in shown
    assert "no_flop_no_drop: yes or no" in shown
