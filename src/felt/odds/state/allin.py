"""All-in-adjusted results: the value of a hand when its betting was over, in place of its result.

Once nobody can bet any more the cards to come are luck. Their average over the rest of the deck has the same
expectation as the result and less noise. It is taken over the cards that were really left, those of players who folded
being known to be gone: so it is unbiased, whatever the players' reasons to fold were.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from felt._chance import seeds_of
from felt._pool import map_ordered
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.rules import GameRules
from felt.games.views.facts import Facts
from felt.games.views.facts_layout import CLOSED_STREET
from felt.odds.equity.exact import BOARDS, matchup_counts

Floats = NDArray[np.float64]

STREAM = 0x616C6C69  # "alli": keeps these deals apart from others
COUNTED = comb(45, 2)
"""Ways to deal the rest that are counted one by one: all that a flop leaves."""
SAMPLES = 64
"""Deals that are sampled where there are more."""
GRID = 2**20
"""Parts of a chip that are distinguished: sums on this grid are exact, so values that cancel in theory cancel here."""
BLOCK = 256


def adjusted_payoffs(facts: Facts, deals: NDArray[np.int64], seed: int = 0, *, threads: int | None = 1) -> Floats:
    """Chips that each player could expect when betting was over: ``[hands, players]``; else what they won or lost.

    Adjusted are hands in which cards were dealt after the last decision and at least two players were left, if that
    decision was about chips: all live cards are then known. `deals` are the numbers of the deals under `seed`: the same
    deal is adjusted by the same sample. Exact from the flop on in games with a board, and before it in hold'em between
    two.
    """
    adjusted: Floats = facts.payoffs.astype(np.float64)
    street = facts.closed[:, CLOSED_STREET]  # without a decision from there on, with somebody to show to
    rows = np.flatnonzero((facts.numbers[:, f.STREET] > street) & (facts.shown > 0) & (street >= 0))
    before_flop = facts.closed[rows, 1] == 0
    if facts.players == 2 and _is_holdem(facts.rules):
        _adjust(adjusted, facts, rows[before_flop], _by_table(facts, rows[before_flop]))
        rows = rows[~before_flop]
    _adjust(adjusted, facts, rows, _dealt_out(facts, rows, seeds_of(deals[rows], seed, STREAM), threads))
    return adjusted


def _adjust(adjusted: Floats, facts: Facts, rows: NDArray[np.intp], won: Floats) -> None:
    """Replace what players were paid in some hands by what they could expect."""
    paid = facts.numbers[rows, f.WON : f.WON + facts.players]
    expected = np.round(won * GRID) / GRID
    rest = paid.sum(axis=1) - expected.sum(axis=1)
    expected[np.arange(len(rows)), expected.argmax(axis=1)] += rest  # no chip is lost
    adjusted[rows] += expected - paid


def _dealt_out(facts: Facts, rows: NDArray[np.intp], seeds: NDArray[np.uint64], threads: int | None) -> Floats:
    """What players of some hands can expect to be paid: the rest of the deck is counted or sampled."""
    from felt._chance_kernels import wrapping
    from felt.odds.state.allin_kernels import expect_many

    compiled = compile_rules(facts.rules)
    won = np.zeros((len(rows), f.SEATS), dtype=np.float64)

    def work(begin: int) -> None:
        part = slice(begin, begin + BLOCK)
        with wrapping():
            expect_many(
                facts.numbers, facts.cards, compiled.game, compiled.tables, compiled.extra, facts.closed, rows[part],
                seeds[part], COUNTED, SAMPLES, won[part],
            )  # fmt: skip

    list(map_ordered(work, range(0, len(rows), BLOCK), threads))
    return won[:, : facts.players]


def _by_table(facts: Facts, rows: NDArray[np.intp]) -> Floats:
    """The same in heads-up hold'em before the flop, from the table of all matchups."""
    numbers, cards = facts.numbers[rows], facts.cards[rows].astype(np.intp)
    combos = []
    for seat in range(2):
        held = np.sort(cards[:, f.CARDS + f.CARDS_EACH * seat : f.CARDS + f.CARDS_EACH * seat + 2], axis=1)
        combos.append(held[:, 1] * (held[:, 1] - 1) // 2 + held[:, 0])
    equity = np.empty(len(rows))
    for begin in range(0, len(rows), BLOCK):
        part = slice(begin, begin + BLOCK)
        wins, ties = matchup_counts(combos[0][part], combos[1][part])
        equity[part] = (np.diagonal(wins) + np.diagonal(ties) / 2) / BOARDS
    put = numbers[:, f.PUT : f.PUT + 2].astype(np.float64)
    uncalled = np.maximum(put - put[:, ::-1], 0)
    contested = numbers[:, f.WON : f.WON + 2].sum(axis=1) - uncalled.sum(axis=1)
    won: Floats = uncalled + contested[:, None] * np.stack([equity, 1 - equity], axis=1)
    return won


def _is_holdem(rules: GameRules) -> bool:
    shown = rules.showdown
    plain = shown.kinds == ("high",) and shown.size == 5 and not (shown.hole_exactly or shown.wild or shown.scoring)
    return plain and rules.hole_cards == 2 and rules.board_cards == 5 and set(rules.deck) == set(range(52))
