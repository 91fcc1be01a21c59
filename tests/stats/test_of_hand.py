"""Counts of single hands: the same as those of the records, and they add up."""

import random

import pytest

from felt.cli.games.table import random_action
from felt.games import Hand, load, names
from felt.stats import INDICATORS, from_records
from felt.stats.records import added, count_hand, counted_of


@pytest.mark.parametrize("game", names())
def test_hand_by_hand_is_as_all_together(game):
    rules, dice = load(game), random.Random(game)
    players = min(rules.max_players, 4)
    totals, records = [{} for _ in range(players)], []
    for number in range(6):
        hand = Hand.new(rules, players=players, seed=7, number=number, button=dice.randrange(players))
        while not hand.over:
            hand.act(random_action(hand.view(hand.turn), dice))
        records.append(hand.record())
        for total, did in zip(totals, count_hand(hand), strict=True):
            added(total, did)
    together = from_records(records).table
    for seat, total in enumerate(totals):
        for name in INDICATORS:
            assert counted_of(total, name) == together.of(f"seat {seat}", name)
