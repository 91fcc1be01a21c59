"""Player statistics: every count against a slow recount, over random hands of many games."""

import os
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from felt.games import Hand, HandRecord, load
from felt.interop.formats import find_files, read_hands
from felt.interop.histories import HistoryError
from felt.stats.definitions import INDICATORS, POSITIONS
from felt.stats.records import from_records
from felt.stats.table import IP, Table
from tests.reference.indicators import Key, recount

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Joe")

RECOUNTED = 250 if os.environ.get("FELT_SLOW_TESTS") else 100
"""Hands of each game that are counted again, slowly."""
GAMES = {
    "nlhe": (2, 3, 6, 9), "limit-holdem": (2, 6, 10), "plo": (4,), "stud": (2, 5), "razz": (7,), "five-card-draw": (4,),
    "27-triple-draw": (3,), "cap-holdem": (5,), "kuhn": (2,), "leduc": (2,), "brag": (6,), "anaconda": (4,),
    "preflop-nolimit": (3,), "cincinnati": (8,),
}  # fmt: skip


def move_at_random(hand: Hand, dice: random.Random, wild: float, tight: float) -> None:
    """A legal move: wild players raise, tight ones fold, so that hands come to steals, 4-bets and quiet rivers."""
    legal = hand.legal()
    if legal.exchange is not None:
        _, least, most = legal.exchange
        hand.exchange(dice.sample(hand.choosable(), dice.randint(least, most)))
    elif legal.raise_to is not None and dice.random() < wild:
        least, most = legal.raise_to
        hand.raise_to(dice.choice((least, least, least, min(most, 2 * least), most)))
    elif legal.fold and dice.random() < (tight if legal.call else 0.02):
        hand.fold()
    else:
        hand.call()


def random_records(name: str, players: int, hands: int) -> list[HandRecord]:
    """Hands at tables of every kind: uneven stacks, the button anywhere, names drawn anew."""
    rules, dice = load(name), random.Random(f"{name} {players}")
    records = []
    for number in range(hands):
        stacks = [rules.big_blind * dice.choice((1, 4, 15, 100, 100)) + dice.randrange(3) for _ in range(players)]
        button = dice.randrange(players)
        hand = Hand.new(rules, stacks, seed=9, number=number, button=button)
        wild, tight = dice.choice((0.1, 0.3, 0.6)), dice.choice((0.1, 0.3, 0.8))
        while not hand.over:
            move_at_random(hand, dice, wild, tight)
        records.append(replace(hand.record(), names=tuple(dice.sample(NAMES[: players + 1], players))))
    return records


def cells(table: Table) -> Counter[Key]:
    """What a table holds, as the recount tells it."""
    found: Counter[Key] = Counter()
    for place in zip(*np.nonzero(table.counts), strict=True):
        player, indicator, position, street, ip, part = map(int, place)
        key = (table.players[player], [*INDICATORS][indicator], POSITIONS[position], street, IP[ip])
        found[*key, ("num", "den")[part]] = int(table.counts[place])
    return found


@pytest.mark.grows
@pytest.mark.parametrize(("name", "players"), [(name, players) for name in GAMES for players in GAMES[name]])
def test_all_counts_are_those_of_a_recount(name, players):
    records = random_records(name, players, RECOUNTED)
    told = from_records(records)
    assert (told.hands, told.skipped) == (RECOUNTED, 0)
    assert cells(told.table) == recount(records)


def test_the_random_hands_come_to_everything_that_is_counted():
    table = from_records(random_records("nlhe", 6, 1000)).table
    counts = table.sum("player", "position", "street", "ip")
    assert counts.min() >= 20, dict(zip(INDICATORS, counts.tolist(), strict=True))


@pytest.mark.no_jit
@pytest.mark.parametrize(("name", "players"), [("nlhe", 3), ("limit-holdem", 4), ("stud", 3), ("five-card-draw", 3)])
def test_a_few_hands_are_counted_the_same_without_the_compiler(name, players):
    records = random_records(name, players, 12)
    assert cells(from_records(records).table) == recount(records)


REAL = [
    "phh/pluribus", "phh/famous", "rooms", "acpc/logs/2p.limit.h1000.r0.log", "acpc/logs/2p.nolimit.h1000.r0.log",
    "acpc/logs/3p.nolimit.h1000.r0.log",
]  # fmt: skip


@pytest.mark.parametrize("source", ["phh", "rooms", "acpc/logs"])
def test_hands_in_files_are_counted_as_a_recount_does(source):
    records = real_records(Path(__file__).parents[1] / "fixtures" / "hands" / source, most=1500)
    told = from_records(records)
    assert told.skipped == 0 and told.hands == len(records) > 0
    assert cells(told.table) == recount(records)


@pytest.mark.long
@pytest.mark.parametrize("source", REAL)
def test_real_hands_are_counted_as_a_recount_does(source, shared_data):
    records = real_records(shared_data / source, most=1500)
    told = from_records(records)
    assert told.skipped == 0 and told.hands == len(records) > 0
    assert cells(told.table) == recount(records)


def real_records(folder: Path, most: int) -> list[HandRecord]:
    """Hands of hold'em and its kin that the files have; where cards are drawn unseen a recount cannot follow."""
    records: list[HandRecord] = []
    for file in find_files(folder):
        with suppress(HistoryError):  # a summary, or another game
            records += [hand for hand in read_hands(file).hands if not hand.rules.has_draws]
        if len(records) >= most:
            break
    return records[:most]
