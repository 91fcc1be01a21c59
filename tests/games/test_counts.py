"""Numbers of betting sequences in every variant, against a counter that knows nothing of the engine.

The counter walks every branch with the slow twin of the rules. More published sizes of whole games are in test_tree.py.
"""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import pytest

from felt.games import Hand, load, names
from felt.games.rules import First, GameRules, Structure
from felt.games.trees.counts import BettingCounts, count_betting
from tests.reference import no_limit
from tests.reference.engine import SlowTable, opening_seat

Exchange = tuple[int, int]
"""Fewest and most cards that the next player in turn may exchange."""


@dataclass
class Naive:
    """Counts the sequences of a deal by trying every move there is."""

    hand: Hand
    depth: int

    def __post_init__(self) -> None:
        self.rules = self.hand.rules
        self.found: Counter[tuple[str, int]] = Counter()
        stakes = self.hand.stakes
        table = SlowTable(list(stakes.stacks), stakes.antes, stakes.posts, stakes.dead_antes, self.rules.cap)
        self.up = cards_up_by_street(self.hand)
        self.street(table, 0, self.depth)

    def street(self, table: SlowTable, street: int, depth: int) -> None:
        """Cards have been dealt: first they are exchanged, then there is betting."""
        part = self.rules.rounds[street]
        fixed = [(count, count) for count in (part.rolls, part.passes, part.discards)]
        kinds = [*fixed, (part.draw_least, part.draw_most)]
        exchanges = [(least, most) for least, most in kinds if most for _ in table.live]
        self.exchange(table, street, exchanges, depth)

    def exchange(self, table: SlowTable, street: int, exchanges: list[Exchange], depth: int) -> None:
        part = self.rules.rounds[street]
        if exchanges:
            (least, most), *rest = exchanges
            if depth:
                self.decide(street, most - least + 1)
                for _ in range(least, most + 1):
                    self.exchange(copied(table), street, rest, depth - 1)
        elif part.betting:
            table.open(part.betting, self.opener(table, street), bring_in=0 if street else self.rules.bring_in)
            self.bet(table, street, depth)
        else:
            self.close(table, street, depth)

    def bet(self, table: SlowTable, street: int, depth: int) -> None:
        if len(table.live) == 1:
            self.found["folds", street] += 1
        elif table.turn is None:
            self.close(table, street, depth)
        elif depth:
            after = list(moved(table))
            self.decide(street, len(after))
            for child in after:
                self.bet(child, street, depth - 1)

    def close(self, table: SlowTable, street: int, depth: int) -> None:
        if street + 1 == len(self.rules.rounds):
            self.found["showdowns", 0] += 1
        else:
            table.close()
            self.street(table, street + 1, depth)

    def decide(self, street: int, choices: int) -> None:
        self.found["decisions", street] += 1
        self.found["choices", street] += choices

    def opener(self, table: SlowTable, street: int) -> int:
        first, posts = self.rules.rounds[street].first, list(table.posts)
        if first == First.AFTER_BUTTON:
            return 0
        if first == First.AFTER_BLINDS:
            return (len(posts) - posts[::-1].index(max(posts))) % len(posts)
        return opening_seat(first, self.up[street], table.live)

    def by_street(self, what: str) -> tuple[int, ...]:
        return tuple(self.found[what, street] for street in range(len(self.rules.rounds)))


def copied(table: SlowTable) -> SlowTable:
    twin = copy.copy(table)
    twin.stacks, twin.bets, twin.put = list(table.stacks), list(table.bets), list(table.put)
    twin.folded = set(table.folded)
    twin.acted = dict(getattr(table, "acted", {}))
    return twin


def moved(table: SlowTable) -> Iterator[SlowTable]:
    """The table after each move that is worth counting: nobody folds where checking is free."""
    if table.may_fold and table.to_call:
        child = copied(table)
        child.fold()
        yield child
    child = copied(table)
    child.call()
    yield child
    least, most = table.raise_to or (1, 0)
    for total in range(least, most + 1):
        child = copied(table)
        child.raise_by_total(total)
        yield child


def cards_up_by_street(hand: Hand) -> list[list[tuple[int, ...]]]:
    """What lies face up in each round when nobody folds, as heads-up."""
    hand = hand.copy()
    found: dict[int, list[tuple[int, ...]]] = {}
    while not hand.over:
        found[hand.street] = [hand.up_cards(seat) for seat in range(hand.players)]  # at last, when all have turned up
        exchange = hand.legal().exchange
        hand.exchange(hand.choosable()[: exchange[1]]) if exchange else hand.call()
    return [found.get(street, []) for street in range(len(hand.rules.rounds))]


def small(rules: GameRules) -> int:
    """A stack so small that every amount of a raise can be tried."""
    parts = [part.betting for part in rules.rounds if part.betting]
    if all(betting.structure == Structure.LIMIT for betting in parts):
        return rules.stack
    return 3 * rules.big_blind + rules.ante


def assert_same(counts: BettingCounts, naive: Naive) -> None:
    assert counts.decisions == naive.by_street("decisions")
    assert counts.choices == naive.by_street("choices")
    assert counts.folds == naive.by_street("folds")
    assert counts.showdowns == naive.found["showdowns", 0]


@pytest.mark.parametrize("name", names())
def test_heads_up(name: str) -> None:
    rules = load(name)
    depth = 7 if rules.has_draws else 10
    hand = Hand.new(rules, [small(rules), small(rules) + 1], seed=2)
    assert_same(count_betting(hand, sizes=None, depth=depth), Naive(hand, depth))


def for_three(name: str) -> GameRules | None:
    """A variant for three, if there is one; in stud the cards that fall depend on who has folded."""
    rules = load(name, players=3) if name in ("kuhn", "leduc") else load(name)
    return None if rules.max_players < 3 or rules.shows_cards else rules


@pytest.mark.parametrize("rules", list(filter(None, map(for_three, names()))), ids=lambda rules: rules.name)
def test_three_players(rules: GameRules) -> None:
    depth = 6 if rules.has_draws else 8
    hand = Hand.new(rules, [small(rules) + extra for extra in (0, 2, 1)], seed=2)
    assert_same(count_betting(hand, sizes=None, depth=depth), Naive(hand, depth))


@pytest.mark.parametrize("name", ["limit-holdem", "kuhn", "leduc", "leduc-one-raise", "preflop-limit"])
def test_whole_games(name: str) -> None:
    hand = Hand.new(load(name), seed=2)
    assert_same(count_betting(hand), Naive(hand, 99))


def test_no_limit_holdem_has_the_states_and_suit_blind_infosets_that_johanson_published(shared_data: Path) -> None:
    """20,000 chips, blinds of 50 and 100, modulo 2^64; sequences count again in every later round, as he has them."""
    published = json.loads((shared_data / "reference" / "constants.json").read_text())
    sizes = published["hunl_acpc_2010_2013_size_20000_50_100"]
    with np.errstate(over="ignore"):
        so_far = np.cumsum(np.array(no_limit.decisions(20_000, 100, exact=False), dtype=object))
    hands = [published["canonical_hands_hole_plus_board"][street] for street in ("preflop", "flop", "turn", "river")]
    both = comb(52, 2) * comb(50, 2)
    deals = [both, both * comb(48, 3), both * comb(48, 3) * 45, both * comb(48, 3) * 45 * 44]
    assert sum(so_far * np.array(hands, dtype=object)) % 2**64 == int(sizes["infosets_canonical"]) % 2**64
    assert sum(so_far * np.array(deals, dtype=object)) % 2**64 == int(sizes["game_states"]) % 2**64
